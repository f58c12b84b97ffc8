"""Parts of pymoo's algorithms that work on integer codes, a generation at a time."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from pymoo.core.individual import Individual
from pymoo.core.infill import InfillCriterion
from pymoo.core.population import Population
from pymoo.core.problem import Problem as PymooProblem
from pymoo.core.sampling import Sampling

from divlearn.basics.typing import Codes, Integers
from divlearn.lab.baselines.operators import SpaceOperators
from divlearn.problems import Problem

#: Rounds of mating that try to make a new child; every second one mutates once more.
MAX_ROUNDS = 20


class CodesForm:
    """Individuals that are the codes themselves."""

    def __init__(self, operators: SpaceOperators) -> None:
        self.operators = operators

    def describe(self, problem: Problem) -> PymooProblem:
        """Describe the problem to pymoo."""
        levels = problem.space.layout.places.levels
        return PymooProblem(
            n_var=len(levels),
            n_obj=problem.num_objectives,
            n_ieq_constr=problem.num_constraints,
            xl=np.zeros(len(levels)),
            xu=levels - 1.0,
            vtype=int,
        )

    def codes(self, x: Any) -> Codes:
        """Return them as they are."""
        return x  # type: ignore[no-any-return]

    def individual(self, codes: Codes, before: Any) -> Any:
        """Continue with what was evaluated, repaired or not."""
        individual = Individual() if before is None else before
        individual.X = np.array(codes, np.int64)
        return individual

    def sample(self, count: int, rng: np.random.Generator) -> Codes:
        """Draw ``count`` random solutions, shape (count, n)."""
        return self.operators.sample(count, rng)


class MadeBefore:
    """What was made before; a measurement with noise may be repeated."""

    def __init__(self, forget: bool) -> None:
        self._forget = forget
        self._seen: set[bytes] = set()

    def new(self, rows: Codes, beside: Codes) -> Integers:
        """Indices of the rows that are new and not in ``beside``."""
        seen = self._seen
        if self._forget:
            seen = {_digest(row) for row in beside}
        kept = []
        for number, row in enumerate(rows):
            key = _digest(row)
            if key not in seen:
                seen.add(key)
                kept.append(number)
        return np.array(kept, np.int64)


def _digest(row: Codes) -> bytes:
    """Digest of a solution; two agree with a probability of 2**-96."""
    return hashlib.blake2b(row.tobytes(), digest_size=12).digest()


class RandomCodes(Sampling):  # type: ignore[misc]
    """Random solutions; if a space has few, some of them may be equal."""

    def __init__(self, operators: SpaceOperators, made_before: MadeBefore) -> None:
        super().__init__()
        self.operators, self.made_before = operators, made_before

    def _do(
        self, problem: Any, n_samples: int, *args: Any, random_state: Any, **kw: Any
    ) -> Codes:
        rows = self.operators.sample(n_samples, random_state)
        self.made_before.new(rows, rows[:0])
        return rows


class Breeding(InfillCriterion):  # type: ignore[misc]
    """Selection, crossover, mutation and repair of a whole generation.

    Parameters
    ----------
    operators
        What crosses and mutates.
    made_before
        What was made before, which is not made again while there is something else to
        make.
    crossover
        Probability that two parents are crossed; otherwise the children are their
        mutated copies.
    """

    def __init__(
        self, operators: SpaceOperators, made_before: MadeBefore, crossover: float
    ) -> None:
        super().__init__()
        self.operators, self.made_before = operators, made_before
        self.crossover = crossover

    def do(
        self,
        problem: Any,
        pop: Any,
        n_offsprings: int,
        random_state: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Make children, all of them new if possible."""
        parents = pop.get("X")
        children = np.empty((0, parents.shape[1]), np.int64)
        for turn in range(MAX_ROUNDS):
            missing = n_offsprings - len(children)
            made = self.breed(pop, parents, missing, random_state, 1 + turn // 2)
            beside = np.concatenate([parents, children])
            children = np.concatenate(
                [children, made[self.made_before.new(made, beside)]]
            )
            if len(children) >= n_offsprings:
                break
        missing = n_offsprings - len(children)
        if missing > 0:
            rows = self.operators.sample(missing, random_state)
            children = np.concatenate([children, rows])
        return Population.new("X", children)

    def breed(
        self,
        pop: Any,
        rows: Codes,
        count: int,
        rng: np.random.Generator,
        mutations: int = 1,
    ) -> Codes:
        """Make ``count`` children, new or not."""
        pairs = -(-count // 2)
        chosen = rows[tournament(pop, 2 * pairs, rng)]
        mothers, fathers = chosen[:pairs], chosen[pairs:]
        crossed = np.flatnonzero(rng.random(pairs) < self.crossover)
        children = np.concatenate([mothers, fathers])
        if len(crossed):
            a, b = self.operators.cross(mothers[crossed], fathers[crossed], rng)
            children[crossed], children[pairs + crossed] = a, b
        children = children[:count]
        for _ in range(mutations):
            children = self.operators.mutate(children, rng)
        return self.operators.repair(children)


def tournament(pop: Any, count: int, rng: np.random.Generator) -> Integers:
    """Win binary tournaments by violation, then rank, then crowding distance.

    Survival by reference directions leaves no crowding distance; then violation and
    rank decide.
    """
    violation = pop.get("CV")[:, 0]
    # Infeasible solutions were not ranked.
    rank, crowding = (
        np.where(violation > 0.0, 0.0, np.array(pop.get(key), float))
        for key in ("rank", "crowding")
    )
    crowding = np.nan_to_num(crowding, nan=0.0, posinf=np.inf)
    order = np.lexsort((rng.random(len(pop)), -crowding, rank, violation))
    place = np.empty(len(pop), np.int64)
    place[order] = np.arange(len(pop))
    rounds = -(-2 * count // len(pop))
    drawn = rng.permuted(np.tile(np.arange(len(pop)), (rounds, 1)), axis=1)
    pairs = drawn.reshape(-1)[: 2 * count].reshape(count, 2)
    return np.where(place[pairs[:, 0]] <= place[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
