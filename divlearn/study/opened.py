"""``OpenStudy``: a study whose file is open, and the search where the file ends."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.basics.clock import Clock
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value
from divlearn.methods.base import Method
from divlearn.methods.budget import Budget, planned
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.spaces.packing import Packing
from divlearn.study.declaration import Declaration, declare
from divlearn.study.found import complete
from divlearn.study.options import Options
from divlearn.study.store import Store
from divlearn.study.store.rows import CandidateRow, Queued
from divlearn.study.store.schema import damaged
from divlearn.study.trial import Names
from divlearn.terminal.display import Display, announce, patiently

if TYPE_CHECKING:
    from divlearn.study.search import RepeatableSearch


class OpenStudy:
    """What the parts of a study share while its file is open.

    Parameters
    ----------
    problem, path, method, seed, lag, ordered, checkpoint, archive_size
        As of a study.

    Attributes
    ----------
    store, declaration
        The file, and what it says the study is.
    clock
        Seconds that the study has run, all runs together.
    search
        The search; None if it has to be rebuilt from the file.
    names, packing
        How values and designs are stored in the file.
    queue
        Designs to be evaluated before others are asked.
    known
        Numbers of designs that were added since the file was opened, by packed codes.
    """

    def __init__(
        self,
        problem: Problem,
        path: Path,
        method: str | Method | None,
        seed: int | None,
        lag: int | None,
        ordered: bool | None,
        checkpoint: bool,
        archive_size: int | None = None,
    ) -> None:
        self.problem: Problem = problem
        self.path: Path = path
        self.checkpoint: bool = checkpoint
        self.search: RepeatableSearch | None = None
        self.closed: bool = False
        self.known: dict[bytes, int] = {}
        self.store: Store = Store(path)
        try:
            self.declaration: Declaration = declare(
                self.store, problem, method, seed, lag, ordered, archive_size
            )
            self.clock: Clock = Clock(self.store.seconds())
            self.queue: deque[Queued] = deque(self.store.queue())
        except BaseException:
            self.close()
            raise
        self.packing: Packing = Packing(problem.space)
        self.names: Names = Names(tuple(problem.objectives), problem.constraints)
        self.store.expect(self.names)

    @property
    def token(self) -> str:
        """What tells this study from others, wherever its file is."""
        return repr(self.store.notes()["created"])

    def close(self) -> None:
        """Close the file."""
        self.closed = True
        self.store.close()

    def require_open(self) -> None:
        """Refuse to work with a closed file."""
        if self.closed:
            raise InputError(
                "the study is closed; open it again by "
                f"Study(problem, {str(self.path)!r})."
            )

    def plan(self, budget: Budget) -> None:
        """Decide for how many evaluations the search is planned, if nobody has."""
        if not self.declaration.begun:  # somebody may have looked at it before
            self.search = None
        self.declaration = self.declaration.begin(self.store, budget)

    def begin(self, options: Options, display: Display) -> RepeatableSearch:
        """The search where the file ends, with its kernels compiled, for a new run."""
        self.plan(options.plan)
        self.store.note(target=options.budget, stopped=None, gave_up=False)
        return self.compiled(display)

    def compiled(self, display: Display) -> RepeatableSearch:
        """The search where the file ends, with its kernels compiled."""
        if self.search is None:
            declared = self.declaration
            method, plan = declared.settings, (self.problem, planned(declared.budget))
            with patiently(display):
                announce(method.missing(*plan, compiled=False), display)
                method.compile(*plan, compiled=False)
        return self.rebuilt()

    def rebuilt(self) -> RepeatableSearch:
        """The search where the file ends."""
        # It knows the kernels of all methods, which who only tells does not need.
        from divlearn.study import replay

        if self.search is None or self.search.spoiled:
            self.search = replay.rebuild(self.declaration, self.store, self.checkpoint)
        return self.search

    def result(self, search: RepeatableSearch, stopped: str) -> Result:
        """What was found, with all that only the file knows."""
        found = search.result(self.clock.seconds, stopped)
        return complete(found, self.problem, self.store)

    def value_of(self, row: CandidateRow) -> Value:
        """The design of a row of candidates, as the user declared it."""
        try:
            return self.problem.space.decode(self.packing.unpack(row.codes))
        except (IndexError, ValueError):
            place = f"table candidates, number {row.number}, column codes"
            raise damaged(self.path, f"{place}: no design of the space") from None
