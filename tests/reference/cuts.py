"""Slow and obvious: all ways to cut an order into routes."""

import itertools


def best_cut(order, ways, loads, room, limit, together=()):
    """Length of all routes and of the longest one, of the best cut that is allowed.

    The depot is the last row of ``ways``. A route of one item is always allowed; one
    that serves all items that must not be ``together`` is not.
    """
    n, found = len(order), []
    for marks in itertools.product((False, True), repeat=n - 1):
        starts = [0, *(i + 1 for i in range(n - 1) if marks[i]), n]
        routes = [order[a:b] for a, b in itertools.pairwise(starts)]
        lengths = [_length(route, ways) for route in routes]
        fits = all(
            len(route) == 1
            or (
                sum(loads[a] for a in route) <= room
                and length <= limit
                and not (together and set(together) <= set(route))
            )
            for route, length in zip(routes, lengths, strict=True)
        )
        if fits:
            found.append((sum(lengths), max(lengths)))
    return min(found)


def _length(route, ways):
    """Length of one route, from the depot and back."""
    stops = [len(ways) - 1, *route, len(ways) - 1]
    return sum(ways[a][b] for a, b in itertools.pairwise(stops))


def length_of(routes, ways):
    """Length of all routes, each a list of items."""
    return sum(_length(route, ways) for route in routes)
