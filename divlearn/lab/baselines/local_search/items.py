"""Knapsacks for Pareto local search: greedy choices, exchanges of items."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.kernels.local_search.front import Front, Scan
from divlearn.lab.kernels.local_search.items import measure_room, scan_items
from divlearn.problems.built_in.knapsack import Knapsack, choice_fits, knapsack_values

#: Share of the chosen items that a kick removes, and the error with which it judges an
#: item's worth, as a standard deviation of the logarithm.
DROPPED, ERROR = 0.15, 0.2


class ItemMoves:
    """Moves of a choice of items; its codes are those of the problem.

    Parameters
    ----------
    problem
        A knapsack with any number of values and capacities.
    """

    def __init__(self, problem: Knapsack) -> None:
        assert problem.compiled is not None
        self.table = problem.compiled.table
        self.values = problem.values
        self.share = (problem.weights / problem.capacity).mean(axis=1)
        self.first: Codes | None = None
        self.decodes = False
        self.length = len(problem.values)
        means = problem.values.mean(axis=0)
        self.units = np.where(means > 0.0, means, 1.0)
        self.room = np.empty(len(problem.capacity))

    def start(self, weights: Floats, rng: np.random.Generator) -> Codes:
        """Take the items that fit, those worth most for their weight first."""
        empty = np.zeros(self.length, np.int64)
        return self._fill(empty, self._order(weights, np.ones(self.length)))

    def kick(self, x: Codes, weights: Floats, rng: np.random.Generator) -> Codes:
        """Remove some items, and add others by a slightly wrong worth."""
        choice = x.copy()
        chosen = np.flatnonzero(choice)
        count = min(len(chosen), 1 + int(DROPPED * len(chosen)))
        choice[rng.choice(chosen, count, replace=False)] = 0
        errors = np.exp(ERROR * rng.standard_normal(self.length))
        return self._fill(choice, self._order(weights, errors))

    def _order(self, weights: Floats, errors: Floats) -> Integers:
        """Items by decreasing worth per weight."""
        worth = self.values @ weights * errors
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(self.share > 0.0, worth / self.share, np.inf)
        order: Integers = np.argsort(-ratio, kind="stable")
        return order

    def _fill(self, choice: Codes, order: Integers) -> Codes:
        """Add what fits, in this order."""
        for item in order[choice[order] == 0]:
            choice[item] = 1
            if not choice_fits(choice, self.table):
                choice[item] = 0
        return choice

    def evaluate(self, x: Codes) -> Floats:
        """Values of a choice, negative."""
        y = np.empty(len(self.units))
        knapsack_values(x, self.table, y)
        return -y

    def begin(self, scan: Scan, rng: np.random.Generator) -> None:
        """Begin by removing a random item."""
        scan.place[:] = rng.integers(self.length + 1), 0, 0, 0
        measure_room(scan.x, self.table, self.room)

    def scan(self, front: Front, scan: Scan, limit: int) -> int:
        """Make the remaining exchanges."""
        return scan_items(front, scan, self.table, self.room, limit)

    def codes(self, x: Codes) -> Codes:
        """Return the choice as it is."""
        return x

    def decoded(self, codes: Codes) -> Codes:
        """Return the choice as it is."""
        return codes
