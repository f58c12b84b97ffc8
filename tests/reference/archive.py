"""The archive as a filter that compares everything with everything."""

import math


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
