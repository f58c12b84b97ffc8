"""A linear constraint from yes and no, one formula at a time."""

import math

import numpy as np


def conditioned(mean, covariance, features, allowed):
    """Mean and covariance of normal weights after one answer about ``features``."""
    sign = -1.0 if allowed else 1.0
    seen = covariance @ features
    variance = max(1e-9 + features @ seen, 1e-9)
    t = sign * (mean @ features) / math.sqrt(variance)
    density = math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
    ratio = density / (math.erfc(-t / math.sqrt(2)) / 2)
    mean = mean + sign * ratio / math.sqrt(variance) * seen
    shrink = ratio * (ratio + t) / variance
    return mean, covariance - shrink * np.outer(seen, seen)
