"""Neighbours of a tour: stretches turned around (2-opt), or moved (or-opt).

Move (i, j) with ``i < n - 2`` turns ``x[i + 1 : j + 1]`` around. With a larger i it
takes some cities in a row, their number and the first of them given by ``i - (n - 2)``,
and moves them j places on; see :func:`length_of`.
"""

from __future__ import annotations

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
from divlearn.problems.built_in.tsp import tour_lengths


@lean_kernel
def scan_tours(
    front: Front, scan: Scan, table: Floats, turned: Floats, longest: int, limit: int
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
    longest
        Most cities that are moved as they are; 0 if stretches are only turned around.
    limit
        Most neighbours to evaluate.

    Returns
    -------
    Number of neighbours evaluated: the moves are done, the limit is reached or the
    archive is full.
    """
    x, place = scan.x, scan.place
    tried, all_moves = 0, count_moves(x.shape[0], longest)
    while place[2] < all_moves:
        if tried == limit or not has_room(front):
            return tried
        i, j = place[0], place[1]
        tried += 1
        place[2] += 1
        step(place, x.shape[0], longest)
        measure(scan, table, turned, i, j)
        if weighted_sum(scan.weights, scan.z) < scan.aim[0] - LEAST_GAIN:
            change(x, i, j, scan.neighbour)
            copy(scan.neighbour, x)
            tour_lengths(x, table, scan.y)
            sum_turned(x, table, turned)
            scan.aim[0] = weighted_sum(scan.weights, scan.y)
            place[2] = 0
            enter(front, x, scan.y)
        elif not is_covered(front, scan.z):
            change(x, i, j, scan.neighbour)
            tour_lengths(scan.neighbour, table, scan.z)
            enter(front, scan.neighbour, scan.z)
    place[3] = 1
    return tried


@lean_kernel
def count_moves(n: int, longest: int) -> int:
    """Number of moves of a tour through n cities."""
    moves = n * (n - 3) // 2
    for length in range(1, longest + 1):
        moves += n * (n - length - 1)
    return moves


@lean_kernel
def length_of(i: int, n: int) -> int:
    """Number of cities that move (i, j) moves as they are; 0 if it turns them."""
    return 0 if i < n - 2 else (i - (n - 2)) // n + 1


@lean_kernel
def step(place: Integers, n: int, longest: int) -> None:
    """Go on to the next move, in a circle."""
    place[1] += 1
    length = length_of(place[0], n)
    # Turning around all but the first city gives the same tour or its reverse.
    if place[1] == n - length or (place[0] == 0 and place[1] == n - 1):
        place[0] = (place[0] + 1) % (n - 2 + longest * n)
        place[1] = place[0] + 2 if place[0] < n - 2 else 1


@lean_kernel
def measure(scan: Scan, table: Floats, turned: Floats, i: int, j: int) -> None:
    """Write the lengths of the neighbour by move (i, j) into ``scan.z``."""
    x, n = scan.x, scan.x.shape[0]
    length = length_of(i, n)
    if length > 0:
        measure_moved(scan, table, (i - (n - 2)) % n, length, j)
        return
    a, b, c = x[i], x[i + 1], x[j]
    d = x[j + 1] if j + 1 < n else x[0]
    for k in range(scan.z.shape[0]):
        ends = table[a * n + c, k] + table[b * n + d, k]
        ends -= table[a * n + b, k] + table[c * n + d, k]
        scan.z[k] = scan.y[k] + ends + (turned[j, k] - turned[i + 1, k])


@lean_kernel
def measure_moved(scan: Scan, table: Floats, s: int, length: int, j: int) -> None:
    """Write the lengths if the cities from place s on move by j places."""
    x, n = scan.x, scan.x.shape[0]
    a, b = x[(s + n - 1) % n], x[s]
    c, d = x[(s + length - 1) % n], x[(s + length) % n]
    e, f = x[(s + length + j - 1) % n], x[(s + length + j) % n]
    for k in range(scan.z.shape[0]):
        gone = table[a * n + b, k] + table[c * n + d, k] + table[e * n + f, k]
        new = table[a * n + d, k] + table[e * n + b, k] + table[c * n + f, k]
        scan.z[k] = scan.y[k] + (new - gone)


@lean_kernel
def change(x: Codes, i: int, j: int, neighbour: Codes) -> None:
    """Write the tour after move (i, j) into ``neighbour``."""
    n = x.shape[0]
    length = length_of(i, n)
    copy(x, neighbour)
    if length == 0:
        turn(neighbour, i + 1, j)
        return
    s = (i - (n - 2)) % n
    for k in range(j):
        neighbour[(s + k) % n] = x[(s + length + k) % n]
    for k in range(length):
        neighbour[(s + j + k) % n] = x[(s + k) % n]


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
