"""Neighbours of a tour: all stretches turned around (2-opt)."""

from __future__ import annotations

from divlearn.kernels.baselines.local_search.front import (
    LEAST_GAIN,
    Front,
    Scan,
    copy,
    enter,
    has_room,
    is_covered,
    weighted_sum,
)
from divlearn.kernels.baselines.two_opt import turn
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.objectives.tsp import tour_lengths
from divlearn.typing import Codes, Floats


@lean_kernel
def scan_tours(
    front: Front, scan: Scan, table: Floats, turned: Floats, limit: int
) -> int:
    """Try the moves that are left, from ``scan.place`` on.

    A neighbour whose weighted sum is below the aim takes the place of the tour, and
    all moves are tried again from there on. Any other that no member covers enters the
    archive.

    Parameters
    ----------
    front, scan
        As their classes say; changed in place.
    table
        Distances, a row per pair of cities, shape (n * n, m).
    turned
        Of the tour, see :func:`sum_turned`, shape (n, m).
    limit
        Most neighbours to evaluate.

    Returns
    -------
    Number of neighbours evaluated: the moves are done, the limit is reached or the
    archive is full.
    """
    x, place = scan.x, scan.place
    n = x.shape[0]
    tried, all_moves = 0, n * (n - 3) // 2
    while place[2] < all_moves:
        i, j = place[0], place[1]
        if tried == limit or not has_room(front):
            return tried
        tried += 1
        place[2] += 1
        measure(scan, table, turned, i, j)
        if weighted_sum(scan.weights, scan.z) < scan.aim[0] - LEAST_GAIN:
            turn(x, i + 1, j)
            tour_lengths(x, table, scan.y)
            sum_turned(x, table, turned)
            scan.aim[0] = weighted_sum(scan.weights, scan.y)
            place[2] = 0
            enter(front, x, scan.y)
        elif not is_covered(front, scan.z):
            copy(x, scan.neighbour)
            turn(scan.neighbour, i + 1, j)
            tour_lengths(scan.neighbour, table, scan.z)
            enter(front, scan.neighbour, scan.z)
        step(place, n)
    place[3] = 1
    return tried


@lean_kernel
def step(place: Codes, n: int) -> None:
    """Go on to the next move, in a circle."""
    place[1] += 1
    # Turning around all but the first city gives the same tour or its reverse.
    if place[1] == n or (place[0] == 0 and place[1] == n - 1):
        place[0] = (place[0] + 1) % (n - 2)
        place[1] = place[0] + 2


@lean_kernel
def measure(scan: Scan, table: Floats, turned: Floats, i: int, j: int) -> None:
    """Write the lengths of the neighbour by move (i, j) into ``scan.z``."""
    x, n = scan.x, scan.x.shape[0]
    a, b, c = x[i], x[i + 1], x[j]
    d = x[j + 1] if j + 1 < n else x[0]
    for k in range(scan.z.shape[0]):
        ends = table[a * n + c, k] + table[b * n + d, k]
        ends -= table[a * n + b, k] + table[c * n + d, k]
        scan.z[k] = scan.y[k] + ends + (turned[j, k] - turned[i + 1, k])


@lean_kernel
def sum_turned(x: Codes, table: Floats, turned: Floats) -> None:
    """Write how much longer the way back from each place to the first is.

    Zeros if the distances are symmetric.
    """
    n = x.shape[0]
    for k in range(turned.shape[1]):
        turned[0, k] = 0.0
        for i in range(1, n):
            back = table[x[i] * n + x[i - 1], k] - table[x[i - 1] * n + x[i], k]
            turned[i, k] = turned[i - 1, k] + back
