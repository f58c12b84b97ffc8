"""How windows cover the positions: K, Q, multiplicities, overlaps, diameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Floats, Integers
from divlearn.spaces.base import ORDINAL, PERMUTATION, Space


@dataclass(frozen=True)
class Cover:
    """Sliding windows over n positions, each ``size`` long, sharing ``overlap``.

    Attributes
    ----------
    n, size, overlap
        Positions, positions per window, positions that two neighbours share.

    Examples
    --------
    >>> cover = Cover(20, 15, 6)
    >>> cover.num_windows, cover.widest_overlap, cover.most_windows
    (2, 6, 2)
    >>> cover.shared
    array([ 9, 10, 11, 12, 13, 14])
    """

    n: int
    size: int
    overlap: int

    def __post_init__(self) -> None:
        require_whole("n", self.n, 1)
        require_whole("size", self.size, 1, self.n)
        require_whole("overlap", self.overlap, 0, self.size - 1)

    @property
    def windows(self) -> list[Integers]:
        """S_1, ..., S_K: the positions of each window."""
        stride = self.size - self.overlap
        starts = range(0, max(1, self.n - self.overlap), stride)
        return [np.arange(start, min(self.n, start + self.size)) for start in starts]

    @property
    def num_windows(self) -> int:
        """K."""
        return len(self.windows)

    @property
    def multiplicities(self) -> Integers:
        """k_i, called rho_i elsewhere: windows that hold position i, shape (n,)."""
        return np.bincount(np.concatenate(self.windows), minlength=self.n)

    @property
    def most_windows(self) -> int:
        """rho, the greatest multiplicity."""
        return int(self.multiplicities.max())

    @property
    def shared(self) -> Integers:
        """O: positions in several windows, ascending."""
        return np.flatnonzero(self.multiplicities > 1)

    @property
    def widest_overlap(self) -> int:
        """Q: the most positions that two windows share."""
        return max(
            (
                len(np.intersect1d(a, b))
                for k, a in enumerate(self.windows)
                for b in self.windows[:k]
            ),
            default=0,
        )

    @property
    def shared_per_window(self) -> Integers:
        """|S_k & O| of every window, shape (K,)."""
        return np.array([np.isin(w, self.shared).sum() for w in self.windows])


def overlaps(first: int, decay: float, iterations: int) -> Integers:
    """o_t = floor(o_0 t^-alpha) for t = 1, ..., T, shape (T,).

    Examples
    --------
    >>> overlaps(6, 0.5, 9)
    array([6, 4, 3, 3, 2, 2, 2, 2, 2])
    """
    shrunk: Floats = first * np.arange(1, iterations + 1.0) ** -decay
    # The small number undoes rounding where o_0 t^-alpha is a whole number.
    return np.floor(shrunk + 1e-9).astype(np.int64)


def diameter(space: Space, positions: Integers) -> int:
    """D(S): the greatest distance of solutions that agree outside of ``positions``.

    Bits and categories differ by 1 per position, ordered values by their steps. Of a
    permutation, the items at these positions are reversed: every two of them change
    their order, and each of them passes the items that lie between. In a window
    nothing lies between; scattered positions reach farther than one of their number.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> diameter(Permutation(9), np.array([2, 3, 4]))
    3
    >>> diameter(Permutation(9), np.array([0, 8]))
    15
    """
    total, first = 0, 0
    for kind, arities, _, _ in space.segments():
        inside = (positions >= first) & (positions < first + len(arities))
        own = positions[inside] - first
        if kind == PERMUTATION:
            passed = own - np.arange(len(own))
            crossing = np.abs(passed - passed[::-1]).sum()
            total += len(own) * (len(own) - 1) // 2 + int(crossing)
        elif kind == ORDINAL:
            total += sum(arities[i] - 1 for i in own)
        else:
            total += len(own)
        first += len(arities)
    return total
