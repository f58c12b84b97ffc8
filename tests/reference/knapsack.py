"""Knapsacks, the obvious way."""

from itertools import product

import numpy as np


def total(choice, column):
    """Sum over the chosen items."""
    return sum(number for chosen, number in zip(choice, column, strict=True) if chosen)


def fits(choice, weights, capacity):
    """Whether every load is within its capacity; ``weights[j][k]``."""
    return all(
        total(choice, [row[k] for row in weights]) <= limit
        for k, limit in enumerate(capacity)
    )


def by_efficiency(weights, values, capacity):
    """Items, the largest mean value per mean share of the capacities first."""

    def efficiency(j):
        shares = [w / limit for w, limit in zip(weights[j], capacity, strict=True)]
        share = sum(shares) / len(shares)
        return sum(values[j]) / len(values[j]) / share if share > 0 else float("inf")

    return sorted(range(len(weights)), key=efficiency, reverse=True)


def drop_least_efficient(choice, weights, values, capacity):
    """Drop one item after the other until the rest fits."""
    choice = list(choice)
    for item in reversed(by_efficiency(weights, values, capacity)):
        if fits(choice, weights, capacity):
            break
        choice[item] = 0
    return choice


def fill(choice, weights, values, capacity):
    """Add every item that still fits, the most efficient first."""
    choice = list(choice)
    for item in by_efficiency(weights, values, capacity):
        more = [*choice[:item], 1, *choice[item + 1 :]]
        if fits(more, weights, capacity):
            choice = more
    return choice


def front(weights, values, capacity):
    """All non-dominated pairs of values over all choices that fit, one weight each."""
    points = {
        (total(c, [v[0] for v in values]), total(c, [v[1] for v in values]))
        for c in product((0, 1), repeat=len(weights))
        if total(c, weights) <= capacity
    }
    return sorted(
        p
        for p in points
        if not any(q != p and q[0] >= p[0] and q[1] >= p[1] for q in points)
    )


def quick_front(weights, values, capacity):
    """Do the same as ``front`` over arrays, for more items."""
    n = len(weights)
    choices = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    points = (choices @ values)[choices @ weights <= capacity]
    points = points[np.lexsort(-points.T[::-1])]
    best = np.maximum.accumulate(points[:, 1])
    return points[np.append(True, points[1:, 1] > best[:-1])][::-1]
