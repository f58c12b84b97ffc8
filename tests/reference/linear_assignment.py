"""Linear assignment, the obvious way."""

from itertools import permutations

import numpy as np


def orders(n):
    """All orders of n items, shape (n!, n)."""
    return np.array(list(permutations(range(n))))


def costs(table, x):
    """What each order of ``x``, shape (k, n), costs by ``table``, shape (n, n, ...)."""
    return table[np.arange(x.shape[1]), x].sum(axis=1)


def ways(loss):
    """Least loss from place to place, over all ways by Bellman and Ford."""
    n = len(loss)
    found = loss.copy()
    for _ in range(n):
        for i in range(n):
            for j in range(n):
                found[i, j] = min(found[i, k] + loss[k, j] for k in range(n))
    return found
