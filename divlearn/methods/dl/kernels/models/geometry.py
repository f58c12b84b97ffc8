"""When to trust points behind pair costs, and how they enter the table."""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.additive import Tables, quality
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR, list_changes
from divlearn.methods.dl.kernels.models.latent import (
    DIMENSIONS,
    Latent,
    fit_points,
    group_items,
    held_out_error,
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
    count = _collect(state, base)
    worst = 0.0
    for j in range(points.shape[0]):
        # Where another encoding is clearly better there is no point in points, unless
        # it is better because of points that were not good enough.
        best, unfitted = quality(tables, tables.chosen[j], j), points[j, 0, 0] == 0.0
        needed = CLEARLY_BETTER * quality(tables, e, j)
        if best < needed and unfitted:
            worst = 1.0
            continue
        error = _fit_objective(state, count, j, points[j])
        if error < min(admitted, needed):
            _use_points(tables, base, points[j], e, j, error)
        worst = max(worst, error)
    return worst


@lean_kernel
def _collect(state: DifferenceState, base: int) -> int:
    """Write the ring's differences, the latest first, as rows of pairs."""
    ring, latent, changes = state.ring, state.latent, state.changes
    differences = state.control[0].differences
    length = ring.deltas.shape[0]
    n, used, count = latent.points.shape[0], 0, 0
    filled = min(differences, length, ROWS_PER_ITEM * n)
    while count < filled:
        row = (differences - 1 - count) % length
        copy_codes(ring.parents[row], changes.parent)
        copy_codes(ring.children[row], changes.child)
        listed = list_changes(
            state.layout, NEIGHBOUR, changes.parent, changes.child, changes
        )
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
def _fit_objective(state: DifferenceState, count: int, j: int, points: Floats) -> float:
    """Fit ``points``, shape (n, d), to objective ``j``; return the held-out error."""
    ring, latent = state.ring, state.latent
    differences = state.control[0].differences
    length = ring.deltas.shape[0]
    total = 0.0
    for row in range(count):
        latent.targets[row] = ring.deltas[(differences - 1 - row) % length, j]
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
    """Put the distances of the points into the table of neighbours."""
    n = points.shape[0]
    for a in range(n):
        for b in range(a + 1, n):
            total = 0.0
            for k in range(DIMENSIONS):
                difference = points[a, k] - points[b, k]
                total += difference * difference
            tables.mean[e, base + a * n + b, j] = math.sqrt(total)
    tables.error[e, j] = error * tables.size[j]
    tables.chosen[j] = e
