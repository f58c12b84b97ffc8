"""A prior for pairs of items: costs as distances between points that nobody told us.

Far fewer numbers than a table of pairs: d coordinates per item and objective, fitted
to the same differences by damped Gauss-Newton steps (Levenberg-Marquardt), each solved
by conjugate gradients. Where costs have no such geometry the fit fails on differences
that were held out, and is not used.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.typing import Floats, Integers, Words

MAX_STEPS = 60
#: Steps after which a loss above this share of the whole ends a fit.
HOPELESS_STEPS, HOPELESS_SHARE = 25, 0.2
MAX_SOLVE = 60
#: Every so many-th difference is held out.
HELD_OUT = 8
_TINY = 1e-10


class Latent(NamedTuple):
    """Differences as sparse rows, and the points fitted to them."""

    points: Floats  # (n, d) coordinates
    rows: Integers  # (R + 1,) where each difference begins among the pairs
    first: Integers  # (E,) items of the changed pairs
    second: Integers  # (E,)
    signs: Floats  # (E,)
    slopes: Floats  # (E, d) derivative of a pair's distance
    targets: Floats  # (R,) differences to explain
    residuals: Floats  # (R,)
    work: Floats  # (6, n, d) trial points, step, gradient, direction, product, rest


@lean_kernel
def _pair_distance(points: Floats, a: int, b: int) -> float:
    """Distance of two points, smooth at zero."""
    total = _TINY
    for k in range(points.shape[1]):
        difference = points[a, k] - points[b, k]
        total += difference * difference
    return math.sqrt(total)


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
def _linearise(latent: Latent, count: int) -> None:
    """Write the slope of every pair at the present points."""
    points = latent.points
    for e in range(latent.rows[count]):
        a, b = latent.first[e], latent.second[e]
        scale = latent.signs[e] / _pair_distance(points, a, b)
        for k in range(points.shape[1]):
            latent.slopes[e, k] = scale * (points[a, k] - points[b, k])


@lean_kernel
def _add_transposed(latent: Latent, row: int, factor: float, into: Floats) -> None:
    """Add ``factor`` times a row of the Jacobian to ``into``, shape (n, d)."""
    for e in range(latent.rows[row], latent.rows[row + 1]):
        a, b = latent.first[e], latent.second[e]
        for k in range(into.shape[1]):
            part = factor * latent.slopes[e, k]
            into[a, k] += part
            into[b, k] -= part


@lean_kernel
def _multiply(
    latent: Latent, count: int, damping: float, v: Floats, into: Floats
) -> None:
    """``into = (J'J + damping) v`` over the rows that are not held out."""
    for i in range(v.shape[0]):
        for k in range(v.shape[1]):
            into[i, k] = damping * v[i, k]
    for row in range(count):
        if row % HELD_OUT == 0:
            continue
        total = 0.0
        for e in range(latent.rows[row], latent.rows[row + 1]):
            a, b = latent.first[e], latent.second[e]
            for k in range(v.shape[1]):
                total += latent.slopes[e, k] * (v[a, k] - v[b, k])
        _add_transposed(latent, row, total, into)


@lean_kernel
def _dot(a: Floats, b: Floats) -> float:
    """Inner product of two arrays of shape (n, d)."""
    total = 0.0
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            total += a[i, k] * b[i, k]
    return total


@lean_kernel
def _solve(latent: Latent, count: int, damping: float) -> None:
    """Conjugate gradients: the step that solves the damped normal equations."""
    step, gradient = latent.work[1], latent.work[2]
    direction, product, rest = latent.work[3], latent.work[4], latent.work[5]
    for i in range(step.shape[0]):
        for k in range(step.shape[1]):
            step[i, k] = 0.0
            rest[i, k] = -gradient[i, k]
            direction[i, k] = rest[i, k]
    size = _dot(rest, rest)
    enough = 1e-6 * size
    for _ in range(MAX_SOLVE):
        if size <= enough:
            break
        _multiply(latent, count, damping, direction, product)
        length = size / _dot(direction, product)
        for i in range(step.shape[0]):
            for k in range(step.shape[1]):
                step[i, k] += length * direction[i, k]
                rest[i, k] -= length * product[i, k]
        before, size = size, _dot(rest, rest)
        for i in range(step.shape[0]):
            for k in range(step.shape[1]):
                direction[i, k] = rest[i, k] + size / before * direction[i, k]


@lean_kernel
def _try_step(latent: Latent, count: int, loss: float) -> float:
    """Take the step if it lowers the loss; return the loss it gives."""
    points, trial, step = latent.points, latent.work[0], latent.work[1]
    for i in range(points.shape[0]):
        for k in range(points.shape[1]):
            trial[i, k] = points[i, k] + step[i, k]
    new = _loss(latent, trial, count)
    if new < loss:
        for i in range(points.shape[0]):
            for k in range(points.shape[1]):
                points[i, k] = trial[i, k]
    return new


@lean_kernel
def fit_points(latent: Latent, count: int, words: Words, fresh: bool) -> float:
    """Fit the points to the first ``count`` rows.

    Parameters
    ----------
    latent
        Rows and targets; targets are scaled so that distances are about 1/2.
    count
        Number of rows.
    words
        Random generator, for the start.
    fresh
        Whether to start from random points rather than the present ones.

    Returns
    -------
    Squared error by squared size on the rows held out; 1 explains nothing.
    """
    points, gradient = latent.points, latent.work[2]
    if fresh:
        for i in range(points.shape[0]):
            for k in range(points.shape[1]):
                points[i, k] = uniform(words) - 0.5
    loss, damping = _loss(latent, points, count), 1.0
    size = 0.0
    for row in range(count):
        size += latent.targets[row] * latent.targets[row]
    for step in range(MAX_STEPS):
        if loss <= 1e-9 * size or damping > 1e6:
            break
        # A fit that will succeed has explained most of it by now.
        if step == HOPELESS_STEPS and loss > HOPELESS_SHARE * size:
            break
        _linearise(latent, count)
        for i in range(gradient.shape[0]):
            for k in range(gradient.shape[1]):
                gradient[i, k] = 0.0
        _loss(latent, points, count)
        for row in range(count):
            _add_transposed(latent, row, latent.residuals[row], gradient)
        while damping <= 1e6:
            _solve(latent, count, damping)
            new = _try_step(latent, count, loss)
            if new < loss:
                damping = max(damping / 3.0, 1e-6)
                loss = new
                break
            damping *= 4.0
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
