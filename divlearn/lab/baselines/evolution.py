"""``PymooSearch``: a pymoo algorithm that is asked for candidates one by one."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from pymoo.algorithms.base.genetic import GeneticAlgorithm
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.problem import Problem as PymooProblem
from pymoo.core.termination import NoTermination
from pymoo.termination.max_eval import MaximumFunctionCallTermination

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.problems import Problem

#: Extra candidates, per member of a generation, after which missing answers fail.
PATIENCE = 2
#: Extra candidates, per member of a generation, that are children of its parents. If
#: that many were not answered, they may be refused for what they inherit.
MAX_CHILDREN = 5


class Form(Protocol):
    """What a pymoo algorithm makes, and which solution it represents."""

    def describe(self, problem: Problem) -> PymooProblem:
        """Describe the problem to pymoo."""

    def codes(self, x: Any) -> Codes:
        """Return the solution, shape (n,), that ``x`` represents."""

    def individual(self, codes: Codes, before: Any) -> Any:
        """Return what represents a solution that came from ``before``, or None."""

    def sample(self, count: int, rng: np.random.Generator) -> Any:
        """Draw ``count`` random solutions in this form."""


class PymooSearch:
    """A population that evolves while its members are evaluated elsewhere.

    A generation ends when it has as many answers as members. Requests for more
    candidates before that get further children of the same parents, and their answers
    count like the others, as do late answers and solutions from elsewhere. If very many
    are wanted, they are random. Algorithms with their own rules for the next generation
    get exactly the members they made. Other candidates are then random and teach them
    nothing, and missing answers count as failures once :data:`PATIENCE` candidates per
    member have been given out instead.

    Parameters
    ----------
    algorithm
        An algorithm of pymoo that has not begun; it is changed.
    problem
        What to optimize.
    form
        What the algorithm makes.
    budget
        Evaluations that are planned, if known.
    seed
        Seed of the algorithm.
    """

    def __init__(
        self,
        algorithm: Any,
        problem: Problem,
        form: Form,
        budget: int | None,
        seed: int,
    ) -> None:
        self._num_objectives = problem.num_objectives
        self._form = form
        self._algorithm = algorithm
        self._free = _takes_any_number(algorithm)
        # Some algorithms plan with the budget; none of them decides when to stop.
        end = (
            NoTermination()
            if budget is None
            else MaximumFunctionCallTermination(budget)
        )
        algorithm.setup(form.describe(problem), seed=seed, termination=end)
        self._queue: list[Any] = []
        self._waiting: dict[int, Any] = {}
        self._answers: list[Any] = []
        self._generation: list[Any] = []
        self._num_answered = self._num_beside = 0
        self._worst: Floats | None = None
        self._begin()

    # --- the protocol of a search

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Return ``count`` candidates, shape (count, n)."""
        rows = []
        for place, number in enumerate(numbers.tolist()):
            if not self._queue:
                self._refill(count - place)
            individual = self._queue.pop()
            self._waiting[number] = individual
            rows.append(self._form.codes(individual.X))
        return np.array(rows)

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Take an answer; ``codes`` may have been repaired."""
        known = self._waiting.pop(number, None)
        individual = self._form.individual(codes, known)
        if individual is None:
            return
        self._set(individual, outputs)
        self._worst = (
            outputs if self._worst is None else np.maximum(self._worst, outputs)
        )
        self._answers.append(individual)
        self._num_answered += known is not None

    def fail(self, number: int, codes: Codes) -> None:
        """Count a candidate that has no value."""
        if self._waiting.pop(number, None) is not None:
            self._num_answered += 1

    # --- generations

    def _begin(self) -> None:
        """Let the algorithm make its next generation."""
        made = self._algorithm.infill()
        self._alone = isinstance(made, Individual)
        # A search that has seen everything makes nothing and continues at random.
        members = [made] if self._alone else list([] if made is None else made)
        self._generation = members
        self._queue = members[::-1]
        self._num_answered = self._num_beside = 0

    def _refill(self, count: int) -> None:
        """Begin the next generation, or make extra candidates in this one."""
        if self._is_over() and self._advance():
            self._begin()
        if not self._queue:
            self._num_beside += count
            self._queue = list(self._beside(count))[::-1]

    def _is_over(self) -> bool:
        """Whether there are enough answers."""
        size = len(self._generation)
        if self._free:
            return self._num_answered >= size
        known = set(map(id, self._answers))
        missing = any(id(member) not in known for member in self._generation)
        return not missing or self._num_beside >= PATIENCE * size

    def _advance(self) -> bool:
        """End the generation; False if there is nothing to continue with."""
        if self._free:
            infills, self._answers = self._answers, []
            if not infills and not self._algorithm.is_initialized:
                return False
        else:
            infills, self._answers = self._complete(), []
        if infills:
            self._algorithm.evaluator.n_eval += len(infills)
            told = infills[0] if self._alone else Population.create(*infills)
            self._algorithm.advance(infills=told)
        return True

    def _complete(self) -> list[Any]:
        """All members of the generation; those without an answer count as worst."""
        known = set(map(id, self._answers))
        for member in self._generation:
            if id(member) not in known:
                self._set(member, self._bad())
        return self._generation

    def _bad(self) -> Floats:
        """Outputs for a candidate that has none."""
        problem = self._algorithm.problem
        if self._worst is None:
            return np.ones(problem.n_obj + problem.n_ieq_constr)
        return np.append(
            self._worst[: problem.n_obj],
            np.maximum(self._worst[problem.n_obj :], 0.0) + 1.0,
        )

    def _beside(self, count: int) -> Any:
        """Make candidates while the generation waits for answers."""
        algorithm = self._algorithm
        few = self._num_beside <= MAX_CHILDREN * max(1, len(self._generation))
        if self._free and few and algorithm.is_initialized:
            made = algorithm.mating.do(
                algorithm.problem,
                algorithm.pop,
                count,
                algorithm=algorithm,
                random_state=algorithm.random_state,
            )
            if len(made):
                return made
        return Population.new("X", self._form.sample(count, algorithm.random_state))

    def _set(self, individual: Any, outputs: Floats) -> None:
        """Write values into an individual."""
        m = self._num_objectives
        individual.F = outputs[:m].copy()
        individual.G = outputs[m:].copy()
        individual.evaluated.update(("F", "G", "H"))


def _takes_any_number(algorithm: Any) -> bool:
    """Whether a generation may have more or fewer members than were made."""
    return getattr(algorithm, "takes_any_number", False) or (
        isinstance(algorithm, GeneticAlgorithm)
        and type(algorithm)._advance is GeneticAlgorithm._advance
        and type(algorithm)._infill is GeneticAlgorithm._infill
    )
