"""Routes of a vehicle fleet: three decoders and what their routes cost.

With n customers the table has n + 2 columns and these rows:

- 0 .. n - 1: a customer's distances to all customers and to the depot (column n),
  then its demand (column n + 1);
- n: the same for the depot, which has no demand;
- n + 1: the capacity of a vehicle, in column 0;
- from n + 2 on: the route limits of the cap split, read row by row.

A decoder marks in ``starts``, shape (n,), where in the order a route begins.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import kernel


@kernel
def greedy_routes(x: Codes, table: Floats, y: Floats) -> None:
    """Write total length and longest route of order ``x`` under the greedy decoder."""
    starts = np.empty(table.shape[1] - 2, np.int64)
    greedy_starts(x, table, starts)
    measure_routes(x, table, starts, y)


@kernel
def flagged_routes(x: Codes, table: Floats, y: Floats) -> None:
    """Write total length and longest route of an order with route-start flags."""
    starts = np.empty(table.shape[1] - 2, np.int64)
    flagged_starts(x, table, starts)
    measure_routes(x, table, starts, y)


@kernel
def split_routes(x: Codes, table: Floats, y: Floats) -> None:
    """Write total length and longest route of an order split below a limit."""
    starts = np.empty(table.shape[1] - 2, np.int64)
    split_starts(x, table, starts)
    measure_routes(x, table, starts, y)


@kernel
def greedy_starts(x: Codes, table: Floats, starts: Integers) -> None:
    """Begin a route where the next customer does not fit."""
    starts[:] = 0
    _start_when_full(x, table, starts)


@kernel
def flagged_starts(x: Codes, table: Floats, starts: Integers) -> None:
    """Begin a route at every flag, ``x[n:]``, and where a customer does not fit."""
    n = starts.shape[0]
    for i in range(n):
        starts[i] = x[n + i]
    _start_when_full(x, table, starts)


@kernel
def _start_when_full(x: Codes, table: Floats, starts: Integers) -> None:
    """Add to ``starts`` the beginnings that capacity demands."""
    n = starts.shape[0]
    capacity = table[n + 1, 0]
    load = 0.0
    starts[0] = 1
    for i in range(n):
        demand = table[x[i], n + 1]
        load += demand
        if starts[i] == 1 or load > capacity:
            starts[i] = 1
            load = demand


@kernel
def split_starts(x: Codes, table: Floats, starts: Integers) -> None:
    """Cut order ``x[:n]`` where the total length is least below limit ``x[n]``.

    Shortest path over the places between customers (Bellman): a route may leave
    place i for place j if it serves ``x[i:j]`` within the capacity and is no longer
    than the limit. C. Prins, "A simple and effective evolutionary algorithm for the
    vehicle routing problem", Computers & Operations Research 31 (2004).
    """
    n = starts.shape[0]
    limit = route_limit(table, int(x[n]))
    cheapest = np.full(n + 1, np.inf)
    cheapest[0] = 0.0
    previous = np.zeros(n + 1, np.int64)
    for i in range(n):
        _extend_route(x, table, i, limit, cheapest, previous)
    starts[:] = 0
    place = n
    while place > 0:
        place = previous[place]
        starts[place] = 1


@kernel
def _extend_route(
    x: Codes,
    table: Floats,
    i: int,
    limit: float,
    cheapest: Floats,
    previous: Integers,
) -> None:
    """Try all routes that begin with customer ``x[i]``."""
    n = previous.shape[0] - 1
    capacity = table[n + 1, 0]
    depot = np.uint64(n)
    demand = np.uint64(n + 1)
    place = depot
    before = cheapest[i]
    load, way = 0.0, 0.0
    for j in range(i, n):
        customer = np.uint64(x[j])
        load += table[customer, demand]
        way += table[place, customer]
        # Customers further on only add to the load and to the way out.
        if load > capacity or way > limit:
            return
        length = way + table[customer, depot]
        if length <= limit and before + length < cheapest[j + 1]:
            cheapest[j + 1] = before + length
            previous[j + 1] = i
        place = customer


@kernel
def route_limit(table: Floats, level: int) -> float:
    """Longest allowed route at a level of the cap split."""
    columns = table.shape[1]
    return float(table[columns + level // columns, level % columns])


@kernel
def measure_routes(x: Codes, table: Floats, starts: Integers, y: Floats) -> None:
    """Write the total length and the longest route's length into ``y``."""
    n = starts.shape[0]
    total, longest, length = 0.0, 0.0, 0.0
    for i in range(n):
        if starts[i] == 1:
            length = table[n, x[i]]
        else:
            length += table[x[i - 1], x[i]]
        if i == n - 1 or starts[i + 1] == 1:
            length += table[x[i], n]
            total += length
            longest = max(longest, length)
    y[0] = total
    y[1] = longest
