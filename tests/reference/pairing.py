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
