"""Neighbours of vehicle routes: stretches turned around, customers moved.

Codes are an order of the n customers, then a mark where a route begins, n of each, as
for the decoder ``"flags"``. The table is that of
:mod:`divlearn.problems.built_in.cvrp_decoders`.
"""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.lab.kernels.local_search.front import (
    LEAST_GAIN,
    Front,
    Scan,
    copy,
    enter,
    has_room,
    is_covered,
    weighted_sum,
)
from divlearn.lab.kernels.two_opt import turn
from divlearn.problems.built_in.cvrp_decoders import measure_routes


class Routes(NamedTuple):
    """What is known about the routes of the present solution."""

    number: Integers  # (n,) route at each place of the order
    first: Integers  # (n + 1,) first place of each route; n after the last
    load: Floats  # (n,) by route
    length: Floats  # (n,) by route
    turned: Floats  # (n,) how much longer the way back to the first place is
    top: Integers  # (4,) number of routes, and the three longest; -1 for none


@lean_kernel
def scan_routes(
    front: Front, scan: Scan, table: Floats, routes: Routes, limit: int
) -> int:
    """Try the moves that are left, from ``scan.place`` on.

    Move (i, t) concerns the customer at place i. With a place t behind it on the same
    route, the stretch from i to t is turned around. With a place t on another route,
    the customer moves there, behind t; with t = n + r to the beginning of route r;
    beyond that to a route of its own. What does not fit is passed over. Otherwise as
    :func:`scan_tours`.

    Returns
    -------
    Number of neighbours evaluated.
    """
    place = scan.place
    n = routes.number.shape[0]
    tried = 0
    while place[2] < n * (n + routes.top[0] + 1):
        if tried == limit or not has_room(front):
            return tried
        i, t = place[0], place[1]
        place[2] += 1
        place[1] += 1
        if place[1] > n + routes.top[0]:
            place[1] = 0
            place[0] = (i + 1) % n
        if not is_move(scan.x, table, routes, i, t):
            continue
        tried += 1
        measure(scan, table, routes, i, t)
        if weighted_sum(scan.weights, scan.z) < scan.aim[0] - LEAST_GAIN:
            change(scan.x, routes, i, t, scan.neighbour)
            copy(scan.neighbour, scan.x)
            measure_routes(scan.x, table, scan.x[n:], scan.y)
            describe(scan.x, table, routes)
            scan.aim[0] = weighted_sum(scan.weights, scan.y)
            place[1] = min(place[1], n + routes.top[0])
            place[2] = 0
            enter(front, scan.x, scan.y)
        elif not is_covered(front, scan.z):
            change(scan.x, routes, i, t, scan.neighbour)
            measure_routes(scan.neighbour, table, scan.neighbour[n:], scan.z)
            enter(front, scan.neighbour, scan.z)
    place[3] = 1
    return tried


@lean_kernel
def target(routes: Routes, t: int) -> int:
    """Route to which move (i, t) leads; the number of routes for a new one."""
    n = routes.number.shape[0]
    return int(routes.number[t]) if t < n else t - n


@lean_kernel
def is_move(x: Codes, table: Floats, routes: Routes, i: int, t: int) -> bool:
    """Whether move (i, t) changes something and keeps to the capacity."""
    n = routes.number.shape[0]
    r, q = routes.number[i], target(routes, t)
    if r == q:
        return bool(i < t < n)
    if q == routes.top[0]:
        return bool(routes.first[r + 1] - routes.first[r] > 1)
    return bool(routes.load[q] + table[x[i], n + 1] <= table[n + 1, 0])


@lean_kernel
def before(x: Codes, routes: Routes, i: int) -> int:
    """Customer visited before place i, or the depot, n."""
    n = routes.number.shape[0]
    return n if routes.first[routes.number[i]] == i else int(x[i - 1])


@lean_kernel
def behind(x: Codes, routes: Routes, i: int) -> int:
    """Customer visited after place i, or the depot, n."""
    n = routes.number.shape[0]
    return n if routes.first[routes.number[i] + 1] == i + 1 else int(x[i + 1])


