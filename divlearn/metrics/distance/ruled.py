"""How far apart solutions of a segment with rules can be: an upper bound."""

from __future__ import annotations

from itertools import combinations, pairwise

from divlearn.kernels.rules.kinds import CHOICE, ORDER, SIZES
from divlearn.spaces.base import Segment


def ruled_diameter(segment: Segment, free: int) -> int:
    """Distance that no two solutions of a segment exceed.

    Parameters
    ----------
    segment
        A run of positions.
    free
        The greatest distance if there were no rules.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> ruled_diameter(Permutation(3, before=[(0, 1)]).segments()[0], 3)
    2
    """
    n, most = len(segment.levels), free
    for kind, numbers in segment.rules:
        if kind == ORDER:
            most = min(most, _open_pairs(numbers, n))
        elif kind == CHOICE:
            most = min(most, _open_bits(numbers, n))
        elif kind == SIZES:
            most = min(
                most, *(2 * (n - least) for least in numbers[1 : 1 + numbers[0]])
            )
    return most


def _open_pairs(numbers: list[int], n: int) -> int:
    """Pairs of items that may stand in either order."""
    earliest, latest = numbers[1 : 1 + n], numbers[1 + n : 1 + 2 * n]
    starts = numbers[1 + 4 * n : 2 + 5 * n]
    ahead = numbers[2 + 5 * n :]
    reached = [0] * n  # bits of all items that come before, directly or not
    # An item has a later first place than all that come before it.
    for item in sorted(range(n), key=lambda a: earliest[a]):
        for other in ahead[starts[item] : starts[item + 1]]:
            reached[item] |= reached[other] | 1 << other
    return sum(
        not (reached[a] >> b & 1 or reached[b] >> a & 1)
        and latest[a] >= earliest[b]
        and latest[b] >= earliest[a]
        for a, b in combinations(range(n), 2)
    )


def _open_bits(numbers: list[int], n: int) -> int:
    """Bits that can differ: of a component whose items exclude each other two."""
    components, offset, room = numbers[:3]
    starts = numbers[offset : offset + components + 1]
    sizes = [b - a for a, b in pairwise(starts)]
    alike = room == components  # then a component has one chosen item at most
    return sum(min(2, size) if alike else size for size in sizes)
