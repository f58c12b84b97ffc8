"""``Decomposed``: pymoo's MOEA/D over codes, with constraints.

Every weight vector is a subproblem with its own solution. A child is made from
solutions of similar weights and replaces those that it improves on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.algorithms.moo.moead import MOEAD
from pymoo.core.infill import InfillCriterion
from pymoo.core.population import Population

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.breeding import MadeBefore
from divlearn.lab.baselines.operators import SpaceOperators

#: Smallest weight of an objective, so that none is ignored.
LEAST_WEIGHT = 1e-4
#: How often a child that was made before is mutated once more.
MAX_MUTATIONS = 5
#: Keys of an individual's data: its subproblem, and whether its parents were near.
SUBPROBLEM, NEAR = "subproblem", "near"


class Decomposed(MOEAD):  # type: ignore[misc]
    """MOEA/D that takes any number of answers, feasible or not, in any order.

    Parameters
    ----------
    weights
        One row per subproblem, shape (N, m).
    neighbours
        Number of similar subproblems, itself included.
    replaced
        Most solutions that a child replaces.
    scalarization
        ``"tchebycheff"`` or ``"weighted-sum"``.
    step
        Children made at a time.
    mating
        A :class:`NearBreeding`.
    options
        Further options of pymoo's algorithm.
    """

    takes_any_number = True

    def __init__(
        self,
        weights: Floats,
        neighbours: int,
        replaced: int,
        scalarization: str,
        step: int,
        mating: NearBreeding,
        **options: Any,
    ) -> None:
        near = min(neighbours, len(weights))
        super().__init__(ref_dirs=weights, n_neighbors=near, mating=mating, **options)
        self.n_offsprings = step
        self.replaced, self.scalarization = replaced, scalarization
        self._weights = np.maximum(weights, LEAST_WEIGHT)
        self._turns: list[int] = []

    def _setup(self, problem: Any, **kwargs: Any) -> None:
        """Find the neighbours; constraints are allowed here."""
        gaps = self.ref_dirs[:, None] - self.ref_dirs
        distances = np.square(gaps).sum(axis=2)
        order = np.argsort(distances, axis=1, kind="stable")
        self.neighbors = order[:, : self.n_neighbors]

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        """Give every subproblem one of the first solutions."""
        self.pop = infills[np.arange(len(self.ref_dirs)) % len(infills)]
        self._values = self.pop.get("F")
        self._violations = self.pop.get("CV")[:, 0]
        self.ideal = self._values.min(axis=0)

    def _infill(self) -> Any:
        return self.mating.do(
            self.problem,
            self.pop,
            self.n_offsprings,
            algorithm=self,
            random_state=self.random_state,
        )

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.ideal = np.minimum(self.ideal, infills.get("F").min(axis=0))
        width = self._values.max(axis=0) - self.ideal
        self._width = np.where(width > 0.0, width, 1.0)
        for child in infills:
            self._settle(child)

    def _set_optimum(self) -> None:
        """The optimizer keeps the front."""

    def turns(self, count: int) -> Integers:
        """Return the subproblems whose turn it is, each once per round."""
        while len(self._turns) < count:
            self._turns += self.random_state.permutation(len(self.ref_dirs)).tolist()
        taken, self._turns = self._turns[:count], self._turns[count:]
        return np.array(taken, np.int64)

    def _settle(self, child: Any) -> None:
        """Let a child replace those that it improves on, in random order."""
        place = child.get(SUBPROBLEM)
        if place is None:  # from elsewhere, so it goes where it fits best
            everywhere = np.arange(len(self.ref_dirs))
            place = int(np.argmin(self._scalar(child.F[None], everywhere)))
        if child.get(NEAR) is False:
            pool = self.random_state.permutation(len(self.ref_dirs))
        else:
            pool = self.random_state.permutation(self.neighbors[place])
        mine = self._scalar(child.F[None], pool)
        theirs = self._scalar(self._values[pool], pool)
        violation = child.CV[0]
        better = (violation < self._violations[pool]) | (
            (violation == self._violations[pool]) & (mine < theirs)
        )
        chosen = pool[better][: self.replaced]
        self.pop[chosen] = child
        self._values[chosen] = child.F
        self._violations[chosen] = violation

    def _scalar(self, values: Floats, pool: Integers) -> Floats:
        """One number per subproblem of ``pool``; ``values`` has one row or as many."""
        weighted = self._weights[pool] * ((values - self.ideal) / self._width)
        add = self.scalarization == "weighted-sum"
        joined: Floats = weighted.sum(axis=1) if add else weighted.max(axis=1)
        return joined


class NearBreeding(InfillCriterion):  # type: ignore[misc]
    """Children of solutions whose weights are similar.

    Parameters
    ----------
    operators
        What crosses and mutates.
    made_before
        What was made before; a child that was is mutated once more.
    crossover
        Probability that the parents are crossed.
    near
        Probability that the parents come from the neighbours.
    """

    def __init__(
        self,
        operators: SpaceOperators,
        made_before: MadeBefore,
        crossover: float,
        near: float = 0.9,
    ) -> None:
        super().__init__()
        self.operators, self.made_before = operators, made_before
        self.crossover, self.near = crossover, near

    def do(
        self,
        problem: Any,
        pop: Any,
        n_offsprings: int,
        random_state: Any = None,
        algorithm: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Make a child for each of the next subproblems."""
        rng = random_state
        places = algorithm.turns(n_offsprings)
        near = rng.random(n_offsprings) < self.near
        drawn = rng.random((n_offsprings, 2))
        pool = algorithm.neighbors[places]
        inside = np.take_along_axis(pool, (drawn * pool.shape[1]).astype(int), axis=1)
        parents = np.where(near[:, None], inside, (drawn * len(pop)).astype(int))
        rows = pop.get("X")
        bred = self._bred(rows[parents[:, 0]], rows[parents[:, 1]], rng)
        children = self._renewed(bred, rng)
        made = Population.new("X", children)
        made.set(SUBPROBLEM, places.tolist(), NEAR, near.tolist())
        return made

    def _bred(self, a: Codes, b: Codes, rng: np.random.Generator) -> Codes:
        """Cross some of the pairs, keep one child of each, mutate."""
        crossed = np.flatnonzero(rng.random(len(a)) < self.crossover)
        if len(crossed):
            a[crossed] = self.operators.cross(a[crossed], b[crossed], rng)[0]
        return self.operators.repair(self.operators.mutate(a, rng))

    def _renewed(self, rows: Codes, rng: np.random.Generator) -> Codes:
        """Mutate children that were made before once more, up to a few times."""
        old = np.arange(len(rows))
        for _ in range(MAX_MUTATIONS):
            old = np.delete(old, self.made_before.new(rows[old], rows[:0]))
            if not len(old):
                break
            mutated = self.operators.mutate(rows[old], rng)
            rows[old] = self.operators.repair(mutated)
        return rows
