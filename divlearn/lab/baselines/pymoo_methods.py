"""Any pymoo algorithm as a method."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.lab.baselines.isolation import Isolated
from divlearn.lab.baselines.naming import plain
from divlearn.methods.others.base import AskTell, Proposer
from divlearn.problems import Problem

OPERATORS = ("auto", "own", "space")


@dataclass(frozen=True)
class FromPymoo(AskTell):
    """An algorithm of pymoo; see :func:`from_pymoo`."""

    algorithm: Any
    operators: str = "auto"

    @property
    def name(self) -> str:  # type: ignore[override]
        """``pymoo-`` and the name of the algorithm's class."""
        return f"pymoo-{type(self.algorithm).__name__}"

    def describe(self) -> dict[str, Any]:
        """Algorithm and options, as far as they are plain data."""
        options = plain(vars(self.algorithm))
        return {"method": self.name, "operators": self.operators, "options": options}

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a run of a copy of the algorithm."""
        from divlearn.lab.baselines import forms
        from divlearn.lab.baselines.evolution import Form, PymooSearch

        form: Form
        algorithm = copy.deepcopy(self.algorithm)
        choice = self.operators
        if choice == "auto":
            choice = "space" if forms.is_for_real_numbers(algorithm) else "own"
        if choice == "space":
            form = forms.use_space_operators(algorithm, problem)
        else:
            form = forms.own_form(algorithm, problem)

        def begin() -> Proposer:
            return PymooSearch(algorithm, problem, form, budget, seed)

        try:
            return Isolated(begin, seed)
        except AssertionError as error:
            raise InputError(
                f"pymoo's {type(algorithm).__name__} cannot handle "
                f"{problem.name!r}: {error}"
            ) from error


def from_pymoo(algorithm: Any, operators: str = "auto") -> FromPymoo:
    """Let an algorithm of pymoo run on any problem.

    Parameters
    ----------
    algorithm
        An algorithm that has not begun; it is copied for every run.
    operators
        ``"space"`` gives it divlearn's sampling, crossover and mutation for the space
        (:mod:`divlearn.lab.baselines.operators`). ``"own"`` keeps the algorithm's own,
        which work on one number per position, from 0 to the last code there. Whole
        numbers that form a solution are that solution, as pymoo's operators for
        permutations and bits make them; others are keys of permutations and shares of a
        range (:mod:`divlearn.lab.baselines.keys`). ``"auto"`` replaces pymoo's usual
        operators for real numbers and keeps all others.

    Returns
    -------
    A method for ``method=``.

    Examples
    --------
    >>> from pymoo.algorithms.moo.spea2 import SPEA2
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bitsp-20")
    >>> dl.solve(problem, 100, method=from_pymoo(SPEA2(pop_size=20))).evaluations
    100
    """
    need("pymoo")
    from pymoo.core.algorithm import Algorithm

    require_one_of("operators", operators, OPERATORS)
    if not isinstance(algorithm, Algorithm):
        raise InputError(
            "algorithm must be an algorithm of pymoo, such as NSGA2(pop_size=40), "
            f"got {algorithm!r}."
        )
    if algorithm.is_initialized:
        raise InputError(
            "algorithm must not have begun, got one after "
            f"{algorithm.n_iter} generations; make a new one."
        )
    method = FromPymoo(algorithm, operators)
    if operators == "space":
        _require_mating(algorithm)
    return method


def _require_mating(algorithm: Any) -> None:
    """Refuse operators for an algorithm that has no place for them."""
    from divlearn.lab.baselines.forms import has_mating

    if not has_mating(algorithm):
        raise InputError(
            f"operators='space' needs an algorithm with crossover and mutation, got "
            f"{type(algorithm).__name__}; use operators='own'."
        )
