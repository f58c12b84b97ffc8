"""MOEA/D: many weighted problems that help each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.extras import need
from divlearn.lab.baselines.nsga2 import (
    crossover_for,
    population_for,
    require_evolution,
)
from divlearn.methods.others.base import AskTell, Proposer
from divlearn.methods.others.rehearsal import ask_once
from divlearn.methods.paper.scalarization import simplex_lattice
from divlearn.problems import Problem

SCALARIZATIONS = ("weighted-sum", "tchebycheff")


@dataclass(frozen=True)
class MOEAD(AskTell):
    """pymoo's MOEA/D with operators for every space, constraints and workers.

    Q. Zhang, H. Li, "MOEA/D: a multiobjective evolutionary algorithm based on
    decomposition", IEEE Transactions on Evolutionary Computation 11 (2007). Objectives
    are normalised by the range of the population.

    Parameters
    ----------
    population
        Minimum number of weight vectors; if None, chosen by the budget, 30 to 100.
    neighbours
        Similar weight vectors among which parents are found and children settle.
    replaced
        Most solutions that a child replaces; all neighbours if None.
    scalarization
        ``"weighted-sum"`` or ``"tchebycheff"``.
    step
        Children made at a time; with 1, each learns from the one before.
    crossover, mutation, special
        As for :class:`divlearn.lab.baselines.NSGA2`.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bikp-50")
    >>> dl.solve(problem, budget=200, method=MOEAD(population=20)).evaluations
    200
    """

    name: ClassVar[str] = "moead"
    quick: ClassVar[bool] = True
    population: int | None = None
    neighbours: int = 20
    replaced: int | None = None
    scalarization: str = "weighted-sum"
    step: int = 10
    crossover: float | None = None
    mutation: str = "auto"
    special: bool = True

    def __post_init__(self) -> None:
        require_evolution(self)
        require_whole("neighbours", self.neighbours, 2)
        if self.replaced is not None:
            require_whole("replaced", self.replaced, 1)
        require_whole("step", self.step, 1)
        require_one_of("scalarization", self.scalarization, SCALARIZATIONS)

    def require(self, problem: Problem) -> None:
        """Need pymoo; handles every problem."""
        need("pymoo")

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution."""
        ask_once(self, problem)

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Draw a solution for every weight vector."""
        from divlearn.lab.baselines.breeding import CodesForm, MadeBefore, RandomCodes
        from divlearn.lab.baselines.decomposed import Decomposed, NearBreeding
        from divlearn.lab.baselines.evolution import PymooSearch
        from divlearn.lab.baselines.operators.special import operators_for

        operators = operators_for(problem, self.mutation, self.special)
        made_before = MadeBefore(forget=bool(problem.noise))
        size = population_for(self.population, budget)
        algorithm = Decomposed(
            simplex_lattice(problem.num_objectives, size),
            self.neighbours,
            self.replaced or self.neighbours,
            self.scalarization,
            self.step,
            NearBreeding(
                operators, made_before, crossover_for(self.crossover, problem)
            ),
            sampling=RandomCodes(operators, made_before),
        )
        return PymooSearch(algorithm, problem, CodesForm(operators), budget, seed)
