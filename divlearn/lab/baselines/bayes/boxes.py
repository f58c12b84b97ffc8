"""What a point adds to the hypervolume of fronts, for many fronts at once.

The region that a front dominates is cut into boxes, one per local upper bound, as in
R. Lacour, K. Klamroth, C. M. Fonseca, "A box decomposition algorithm to compute the
hypervolume indicator", Computers & Operations Research 79 (2017). All objectives are
minimised.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Floats, Integers

#: Elements of the largest array made at a time; it stays in the cache.
MAX_ELEMENTS = 30_000


class Bounds(NamedTuple):
    """Local upper bounds of several fronts, one after another.

    A point improves a front if it is below one of the front's bounds in every
    objective.
    """

    owner: Integers  # (k,) the front that a bound belongs to
    upper: Floats  # (k, m)
    defining: Floats  # (k, m, m): row j is the point that gives upper[:, j]


class Boxes:
    """Regions that fronts dominate, and what further points would add.

    Parameters
    ----------
    fronts
        Points of each front, shape (s, p, m); dominated ones do not matter.
    reference
        Points that are not below it in every objective do not count, shape (m,).

    Examples
    --------
    >>> from divlearn.lab.baselines.bayes.boxes import Boxes
    >>> boxes = Boxes(np.array([[[1.0, 3.0], [2.0, 1.0]]]), np.array([4.0, 4.0]))
    >>> boxes.gains(np.array([[[1.0, 1.0], [3.0, 3.0]]]))
    array([[2., 0.]])
    """

    def __init__(self, fronts: Floats, reference: Floats) -> None:
        self.reference = np.asarray(reference, float)
        self.bounds = _empty_bounds(len(fronts), self.reference)
        # A later point that dominates an earlier one would leave needless bounds.
        order = np.argsort(fronts.sum(axis=2), axis=1, kind="stable")
        points = np.take_along_axis(fronts, order[:, :, None], axis=1)
        for k in range(points.shape[1]):
            self.bounds = _insert(self.bounds, points[:, k])
        self._lower, self._upper = _cut(self.bounds, len(fronts), self.reference)

    def gains(self, points: Floats) -> Floats:
        """Hypervolume that each point adds to each front.

        Parameters
        ----------
        points
            Shape (s, q, m): draw s of the points meets front s; one front alone meets
            all draws.

        Returns
        -------
        Shape (s, q).
        """
        own = np.prod(np.maximum(self.reference - points, 0.0), axis=2)
        step = max(1, MAX_ELEMENTS // (len(points) * self._lower.shape[1]))
        for a in range(0, points.shape[1], step):
            own[:, a : a + step] -= self._covered(points[:, a : a + step])
        return np.asarray(np.maximum(own, 0.0))

    def _covered(self, points: Floats) -> Floats:
        """Volume above each point that its front already dominates, shape (s, q)."""
        product: Floats | None = None
        for j in range(points.shape[2]):
            side = np.maximum(self._lower[:, None, :, j], points[:, :, None, j])
            np.subtract(self._upper[:, None, :, j], side, out=side)
            np.maximum(side, 0.0, out=side)
            product = side if product is None else np.multiply(product, side, product)
        assert product is not None
        return np.asarray(product.sum(axis=2))

    def shortfalls(self, points: Floats) -> Floats:
        """How far each point is from adding anything; 0 if it does; shape (s, q).

        Measured in the worst objective, towards the nearest bound.
        """
        fronts, places, most = _places(self.bounds, len(self._lower))
        upper = np.full((len(self._lower), most, points.shape[2]), -np.inf)
        upper[fronts, places] = self.bounds.upper
        found = np.empty(points.shape[:2])
        step = max(1, MAX_ELEMENTS // (len(points) * most))
        for a in range(0, points.shape[1], step):
            gap = np.zeros(1)
            for j in range(points.shape[2]):
                side = points[:, a : a + step, None, j] - upper[:, None, :, j]
                gap = np.maximum(gap, side, out=side)
            found[:, a : a + step] = gap.min(axis=2)
        return found


def _empty_bounds(count: int, reference: Floats) -> Bounds:
    """Bounds of ``count`` fronts without points."""
    m = len(reference)
    defining = np.full((m, m), -np.inf)
    np.fill_diagonal(defining, reference)
    return Bounds(
        np.arange(count),
        np.tile(reference, (count, 1)),
        np.tile(defining, (count, 1, 1)),
    )


def _insert(bounds: Bounds, points: Floats) -> Bounds:
    """Add one point to each front, shape (s, m)."""
    z = points[bounds.owner]
    above: NDArray[np.bool_] = np.asarray((z < bounds.upper).all(axis=1))
    if not above.any():
        return bounds
    parts = [_pick(bounds, ~above)]
    affected = _pick(bounds, above)
    z = z[above]
    m = z.shape[1]
    for j in range(m):
        others = np.delete(affected.defining[:, :, j], j, axis=1)
        kept = z[:, j] >= others.max(axis=1, initial=-np.inf)
        new = _pick(affected, kept)
        new.upper[:, j] = z[kept, j]
        new.defining[:, j] = z[kept]
        parts.append(new)
    owners, uppers, definings = zip(*parts, strict=True)
    return Bounds(*map(np.concatenate, (owners, uppers, definings)))


def _pick(bounds: Bounds, chosen: NDArray[np.bool_]) -> Bounds:
    """Copy some of the bounds."""
    owner, upper, defining = bounds
    return Bounds(owner[chosen], upper[chosen], defining[chosen])


def _cut(bounds: Bounds, count: int, reference: Floats) -> tuple[Floats, Floats]:
    """Corners of disjoint boxes that fill the dominated regions, (s, k, m) each."""
    m = len(reference)
    lower, upper = bounds.upper.copy(), bounds.upper.copy()
    upper[:, 0] = reference[0]
    for j in range(1, m):
        lower[:, j] = bounds.defining[:, :j, j].max(axis=1)
    solid = (lower < upper).all(axis=1)
    kept = Bounds(bounds.owner[solid], lower[solid], bounds.defining[solid])
    fronts, places, most = _places(kept, count)
    corners = np.tile(reference, (2, count, max(1, most), 1))
    corners[0, fronts, places], corners[1, fronts, places] = lower[solid], upper[solid]
    return corners[0], corners[1]


def _places(bounds: Bounds, count: int) -> tuple[Integers, Integers, int]:
    """Front and place of each bound where each front has a row, and its length."""
    order = np.argsort(bounds.owner, kind="stable")
    sizes = np.bincount(bounds.owner, minlength=count)
    places = np.empty(len(order), np.int64)
    starts = np.cumsum(sizes) - sizes
    places[order] = np.arange(len(order)) - np.repeat(starts, sizes)
    return bounds.owner, places, int(sizes.max())
