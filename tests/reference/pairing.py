"""Slow, obvious versions of the pair model."""

import numpy as np


def pair_sum(x, a, b):
    """Sum over positions i < j of a[i, j] times b of the items there."""
    n = len(x)
    return sum(a[i, j] * b[x[i], x[j]] for i in range(n) for j in range(i + 1, n))


def symmetric(rng, n):
    """Random symmetric matrix with a diagonal of 0, shape (n, n)."""
    upper = np.triu(rng.normal(size=(n, n)), 1)
    return upper + upper.T


def swapped(x, i, j):
    """A copy of ``x`` with two items exchanged."""
    y = np.array(x)
    y[i], y[j] = y[j], y[i]
    return y


def swap_prices(x, matrices, factors):
    """What every exchange changes of a weighted sum of outputs, shape (n, n).

    ``matrices`` are pairs of those of positions and of items, an output each.
    """
    n = len(x)
    prices = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            y = swapped(x, i, j)
            prices[i, j] = sum(
                factor * (pair_sum(y, a, b) - pair_sum(x, a, b))
                for (a, b), factor in zip(matrices, factors, strict=True)
            )
    return prices


def best_swap(prices, banned, now, wished):
    """The least price of two positions that is not banned, or below ``wished``."""
    n = len(prices)
    allowed = [
        prices[i, j]
        for i in range(n)
        for j in range(i)
        if banned[i, j] <= now or prices[i, j] < wished
    ]
    return min(allowed, default=None)
