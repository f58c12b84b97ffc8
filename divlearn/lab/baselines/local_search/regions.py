"""Regions of the front: who explores what, and where regions move to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Floats, Integers

#: A smaller share of a weighted sum is not a gain.
LEAST_GAIN = 1e-9
#: Owner of a member that is waiting for the next cooperation.
NOBODY = -1


class Regions:
    """Weight vectors that share the work on a front, and move to its sparse parts.

    A point belongs to the region whose weighted sum comes nearest to the best known
    under the same weights. At a cooperation all members are given to the region they
    belong to. A region that has nothing left to explore, or whose best sum did not
    improve since the last time, moves: to the weight vector of a lattice that was
    visited least often, and among these to the one to which fewest members belong.

    Parameters
    ----------
    lattice
        Weight vectors in an order whose every initial part is spread out, shape (L, m).
    count
        Number of regions; they begin with the first weight vectors.

    Attributes
    ----------
    weights
        Weights of each region, shape (R, m).
    best
        Least weighted sum known to each region, shape (R,).
    is_fresh
        Whether a region has yet to begin at its current place, shape (R,).
    """

    def __init__(self, lattice: Floats, count: int) -> None:
        self.lattice = lattice
        self.weights = lattice[:count].copy()
        self.best = np.full(len(self.weights), np.inf)
        self.is_fresh = np.ones(len(self.weights), np.bool_)
        self.visits = np.zeros(len(lattice), np.int64)
        self.visits[:count] = 1
        self._before = self.best.copy()

    def owners(self, points: Floats) -> Integers:
        """Region of each point, shape (q,)."""
        return _nearest(points, self.weights, self.best)

    def cooperate(self, points: Floats, explored: NDArray[np.bool_]) -> Integers:
        """Redistribute the members of the front and move regions.

        Parameters
        ----------
        points
            Objectives of all members, shape (q, m).
        explored
            Which of them have been explored, shape (q,).

        Returns
        -------
        The region that each member belongs to, shape (q,).
        """
        self.best = (points @ self.weights.T).min(axis=0)
        waiting = np.bincount(self.owners(points)[~explored], minlength=len(self.best))
        stalled = self.best > self._before - LEAST_GAIN
        self._move(np.flatnonzero((waiting == 0) | stalled), points)
        self._before = self.best.copy()
        return self.owners(points)

    def _move(self, regions: Integers, points: Floats) -> None:
        """Give these regions other weights."""
        least = (points @ self.lattice.T).min(axis=0)
        owners = _nearest(points, self.lattice, least)
        members = np.bincount(owners, minlength=len(self.lattice))
        for region in regions:
            target = np.lexsort((members, self.visits))[0]
            self.visits[target] += 1
            self.weights[region] = self.lattice[target]
            self.best[region] = least[target]
            self.is_fresh[region] = True


def _nearest(points: Floats, weights: Floats, best: Floats) -> Integers:
    """Weights under which each point is nearest to the best, shape (q,)."""
    nearest: Integers = (points @ weights.T - best).argmin(axis=1)
    return nearest
