"""``DivideAndLearn``: the search of divlearn as an algorithm of pymoo."""

from __future__ import annotations

import inspect
import math
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError, NoCandidates
from divlearn.basics.extras import need
from divlearn.basics.typing import Codes
from divlearn.integration.elsewhere import evaluated_elsewhere
from divlearn.integration.variables import Variables, variables_of
from divlearn.methods.base import Method
from divlearn.methods.names import DEFAULT_METHOD, method_for
from divlearn.optimizer import Optimizer
from divlearn.optimizer.elsewhere import require_learning
from divlearn.problems import Problem
from divlearn.spaces import Space

need("pymoo", "pymoo")

from pymoo.core.algorithm import Algorithm  # noqa: E402 - they need pymoo
from pymoo.core.individual import Individual  # noqa: E402
from pymoo.core.population import Population  # noqa: E402
from pymoo.core.sampling import Sampling  # noqa: E402
from pymoo.util.display.multi import MultiObjectiveOutput  # noqa: E402
from pymoo.util.optimum import filter_optimum  # noqa: E402

__all__ = ["DivideAndLearn"]

#: Where an individual keeps the number of its candidate.
KEY = "divlearn_candidate"


class DivideAndLearn(Algorithm):
    """Search a problem of pymoo by learning from differences.

    For binary, integer, real, mixed and permutation variables, one or several
    objectives, and constraints. What pymoo calls a generation are ``pop_size``
    evaluations, one after the other: each is learned from before the next is chosen.
    ``pop`` and ``opt`` are the best of all that was evaluated.

    Parameters
    ----------
    pop_size
        Evaluations in a generation, and in what :meth:`ask` returns.
    batch
        Individuals that are evaluated at once within a generation: more than one for
        problems that evaluate in parallel.
    space
        What a solution is: ``"real"``, ``"integer"``, ``"binary"`` or
        ``"permutation"``, or a space of divlearn, such as
        ``divlearn.Permutation(20, before=[(0, 5)])``. If None, what the problem's
        ``vars`` or ``vtype`` say, or what ``sampling`` is for.
    sampling
        Designs to begin with: an array of them, or a population. Those that have been
        evaluated are learned at no cost, others are evaluated first. One of pymoo's
        own samplings says what the variables are, and no more.
    reference
        A point that is worse than anything you hope for, one number per objective, if
        you know one: individuals beyond it count for nothing.
    method
        Any method of divlearn that can be asked.
    output
        What is printed if ``verbose``, as for any algorithm of pymoo.
    **options
        Options of every algorithm of pymoo.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from pymoo.problems import get_problem
    >>> result = minimize(
    ...     get_problem("zdt5", m=3, n=5), DivideAndLearn(), ("n_eval", 60), seed=1
    ... )
    >>> result.algorithm.evaluator.n_eval
    60
    """

    def __init__(
        self,
        pop_size: int = 20,
        *,
        batch: int = 1,
        space: str | Space | None = None,
        sampling: Any = None,
        reference: Sequence[float] | None = None,
        method: str | Method = DEFAULT_METHOD,
        output: Any = None,
        **options: Any,
    ) -> None:
        self.pop_size: int = require_whole("pop_size", pop_size, 1)
        self.batch: int = require_whole("batch", batch, 1)
        require_learning(method_for(method))
        self.method = method
        self.space = space
        self.sampling = sampling
        self.reference = reference
        self.optimizer: Optimizer | None = None
        self._variables: Variables | None = None
        self._first: list[Codes] = []
        self._known: Any = None  # individuals that were evaluated before
        _refuse_others(options)
        output = MultiObjectiveOutput() if output is None else output
        super().__init__(output=output, **options)

    # --- what pymoo calls

    def _setup(self, problem: Any, **kwargs: Any) -> None:
        """Begin a search."""
        seed = secrets.randbits(32) if self.seed is None else self.seed
        sampling = self.sampling if isinstance(self.sampling, Sampling) else None
        self._variables = variables_of(problem, self.space, sampling)
        count = problem.n_ieq_constr + problem.n_eq_constr
        searched = Problem(
            self._variables.space,
            evaluated_elsewhere,
            [f"objective {i + 1}" for i in range(problem.n_obj)],
            constraints=[f"constraint {i + 1}" for i in range(count)],
            reference=self.reference,
            name=type(problem).__name__,
        )
        plan = self._planned()
        self.optimizer = Optimizer(searched, self.method, seed, budget=plan)
        if self.sampling is not None and sampling is None:
            self._begin_with(self.sampling)

    def _planned(self) -> int | None:
        """Evaluations after which the termination ends the run, if it says so."""
        evaluations = getattr(self.termination, "n_max_evals", None)
        generations = getattr(self.termination, "n_max_gen", None)
        limits = [evaluations, generations and generations * self.pop_size]
        finite = [int(n) for n in limits if n is not None and np.isfinite(n)]
        return max(1, min(finite)) if finite else None

    def next(self) -> None:
        """Make one generation, ``batch`` evaluations at a time."""
        if not self.is_initialized:
            self._initialize()
        made, due = Population.empty(), self._due()
        while len(made) < due:
            try:
                infills = self._asked(min(self.batch, due - len(made)))
            except NoCandidates:
                break
            self.evaluator.eval(self.problem, infills, algorithm=self)
            self._learn(infills)
            made = Population.merge(made, infills)
        if len(made):
            self.advance(infills=made, learned=True)
        else:
            self.termination.terminate()
            self.termination.update(self)

    def _initialize(self) -> None:
        """Begin with what was evaluated before."""
        super()._initialize()
        self.opt: Any = self._known

    def _initialize_infill(self) -> Any:
        """The first generation."""
        return self._asked(self._due())

    def _infill(self) -> Any:
        """A generation whose individuals are chosen all at once."""
        return self._asked(self._due())

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        """Learn the first generation."""
        self._advance(infills, **kwargs)

    def _advance(
        self, infills: Any = None, learned: bool = False, **kwargs: Any
    ) -> None:
        """Learn a generation, unless that is done, and keep the best of all."""
        if infills is None:
            raise InputError(
                "tell needs infills=, the population that ask returned, evaluated."
            )
        if not learned:
            self._learn(infills)
        # A value that is not a number would never be dominated.
        usable = infills[[_outputs(each) is not None for each in infills]]
        found = Population.merge(self.opt, usable) if self.opt is not None else usable
        self.pop = filter_optimum(found if len(found) else infills, True)

    # --- ask

    def _due(self) -> int:
        """Individuals of a generation; fewer where the termination allows no more."""
        most = getattr(self.termination, "n_max_evals", None)
        left = math.inf if most is None else most - self.evaluator.n_eval
        return int(max(1, min(self.pop_size, left)))

    def _asked(self, count: int) -> Any:
        """New individuals."""
        assert self.optimizer is not None
        assert self._variables is not None
        first, self._first = self._first[:count], self._first[count:]
        candidates = [self.optimizer.enqueue_codes(codes) for codes in first]
        if count > len(candidates):
            candidates += self.optimizer.ask(count - len(candidates))
        individuals = [
            Individual(X=self._variables.individual(c.x), **{KEY: c.id})
            for c in candidates
        ]
        population = Population.create(*individuals)
        population.set("n_gen", self.n_iter)
        population.set("n_iter", self.n_iter)
        return population

    # --- tell

    def _learn(self, infills: Iterable[Any]) -> None:
        """Learn from individuals that were evaluated."""
        for each in infills:
            self._learn_one(each, each.data.get(KEY))

    def _learn_one(self, individual: Any, number: int | None) -> None:
        """Learn from an individual, whether it was asked for or not."""
        assert self.optimizer is not None
        codes, outputs = self._codes(individual.X), _outputs(individual)
        waiting = self.optimizer.under_way.pending
        asked = None if number is None else waiting.get(number)
        if asked is None or not np.array_equal(asked.codes, codes):
            if outputs is not None:
                self.optimizer.take_known(codes, outputs)
                return
            asked = self.optimizer.enqueue_codes(codes)
        self.optimizer.learn(asked.id, outputs)

    def _codes(self, individual: Any) -> Codes:
        """Codes of what an individual is, shape (n,)."""
        assert self._variables is not None
        return self._variables.space.encode(self._variables.value(individual))

    def _begin_with(self, designs: Any) -> None:
        """Learn designs that were evaluated, and evaluate the others first."""
        if not isinstance(designs, Population):
            designs = Population.new(X=designs)
        for each in designs:
            if "F" in each.evaluated:
                self._learn_one(each, None)
            else:
                self._first.append(self._codes(each.X))
        known = designs[[i for i, each in enumerate(designs) if "F" in each.evaluated]]
        self._known = filter_optimum(known, least_infeasible=True)

    def __getstate__(self) -> dict[str, Any]:
        """All of it; what pymoo keeps as history does without the search.

        pymoo copies the algorithm after each generation for that, and takes the history
        off while it does. The search would fill the memory.
        """
        state = dict(vars(self))
        return state if self.history is not None else {**state, "optimizer": None}


def _refuse_others(options: dict[str, Any]) -> None:
    """Refuse options that pymoo would take and forget."""
    names = inspect.signature(Algorithm.__init__).parameters
    for name in options:
        if name not in names:
            raise InputError(
                f"{name} is not an option of DivideAndLearn, which has no crossover, "
                "mutation or survival of its own; leave it out."
            )


def _outputs(individual: Any) -> list[float] | None:
    """Objectives and constraints of an individual; None if one is not a number."""
    slack = individual.config["cv_eq"]["eps"]
    equal = np.abs(individual.H) - slack
    values = np.concatenate([individual.F, individual.G, equal]).astype(float)
    return values.tolist() if np.isfinite(values).all() else None
