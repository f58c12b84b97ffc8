"""A prior for pairs of items: costs as distances between points that are not known.

Far fewer numbers than a table of pairs: d coordinates per item and objective, fitted
to the same differences by damped Gauss-Newton steps (Levenberg-Marquardt), each solved
by conjugate gradients. Where costs have no such geometry the fit fails on differences
that were held out, and is not used. Notation:

    p_a          point of item a, shape (d,) (``points``)
    c_re         1 or -1 for pair e = (a, b) of difference r (``signs``)
    t_r          difference r, scaled (``targets``)
    residual_r   sum_e c_re |p_a - p_b| - t_r (``residuals``)
    J            derivatives of the residuals by all coordinates (``slopes``, by rows)
    step         solves (J'J + damping) step = -J' residual (``work``)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers, Words
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.random import uniform
from divlearn.kernels.views import viewed

#: Coordinates of a point.
DIMENSIONS = 3
MAX_STEPS = 60
#: Steps after which a loss above this share of the whole ends a fit.
HOPELESS_STEPS, HOPELESS_SHARE = 25, 0.2
#: Share of the whole below which a loss is nothing.
EXPLAINED = 1e-9
#: Limits of the damping, and the factors by which it falls after a step that helped and
#: grows after one that did not.
LEAST_DAMPING, MOST_DAMPING, LESS_DAMPING, MORE_DAMPING = 1e-6, 1e6, 3.0, 4.0
#: Rounds of conjugate gradients, and the share of the squared rest that is enough.
MAX_SOLVE, ENOUGH = 60, 1e-3
#: Every so many-th difference is held out.
HELD_OUT = 8
_TINY = 1e-10


@viewed
class Latent(NamedTuple):
    """Differences as sparse rows, and the points fitted to them."""

    points: Floats  # (n, d) coordinates
    rows: Integers  # (R + 1,) where each difference begins among the pairs
    first: Integers  # (E,) items of the changed pairs
    second: Integers  # (E,)
    signs: Floats  # (E,)
    members: Integers  # (R + 1,) where the items of each difference begin
    items: Integers  # (E,) items of each difference, every one once
    slots: Integers  # (E, 2) where the items of a pair stand among them
    slopes: Floats  # (E, d) derivative of a difference by the place of an item
    targets: Floats  # (R,) differences to explain
    residuals: Floats  # (R,)
    work: Floats  # (6, n, d) trial points, step, gradient, direction, product, rest


@lean_kernel
def _pair_distance(points: Floats, a: int, b: int) -> float:
    """Distance of two points, smooth at zero."""
    total = _TINY
    for k in range(DIMENSIONS):
        difference = points[a, k] - points[b, k]
        total += difference * difference
    return math.sqrt(total)


@lean_kernel
def point_distance(points: Floats, a: int, b: int) -> float:
    """Distance of two points."""
    total = 0.0
    for k in range(DIMENSIONS):
        difference = points[a, k] - points[b, k]
        total += difference * difference
    return math.sqrt(total)


@lean_kernel
def is_fitted(points: Floats, j: int) -> bool:
    """Whether objective ``j`` has points, shape of all (m, n, d)."""
    return bool(points[j, 0, 0] != 0.0)


@lean_kernel
def explained(latent: Latent, points: Floats, row: int) -> float:
    """Difference that the points give for one row."""
    total = 0.0
    for e in range(latent.rows[row], latent.rows[row + 1]):
        d = _pair_distance(points, latent.first[e], latent.second[e])
        total += latent.signs[e] * d
    return total


@lean_kernel
def _loss(latent: Latent, points: Floats, count: int) -> float:
    """Sum of squared residuals of the rows that are not held out; writes them."""
    total = 0.0
    for row in range(count):
        if row % HELD_OUT == 0:
            latent.residuals[row] = 0.0
            continue
        r = explained(latent, points, row) - latent.targets[row]
        latent.residuals[row] = r
        total += r * r
    return total


@lean_kernel
def group_items(latent: Latent, count: int, marks: Integers) -> None:
    """List the items of each of the first ``count`` rows; ``marks`` is (n,) scratch.

    An item that loses a neighbour gets another one, so that a row has at most as many
    items as pairs.
    """
    used = 0
    for i in range(latent.points.shape[0]):
        marks[i] = -1
    for row in range(count):
        latent.members[row] = used
        for e in range(latent.rows[row], latent.rows[row + 1]):
            for side in range(2):
                item = latent.first[e] if side == 0 else latent.second[e]
                if marks[item] < latent.members[row]:
                    marks[item] = used
                    latent.items[used] = item
                    used += 1
                latent.slots[e, side] = marks[item]
    latent.members[count] = used


@lean_kernel
def _linearise(latent: Latent, count: int) -> None:
    """Write the slope of every row by each of its items at the present points."""
    points, slopes = latent.points, latent.slopes
    for s in range(latent.members[count]):
        for k in range(DIMENSIONS):
            slopes[s, k] = 0.0
    for e in range(latent.rows[count]):
        a, b = latent.first[e], latent.second[e]
        s, t = latent.slots[e, 0], latent.slots[e, 1]
        scale = latent.signs[e] / _pair_distance(points, a, b)
        for k in range(DIMENSIONS):
            part = scale * (points[a, k] - points[b, k])
            slopes[s, k] += part
            slopes[t, k] -= part


@inlined_kernel
def _add_transposed(latent: Latent, row: int, factor: float, into: Floats) -> None:
    """Add ``factor`` times a row of the Jacobian to ``into``, shape (n, d)."""
    # Fetched once: the compiler cannot know that writing leaves them where they are.
    # Unsigned, so that nobody asks whether to count from the end.
    items, slopes = latent.items, latent.slopes
    for s in range(latent.members[row], latent.members[row + 1]):
        item = np.uint64(items[np.uint64(s)])
        for k in range(DIMENSIONS):
            into[item, np.uint64(k)] += factor * slopes[np.uint64(s), np.uint64(k)]


@lean_kernel
def _multiply(
    latent: Latent, count: int, damping: float, v: Floats, into: Floats
) -> None:
    """``into = (J'J + damping) v`` over the rows that are not held out."""
    items, slopes = latent.items, latent.slopes  # fetched once, as above
    for i in range(v.shape[0]):
        for k in range(DIMENSIONS):
            into[i, k] = damping * v[i, k]
    for row in range(count):
        if row % HELD_OUT == 0:
            continue
        # A sum per coordinate, since an addition waits for the one before it.
        x, y, z = 0.0, 0.0, 0.0
        for s in range(latent.members[row], latent.members[row + 1]):
            item, slope = np.uint64(items[np.uint64(s)]), slopes[np.uint64(s)]
            x += slope[0] * v[item, 0]
            y += slope[1] * v[item, 1]
            z += slope[2] * v[item, 2]
        _add_transposed(latent, row, x + y + z, into)


@lean_kernel
def _dot(a: Floats, b: Floats) -> float:
    """Inner product of two arrays of shape (n, d)."""
    total = 0.0
    for i in range(a.shape[0]):
        for k in range(DIMENSIONS):
            total += a[i, k] * b[i, k]
    return total


@lean_kernel
def _solve(latent: Latent, count: int, damping: float) -> None:
    """Conjugate gradients: the step that solves the damped normal equations."""
    step, gradient = latent.work[1], latent.work[2]
    direction, product, rest = latent.work[3], latent.work[4], latent.work[5]
    for i in range(step.shape[0]):
        for k in range(DIMENSIONS):
            step[i, k] = 0.0
            rest[i, k] = -gradient[i, k]
            direction[i, k] = rest[i, k]
    size = _dot(rest, rest)
    enough = ENOUGH * size
    for _ in range(MAX_SOLVE):
        if size <= enough:
            break
        _multiply(latent, count, damping, direction, product)
        length = size / _dot(direction, product)
        for i in range(step.shape[0]):
            for k in range(DIMENSIONS):
                step[i, k] += length * direction[i, k]
                rest[i, k] -= length * product[i, k]
        before, size = size, _dot(rest, rest)
        for i in range(step.shape[0]):
            for k in range(DIMENSIONS):
                direction[i, k] = rest[i, k] + size / before * direction[i, k]


@lean_kernel
def _try_step(latent: Latent, count: int, loss: float) -> float:
    """Take the step if it lowers the loss; return the loss it gives."""
    points, trial, step = latent.points, latent.work[0], latent.work[1]
    for i in range(points.shape[0]):
        for k in range(DIMENSIONS):
            trial[i, k] = points[i, k] + step[i, k]
    new = _loss(latent, trial, count)
    if new < loss:
        for i in range(points.shape[0]):
            for k in range(DIMENSIONS):
                points[i, k] = trial[i, k]
    return new


@lean_kernel
def _improve(
    latent: Latent, count: int, loss: float, damping: float
) -> tuple[float, float]:
    """Damp a Gauss-Newton step until it helps; return the loss and the damping then."""
    points, gradient = latent.points, latent.work[2]
    _linearise(latent, count)
    for i in range(gradient.shape[0]):
        for k in range(DIMENSIONS):
            gradient[i, k] = 0.0
    _loss(latent, points, count)
    for row in range(count):
        _add_transposed(latent, row, latent.residuals[row], gradient)
    while damping <= MOST_DAMPING:
        _solve(latent, count, damping)
        new = _try_step(latent, count, loss)
        if new < loss:
            return new, max(damping / LESS_DAMPING, LEAST_DAMPING)
        damping *= MORE_DAMPING
    return loss, damping


@lean_kernel
def improve_points(latent: Latent, count: int, steps: int, damping: float) -> float:
    """Make some steps from the present points; return the damping to go on with."""
    loss = _loss(latent, latent.points, count)
    for _ in range(steps):
        loss, damping = _improve(latent, count, loss, damping)
        if damping > MOST_DAMPING:
            break
    return damping


@lean_kernel
def fit_points(latent: Latent, count: int, rng: Words, fresh: bool) -> float:
    """Fit the points to the first ``count`` rows.

    Parameters
    ----------
    latent
        Rows and targets; targets are scaled so that distances are about 1/2.
    count
        Number of rows.
    rng
        Random generator, for the start.
    fresh
        Whether to start from random points rather than the present ones.

    Returns
    -------
    Squared error by squared size on the rows held out; 1 explains nothing.
    """
    points = latent.points
    if fresh:
        for i in range(points.shape[0]):
            for k in range(DIMENSIONS):
                points[i, k] = uniform(rng) - 0.5
    loss, damping = _loss(latent, points, count), 1.0
    size = 0.0
    for row in range(count):
        size += latent.targets[row] * latent.targets[row]
    for step in range(MAX_STEPS):
        if loss <= EXPLAINED * size or damping > MOST_DAMPING:
            break
        # A fit that will succeed has explained most of it by now.
        if step == HOPELESS_STEPS and loss > HOPELESS_SHARE * size:
            break
        loss, damping = _improve(latent, count, loss, damping)
    return held_out_error(latent, count)


@lean_kernel
def held_out_error(latent: Latent, count: int) -> float:
    """Squared error by squared size on the rows that were not fitted."""
    error, size = 0.0, 0.0
    for row in range(0, count, HELD_OUT):
        r = explained(latent, latent.points, row) - latent.targets[row]
        error += r * r
        size += latent.targets[row] * latent.targets[row]
    return error / size if size > 0.0 else 1.0
