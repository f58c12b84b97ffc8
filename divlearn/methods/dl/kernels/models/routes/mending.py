"""Items that a fit left at a wrong place are put where more changes are explained.

Once nearly all places are exact, hardly any change of an item that is elsewhere counts
in a fit, so that it stays there. Two of its changes say where it is, if routes stayed
as they were otherwise: the place where most others say the same is taken.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.models.latent import DIMENSIONS, point_distance
from divlearn.methods.dl.kernels.models.routes.changes import (
    NUM_MEANINGS,
    ends_of,
    error_of,
)
from divlearn.methods.dl.kernels.models.routes.model import Routes

#: Pairs of changes that are tried for an item, steps to what they say, longest step.
TRIED, STEPS, LONGEST_STEP = 400, 10, 0.3
#: One in so many changes is thought to mean anything, the others that nothing is cut.
CUT = 3


@lean_kernel
def mend_item(routes: Routes, a: int, count: int, error: float, rng: Words) -> None:
    """Put item ``a`` where most of its changes are explained, but for an ``error``.

    The plane of all points must have been noted, see ``flat``.
    """
    points, kept = routes.latent.points, routes.flat[0]
    held = _list_changes(routes, a, count)
    if held == 0:
        return
    _span_plane(routes.flat)
    most = _count_explained(routes, held, error)
    for k in range(DIMENSIONS):
        kept[k] = points[a, k]
    for _ in range(TRIED):
        _put_anywhere(points, a, rng)
        _solve(routes, a, held, rng)
        explained = _count_explained(routes, held, error)
        if explained > most:
            most = explained
            for k in range(DIMENSIONS):
                kept[k] = points[a, k]
    for k in range(DIMENSIONS):
        points[a, k] = kept[k]


@lean_kernel
def _list_changes(routes: Routes, a: int, count: int) -> int:
    """List the changes around item ``a`` in ``members``; return how many there are."""
    held = 0
    for r in range(count):
        around = routes.around[r]
        if a in (around[0], around[1], around[2], around[3]):
            routes.latent.members[held] = r
            held += 1
    return held


@lean_kernel
def _count_explained(routes: Routes, held: int, error: float) -> int:
    """How many of the listed changes points explain."""
    explained = 0
    for i in range(held):
        r = routes.latent.members[i]
        explained += int(_least_error(routes, r) <= error)
    return explained


@lean_kernel
def _least_error(routes: Routes, r: int) -> float:
    """How far a change is from what points say, if it means what fits best."""
    points, around, change = routes.latent.points, routes.around[r], routes.changes[r]
    least = math.inf
    for meaning in range(NUM_MEANINGS):
        least = min(least, error_of(points, around, change, meaning))
    return least


@lean_kernel
def _put_anywhere(points: Floats, a: int, rng: Words) -> None:
    """Put an item anywhere in the plane, near three others."""
    others = points.shape[0]
    i, j, k = below(rng, others), below(rng, others), below(rng, others)
    u, v = uniform(rng), uniform(rng)
    for d in range(DIMENSIONS):
        corner = points[i, d]
        away = u * (points[j, d] - corner) + v * (points[k, d] - corner)
        points[a, d] = corner + away


@lean_kernel
def _solve(routes: Routes, a: int, held: int, rng: Words) -> None:
    """Move item ``a`` in the plane to where two of its changes are explained."""
    first, second, slope = routes.flat[1], routes.flat[2], routes.flat[3]
    r, s = _draw_change(routes, held, rng), _draw_change(routes, held, rng)
    m, o = _draw_meaning(rng), _draw_meaning(rng)
    for _ in range(STEPS):
        x = _slope_of(routes, a, r, m, slope)
        xp, xq = _along(first, slope), _along(second, slope)
        y = _slope_of(routes, a, s, o, slope)
        yp, yq = _along(first, slope), _along(second, slope)
        whole = xp * yq - xq * yp
        if whole == 0.0:
            return
        p, q = (x * yq - xq * y) / whole, (xp * y - x * yp) / whole
        length = math.sqrt(p * p + q * q)
        factor = LONGEST_STEP / length if length > LONGEST_STEP else 1.0
        for k in range(DIMENSIONS):
            step = p * first[k] + q * second[k]
            routes.latent.points[a, k] -= factor * step


@lean_kernel
def _draw_change(routes: Routes, held: int, rng: Words) -> int:
    """Draw one of the listed changes."""
    return int(routes.latent.members[below(rng, held)])


@lean_kernel
def _draw_meaning(rng: Words) -> int:
    """Draw what a change may mean: mostly that nothing is cut."""
    return below(rng, NUM_MEANINGS) if below(rng, CUT) == 0 else 0


@lean_kernel
def _along(direction: Floats, slope: Floats) -> float:
    """Share of a slope in a direction."""
    total = 0.0
    for k in range(DIMENSIONS):
        total += direction[k] * slope[k]
    return total


@lean_kernel
def _span_plane(flat: Floats) -> None:
    """Write two directions of the plane whose normal is ``flat[4]``."""
    normal, first, second = flat[4], flat[1], flat[2]
    least = 0
    for k in range(DIMENSIONS):
        if abs(normal[k]) < abs(normal[least]):
            least = k
    length = 0.0
    for k in range(DIMENSIONS):
        first[k] = (1.0 if k == least else 0.0) - normal[least] * normal[k]
        length += first[k] * first[k]
    for k in range(DIMENSIONS):
        first[k] /= math.sqrt(length)
    for k in range(DIMENSIONS):
        i, j = (k + 1) % DIMENSIONS, (k + 2) % DIMENSIONS
        second[k] = normal[i] * first[j] - normal[j] * first[i]


@lean_kernel
def _slope_of(routes: Routes, a: int, r: int, meaning: int, slope: Floats) -> float:
    """Write the slope of a change by the place of item ``a``; return what is left."""
    points, around = routes.latent.points, routes.around[r]
    before, behind = ends_of(around, meaning, points.shape[0] - 1)
    b, c = int(around[1]), int(around[2])
    for k in range(DIMENSIONS):
        slope[k] = 0.0
    rest = _add_pair(points, before, c, 1.0, a, slope)
    rest += _add_pair(points, b, behind, 1.0, a, slope)
    rest += _add_pair(points, before, b, -1.0, a, slope)
    rest += _add_pair(points, c, behind, -1.0, a, slope)
    return float(rest - routes.changes[r])


@lean_kernel
def _add_pair(
    points: Floats, one: int, other: int, sign: float, a: int, slope: Floats
) -> float:
    """Signed way between two points; its slope by item ``a`` is added."""
    way = point_distance(points, one, other)
    if a in (one, other) and way > 0.0:
        towards = other if a == one else one
        for k in range(DIMENSIONS):
            slope[k] += sign * (points[a, k] - points[towards, k]) / way
    return float(sign * way)
