"""All neighbours of a solution under each move, listed by its definition."""

from itertools import combinations

from tests.reference.layout import CATEGORICAL, ORDINAL, PERMUTATION, SUBSET

MOVES = {
    PERMUTATION: ("adjacent swap", "swap", "insertion", "reversal"),
    SUBSET: ("flip", "exchange"),
    CATEGORICAL: ("set",),
    ORDINAL: ("step", "set"),
}


def _reordered(items, move):
    """All orders that one move makes of ``items``."""
    n = len(items)
    if move == "adjacent swap":
        pairs = [(i, i + 1) for i in range(n - 1)]
    else:
        pairs = list(combinations(range(n), 2))
    if move in ("adjacent swap", "swap"):
        for i, j in pairs:
            order = list(items)
            order[i], order[j] = order[j], order[i]
            yield order
    elif move == "reversal":
        for i, j in pairs:
            yield [*items[:i], *items[i : j + 1][::-1], *items[j + 1 :]]
    else:
        for size in (1, 2, 3):
            for start in range(n - size + 1):
                block = items[start : start + size]
                rest = [*items[:start], *items[start + size :]]
                for place in range(len(rest) + 1):
                    if place != start:
                        yield [*rest[:place], *block, *rest[place:]]


def _changed(x, changes):
    """``x`` with some entries replaced."""
    y = list(x)
    for i, value in changes:
        y[i] = value
    return tuple(y)


def _subset_neighbours(x, positions, move, segment):
    """Flip or exchange each position; the other move where this one is impossible."""
    start, stop, least, most = segment
    ones = sum(x[start:stop])
    for i in positions:
        flipped = ones + 1 - 2 * x[i]
        flips = {_changed(x, [(i, 1 - x[i])])} if least <= flipped <= most else set()
        exchanges = {
            _changed(x, [(i, x[j]), (j, x[i])]) for j in positions if x[j] != x[i]
        }
        first, second = (flips, exchanges) if move == "flip" else (exchanges, flips)
        yield from first or second


def _value_neighbours(x, positions, move, arities):
    """Replace one value: by an adjacent one, or by any other."""
    for i in positions:
        for value in range(arities[i]):
            if value != x[i] and (move == "set" or abs(value - x[i]) == 1):
                yield _changed(x, [(i, value)])


def neighbours(segments, x, positions, move=None):
    """All solutions that one move inside ``positions`` may give.

    A kind of segment that does not know the move uses all of its own.
    """
    found, start = set(), 0
    arities = [arity for _, own, *_ in segments for arity in own]
    for kind, own, least, most, *_ in segments:
        stop = start + len(own)
        inside = [i for i in sorted(positions) if start <= i < stop]
        for name in (move,) if move in MOVES[kind] else MOVES[kind]:
            if kind == PERMUTATION:
                for order in _reordered([x[i] for i in inside], name):
                    found.add(_changed(x, zip(inside, order, strict=True)))
            elif kind == SUBSET:
                segment = (start, stop, least, most)
                found.update(_subset_neighbours(x, inside, name, segment))
            else:
                found.update(_value_neighbours(x, inside, name, arities))
        start = stop
    return found
