"""Neighbours of a choice: one more item, or one item for another.

The table is that of :mod:`divlearn.problems.built_in.knapsack`. Values are negative
here, to be minimised. An item is never only taken out, which is never better.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
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
from divlearn.problems.built_in.knapsack import choice_fits, knapsack_values


@lean_kernel
def scan_items(
    front: Front, scan: Scan, table: Floats, room: Floats, limit: int
) -> int:
    """Try the moves that are left, from ``scan.place`` on.

    Move (i, j) takes item i out, none if i = n, and puts item j in. What does not fit
    is passed over. Otherwise as :func:`scan_tours`.

    Parameters
    ----------
    front, scan
        As their classes say; changed in place.
    table
        The instance.
    room
        What is left of each capacity, shape (c,), see :func:`measure_room`.
    limit
        Most neighbours to evaluate.

    Returns
    -------
    Number of neighbours evaluated.
    """
    x, place = scan.x, scan.place
    n = x.shape[0]
    tried, all_moves = 0, n * (n + 1)
    while place[2] < all_moves:
        if tried == limit or not has_room(front):
            return tried
        i, j = place[0], place[1]
        place[2] += 1
        step(place, n)
        if x[j] == 1 or (i < n and x[i] == 0) or not fits(table, room, i, j):
            continue
        tried += 1
        measure(scan, table, i, j)
        if weighted_sum(scan.weights, scan.z) < scan.aim[0] - LEAST_GAIN:
            if exchange(x, table, i, j, scan.y):
                measure_room(x, table, room)
                scan.aim[0] = weighted_sum(scan.weights, scan.y)
                place[2] = 0
                enter(front, x, scan.y)
            else:
                exchange(x, table, j, i, scan.y)
        elif not is_covered(front, scan.z):
            copy(x, scan.neighbour)
            if exchange(scan.neighbour, table, i, j, scan.z):
                enter(front, scan.neighbour, scan.z)
    place[3] = 1
    return tried


@lean_kernel
def step(place: Codes, n: int) -> None:
    """Go on to the next move, in a circle."""
    place[1] += 1
    if place[1] == n:
        place[1] = 0
        place[0] = (place[0] + 1) % (n + 1)


@lean_kernel
def fits(table: Floats, room: Floats, i: int, j: int) -> bool:
    """Whether there is room for item j instead of item i, or beside all if i = n."""
    n = table.shape[0] - 1
    m = int(table[n, 0])
    for k in range(room.shape[0]):
        freed = table[i, m + k] if i < n else 0.0
        if table[j, m + k] > room[k] + freed:
            return False
    return True


@lean_kernel
def measure(scan: Scan, table: Floats, i: int, j: int) -> None:
    """Write the values after move (i, j), negative, into ``scan.z``."""
    n = scan.x.shape[0]
    for k in range(scan.z.shape[0]):
        lost = table[i, k] if i < n else 0.0
        scan.z[k] = scan.y[k] + (lost - table[j, k])


@lean_kernel
def exchange(x: Codes, table: Floats, i: int, j: int, y: Floats) -> bool:
    """Make move (i, j) in ``x`` and write its values; say whether it really fits."""
    n = x.shape[0]
    if i < n:
        x[i] = 0
    if j < n:
        x[j] = 1
    knapsack_values(x, table, y)
    for k in range(y.shape[0]):
        y[k] = -y[k]
    return choice_fits(x, table)


@lean_kernel
def measure_room(x: Codes, table: Floats, room: Floats) -> None:
    """Write what is left of each capacity."""
    n = x.shape[0]
    m = int(table[n, 0])
    for k in range(room.shape[0]):
        room[k] = table[n, m + k]
        for j in range(n):
            room[k] -= x[j] * table[j, m + k]
