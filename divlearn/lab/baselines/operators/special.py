"""Operators that use what is known about a problem: tours, routes, efficiencies."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.operators import permutations
from divlearn.lab.baselines.operators.space import (
    MIXED,
    MUTATIONS,
    Shares,
    SpaceOperators,
)
from divlearn.problems import CVRP, Knapsack, Problem

#: Shares of inversion, swap and exchange if a tour may be driven either way.
TOUR_SHARES = (0.9, 0.05, 0.05)


def operators_for(
    problem: Problem, mutation: str = "auto", special: bool = True
) -> SpaceOperators:
    """Choose operators for a problem.

    Parameters
    ----------
    problem
        Any problem.
    mutation
        How permutations are mutated, one of :data:`MUTATIONS`, or ``"auto"``: all
        three in equal shares, mostly by inversion if they are tours that may be driven
        either way.
    special
        Whether to use what an instance reveals about itself: the routes of a ``CVRP``,
        the efficiencies of a ``Knapsack``, that a permutation is a tour.

    Examples
    --------
    >>> import divlearn as dl
    >>> type(operators_for(dl.problems.get("bicvrp-20"))).__name__
    'RouteOperators'
    """
    exact = getattr(problem, "exact", problem)  # of a problem with noise
    shares = MUTATIONS.get(mutation, MIXED)
    if special and mutation == "auto" and getattr(exact, "tours", False):
        shares = TOUR_SHARES if getattr(exact, "symmetric", False) else MIXED
    if special and isinstance(exact, CVRP):
        return RouteOperators(exact, shares)
    if special and isinstance(exact, Knapsack):
        return KnapsackOperators(exact)
    return RepairedOperators(problem, shares)


class RepairedOperators(SpaceOperators):
    """Operators of the space, then the compiled repair of the problem.

    Parameters
    ----------
    problem
        Any problem.
    shares
        See :class:`SpaceOperators`.
    """

    def __init__(self, problem: Problem, shares: Shares = MIXED) -> None:
        super().__init__(problem.space, shares)
        self._compiled = problem.compiled

    def repair(self, rows: Codes) -> Codes:
        """Repair in place, so that solutions equal after repair are recognised."""
        compiled = self._compiled
        if compiled is not None and compiled.repair is not None:
            for row in rows:
                compiled.repair(row, compiled.table)
        return rows


class KnapsackOperators(SpaceOperators):
    """Uniform crossover and flips, then a greedy repair.

    A choice that does not fit loses its least efficient items, and the remaining room
    is filled with the most efficient ones; H. Ishibuchi and others use this for
    multi-objective knapsacks. The result is feasible under every rule of the problem.

    Parameters
    ----------
    problem
        A knapsack.
    """

    def __init__(self, problem: Knapsack) -> None:
        super().__init__(problem.space)
        self._table = problem.greedy_table()

    def repair(self, rows: Codes) -> Codes:
        """Drop, then fill, in place."""
        from divlearn.problems.built_in.knapsack import efficiency_drop

        for row in rows:
            efficiency_drop(row, self._table)
        return rows


class RouteOperators(SpaceOperators):
    """Children inherit whole routes of one parent, the rest in the order of the other.

    The decoder of the problem then cuts the order into routes again. Mutations are
    inversion, exchange of two customers and exchange of two stretches (cross-exchange,
    or relocation if one of them is empty).

    Parameters
    ----------
    problem
        A routing problem.
    shares
        See :class:`SpaceOperators`.
    """

    def __init__(self, problem: CVRP, shares: Shares = MIXED) -> None:
        super().__init__(problem.space, shares)
        self._problem = problem

    def cross_orders(
        self, receivers: Codes, donors: Codes, part: slice, rng: np.random.Generator
    ) -> Codes:
        """Take each route of the donor with a probability of one half."""
        starts = np.array([self._problem.route_starts(row) for row in donors])
        chosen = rng.random(starts.shape) < 0.5
        taken = np.take_along_axis(chosen, np.cumsum(starts, axis=1) - 1, axis=1)
        return permutations.gather_crossover(receivers[:, part], donors[:, part], taken)
