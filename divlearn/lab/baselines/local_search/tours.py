"""Tours for Pareto local search: nearest neighbours, 2-opt, double bridges.

If distances there and back differ, reversing a stretch changes all of it. Then tours
with up to three cities in a row moved elsewhere (or-opt) are neighbours too.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.lab.kernels.local_search.front import Front, Scan
from divlearn.lab.kernels.local_search.tours import scan_tours, sum_turned
from divlearn.problems.built_in.tsp import TSP, tour_lengths

#: A double bridge exchanges two stretches among this many cities in a row.
SPAN = 50
#: Most cities in a row that are moved unchanged, if reversing them is no use.
LONGEST = 3


class TourMoves:
    """Moves of a tour; its codes are those of the problem.

    Parameters
    ----------
    problem
        A TSP with at least 4 cities, not necessarily symmetric.
    """

    def __init__(self, problem: TSP) -> None:
        assert problem.compiled is not None
        self.table = problem.compiled.table
        self.distances = problem.distances
        self.first: Codes | None = None
        self.decodes = False
        self.length = problem.distances.shape[1]
        means = np.abs(self.table).mean(axis=0)
        self.units = np.where(means > 0.0, means, 1.0)
        self.longest = 0 if problem.symmetric else min(LONGEST, self.length - 2)
        self.turned = np.zeros((self.length, len(self.units)))

    def start(self, weights: Floats, rng: np.random.Generator) -> Codes:
        """Go to the nearest city each time, from a random one."""
        ways = np.tensordot(weights, self.distances, axes=1)
        tour = np.empty(self.length, np.int64)
        city = int(rng.integers(self.length))
        for place in range(self.length):
            tour[place] = city
            ways[:, city] = np.inf
            city = int(ways[city].argmin())
        return tour

    def kick(self, x: Codes, weights: Floats, rng: np.random.Generator) -> Codes:
        """Exchange two neighbouring stretches (double bridge)."""
        tour = np.roll(x, -int(rng.integers(self.length)))
        span = min(SPAN, self.length)
        a, b, c = np.sort(rng.choice(span - 1, 3, replace=False)) + 1
        return np.concatenate([tour[:a], tour[b:c], tour[a:b], tour[c:]])

    def evaluate(self, x: Codes) -> Floats:
        """Lengths of a tour."""
        y = np.empty(len(self.units))
        tour_lengths(x, self.table, y)
        return y

    def begin(self, scan: Scan, rng: np.random.Generator) -> None:
        """Begin with a random stretch."""
        first = int(rng.integers(self.length - 2))
        scan.place[:] = first, first + 2, 0, 0
        sum_turned(scan.x, self.table, self.turned)

    def scan(self, front: Front, scan: Scan, limit: int) -> int:
        """Make the remaining moves."""
        return scan_tours(front, scan, self.table, self.turned, self.longest, limit)

    def codes(self, x: Codes) -> Codes:
        """Return the tour as it is."""
        return x

    def decoded(self, codes: Codes) -> Codes:
        """Return the tour as it is."""
        return codes
