"""Tours, the obvious way."""

import math


def distance_matrices(coordinates):
    """Euclidean distances, ``[k][i][j]``, of cities at ``coordinates[i][k]``."""
    n, m = len(coordinates), len(coordinates[0])
    return [
        [
            [math.dist(coordinates[i][k], coordinates[j][k]) for j in range(n)]
            for i in range(n)
        ]
        for k in range(m)
    ]


def tour_lengths(order, distances):
    """Length of the closed tour under each matrix."""
    n = len(order)
    return [
        sum(matrix[order[i]][order[(i + 1) % n]] for i in range(n))
        for matrix in distances
    ]


def same_tours(order, symmetric):
    """All orders that are the same closed tour."""
    order = list(order)
    turned = [order[i:] + order[:i] for i in range(len(order))]
    if symmetric:
        turned += [turn[::-1] for turn in turned]
    return turned
