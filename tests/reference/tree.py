"""What the tree of an archive answers, by looking at every member."""

import numpy as np


def covers(keys, corner):
    """Whether a key is nowhere above ``corner``."""
    return bool((keys <= corner).all(axis=1).any())


def least_missed(keys, y, low, high, least, most):
    """How much of a box the nearest member misses ``y`` by, at most ``least``."""
    width = np.where(high > low, high - low, 1.0)
    missed = np.maximum((keys - y) / width, -1.0).max(axis=1).min()
    found = min(least, missed)
    return 0.0 if missed < least and found <= most else found


def lightest(keys, slots, weights):
    """Slot of the member of least weighted sum, the lowest of several."""
    totals = np.zeros(len(keys))
    for j, weight in enumerate(weights):
        totals += weight * keys[:, j]
    return int(slots[totals == totals.min()].min())
