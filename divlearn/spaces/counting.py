"""How many solutions a space has, and a list of them if there are few."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.kernels.rules.kinds import CHOICE
from divlearn.spaces.base import PERMUTATION, SUBSET, Segment
from divlearn.spaces.presence import absent_codes, deciders, lacks, without_absent


def count_solutions(segments: Iterable[Segment], most: int) -> int | None:
    """Number of different solutions; None if there are more than ``most``.

    Examples
    --------
    >>> from divlearn import Composite, Integer, Permutation, Subset
    >>> space = Composite(order=Permutation(3), size=Integer(1, 8), some=Subset(5, 2))
    >>> count_solutions(space.segments(), most=1_000)
    480
    >>> count_solutions(Permutation(100).segments(), most=1_000) is None
    True
    """
    rows = [Segment(*segment) for segment in segments]
    count = _count(rows, [], deciders(rows), most)
    return count if count <= most else None


def _count(
    rows: Sequence[Segment], codes: Sequence[int], asked: set[int], most: int
) -> int:
    """Number of ways to continue ``codes`` by ``rows``, or any number above ``most``.

    Codes that no condition asks for are -1.
    """
    count, known = 1, list(codes)
    for s, row in enumerate(rows):
        if lacks(row, known):
            known += absent_codes([row]).tolist()
            continue
        own, stop = without_absent(row), len(known) + len(row.levels)
        size = _count_segment(own, most)
        if size > most or asked.isdisjoint(range(len(known), stop)):
            count *= size
            known += [-1] * len(row.levels)
        else:
            rest = 0
            for chosen in _list_segment(own):
                rest += _count(rows[s + 1 :], [*known, *chosen], asked, most)
                if rest > most:
                    break
            return count * rest
        if count > most:
            break
    return count


def _count_segment(segment: Segment, most: int) -> int:
    """Number of solutions of one segment, or any number above ``most``."""
    kind, arities, least, greatest, rules, *_ = segment
    if rules:
        factors: Iterable[int] = (_ruled(segment, most),)
    elif kind == PERMUTATION:
        factors = range(1, len(arities) + 1)
    elif kind == SUBSET:
        factors = (_subsets(len(arities), least, greatest, most),)
    else:
        factors = arities
    count = 1
    for factor in factors:
        count *= factor
        if count > most:
            break
    return count


def _ruled(segment: Segment, most: int) -> int:
    """Number of solutions of a segment with rules, or any number above ``most``."""
    from divlearn.kernels.listing import count_from

    for kind, numbers in segment.rules:
        if kind == CHOICE and numbers[2] > numbers[0]:
            return most + 1  # constructions may miss some where groups overlap
    return int(count_from(*_first(segment), most + 1))


def _first(segment: Segment) -> tuple[Any, Codes, Codes]:
    """Layout of a segment, its first solution, and scratch for actions."""
    from divlearn.kernels.layout import build_layout
    from divlearn.kernels.listing import complete

    layout, codes = build_layout([segment]), np.zeros(len(segment.levels), np.int64)
    actions = np.zeros(max(segment.levels), np.int64)
    complete(layout, codes, 0, actions)
    return layout, codes, actions


def _constructed(segment: Segment) -> Iterator[tuple[int, ...]]:
    """Yield the codes of a segment with rules."""
    from divlearn.kernels.listing import next_solution

    layout, codes, actions = _first(segment)
    yield tuple(codes.tolist())
    while next_solution(layout, codes, actions):
        yield tuple(codes.tolist())


def _subsets(n: int, least: int, greatest: int, most: int) -> int:
    """Number of subsets of n items within limits, or any number above ``most``."""
    inner = range(max(1, least), min(n - 1, greatest) + 1)
    if inner and n > most:  # each inner size has at least n subsets
        return n
    count = (least <= 0 <= greatest) + (least <= n <= greatest and n > 0)
    for size in inner:
        count += math.comb(n, size)
        if count > most:
            break
    return count


def list_solutions(
    segments: Sequence[Segment],
) -> Iterator[tuple[int, ...]]:
    """Yield the codes of every solution.

    Examples
    --------
    >>> from divlearn import Subset
    >>> list(list_solutions(Subset(3, 2).segments()))
    [(1, 1, 0), (1, 0, 1), (0, 1, 1)]
    """
    return _continue([Segment(*segment) for segment in segments], ())


def _continue(
    rows: Sequence[Segment], codes: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Yield all solutions that begin with ``codes``."""
    if not rows:
        yield codes
    elif lacks(rows[0], codes):
        yield from _continue(rows[1:], (*codes, *absent_codes(rows[:1]).tolist()))
    else:
        for chosen in _list_segment(without_absent(rows[0])):
            yield from _continue(rows[1:], codes + chosen)


def _list_segment(segment: Segment) -> Iterator[tuple[int, ...]]:
    """Yield the codes of one segment."""
    kind, arities, least, greatest, rules, *_ = segment
    n = len(arities)
    if rules:
        yield from _constructed(segment)
    elif kind == PERMUTATION:
        yield from permutations(range(n))
    elif kind == SUBSET:
        for size in range(least, greatest + 1):
            for chosen in combinations(range(n), size):
                yield tuple(int(i in chosen) for i in range(n))
    else:
        yield from product(*map(range, arities))