@lean_kernel
def measure(scan: Scan, table: Floats, routes: Routes, i: int, t: int) -> None:
    """Write total length and longest route after move (i, t) into ``scan.z``."""
    r, q = routes.number[i], target(routes, t)
    longest = longest_of_others(routes, r, q)
    if r == q:
        more = by_turning(scan.x, table, routes, i, t)
        longest = max(longest, routes.length[r] + more)
    else:
        less = by_leaving(scan.x, table, routes, i)
        joined = by_joining(scan.x, table, routes, i, t)
        rest = routes.length[q] if q < routes.top[0] else 0.0
        longest = max(longest, routes.length[r] + less, rest + joined)
        more = less + joined
    scan.z[0] = scan.y[0] + more
    scan.z[1] = longest


@lean_kernel
def by_turning(x: Codes, table: Floats, routes: Routes, i: int, t: int) -> float:
    """By how much a route gets longer if its stretch from i to t is turned around."""
    a, b, c, d = before(x, routes, i), x[i], x[t], behind(x, routes, t)
    ends = table[a, c] + table[b, d] - table[a, b] - table[c, d]
    return float(ends + (routes.turned[t] - routes.turned[i]))


@lean_kernel
def by_leaving(x: Codes, table: Floats, routes: Routes, i: int) -> float:
    """By how much a route gets longer without the customer at place i."""
    a, b, c = before(x, routes, i), x[i], behind(x, routes, i)
    if a == c:  # the depot: nobody else is on the route
        return float(-routes.length[routes.number[i]])
    return float(table[a, c] - table[a, b] - table[b, c])


@lean_kernel
def by_joining(x: Codes, table: Floats, routes: Routes, i: int, t: int) -> float:
    """By how much the route of t gets longer with the customer at place i."""
    n = routes.number.shape[0]
    q = target(routes, t)
    if q == routes.top[0]:
        return float(table[n, x[i]] + table[x[i], n])
    a = n if t >= n else x[t]
    c = x[routes.first[q]] if t >= n else behind(x, routes, t)
    return float(table[a, x[i]] + table[x[i], c] - table[a, c])


@lean_kernel
def longest_of_others(routes: Routes, r: int, q: int) -> float:
    """Length of the longest route but r and q; 0 if there is none."""
    for k in range(1, 4):
        route = routes.top[k]
        if route >= 0 and route != r and route != q:
            return float(routes.length[route])
    return 0.0


@lean_kernel
def change(x: Codes, routes: Routes, i: int, t: int, neighbour: Codes) -> None:
    """Write the codes after move (i, t) into ``neighbour``."""
    n = routes.number.shape[0]
    if routes.number[i] == target(routes, t):
        copy(x, neighbour)
        turn(neighbour, i, t)
        return
    k, begins = 0, 0
    for p in range(n + 1):
        if p == n or x[n + p] == 1:
            begins = 1
        at_beginning = t >= n and p == routes.first[t - n]
        if at_beginning:
            neighbour[k], neighbour[n + k] = x[i], begins
            begins = 0 if p < n else begins
            k += 1
        if p < n and p != i:
            neighbour[k], neighbour[n + k] = x[p], begins
            begins = 0
            k += 1
        if p == t and p < n:
            neighbour[k], neighbour[n + k] = x[i], 0
            k += 1


@lean_kernel
def describe(x: Codes, table: Floats, routes: Routes) -> None:
    """Find routes, their loads and lengths."""
    n = routes.number.shape[0]
    count = 0
    for p in range(n):
        if x[n + p] == 1:
            routes.first[count] = p
            routes.load[count] = 0.0
            routes.length[count] = table[n, x[p]]
            count += 1
        else:
            routes.length[count - 1] += table[x[p - 1], x[p]]
        routes.number[p] = count - 1
        routes.load[count - 1] += table[x[p], n + 1]
        if p + 1 == n or x[n + p + 1] == 1:
            routes.length[count - 1] += table[x[p], n]
        routes.turned[p] = 0.0
        if p > 0:
            back = table[x[p], x[p - 1]] - table[x[p - 1], x[p]]
            routes.turned[p] = routes.turned[p - 1] + back
    routes.first[count] = n
    routes.top[0] = count
    find_longest(routes)


@lean_kernel
def find_longest(routes: Routes) -> None:
    """Write which three routes are the longest."""
    top, length = routes.top, routes.length
    for k in range(1, 4):
        top[k] = -1
    for k in range(1, 4):
        for r in range(top[0]):
            is_other = r != top[1] and r != top[2]
            if is_other and (top[k] < 0 or length[r] > length[top[k]]):
                top[k] = r
