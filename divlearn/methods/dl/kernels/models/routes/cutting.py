"""Cutting an order into routes, and learning from it what items load."""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel

#: Loads of a route that was too heavy after all of it is learned, and how fast that is.
TOO_HEAVY, RATE = 1.0005, 0.5
#: Factor by which vehicles get larger until a shorter cut is explained, and how often.
LARGER, MOST_ENLARGED = 1.04, 12


@lean_kernel
def cut_order(
    x: Codes,
    ways: Floats,
    loads: Floats,
    room: float,
    limit: float,
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
        last = np.uint64(x[i])
        load, way, before = loads[last], ways[depot, last], cheapest[i]
        length = before + way + ways[last, depot]
        if length < cheapest[i + 1]:
            cheapest[i + 1], previous[i + 1] = length, i
        for j in range(i + 1, n):
            item = np.uint64(x[j])
            load += loads[item]
            way += ways[last, item]
            if load > room or way > limit:
                break
            length = way + ways[item, depot]
            if length <= limit and before + length < cheapest[j + 1]:
                cheapest[j + 1], previous[j + 1] = before + length, i
            last = item
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


@lean_kernel
def learn_loads(
    x: Codes,
    length: float,
    margin: float,
    ways: Floats,
    loads: Floats,
    limit: float,
    cheapest: Floats,
    previous: Integers,
) -> bool:
    """Correct loads by the ``length`` of all routes that an order turned out to have.

    If it is longer than expected, one of the expected routes is too heavy: the heaviest
    one gets heavier. If it is shorter, vehicles are enlarged until that is explained,
    and what is then above 1 gets lighter.

    Returns
    -------
    Whether the length was other than expected, by more than ``margin``.
    """
    n = loads.shape[0]
    expected = cut_order(x, ways, loads, 1.0, limit, cheapest, previous)
    if abs(length - expected) <= margin:
        return False
    if length > expected:
        _add_to_heaviest(x, loads, previous)
        return True
    room = 1.0
    for _ in range(MOST_ENLARGED):
        room *= LARGER
        if cut_order(x, ways, loads, room, limit, cheapest, previous) < length + margin:
            break
    stop = n
    while stop > 0:
        start, load = previous[stop], 0.0
        for k in range(start, stop):
            load += loads[x[k]]
        if load > 1.0 and stop - start > 1:
            for k in range(start, stop):
                less = loads[x[k]] - RATE * (load - 1.0) / (stop - start)
                loads[x[k]] = max(0.0, less)
        stop = start
    return True


@lean_kernel
def _add_to_heaviest(x: Codes, loads: Floats, previous: Integers) -> None:
    """Make the heaviest route of an order that was cut heavier, evenly."""
    stop, heaviest, first, last = loads.shape[0], -1.0, 0, 0
    while stop > 0:
        start, load = int(previous[stop]), 0.0
        for k in range(start, stop):
            load += loads[x[k]]
        if load > heaviest:
            heaviest, first, last = load, start, stop
        stop = start
    more = RATE * max(0.0, TOO_HEAVY - heaviest) / (last - first)
    for k in range(first, last):
        loads[x[k]] += more
