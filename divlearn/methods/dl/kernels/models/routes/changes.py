"""Changes of orders by two neighbours that changed places, and what they may mean.

Where ``a b c e`` becomes ``a c b e`` and routes stay as they are otherwise, the length
of all routes changes by four ways, or fewer: where a route begins between a and b, the
depot stands for a, and where one ends between c and e, it stands for e,

    change  =  d(a, c) + d(b, e) - d(a, b) - d(c, e)

whatever items load and however long a route may be. A route that ends between b and c
makes no difference. Most changes are of this kind, others are far from it.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.latent import (
    HELD_OUT,
    group_items,
    point_distance,
)
from divlearn.methods.dl.kernels.models.routes.model import Routes

#: What a change may mean: nothing is cut, the depot stands before, behind, or both.
NUM_MEANINGS = 4
#: Errors of points that were fitted are never less than this.
LEAST_ERROR = 1e-9
#: Errors up to this mean nothing.
EXPLAINED = 1e-6
_HALVINGS = 40


@lean_kernel
def find_changes(routes: Routes) -> int:
    """List the changes among all stored solutions; return how many there are.

    Any two under the same limit count, as answers come in any order.
    """
    record, count, n = routes.record[0], 0, routes.loads.shape[0]
    for s in range(record.stored):
        for t in range(s - 1, -1, -1):
            place = _changed_place(routes.solutions[t], routes.solutions[s])
            if place < 0:
                continue
            x, around = routes.solutions[t], routes.around[count]
            around[0] = x[place - 1] if place > 0 else n
            around[1], around[2] = x[place], x[place + 1]
            around[3] = x[place + 2] if place + 2 < n else n
            longer = routes.values[s, record.total] - routes.values[t, record.total]
            routes.changes[count] = longer
            routes.meanings[count] = 0
            count += 1
            break
    return count


@lean_kernel
def _changed_place(x: Codes, y: Codes) -> int:
    """Where two neighbours of ``x`` changed places in ``y``; -1 if that is not all."""
    n = x.shape[0] - 1
    place = 0
    while place < n and x[place] == y[place]:
        place += 1
    if place >= n - 1 or x[place] != y[place + 1] or x[place + 1] != y[place]:
        return -1
    for i in range(place + 2, n + 1):
        if x[i] != y[i]:
            return -1
    return place


@lean_kernel
def ends_of(around: Integers, meaning: int, depot: int) -> tuple[int, int]:
    """What comes before and behind the two that changed places, if it means this."""
    before = depot if meaning % 2 == 1 else around[0]
    behind = depot if meaning >= 2 else around[3]
    return int(before), int(behind)


@lean_kernel
def error_of(points: Floats, around: Integers, change: float, meaning: int) -> float:
    """How far a change is from what points say, if it means this."""
    before, behind = ends_of(around, meaning, points.shape[0] - 1)
    b, c = around[1], around[2]
    longer = point_distance(points, before, c) + point_distance(points, b, behind)
    longer -= point_distance(points, before, b) + point_distance(points, c, behind)
    return abs(longer - change)


@lean_kernel
def measure_errors(routes: Routes, count: int, choose: bool) -> None:
    """Note how far changes are from what points say; ``choose`` what fits them best."""
    points, around = routes.latent.points, routes.around
    for r in range(count):
        change, meaning = routes.changes[r], int(routes.meanings[r])
        least = error_of(points, around[r], change, meaning)
        for other in range(NUM_MEANINGS if choose else 0):
            error = error_of(points, around[r], change, other)
            if error < least:
                least, meaning = error, other
        routes.errors[r], routes.meanings[r] = least, meaning


@lean_kernel
def write_rows(routes: Routes, count: int, usual: float, sharply: bool) -> None:
    """Write all changes as rows of a fit, those that are far off with little weight.

    The square of a row counts 1 / (1 + (e / usual)^2), with e its error, and the square
    of that if ``sharply``; all count alike if ``usual`` is 0.
    """
    latent, depot = routes.latent, routes.loads.shape[0]
    for r in range(count):
        weight, around = 1.0, routes.around[r]
        if usual > 0.0:
            weight = 1.0 / (1.0 + (routes.errors[r] / usual) ** 2)
            weight = weight if sharply else math.sqrt(weight)
        before, behind = ends_of(around, int(routes.meanings[r]), depot)
        latent.rows[r] = 4 * r
        _write_pair(routes, 4 * r, before, int(around[2]), weight)
        _write_pair(routes, 4 * r + 1, int(around[1]), behind, weight)
        _write_pair(routes, 4 * r + 2, before, int(around[1]), -weight)
        _write_pair(routes, 4 * r + 3, int(around[2]), behind, -weight)
        latent.targets[r] = weight * routes.changes[r]
    latent.rows[count] = 4 * count
    group_items(latent, count, routes.previous)


@lean_kernel
def _write_pair(routes: Routes, e: int, a: int, b: int, sign: float) -> None:
    """Write a pair of a row."""
    latent = routes.latent
    latent.first[e], latent.second[e], latent.signs[e] = a, b, sign


@lean_kernel
def usual_error(routes: Routes, count: int, share: float, held_out: bool) -> float:
    """Error that a share of the changes keep, of all or of those held out."""
    low, high, seen = 0.0, 0.0, 0
    step = HELD_OUT if held_out else 1
    for r in range(0, count, step):
        high = max(high, routes.errors[r])
        seen += 1
    for _ in range(_HALVINGS):
        middle, within = 0.5 * (low + high), 0
        for r in range(0, count, step):
            within += int(routes.errors[r] <= middle)
        if within >= share * seen:
            high = middle
        else:
            low = middle
    return high


@lean_kernel
def share_explained(routes: Routes, count: int, shares: Floats) -> float:
    """Write which share of its changes is explained, of every item; return the least.

    Errors up to ``EXPLAINED`` are those of rounding.
    """
    n, least, marks = routes.loads.shape[0], 1.0, routes.previous
    for a in range(n + 1):
        marks[a], shares[a] = 0, 0.0
    for r in range(count):
        for k in range(NUM_MEANINGS):
            a = routes.around[r, k]
            marks[a] += 1
            shares[a] += 1.0 if routes.errors[r] <= EXPLAINED else 0.0
    for a in range(n):
        if marks[a] > 0:
            shares[a] /= marks[a]
        least = min(least, shares[a])
    return float(least)
