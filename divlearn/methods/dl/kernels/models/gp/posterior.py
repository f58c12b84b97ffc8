"""What the model says of all rows and of one candidate."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    hyperbola,
    kind_of_difference,
    mean_similarity,
    set_similarities,
    write_row,
)
from divlearn.methods.dl.kernels.models.gp.covariance import (
    fill_kernel,
    set_weights,
    solve,
)
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.models.gp.warping import set_targets, unwarp

_LEAST_VARIANCE = 1e-10


@lean_kernel
def condition(gp: GaussianProcess, o: int) -> None:
    """Posterior of output ``o`` given the points, pending ones believed.

    A pending proposal counts as measured at its predicted mean.
    """
    control, output = gp.control[0], gp.outputs[o]
    known, count = control.num_rows, control.num_rows + control.num_pending
    set_targets(gp, o, known, output.warp)
    set_weights(gp, o)
    fill_kernel(gp, o, count)
    solve(gp, o, known, known)
    targets, alphas, noise = gp.targets[o], gp.alphas[o], math.exp(output.log_noise)
    for i in range(known):
        gp.fitted[o, i] = unwarp(gp, o, targets[i] - noise * alphas[i])
    if count > known:
        for i in range(known, count):
            believed = output.level
            for j in range(known):
                believed += gp.kernel[i, j] * alphas[j]
            targets[i] = believed
            gp.fitted[o, i] = unwarp(gp, o, believed)
        signal = output.signal
        solve(gp, o, count, known)
        output.signal = signal
    for i in range(count):
        for j in range(i + 1):
            gp.factors[o, j, i] = gp.lower[i, j]


@lean_kernel
def set_distances(gp: GaussianProcess, layout: Layout, x: Codes) -> None:
    """Weighted differences of ``x`` from all rows, for every output."""
    control = gp.control[0]
    count = control.num_rows + control.num_pending
    write_row(layout, gp.first, x, gp.row)
    for o in range(gp.outputs.shape[0]):
        distances = gp.distances[o]
        for i in range(count):
            distances[i] = 0.0
        for c in range(gp.columns.shape[0]):
            kind = kind_of_difference(gp.columns[c], gp.outputs[o].smooth)
            value, others, weight = gp.row[c], gp.coordinates[c], gp.weights[o, c]
            add_differences(kind, value, others, count, weight, distances)
    _set_interactions(gp, count)


@lean_kernel
def _set_interactions(gp: GaussianProcess, count: int) -> None:
    """What pairs add to the covariances of the candidate in ``row``."""
    for c in range(gp.columns.shape[0]):
        gp.row_means[c] = mean_similarity(gp.columns[c], gp.row[c])
        if gp.columns[c].arity > 0.0:
            set_similarities(
                gp.columns[c],
                gp.row[c],
                gp.row_means[c],
                gp.coordinates[c],
                gp.means[c],
                count,
                gp.centred[c],
            )
    for o in range(gp.outputs.shape[0]):
        interactions, output = gp.interactions[o], gp.outputs[o]
        for i in range(count):
            interactions[i] = 0.0
        output.prior_variance = 1.0
        for p in range(output.num_pairs):
            weight = math.exp(gp.log_pairs[o, p])
            a, b = gp.pairs[o, p, 0], gp.pairs[o, p, 1]
            output.prior_variance += weight * (
                _with_itself(gp, a) * _with_itself(gp, b)
            )
            first, second = gp.centred[a], gp.centred[b]
            for i in range(count):
                interactions[i] += weight * (first[i] * second[i])


@lean_kernel
def _with_itself(gp: GaussianProcess, c: int) -> float:
    """Centred similarity of the candidate's coordinate with itself."""
    return float((1.0 - 2.0 * gp.row_means[c]) / (1.0 - gp.columns[c].middle))


