"""Metrics by their definitions, slow and obvious; all objectives are minimised."""

import math
from itertools import combinations, pairwise, product

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


def gaps(points):
    """Distances from point to point along the front, each objective scaled to 0..1."""
    kept = non_dominated(points)
    front = sorted(tuple(p) for p, keep in zip(points, kept, strict=True) if keep)
    columns = list(zip(*front, strict=True))
    low = [min(column) for column in columns]
    span = [(max(column) - min(column)) or 1 for column in columns]
    scaled = [
        [(v - a) / s for v, a, s in zip(p, low, span, strict=True)] for p in front
    ]
    return [math.dist(a, b) for a, b in pairwise(scaled)]


def coverage(points, alpha=5):
    """One divided by one plus alpha times the mean gap; 0 where there is no gap."""
    found = gaps(points)
    return 1 / (1 + alpha * sum(found) / len(found)) if found else 0


def spread(points):
    """Mean difference from the mean gap, in mean gaps, not cut at 1."""
    found = gaps(points)
    mean = sum(found) / len(found)
    return sum(abs(gap - mean) for gap in found) / (len(found) * mean)


def edges(tour, directed):
    """The set of edges of a closed tour."""
    ways = list(zip(tour, [*tour[1:], tour[0]], strict=True))
    return set(ways) if directed else {frozenset(way) for way in ways}


def edge_jaccard(a, b, directed=False):
    """One minus common edges by all edges."""
    one, two = edges(list(a), directed), edges(list(b), directed)
    return 1 - len(one & two) / len(one | two)


def raw_diversity(solutions, distance):
    """Mean distance over the pairs."""
    pairs = list(combinations(solutions, 2))
    return sum(distance(a, b) for a, b in pairs) / len(pairs)


def knn_diversity(solutions, distance, k):
    """Mean over solutions of the mean distance to the k nearest others."""
    means = []
    for i, x in enumerate(solutions):
        others = [y for j, y in enumerate(solutions) if j != i]
        nearest = sorted(distance(x, y) for y in others)[:k]
        means.append(sum(nearest) / len(nearest))
    return sum(means) / len(means)


def inverted_generational_distance(points, targets):
    """Mean over the targets of the distance to the nearest point."""
    nearest = [min(math.dist(p, target) for p in points) for target in targets]
    return sum(nearest) / len(nearest)


def additive_epsilon(points, targets):
    """Least shift by which, for every target, some point is nowhere worse."""
    return max(
        min(max(a - b for a, b in zip(p, target, strict=True)) for p in points)
        for target in targets
    )


def signed_rank_p_value(differences):
    """Try all signs: how many give rank sums as far from the middle."""
    sizes = [abs(d) for d in differences if d != 0]
    ranks = [
        sum(other < size for other in sizes)
        + (sum(other == size for other in sizes) + 1) / 2
        for size in sizes
    ]
    middle = sum(ranks) / 2
    positive = [d > 0 for d in differences if d != 0]

    def offset(signs):
        return abs(sum(r for r, s in zip(ranks, signs, strict=True) if s) - middle)

    all_signs = list(product([False, True], repeat=len(ranks)))
    extreme = sum(offset(signs) >= offset(positive) for signs in all_signs)
    return extreme / len(all_signs)
