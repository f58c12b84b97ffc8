"""Cycles: their length, their neighbours and their best order, by enumeration."""

from itertools import permutations


def length(cost, order):
    """Sum of the pair costs along the closed cycle."""
    return sum(cost[a][b] for a, b in zip(order, [*order[1:], order[0]], strict=True))


def pairs(order):
    """The set of unordered neighbours: the same for rotations and reflections."""
    closed = [*order[1:], order[0]]
    return {frozenset(pair) for pair in zip(order, closed, strict=True)}


def shortest(cost):
    """Length of the shortest cycle."""
    n = len(cost)
    return min(length(cost, [0, *rest]) for rest in permutations(range(1, n)))


def with_stretch_moved(order, stretch, c, d):
    """Cut ``stretch`` out and put it between ``c`` and ``d``, its first item at c."""
    rest = [item for item in order if item not in stretch]
    i = rest.index(c)
    if rest[(i + 1) % len(rest)] == d:
        return [*rest[: i + 1], *stretch, *rest[i + 1 :]]
    return [*rest[:i], *reversed(stretch), *rest[i:]]
