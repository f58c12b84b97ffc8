"""NSGA-II: a population sorted by dominance and thinned where it is crowded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.basics.extras import need
from divlearn.lab.baselines.operators.space import MUTATIONS
from divlearn.methods.others.base import AskTell, Proposer
from divlearn.methods.others.rehearsal import ask_once
from divlearn.problems import Problem
from divlearn.spaces.base import PERMUTATION

SURVIVALS = ("crowding", "reference")
#: Number of objectives from which the second one is the default.
MANY = 4
#: Smallest and largest population chosen by the budget.
SMALLEST, LARGEST = 30, 100
#: Probability of crossover with permutations, where order crossover destroys a lot, and
#: without them.
CROSSOVER_OF_ORDERS, CROSSOVER_OF_VALUES = 0.2, 0.9


@dataclass(frozen=True)
class NSGA2(AskTell):
    """pymoo's NSGA-II with operators for every space.

    K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective
    genetic algorithm: NSGA-II", IEEE Transactions on Evolutionary Computation 6 (2002).

    Parameters
    ----------
    population
        Number of solutions kept, and of children per generation; if None, chosen by the
        budget, 30 to 100.
    crossover
        Probability that two parents are crossed before their children are mutated; if
        None, 0.2 with permutations and 0.9 without.
    mutation
        How permutations are mutated: ``"inversion"``, ``"swap"``, ``"exchange"`` of
        stretches, ``"mixed"``, or ``"auto"``, which is mixed except for tours, where it
        is mostly inversion.
    survival
        ``"crowding"`` by rank and crowding distance, ``"reference"`` by rank and
        reference directions as in NSGA-III; if None, the latter with four or more
        objectives, where nearly everything is crowded.
    special
        Whether operators may use what a problem reveals about itself: routes,
        efficiencies, tours. Without it only evaluations are seen.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bitsp-20")
    >>> result = dl.solve(problem, budget=400, method=NSGA2(population=20))
    >>> result.evaluations
    400
    """

    name: ClassVar[str] = "nsga2"
    quick: ClassVar[bool] = True
    population: int | None = None
    crossover: float | None = None
    mutation: str = "auto"
    survival: str | None = None
    special: bool = True

    def __post_init__(self) -> None:
        require_evolution(self)
        if self.survival is not None:
            require_one_of("survival", self.survival, SURVIVALS)

    def require(self, problem: Problem) -> None:
        """Need pymoo; handles every problem."""
        need("pymoo")

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution."""
        ask_once(self, problem)

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Draw the first generation."""
        from divlearn.lab.baselines.breeding import (
            Breeding,
            CodesForm,
            MadeBefore,
            RandomCodes,
        )
        from divlearn.lab.baselines.evolution import PymooSearch
        from divlearn.lab.baselines.operators.special import operators_for

        operators = operators_for(problem, self.mutation, self.special)
        size = population_for(self.population, budget)
        made_before = MadeBefore(forget=bool(problem.noise))
        rate = crossover_for(self.crossover, problem)
        algorithm = self._algorithm(problem, size)
        return PymooSearch(
            algorithm(
                sampling=RandomCodes(operators, made_before),
                mating=Breeding(operators, made_before, rate),
                eliminate_duplicates=False,
            ),
            problem,
            CodesForm(operators),
            budget,
            seed,
        )

    def _algorithm(self, problem: Problem, size: int) -> Any:
        """Which of pymoo's algorithms, with what does not depend on the space."""
        from functools import partial

        from pymoo.algorithms.moo import nsga2, nsga3

        from divlearn.methods.paper.scalarization import simplex_lattice

        many = problem.num_objectives >= MANY
        if (self.survival or SURVIVALS[many]) == "crowding":
            return partial(nsga2.NSGA2, pop_size=size)
        directions = simplex_lattice(problem.num_objectives, size)
        return partial(nsga3.NSGA3, directions)


def require_evolution(method: Any) -> None:
    """Check the options that evolutionary methods share."""
    if method.population is not None:
        require_whole("population", method.population, 2)
    if method.crossover is not None:
        require_number("crossover", method.crossover, 0.0, 1.0)
    require_one_of("mutation", method.mutation, ["auto", *MUTATIONS])
    require_flag("special", method.special)


def population_for(population: int | None, budget: int | None) -> int:
    """Return the size of a population, by default from the budget.

    Examples
    --------
    >>> [population_for(None, budget) for budget in (150, 20_000, 100_000, None)]
    [30, 53, 100, 100]
    """
    if population is not None:
        return population
    if budget is None:
        return LARGEST
    return int(min(LARGEST, max(SMALLEST, round(budget**0.4))))


def crossover_for(crossover: float | None, problem: Problem) -> float:
    """Return the probability of crossover, by default from the space."""
    if crossover is not None:
        return crossover
    kinds = problem.space.layout.segments.kind
    return CROSSOVER_OF_ORDERS if PERMUTATION in kinds else CROSSOVER_OF_VALUES
