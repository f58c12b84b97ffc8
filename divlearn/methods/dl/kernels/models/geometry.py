"""When to trust points behind pair costs, and how they enter the table."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.memory import (
    list_in_ring,
    lists_changes,
    recall_changes,
)
from divlearn.methods.dl.kernels.models.additive import Tables, quality
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR, list_changes
from divlearn.methods.dl.kernels.models.latent import (
    DIMENSIONS,
    Latent,
    fit_points,
    group_items,
    held_out_error,
    is_fitted,
    point_distance,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Starts from random points before a fit is given up for now.
NUM_STARTS = 2
#: Differences per item that a fit uses, the latest ones.
ROWS_PER_ITEM = 10
#: What points may leave unexplained: half-good ones are a bad guide where good ones
#: can be had, so that they are used only after some fits that were no better.
ADMITTED, ADMITTED_LATER, LATER = 0.05, 0.5, 3
#: Points that leave less than this need no other start; less than this are exact.
GOOD = 1e-4
EXACT = 1e-6
#: Share of another's error below which an error is clearly the smaller one.
CLEARLY_BETTER = 0.8
#: How much distances of random points in a unit square differ, about.
USUAL_DIFFERENCE = 0.25


@lean_kernel
def fit_all(state: DifferenceState, base: int, admitted: float) -> float:
    """Fit points to every objective and use those that predict better than the table.

    Parameters
    ----------
    state
        State; its ``points`` of each objective are written, and its table of
        neighbours takes over the distances of admitted points.
    base
        First action of the longest permutation.
    admitted
        Points are used if they leave less than this of what was held out unexplained.

    Returns
    -------
    The worst error on held-out differences over all objectives.
    """
    tables, points, e = state.tables, state.points, -1
    for row in range(tables.encodings.shape[0]):
        if tables.encodings[row] == NEIGHBOUR:
            e = row
    if e < 0:
        return 1.0
    count = _collect(state, base, e)
    worst, listed = 0.0, lists_changes(state.ring)
    for j in range(points.shape[0]):
        # Where another encoding is clearly better there is no point in points, unless
        # it is better because of points that were not good enough.
        best, unfitted = quality(tables, tables.chosen[j], j), not is_fitted(points, j)
        needed = CLEARLY_BETTER * quality(tables, e, j)
        if best < needed and unfitted:
            worst = 1.0
            continue
        error = _fit_objective(state, count, j, points[j])
        if error < min(admitted, needed):
            _use_points(tables, base, points[j], e, j, error)
        elif listed and unfitted:  # points that are there would be used
            for i in range(points.shape[1]):
                for k in range(DIMENSIONS):
                    points[j, i, k] = 0.0
        worst = max(worst, error)
    return worst


@lean_kernel
def points_explain_all(state: DifferenceState) -> bool:
    """Whether points take the place of tables that have no room for all pairs."""
    points, outputs = state.points, state.delta.shape[0]
    if not lists_changes(state.ring) or points.shape[1] == 0:
        return False
    for j in range(points.shape[0]):
        if not is_fitted(points, j):
            return False
    return bool(points.shape[0] == outputs)


@lean_kernel
def note_pairs(state: DifferenceState, place: int, parent: Codes, child: Codes) -> bool:
    """List the changed neighbours of the difference at ``place`` for the next fit.

    Returns
    -------
    False if there are too many.
    """
    tables, ring, changes, listed = state.tables, state.ring, state.changes, False
    for e in range(tables.encodings.shape[0]):
        count, found = 0, tables.encodings[e] == NEIGHBOUR
        if found:
            count = list_changes(state.layout, NEIGHBOUR, parent, child, changes)
        listed = (list_in_ring(ring, place, e, changes, count) and found) or listed
    return listed


@lean_kernel
def _collect(state: DifferenceState, base: int, e: int) -> int:
    """Write the ring's differences, the latest first, as rows of pairs.

    ``e`` is the row of the encoding by neighbours.
    """
    ring, latent, changes = state.ring, state.latent, state.changes
    differences = state.control[0].differences
    length = ring.deltas.shape[0]
    n, used, count = latent.points.shape[0], 0, 0
    filled = min(differences, length, ROWS_PER_ITEM * n)
    while count < filled:
        row = (differences - 1 - count) % length
        listed = _list_pairs(state, row, e)
        if used + listed > latent.first.shape[0]:
            break
        latent.rows[count] = used
        for k in range(listed):
            pair = changes.actions[k] - base
            if 0 <= pair < n * n:  # else of another segment
                latent.first[used] = pair // n
                latent.second[used] = pair % n
                latent.signs[used] = changes.signs[k]
                used += 1
        count += 1
    latent.rows[count] = used
    group_items(latent, count, changes.inverse)
    return count


@lean_kernel
def _list_pairs(state: DifferenceState, row: int, e: int) -> int:
    """List the neighbours that changed in one row of the ring; return how many."""
    ring, changes = state.ring, state.changes
    if lists_changes(ring):
        return recall_changes(ring, row, e, changes)
    copy_codes(ring.parents[row], changes.parent)
    copy_codes(ring.children[row], changes.child)
    old, new = changes.parent, changes.child
    return list_changes(state.layout, NEIGHBOUR, old, new, changes)


@lean_kernel
def _fit_objective(state: DifferenceState, count: int, j: int, points: Floats) -> float:
    """Fit ``points``, shape (n, d), to objective ``j``; return the held-out error."""
    ring, latent = state.ring, state.latent
    differences = state.control[0].differences
    length = ring.deltas.shape[0]
    total = 0.0
    for row in range(count):
        latent.targets[row] = ring.deltas[(differences - 1 - row) % length, j]
        if lists_changes(ring) and latent.rows[row] == latent.rows[row + 1]:
            latent.targets[row] = 0.0  # too many pairs to be listed
        total += latent.targets[row] * latent.targets[row]
    if not 0.0 < total < math.inf or latent.rows[count] == 0:
        return 1.0
    scale = USUAL_DIFFERENCE / math.sqrt(total / latent.rows[count])
    for row in range(count):
        latent.targets[row] *= scale
    best = _present_error(latent, count, points, scale)
    for start in range(NUM_STARTS + 1):
        if best < (EXACT if start == 0 else GOOD):
            break
        if start == 0 and best > ADMITTED_LATER:
            continue  # nothing to go on from
        error = fit_points(latent, count, state.rng, start > 0)
        if error < best:
            best = error
            for i in range(points.shape[0]):
                for k in range(DIMENSIONS):
                    points[i, k] = latent.points[i, k] / scale
    return best


@lean_kernel
def _present_error(latent: Latent, count: int, points: Floats, scale: float) -> float:
    """Error of the points that were fitted before, which a fit may go on from."""
    for i in range(points.shape[0]):
        for k in range(DIMENSIONS):
            latent.points[i, k] = points[i, k] * scale
    return held_out_error(latent, count)


@lean_kernel
def _use_points(
    tables: Tables, base: int, points: Floats, e: int, j: int, error: float
) -> None:
    """Put the distances of the points into the table of neighbours.

    A table without a row for every pair leaves them to whoever asks for a pair.
    """
    n = points.shape[0]
    if tables.keys.shape[1] == 0:
        for a in range(n):
            for b in range(a + 1, n):
                tables.mean[e, base + a * n + b, j] = point_distance(points, a, b)
    tables.error[e, j] = error * tables.size[j]
    tables.chosen[j] = e
