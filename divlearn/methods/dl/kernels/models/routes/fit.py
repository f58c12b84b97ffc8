"""Fits hidden places to solutions: cut all orders, move places, and so on in turn.

Where the cuts are known, all routes together are a sum of distances, to which places
are fitted by least squares; where places are known, so are the cuts. Lengths that
are far from what most solutions suggest, such as those of orders cut by loads, count
less. Places begin anywhere in three dimensions, where fewer of them get stuck, and go
on in the plane that lies nearest to them.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.methods.dl.kernels.models.latent import (
    DIMENSIONS,
    HELD_OUT,
    group_items,
    improve_points,
    point_distance,
)
from divlearn.methods.dl.kernels.models.routes.cutting import cut_order
from divlearn.methods.dl.kernels.models.routes.loads import (
    learn_heavy,
    note_routes,
    num_heavy,
)
from divlearn.methods.dl.kernels.models.routes.model import (
    IN_USE,
    NO_MODEL,
    Routes,
)
from divlearn.methods.dl.kernels.state import DifferenceState

#: Starts from places anywhere, rounds of each, after how many of them the plane is
#: taken and far lengths count less, and steps of a round.
NUM_STARTS, ROUNDS, FLAT_AFTER, DOUBTED_AFTER, STEPS = 5, 52, 26, 8, 3
#: At first every so many-th item begins a route.
FIRST_ROUTES = 3
#: Distance of a usual pair during a fit, and how far places may then be at first.
USUAL_DISTANCE, FIRST_SPREAD = 0.5, 1.0
#: Limits of the damping from round to round.
LEAST_DAMPING, MOST_DAMPING = 0.003, 1.0
#: Share of the variance that a usual error may be: then the model is used; then no
#: other start is tried. What it is for a fit that found everything.
ADMITTED, GOOD = 0.02, 1e-5
#: Fits before the model is given up, and passes over what loads explain after a fit.
MOST_FITS, LOAD_PASSES = 2, 20
#: More solutions than are ever kept.
NO_FIT = 2**40
_HALVINGS = 40


@lean_kernel
def fit_routes(state: DifferenceState) -> None:
    """Fit the model to all stored solutions, and use it if it predicts others."""
    routes = state.routes
    record = routes.record[0]
    see_limits(routes)
    record.fits += 1
    scale = _scale_of(routes)
    _judge_present(routes, scale)
    for _ in range(NUM_STARTS):
        _scatter(routes, state.rng)
        damping = 1.0
        for turn in range(ROUNDS):
            if turn == FLAT_AFTER:
                _keep_if_better(routes, scale)
                _flatten(routes)
            _cut_all(routes, scale, turn == 0)
            count = _collect(routes, scale, turn)
            damping = min(max(damping, LEAST_DAMPING), MOST_DAMPING)
            damping = improve_points(routes.latent, count, STEPS, damping)
        _keep_if_better(routes, scale)
        if record.error < GOOD:
            break
    record.next_fit = routes.solutions.shape[0] if record.error > GOOD else NO_FIT
    if record.error < ADMITTED:
        record.phase = IN_USE
        _use(routes, state.rng)
    elif record.fits == MOST_FITS:
        record.phase = NO_MODEL
    if record.fits == MOST_FITS:
        record.next_fit = NO_FIT


@lean_kernel
def _scatter(routes: Routes, rng: Words) -> None:
    """Put items anywhere, and the depot in the middle of them."""
    points, n = routes.latent.points, routes.loads.shape[0]
    for k in range(DIMENSIONS):
        for a in range(n):
            points[a, k] = FIRST_SPREAD * (uniform(rng) - 0.5)
        points[n, k] = 0.0


@lean_kernel
def measure_ways(routes: Routes, scale: float) -> None:
    """Write the distances of all places, times ``scale``."""
    places, ways = routes.places, routes.ways
    for a in range(places.shape[0]):
        for b in range(a + 1):
            ways[a, b] = ways[b, a] = scale * point_distance(places, a, b)


@lean_kernel
def see_limits(routes: Routes) -> None:
    """Note which routes were allowed; what a tighter limit allows, others do, too."""
    record = routes.record[0]
    n, total = routes.loads.shape[0], record.total
    low, high, middle = 0.0, 0.0, routes.limits.shape[0] // 2
    seen = 0
    for s in range(record.stored):
        longest = routes.values[s, 1 - total]
        if routes.solutions[s, n] < middle:
            low += longest
            seen += 1
        else:
            high += longest
    rest = record.stored - seen
    record.tighter = 1 if low * rest <= high * seen else -1
    for s in range(record.stored):
        note_limit(routes, routes.solutions[s, n], routes.values[s, 1 - total])


@lean_kernel
def note_limit(routes: Routes, level: int, longest: float) -> None:
    """Note that this value of the knob allowed so long a route."""
    limits, way = routes.limits, routes.record[0].tighter
    while 0 <= level < limits.shape[0] and limits[level] < longest:
        limits[level] = longest
        level += way


@lean_kernel
def _scale_of(routes: Routes) -> float:
    """Factor that makes pairs of random solutions as long as is good for a fit."""
    record, mean = routes.record[0], 0.0
    for s in range(record.stored):
        mean += routes.values[s, record.total] / record.stored
    return float(USUAL_DISTANCE * routes.loads.shape[0] / mean)


@lean_kernel
def _cut_all(routes: Routes, scale: float, first: bool) -> None:
    """Cut all solutions by the present places; note by how much lengths are missed."""
    record, n, cuts = routes.record[0], routes.loads.shape[0], routes.cuts
    points, ways, previous = routes.latent.points, routes.ways, routes.previous
    for a in range(n + 1):
        for b in range(a + 1):
            ways[a, b] = ways[b, a] = point_distance(points, a, b)
    for s in range(record.stored):
        x = routes.solutions[s]
        if first:
            for i in range(n):
                cuts[s, i] = int(i % FIRST_ROUTES == 0)
            continue
        limit, cheapest = scale * routes.limits[x[n]], routes.cheapest
        length = cut_order(x, ways, routes.loads, 1.0, limit, cheapest, previous)
        routes.errors[s] = abs(length - scale * routes.values[s, record.total])
        for i in range(n):
            cuts[s, i] = 0
        stop = n
        while stop > 0:
            stop = previous[stop]
            cuts[s, stop] = 1


@lean_kernel
def _collect(routes: Routes, scale: float, turn: int) -> int:
    """Write all solutions as rows of pairs; return how many.

    The square of a row counts 1 / (1 + (e / 2 m)^2), with e its error so far and m
    that of most.
    """
    latent, record, n = routes.latent, routes.record[0], routes.loads.shape[0]
    used, usual = 0, 0.0
    if turn > DOUBTED_AFTER:
        usual = 2.0 * _median(routes, False)
    for s in range(record.stored):
        x, weight = routes.solutions[s], 1.0
        if usual > 0.0:
            weight /= math.sqrt(1.0 + (routes.errors[s] / usual) ** 2)
        latent.rows[s] = used
        last = n
        for i in range(n):
            if routes.cuts[s, i] == 1 and i > 0:
                used = _add_pair(routes, used, last, n, weight)
                last = n
            used = _add_pair(routes, used, last, x[i], weight)
            last = x[i]
        used = _add_pair(routes, used, last, n, weight)
        latent.targets[s] = weight * scale * routes.values[s, record.total]
    latent.rows[record.stored] = used
    group_items(latent, record.stored, routes.previous)
    return int(record.stored)


@lean_kernel
def _add_pair(routes: Routes, used: int, a: int, b: int, weight: float) -> int:
    """Add a pair to the present row; return how many there are."""
    latent = routes.latent
    latent.first[used], latent.second[used] = a, b
    latent.signs[used] = weight
    return used + 1


@lean_kernel
def _median(routes: Routes, held_out: bool) -> float:
    """Median of the errors, of all or of those that were held out, by halving."""
    record, low, high = routes.record[0], 0.0, 0.0
    step = HELD_OUT if held_out else 1
    count = 0
    for s in range(0, record.stored, step):
        high = max(high, routes.errors[s])
        count += 1
    for _ in range(_HALVINGS):
        middle, below = 0.5 * (low + high), 0
        for s in range(0, record.stored, step):
            below += int(routes.errors[s] <= middle)
        if 2 * below >= count:
            high = middle
        else:
            low = middle
    return high


@lean_kernel
def _keep_if_better(routes: Routes, scale: float) -> None:
    """Keep the present places if what was held out is predicted better than so far."""
    record, mean, square, count = routes.record[0], 0.0, 0.0, 0
    _cut_all(routes, scale, False)
    for s in range(0, record.stored, HELD_OUT):
        value = scale * routes.values[s, record.total]
        mean += value
        square += value * value
        count += 1
    variance = square / count - (mean / count) ** 2
    usual = _median(routes, True)
    error = usual * usual / variance if variance > 0.0 else 1.0
    if error < record.error:
        record.error, record.usual = error, usual / scale
        for a in range(routes.places.shape[0]):
            for k in range(DIMENSIONS):
                routes.places[a, k] = routes.latent.points[a, k] / scale


@lean_kernel
def _judge_present(routes: Routes, scale: float) -> None:
    """Find out how well places that were fitted before predict what is held out now."""
    record, points = routes.record[0], routes.latent.points
    if record.error >= 1.0:
        return
    record.error = 1.0
    for a in range(points.shape[0]):
        for k in range(DIMENSIONS):
            points[a, k] = scale * routes.places[a, k]
    _keep_if_better(routes, scale)


@lean_kernel
def _flatten(routes: Routes) -> None:
    """Move all points into the plane through their centre that lies nearest to them."""
    points, flat = routes.latent.points, routes.flat
    size, mean, normal, image = points.shape[0], flat[3], flat[4], flat[5]
    for k in range(DIMENSIONS):
        mean[k] = 0.0
        for a in range(size):
            mean[k] += points[a, k] / size
    trace = 0.0
    for k in range(DIMENSIONS):
        normal[k] = 1.0 + k  # anything that is hardly orthogonal to what is sought
        for other in range(DIMENSIONS):
            flat[k, other] = 0.0
            for a in range(size):
                away = points[a, k] - mean[k]
                flat[k, other] += away * (points[a, other] - mean[other]) / size
        trace += flat[k, k]
    for _ in range(3 * _HALVINGS):  # the direction in which they differ least
        length = 0.0
        for k in range(DIMENSIONS):
            image[k] = trace * normal[k]
            for other in range(DIMENSIONS):
                image[k] -= flat[k, other] * normal[other]
            length += image[k] * image[k]
        for k in range(DIMENSIONS):
            normal[k] = image[k] / math.sqrt(length)
    for a in range(size):
        height = 0.0
        for k in range(DIMENSIONS):
            height += normal[k] * (points[a, k] - mean[k])
        for k in range(DIMENSIONS):
            points[a, k] -= height * normal[k]


# --- using it


@lean_kernel
def _use(routes: Routes, rng: Words) -> None:
    """Measure all ways, list near items, and learn loads from what ways miss."""
    record = routes.record[0]
    measure_ways(routes, 1.0)
    _list_near(routes)
    record.heavy = 0
    for s in range(record.stored):
        note_routes(routes, routes.solutions[s], routes.values[s])
    for _ in range(LOAD_PASSES):
        wrong = 0
        for h in range(num_heavy(routes)):
            wrong += int(learn_heavy(routes, h, rng))
        if wrong == 0:
            return


@lean_kernel
def _list_near(routes: Routes) -> None:
    """List the items nearest to each, the nearest first."""
    near, ways = routes.near, routes.ways
    for a in range(near.shape[0]):
        count = 0
        for b in range(near.shape[0]):
            if b == a:
                continue
            k = count
            if count == near.shape[1]:
                k = count - 1
                if ways[a, b] >= ways[a, near[a, k]]:
                    continue
            else:
                count += 1
            while k > 0 and ways[a, near[a, k - 1]] > ways[a, b]:
                near[a, k] = near[a, k - 1]
                k -= 1
            near[a, k] = b
