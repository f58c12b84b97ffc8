"""How subproblems cover the positions: K, Q, multiplicities, overlaps, diameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.methods.paper.decomposition import nearest
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.methods.paper.rules import completed
from divlearn.problems import Problem
from divlearn.spaces.base import ORDINAL, PERMUTATION, Space, num_steps


@dataclass(frozen=True)
class Cover:
    """Subproblems over n positions.

    Attributes
    ----------
    n
        Number of positions.
    groups
        Positions of each subproblem, ascending.

    Examples
    --------
    >>> cover = window_cover(20, 15, 6)
    >>> cover.num_subproblems, cover.widest_overlap, cover.greatest_multiplicity
    (2, 6, 2)
    >>> cover.shared
    array([ 9, 10, 11, 12, 13, 14])
    """

    n: int
    groups: tuple[tuple[int, ...], ...]

    @property
    def subproblems(self) -> list[Integers]:
        """S_1, ..., S_K: the positions of each."""
        return [np.array(group, np.int64) for group in self.groups]

    @property
    def num_subproblems(self) -> int:
        """K."""
        return len(self.groups)

    @property
    def size(self) -> int:
        """d: positions of the largest subproblem."""
        return max(map(len, self.groups))

    @property
    def multiplicities(self) -> Integers:
        """k_i, called rho_i elsewhere: subproblems that hold position i, shape (n,)."""
        return np.bincount(np.concatenate(self.subproblems), minlength=self.n)

    @property
    def greatest_multiplicity(self) -> int:
        """Rho."""
        return int(self.multiplicities.max())

    @property
    def shared(self) -> Integers:
        """O: positions in several subproblems, ascending."""
        return np.flatnonzero(self.multiplicities > 1)

    @property
    def widest_overlap(self) -> int:
        """Q: the most positions that two subproblems share."""
        pairs = combinations(map(set, self.groups), 2)
        return max((len(a & b) for a, b in pairs), default=0)

    @property
    def shared_per_subproblem(self) -> Integers:
        """|S_k & O| of every subproblem, shape (K,)."""
        return np.array([np.isin(s, self.shared).sum() for s in self.subproblems])

    def diameters(self, space: Space) -> Integers:
        """D(S_k) of every subproblem, shape (K,); see :func:`diameter`."""
        return np.array([diameter(space, s) for s in self.subproblems])


def cover_of(
    problem: Problem,
    method: DivideAndLearn | None = None,
    iteration: int = 1,
    centres: Sequence[int] = (),
    x: Codes | None = None,
) -> Cover:
    """The subproblems of a method on a problem.

    Parameters
    ----------
    problem
        What is divided.
    method
        How; None for the paper's table.
    iteration
        t, from 1: windows drift apart with it.
    centres
        Indices around which neighbourhoods lie; a search draws them at random.
    x
        Codes of the solution in which neighbourhoods of items are looked up, shape
        (n,); None for the items in order.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> tour = get("bitsp-20")
    >>> cover_of(tour).num_subproblems, cover_of(tour, centres=[4]).num_subproblems
    (2, 3)
    >>> cover_of(tour).diameters(tour.space)
    array([105,  55])
    """
    full, _ = completed(method or DivideAndLearn(), problem, None)
    division, n = full.decomposition, problem.space.num_positions
    size, overlap = division.size, division.overlap
    assert isinstance(size, int)
    assert isinstance(overlap, int)
    now = int(overlaps(overlap, division.decay, require_whole("t", iteration, 1))[-1])
    groups = window_cover(n, size, now).groups if division.windows else ()
    if division.windows and division.groups is not None:
        groups = tuple(map(tuple, division.groups))
    return Cover(n, (*groups, *_neighbourhoods(problem, size, centres, x)))


def window_cover(n: int, size: int, overlap: int) -> Cover:
    """Sliding windows over n positions, each ``size`` long, sharing ``overlap``."""
    require_whole("n", n, 1)
    require_whole("size", size, 1, n)
    stride = size - require_whole("overlap", overlap, 0, size - 1)
    starts = range(0, max(1, n - overlap), stride)
    return Cover(n, tuple(tuple(range(s, min(n, s + size))) for s in starts))


def _neighbourhoods(
    problem: Problem, size: int, centres: Sequence[int], x: Codes | None
) -> list[tuple[int, ...]]:
    """Positions of the neighbourhood of each centre, or of its items in ``x``."""
    if not len(centres):
        return []
    if problem.distance is None:
        raise InputError(
            "centres needs a problem that declares a distance between its indices; "
            "pass distance= to the problem, or no centres."
        )
    near = nearest(problem.distance, size)
    kinds = [kind for kind, arities, *_ in problem.space.segments() for _ in arities]
    items = PERMUTATION in kinds
    codes = np.arange(len(kinds)) if x is None or not items else np.asarray(x)
    # Genes beside a permutation belong to every neighbourhood of items.
    return [
        tuple(
            i
            for i, kind in enumerate(kinds)
            if codes[i] in near[centre] or (items and kind != PERMUTATION)
        )
        for centre in centres
    ]


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
    for kind, arities, *_ in space.segments():
        inside = (positions >= first) & (positions < first + len(arities))
        own = positions[inside] - first
        if kind == PERMUTATION:
            passed = own - np.arange(len(own))
            crossing = np.abs(passed - passed[::-1]).sum()
            total += len(own) * (len(own) - 1) // 2 + int(crossing)
        elif kind == ORDINAL:
            total += sum(num_steps(arities[i]) for i in own)
        else:
            total += len(own)
        first += len(arities)
    return total
