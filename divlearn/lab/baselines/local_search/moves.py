"""``Moves``: what Pareto local search must know about a kind of problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.problems.built_in.cvrp import CVRP
from divlearn.problems.built_in.knapsack import Knapsack
from divlearn.problems.built_in.tsp import TSP

if TYPE_CHECKING:
    from divlearn.lab.kernels.local_search.front import Front, Scan

#: Smallest numbers of cities, items and customers with a neighbour.
LEAST_CITIES = 4


class Moves(Protocol):
    """Solutions of one problem as the search changes them, by objectives minimised.

    Attributes
    ----------
    units
        Units in which objectives are weighted, shape (m,).
    length
        Number of codes of a solution; not necessarily those of the problem.
    first
        Solution that was evaluated to find the units; None if there is none.
    decodes
        Whether the problem may decode what ``codes`` writes into another solution,
        which is then one more evaluation.
    """

    units: Floats
    length: int
    first: Codes | None
    decodes: bool

    def start(self, weights: Floats, rng: np.random.Generator) -> Codes:
        """Build a solution that is good for the weights, with some randomness."""

    def kick(self, x: Codes, weights: Floats, rng: np.random.Generator) -> Codes:
        """Return a copy with a part of it changed at random."""

    def evaluate(self, x: Codes) -> Floats:
        """Objectives, shape (m,)."""

    def begin(self, scan: Scan, rng: np.random.Generator) -> None:
        """Prepare to try all neighbours of ``scan.x``, from some position on."""

    def scan(self, front: Front, scan: Scan, limit: int) -> int:
        """Try the remaining neighbours; return how many were evaluated."""

    def codes(self, x: Codes) -> Codes:
        """Write a solution as the problem writes it."""

    def decoded(self, codes: Codes) -> Codes:
        """Return the solution that the problem makes of codes."""


def require_moves(problem: Any, method: str) -> None:
    """Refuse a problem for which there are no moves."""
    if isinstance(problem, TSP):
        if len(problem.distances[0]) < LEAST_CITIES:
            raise InputError(
                f"{method} needs at least {LEAST_CITIES} cities, got "
                f"{len(problem.distances[0])}; try all tours."
            )
        return
    if isinstance(problem, Knapsack):
        return
    if not isinstance(problem, CVRP) or problem.decoder == "greedy":
        raise InputError(
            f"{method} handles TSP, Knapsack and, with decoder 'cap-split' or 'flags', "
            "CVRP problems, such as bitsp-50, bikp-50 and bicvrp-20, got "
            f"{getattr(problem, 'name', problem)!r}; use dl or nsga2."
        )


def moves_for(problem: Any) -> Moves:
    """Return the moves of a problem that :func:`require_moves` accepts."""
    if isinstance(problem, TSP):
        from divlearn.lab.baselines.local_search.tours import TourMoves

        return TourMoves(problem)
    if isinstance(problem, Knapsack):
        from divlearn.lab.baselines.local_search.items import ItemMoves

        return ItemMoves(problem)
    from divlearn.lab.baselines.local_search.routes import RouteMoves

    return RouteMoves(problem)
