"""The archive as a filter that compares everything with everything."""

import math

import numpy as np


def key(values):
    """Objectives rounded one by one."""
    return tuple(map(rounded, values))


def rounded(value):
    """Nine decimals; small numbers 30 bits, large ones as they are."""
    if abs(value) > 1e6 or value == 0:
        return value
    if abs(value) >= 1 / 1024:
        return math.floor(value * 1e9 + 0.5) / 1e9
    unit = 2.0 ** (math.floor(math.log2(abs(value))) + 1 - 30)
    return math.floor(value / unit + 0.5) * unit


def as_good(a, b):
    """Whether ``a`` is nowhere worse than ``b``."""
    return all(p <= q for p, q in zip(a, b, strict=True))


def inserted(members, newcomer):
    """Members ``(name, objectives)`` after a newcomer, and whether it entered."""
    mine = key(newcomer[1])
    if any(as_good(key(values), mine) for _, values in members):
        return members, False
    stay = [member for member in members if not as_good(mine, key(member[1]))]
    return [*stay, newcomer], True


def who_leaves(members):
    """Name of the member that a full archive lets go, the first of equals.

    The best in an objective stay. Of two objectives, who stands for the least area
    between its neighbours; of more, who has the least crowding distance.
    """
    rows = np.array([key(row) for _, row in members], float)
    names = [name for name, _ in members]
    count, m = rows.shape
    worth = np.ones(count) if m == 2 else np.zeros(count)
    for j in range(m):
        line = sorted(range(count), key=lambda k: (rows[k, j], k))
        span = rows[line[-1], j] - rows[line[0], j]
        if span <= 0:
            continue
        for before, k, after in zip(line, line[1:], line[2:], strict=False):
            if m == 2:  # whoever is next is better in the other objective
                worth[k] *= rows[after, j] - rows[k, j]
            else:
                worth[k] += (rows[after, j] - rows[before, j]) / span
        worth[line[0]] = worth[line[-1]] = np.inf
    return names[int(np.argmin(worth))]
