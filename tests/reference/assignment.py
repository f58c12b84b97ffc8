"""Quadratic assignment, the obvious way."""

from itertools import product


def costs(places, distances, flows):
    """Sum of flow times distance over all pairs of facilities, per flow."""
    pairs = list(product(range(len(places)), repeat=2))
    return [
        sum(flow[i][j] * distances[places[i]][places[j]] for i, j in pairs)
        for flow in flows
    ]
