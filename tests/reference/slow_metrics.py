"""Metrics by their definitions, slow and obvious; all objectives are minimised."""

from itertools import combinations

import numpy as np


def dominates(a, b):
    """Whether point a is nowhere worse than b and somewhere better."""
    pairs = list(zip(a, b, strict=True))
    return all(x <= y for x, y in pairs) and any(x < y for x, y in pairs)


def non_dominated(points):
    """Compare every point with every other; of equal points keep the first."""
    kept = []
    for i, point in enumerate(points):
        beaten = any(dominates(other, point) for other in points)
        repeated = any(tuple(point) == tuple(other) for other in points[:i])
        kept.append(not beaten and not repeated)
    return kept


def hypervolume(points, reference):
    """Add and subtract the boxes of all subsets of the points."""
    boxes = [point for point in points if np.less(point, reference).all()]
    volume = 0.0
    for size in range(1, len(boxes) + 1):
        for subset in combinations(boxes, size):
            corner = np.max(subset, axis=0)
            volume -= (-1) ** size * np.prod(np.asarray(reference) - corner)
    return volume
