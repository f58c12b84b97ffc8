"""What a study is: problem, method, seed and order, as its file remembers them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from divlearn.basics.checks import require_flag, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.version import __version__
from divlearn.methods.base import Method
from divlearn.methods.budget import SCHEDULE, Budget
from divlearn.methods.names import (
    DEFAULT_METHOD,
    OWN_METHODS,
    method_for,
    name_of,
)
from divlearn.methods.others.base import AskTell, WholeSolver
from divlearn.optimizer.bound import require_archive_size
from divlearn.optimizer.checkpoint.demands import method_in
from divlearn.optimizer.checkpoint.rules import Misfit
from divlearn.problems import Problem
from divlearn.problems.drawings import described
from divlearn.study.differences import ChangedStudy, differences
from divlearn.study.notes import checked
from divlearn.study.store import Store

#: Candidates that may be under way when the next one is chosen, unless told otherwise.
LAG = 8


@dataclass(frozen=True)
class Declaration:
    """What determines every candidate of a study, besides the outcomes.

    Attributes
    ----------
    problem, method, seed, budget
        As an Optimizer takes them; the budget is that of the first run.
    lag, ordered, archive_size
        See :class:`divlearn.Study`.
    begun
        Whether the budget is decided.
    """

    problem: Problem
    method: str | Method
    seed: int
    lag: int
    ordered: bool
    budget: Budget = None
    begun: bool = False
    archive_size: int | None = None

    @property
    def settings(self) -> Method:
        """The settings of the method."""
        return method_for(self.method)

    def begin(self, store: Store, budget: Budget) -> Declaration:
        """Decide the budget that the search is planned for, once."""
        if self.begun:
            if budget == SCHEDULE != self.budget:
                raise InputError(
                    'budget must be a number of evaluations, got "schedule", because '
                    f"the study {str(store.path)!r} was begun without a schedule that "
                    "ends; name another file."
                )
            return self
        store.note(budget=budget)
        return replace(self, budget=budget, begun=True)


def require_askable(method: str | Method, problem: Problem) -> None:
    """Refuse a method that solves in one go, or that cannot treat the problem."""
    chosen = method_for(method)
    if isinstance(chosen, WholeSolver):
        raise InputError(
            f"method {chosen.name!r} solves a problem in one go and cannot be asked "
            "for candidates, as a study does; use divlearn.solve, or another method."
        )
    if isinstance(chosen, AskTell):
        chosen.require(problem)


def declare(
    store: Store,
    problem: Problem,
    method: str | Method | None,
    seed: int | None,
    lag: int | None,
    ordered: bool | None,
    archive_size: int | None = None,
) -> Declaration:
    """Write down what a new study is, or check that an old one is the same.

    What is None is taken from the file, or has its default in a new study.
    """
    if seed is not None:
        seed = require_whole("seed", seed, 0, 2**63 - 1)
    if lag is not None:
        lag = require_whole("lag", lag, 1)
    if ordered is not None:
        require_flag("ordered", ordered)
    archive_size = require_archive_size(archive_size, problem)
    notes = store.notes()
    if not notes:
        new = Declaration(
            problem,
            DEFAULT_METHOD if method is None else method,
            0 if seed is None else seed,
            LAG if lag is None else lag,
            True if ordered is None else bool(ordered),
            archive_size=archive_size,
        )
        store.note(**_notes_of(new))
        return new
    checked(store.path, notes)
    given = {"seed": seed, "lag": lag, "ordered": ordered, "archive_size": archive_size}
    if changes := differences(notes, problem, method, **given):
        raise ChangedStudy(store.path, notes["name"], changes)
    shown = {name: look for name, look in _shown_as(problem).items() if look}
    told = _told_of(problem) | shown
    if told != {name: notes.get(name) for name in told}:
        store.note(**told)
    return Declaration(
        problem,
        method_in_notes(store.path, notes) if method is None else method,
        notes["seed"],
        notes["lag"],
        notes["ordered"],
        notes.get("budget"),
        "budget" in notes,
        notes.get("archive_size"),
    )


def _told_of(problem: Problem) -> dict[str, Any]:
    """What may change between runs, and is needed to open the file by itself."""
    hooks = {"hooks": True} if problem.has_python_hooks else {}  # once, and for good
    return {"extras": list(problem.extras), "noise": problem.noise, **hooks}


def _notes_of(declaration: Declaration) -> dict[str, Any]:
    """What the file remembers."""
    d, problem = declaration, declaration.problem
    return {
        "divlearn": __version__,
        "created": time.time(),
        "problem": problem.describe(),
        "name": problem.name,
        "reference": problem.reference,
        "ideal": problem.ideal,
        **_shown_as(problem),
        "method": name_of(d.method),
        "settings": method_for(d.method).describe(),
        "seed": d.seed,
        "lag": d.lag,
        "ordered": d.ordered,
        "archive_size": d.archive_size,
        **_told_of(problem),
    }


def _shown_as(problem: Problem) -> dict[str, Any]:
    """What is only looked at, and may change from run to run."""
    return {"drawing": described(problem.drawing), "units": problem.units or None}


def _described(path: Path, settings: dict[str, Any]) -> Method:
    """The method that a file describes, if it asks for a usual amount of anything."""
    try:
        return method_in(settings)
    except Misfit as misfit:
        raise InputError(
            f"the study {str(path)!r} cannot be continued as it is: {misfit}. Pass "
            "method= with these settings if they are yours."
        ) from None


def method_in_notes(path: Path, notes: dict[str, Any]) -> str | Method:
    """The method of a study, by its name if it still is what it was."""
    name, described = notes["method"], _described(path, notes["settings"])
    # A preset may have done otherwise in the version that began the study.
    same = name in OWN_METHODS and described == method_for(name)
    return str(name) if same else described
