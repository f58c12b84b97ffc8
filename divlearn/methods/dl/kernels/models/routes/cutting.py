"""Cutting an order into routes."""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel


@lean_kernel
def cut_order(
    x: Codes,
    ways: Floats,
    loads: Floats,
    room: float,
    limit: float,
    first: int,
    last: int,
    cheapest: Floats,
    previous: Integers,
) -> float:
    """Cut order ``x[:n]`` where all routes together are shortest.

    Parameters
    ----------
    x, ways, loads
        The order first; what lies between items and the depot, shape (n + 1, n + 1);
        what each item loads, shape (n,).
    room
        Load that a route carries. One item always fits.
    limit
        Longest route, but for routes of one item.
    first, last
        No route may serve all of ``x[first:last]``; -1, 0 for no such demand.
    cheapest, previous
        Scratch, shape (n + 1,); ``previous[j]`` is where the route that ends before
        place j begins, see :func:`longest_route`.

    Returns
    -------
    Length of all routes.
    """
    n = loads.shape[0]
    depot = np.uint64(n)
    for j in range(n + 1):
        cheapest[j] = math.inf
    cheapest[0] = 0.0
    for i in range(n):
        at = np.uint64(x[i])
        load, way, before = loads[at], ways[depot, at], cheapest[i]
        length = before + way + ways[at, depot]
        if length < cheapest[i + 1]:
            cheapest[i + 1], previous[i + 1] = length, i
        for j in range(i + 1, n):
            item = np.uint64(x[j])
            load += loads[item]
            way += ways[at, item]
            if load > room or way > limit or (i <= first and j >= last - 1):
                break
            length = way + ways[item, depot]
            if length <= limit and before + length < cheapest[j + 1]:
                cheapest[j + 1], previous[j + 1] = before + length, i
            at = item
    return float(cheapest[n])


@lean_kernel
def longest_route(x: Codes, ways: Floats, previous: Integers) -> float:
    """Length of the longest route of an order that was cut."""
    n = previous.shape[0] - 1
    stop, longest = n, 0.0
    while stop > 0:
        start = previous[stop]
        length = ways[n, x[start]] + ways[x[stop - 1], n]
        for k in range(start + 1, stop):
            length += ways[x[k - 1], x[k]]
        longest = max(longest, length)
        stop = start
    return longest
