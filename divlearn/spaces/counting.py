"""How many solutions a space has, and a list of them if there are few."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, permutations, product

from divlearn.spaces.base import PERMUTATION, SUBSET, Segment


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
    count = 1
    for kind, arities, least, greatest, *_ in segments:
        if kind == PERMUTATION:
            factors: Iterable[int] = range(1, len(arities) + 1)
        elif kind == SUBSET:
            factors = (_subsets(len(arities), least, greatest, most),)
        else:
            factors = arities
        for factor in factors:
            count *= factor
            if count > most:
                return None
    return count


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
    parts = product(*(list(_list_segment(*segment[:4])) for segment in segments))
    return (tuple(chain.from_iterable(part)) for part in parts)


def _list_segment(
    kind: int, arities: Sequence[int], least: int, greatest: int
) -> Iterator[tuple[int, ...]]:
    """Yield the codes of one segment."""
    n = len(arities)
    if kind == PERMUTATION:
        yield from permutations(range(n))
    elif kind == SUBSET:
        for size in range(least, greatest + 1):
            for chosen in combinations(range(n), size):
                yield tuple(int(i in chosen) for i in range(n))
    else:
        yield from product(*map(range, arities))