@lean_kernel
def predict(gp: GaussianProcess, o: int) -> None:
    """Mean and deviation of output ``o`` from the covariances in ``covariances``."""
    control, output = gp.control[0], gp.outputs[o]
    count = control.num_rows + control.num_pending
    covariances, sums, alphas = gp.covariances, gp.sums, gp.alphas[o]
    mean = output.level
    for i in range(count):
        mean += covariances[i] * alphas[i]
        sums[i] = 0.0
    for j in range(count):
        factor, row = covariances[j], gp.factors[o, j]
        for i in range(j, count):
            sums[i] += factor * row[i]
    left = output.prior_variance
    for i in range(count):
        left -= sums[i] * sums[i]
    output.predicted = mean
    output.deviation = output.signal * math.sqrt(max(left, _LEAST_VARIANCE))


@lean_kernel
def predict_all(gp: GaussianProcess, layout: Layout, x: Codes) -> None:
    """Predict every output of ``x``; its distances stay for :func:`predict_change`."""
    control = gp.control[0]
    count = control.num_rows + control.num_pending
    set_distances(gp, layout, x)
    for o in range(gp.outputs.shape[0]):
        for i in range(count):
            gp.covariances[i] = math.exp(-gp.distances[o, i]) + gp.interactions[o, i]
        predict(gp, o)


@lean_kernel
def predict_change(gp: GaussianProcess, c: int, after: float) -> None:
    """Predict every output with coordinate ``c`` changed to another one.

    Expects what :func:`set_distances` left of the solution before the change.
    """
    control, column, changed = gp.control[0], gp.columns[c], gp.changed
    covariances = gp.covariances
    count = control.num_rows + control.num_pending
    others, before = gp.coordinates[c], gp.row[c]
    value_mean = mean_similarity(column, after)
    set_similarities(column, after, value_mean, others, gp.means[c], count, changed)
    for o in range(gp.outputs.shape[0]):
        weight, distances, covariances = (
            gp.weights[o, c],
            gp.distances[o],
            gp.covariances,
        )
        kind = kind_of_difference(column, gp.outputs[o].smooth)
        if kind == 2:
            for i in range(count):
                change = (after - before) * (after + before - 2.0 * others[i])
                covariances[i] = math.exp(-distances[i] - weight * change)
        elif kind == 3:
            for i in range(count):
                change = hyperbola(after - others[i]) - hyperbola(before - others[i])
                covariances[i] = math.exp(-distances[i] - weight * change)
        elif kind == 1:
            for i in range(count):
                change = abs(after - others[i]) - abs(before - others[i])
                covariances[i] = math.exp(-distances[i] - weight * change)
        else:
            for i in range(count):
                change = 0.0
                if after == others[i]:
                    change = -weight
                elif before == others[i]:
                    change = weight
                covariances[i] = math.exp(-distances[i] - change)
        value = gp.outputs[o].prior_variance
        _change_pairs(gp, o, c, value_mean, count)
        predict(gp, o)
        gp.outputs[o].prior_variance = value


@lean_kernel
def _change_pairs(
    gp: GaussianProcess, o: int, c: int, value_mean: float, count: int
) -> None:
    """Add to ``covariances`` what pairs add once column ``c`` has changed."""
    output, covariances, added = gp.outputs[o], gp.covariances, gp.interactions[o]
    before, after, scale = gp.centred[c], gp.changed, 1.0 - gp.columns[c].middle
    for i in range(count):
        covariances[i] += added[i]
    for p in range(output.num_pairs):
        a, b = gp.pairs[o, p, 0], gp.pairs[o, p, 1]
        if c not in (a, b):
            continue
        partner = b if a == c else a
        other, weight = gp.centred[partner], math.exp(gp.log_pairs[o, p])
        rise = 2.0 * (gp.row_means[c] - value_mean) / scale
        output.prior_variance += weight * (rise * _with_itself(gp, partner))
        for i in range(count):
            covariances[i] += weight * ((after[i] - before[i]) * other[i])
