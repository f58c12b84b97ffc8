"""The archive as a filter that compares everything with everything."""

import math


def key(values):
    """Objectives rounded to nine decimals; large numbers as they are."""
    return tuple(v if abs(v) > 1e6 else math.floor(v * 1e9 + 0.5) / 1e9 for v in values)


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
