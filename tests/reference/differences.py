"""What a solution consists of under each encoding, as whole sets of actions.

A space is a list of segments ``(kind, arities, least, most)``, see ``layout``.
"""

from collections import Counter
from itertools import combinations

from tests.reference.layout import ORDINAL, PERMUTATION

VALUE, SUCCESSOR, NEIGHBOUR, PRECEDENCE, THERMOMETER = 0, 1, 2, 3, 4


def actions(segments, encoding, x):
    """All actions of ``x``, numbered as in a layout."""
    found, start, offset = set(), 0, 0
    for kind, arities, *_ in segments:
        part = list(x[start : start + len(arities)])
        if kind == PERMUTATION and encoding in (SUCCESSOR, NEIGHBOUR, PRECEDENCE):
            own = _of_order(encoding, part)
        elif kind == ORDINAL and encoding == THERMOMETER:
            own = _of_steps(arities, part)
        else:
            own = _of_values(arities, part)
        found |= {offset + action for action in own}
        start += len(arities)
        offset += sum(arities)
    return found


def _of_order(encoding, items):
    n = len(items)
    if encoding == PRECEDENCE:
        pairs = [(a, b) for a, b in combinations(items, 2) if a < b]
    elif n < 3:  # every order is the same cycle
        pairs = []
    else:
        pairs = list(zip(items, items[1:] + items[:1], strict=True))
        if encoding == NEIGHBOUR:
            pairs = [(min(pair), max(pair)) for pair in pairs]
    return {a * n + b for a, b in pairs}


def _of_values(arities, values):
    return {sum(arities[:i]) + value for i, value in enumerate(values)}


def _of_steps(arities, values):
    return {
        sum(arities[:i]) + k for i, value in enumerate(values) for k in range(value)
    }


def changes(segments, encoding, parent, child):
    """Signed actions: +1 for what only the child has, -1 for what only the parent has.

    Returns
    -------
    A counter of pairs ``(action, sign)``.
    """
    before, after = (actions(segments, encoding, x) for x in (parent, child))
    gained = Counter((action, 1) for action in after - before)
    return gained + Counter((action, -1) for action in before - after)


def total(segments, encoding, values, x):
    """A sum over the actions of ``x``: an objective that the encoding explains."""
    return sum(values[action] for action in sorted(actions(segments, encoding, x)))
