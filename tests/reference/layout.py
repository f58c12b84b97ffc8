"""Spaces by enumeration, and their metrics by definition.

A space is a list of segments ``(kind, arities, least, most)``.
"""

from functools import cache
from itertools import combinations, permutations, product

PERMUTATION, SUBSET, CATEGORICAL, ORDINAL = 0, 1, 2, 3


def segment_members(kind, arities, least, most):
    """All codes that one segment allows."""
    if kind == PERMUTATION:
        return list(permutations(range(len(arities))))
    rows = product(*(range(arity) for arity in arities))
    if kind == SUBSET:
        return [row for row in rows if least <= sum(row) <= most]
    return list(rows)


def members(segments):
    """All codes of the space."""
    parts = product(*(segment_members(*segment[:4]) for segment in segments))
    return [sum(part, ()) for part in parts]


def completable(segments, earlier):
    """The next actions after which some member is still possible."""
    return _next_actions(_frozen(segments)).get(tuple(earlier), [])


def _frozen(segments):
    return tuple((kind, tuple(arities), a, b) for kind, arities, a, b, *_ in segments)


@cache
def _next_actions(segments):
    """What follows each beginning of a member."""
    after = {}
    for member in members(segments):
        for i, action in enumerate(member):
            after.setdefault(member[:i], set()).add(action)
    return {beginning: sorted(actions) for beginning, actions in after.items()}


def kendall_tau(a, b):
    """Pairs of items that stand in one order in ``a`` and in the other in ``b``."""
    a, b = list(a), list(b)
    return sum(
        (a.index(p) < a.index(q)) != (b.index(p) < b.index(q))
        for p, q in combinations(range(len(a)), 2)
    )


def distance(segments, a, b):
    """Kendall tau, Hamming or steps, summed over the segments."""
    total, start = 0, 0
    for kind, arities, *_ in segments:
        stop = start + len(arities)
        mine, other = a[start:stop], b[start:stop]
        if kind == PERMUTATION:
            total += kendall_tau(mine, other)
        elif kind == ORDINAL:
            total += sum(abs(int(p) - int(q)) for p, q in zip(mine, other, strict=True))
        else:
            total += sum(p != q for p, q in zip(mine, other, strict=True))
        start = stop
    return total
