"""Fits hidden places to changes of orders by two neighbours that changed places.

Each change is a sum of four ways (see :mod:`.changes`), to which places are fitted by
least squares. Changes that are far from what places suggest, such as those that move a
cut, count less. Places begin anywhere in three dimensions, where fewer of them get
stuck, and go on in the plane that lies nearest to them. There every change means what
places explain best, and in the end what they do not explain hardly counts at all.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.methods.dl.kernels.models.latent import (
    DIMENSIONS,
    HELD_OUT,
    improve_points,
    point_distance,
)
from divlearn.methods.dl.kernels.models.routes.changes import (
    EXPLAINED,
    LEAST_ERROR,
    find_changes,
    measure_errors,
    share_explained,
    usual_error,
    write_rows,
)
from divlearn.methods.dl.kernels.models.routes.loads import (
    learn_heavy,
    note_routes,
    num_heavy,
)
from divlearn.methods.dl.kernels.models.routes.mending import mend_item
from divlearn.methods.dl.kernels.models.routes.model import (
    IN_USE,
    NO_MODEL,
    Routes,
)
from divlearn.methods.dl.kernels.state import DifferenceState

#: Starts from places anywhere, rounds of each, and steps of a round; after how many
#: rounds far changes count less, the plane is taken, changes mean what they explain
#: best, and far ones hardly count.
NUM_STARTS, ROUNDS, STEPS = 5, 106, 3
DOUBTED_AFTER, FLAT_AFTER, MEANT_AFTER, SHARP_AFTER = 8, 26, 46, 66
#: A change is far by this many errors that are usual: kept by a share of all changes,
#: at first and in the end.
DOUBTFUL, MOST, SURELY = 2.0, 0.5, 0.3
#: Size of a usual change during a fit, that of places in a square of side 1, and how
#: far places may then be at first.
USUAL_CHANGE, FIRST_SPREAD = 0.5, 1.0
#: Limits of the damping from round to round, in the end, and the largest.
LEAST_DAMPING, LEAST_LATER, MOST_DAMPING = 0.003, 1e-5, 1.0
#: Share of the mean square of a change that the square of a usual error may be: then
#: the model is used; then places are exact. And the share of its changes by which every
#: item must be explained then: an item that is wrong explains some by chance.
ADMITTED, GOOD, SURE = 1e-5, 1e-10, 0.35
#: How often items at a wrong place are put elsewhere after a start.
MENDED = 3
#: Fits before the model is given up, one over the share of samples by which there are
#: more at the next one, and passes over what loads explain after a fit.
MOST_FITS, FITTED_AGAIN, LOAD_PASSES = 5, 4, 20
#: More solutions than are ever kept.
NO_FIT = 2**40
_HALVINGS = 40


@lean_kernel
def fit_routes(state: DifferenceState) -> None:
    """Fit the model to all samples, and use it if it explains what was held out."""
    routes = state.routes
    record = routes.record[0]
    see_limits(routes)
    record.fits += 1
    count = find_changes(routes)
    scale = _scale_changes(routes, count)
    fitted = record.error < ADMITTED
    record.error, record.sure = 1.0, 0.0
    for start in range(NUM_STARTS):
        if start == 0 and fitted:
            _take_places(routes, scale)
            _improve(routes, count, MEANT_AFTER)
        else:
            _scatter(routes, state.rng)
            _improve(routes, count, 0)
        if _keep_if_better(routes, scale, count) and record.error < GOOD:
            _mend(routes, scale, count, state.rng)
        if is_exact(routes):
            break
    record.next_fit = record.stored + record.limit // FITTED_AGAIN
    if is_exact(routes) or record.fits == MOST_FITS:
        record.next_fit = NO_FIT
    if record.error < ADMITTED:
        record.phase = IN_USE
        _use(routes, state.rng)
    elif record.fits == MOST_FITS:
        record.phase = NO_MODEL


@lean_kernel
def is_exact(routes: Routes) -> bool:
    """Whether all places are known to the last digits."""
    record = routes.record[0]
    return bool(record.error < GOOD and record.sure > SURE)


@lean_kernel
def _improve(routes: Routes, count: int, turn: int) -> None:
    """Fit points to all changes, from a round on."""
    damping = MOST_DAMPING
    for k in range(turn, ROUNDS):
        if k == FLAT_AFTER:
            _flatten(routes)
        sharply = k >= SHARP_AFTER
        measure_errors(routes, count, k >= MEANT_AFTER)
        usual = 0.0
        if k > DOUBTED_AFTER:
            share = SURELY if sharply else MOST
            usual = DOUBTFUL * usual_error(routes, count, share, False) + LEAST_ERROR
        write_rows(routes, count, usual, sharply)
        least = LEAST_LATER if sharply else LEAST_DAMPING
        damping = min(max(damping, least), MOST_DAMPING)
        damping = improve_points(routes.latent, count, STEPS, damping)
        if sharply and usual < 2.0 * LEAST_ERROR:
            return


@lean_kernel
def _mend(routes: Routes, scale: float, count: int, rng: Words) -> None:
    """Put items elsewhere that are at a wrong place, where most others are exact."""
    for _ in range(MENDED):
        if is_exact(routes):
            return
        _flatten(routes)
        share_explained(routes, count, routes.cheapest)
        for a in range(routes.loads.shape[0]):
            if routes.cheapest[a] <= SURE:
                mend_item(routes, a, count, EXPLAINED, rng)
        _improve(routes, count, SHARP_AFTER)
        _keep_if_better(routes, scale, count)


@lean_kernel
def _scatter(routes: Routes, rng: Words) -> None:
    """Put items anywhere, and the depot in the middle of them."""
    points, n = routes.latent.points, routes.loads.shape[0]
    for k in range(DIMENSIONS):
        for a in range(n):
            points[a, k] = FIRST_SPREAD * (uniform(rng) - 0.5)
        points[n, k] = 0.0


@lean_kernel
def _measure_ways(routes: Routes) -> None:
    """Write the distances of all places."""
    places, ways = routes.places, routes.ways
    for a in range(places.shape[0]):
        for b in range(a + 1):
            ways[a, b] = ways[b, a] = point_distance(places, a, b)


@lean_kernel
def see_limits(routes: Routes) -> None:
    """Note which routes were allowed; what a tighter limit allows, others do, too."""
    record, n = routes.record[0], routes.loads.shape[0]
    for s in range(record.stored):
        longest = routes.values[s, 1 - record.total]
        note_limit(routes, int(routes.solutions[s, n]), longest)


@lean_kernel
def note_limit(routes: Routes, level: int, longest: float) -> None:
    """Note that this value of the knob allowed so long a route."""
    limits, way = routes.limits, routes.record[0].tighter
    while 0 <= level < limits.shape[0] and limits[level] < longest:
        limits[level] = longest
        level += way


@lean_kernel
def _scale_changes(routes: Routes, count: int) -> float:
    """Make changes as long as is good for a fit; return the factor."""
    square = 0.0
    for r in range(count):
        square += routes.changes[r] ** 2 / count
    scale = USUAL_CHANGE / math.sqrt(square) if square > 0.0 else 1.0
    for r in range(count):
        routes.changes[r] *= scale
    return scale


@lean_kernel
def _keep_if_better(routes: Routes, scale: float, count: int) -> bool:
    """Keep the present points if they explain what was held out better than so far.

    Of points that are exact but for a few, those are kept that leave no item out.
    """
    record, square, seen = routes.record[0], 0.0, 0
    measure_errors(routes, count, True)
    for r in range(0, count, HELD_OUT):
        square += routes.changes[r] ** 2
        seen += 1
    if square <= 0.0:
        return False
    usual = usual_error(routes, count, SURELY, True)
    error = usual * usual * seen / square
    sure = share_explained(routes, count, routes.cheapest)
    better = error < record.error
    if max(error, record.error) < GOOD:
        better = sure > record.sure
    if better:
        record.error, record.sure, record.usual = error, sure, usual / scale
        for a in range(routes.places.shape[0]):
            for k in range(DIMENSIONS):
                routes.places[a, k] = routes.latent.points[a, k] / scale
    return bool(better)


@lean_kernel
def _take_places(routes: Routes, scale: float) -> None:
    """Begin with the places of the fit before."""
    points = routes.latent.points
    for a in range(points.shape[0]):
        for k in range(DIMENSIONS):
            points[a, k] = scale * routes.places[a, k]


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
    _measure_ways(routes)
    _list_near(routes)
    record.heavy = 0
    routes.loads[:] = 0.0  # what other places say of loads is wrong
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
