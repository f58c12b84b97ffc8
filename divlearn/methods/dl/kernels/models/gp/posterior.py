"""What the model says of all rows and of one candidate."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.cholesky import (
    extend_factor,
    unwhiten,
    whiten,
)
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    hyperbola,
    kind_of_difference,
    likeness,
    mean_similarity,
    set_similarities,
    write_row,
)
from divlearn.methods.dl.kernels.models.gp.covariance import (
    fill_row,
    likeliest,
    set_weights,
)
from divlearn.methods.dl.kernels.models.gp.mixture import (
    add_alike,
    hear_blocks,
    leave_out,
    set_alike,
)
from divlearn.methods.dl.kernels.models.gp.orders import write_orders
from divlearn.methods.dl.kernels.models.gp.state import HUGE, GaussianProcess
from divlearn.methods.dl.kernels.models.gp.warping import set_targets, unwarp

_LEAST_VARIANCE = 1e-10
#: Noise of a value that is believed, relative to the signal.
BELIEVED_NOISE = 1e-6


@lean_kernel
def num_conditioned(gp: GaussianProcess) -> int:
    """Rows whose part of the factors is still right: the same, constants as well."""
    control, marks = gp.control[0], gp.conditioned
    count, r = min(control.num_rows, marks[0]), 0
    if marks[1] != control.fitted:
        return 0
    while r < count and marks[2 + r] == gp.ages[r]:
        r += 1
    return r


@lean_kernel
def condition_all(gp: GaussianProcess) -> None:
    """Condition every output on all rows, from where the factors are still right."""
    control, marks, kept = gp.control[0], gp.conditioned, num_conditioned(gp)
    for o in range(gp.outputs.shape[0]):
        condition(gp, o, kept)
    hear_blocks(gp)
    for o in range(gp.outputs.shape[0]):
        gp.anchored[o] = HUGE
    marks[0], marks[1] = control.num_rows, control.fitted
    for r in range(kept, control.num_rows):
        marks[2 + r] = gp.ages[r]


@lean_kernel
def condition(gp: GaussianProcess, o: int, kept: int) -> None:
    """Posterior of output ``o`` given the points, pending ones believed.

    A pending proposal counts as measured at its predicted mean. The first ``kept`` rows
    are in the factor already.
    """
    control, output = gp.control[0], gp.outputs[o]
    known, count = control.num_rows, control.num_rows + control.num_pending
    set_targets(gp, o, known, output.warp)
    set_weights(gp, o)
    leave_out(gp, o)
    targets, alphas, noise = gp.targets[o], gp.alphas[o], math.exp(output.log_noise)
    for i in range(kept, known):
        _take_row(gp, o, i, noise)
    solve_by_factor(gp, o, known)
    for i in range(known):
        gp.fitted[o, i] = unwarp(gp, o, targets[i] - noise * alphas[i])
    if count == known:
        return
    for i in range(known, count):
        _take_row(gp, o, i, BELIEVED_NOISE)
        believed = output.level
        for j in range(known):
            believed += gp.kernel[i, j] * alphas[j]
        targets[i] = believed
        gp.fitted[o, i] = unwarp(gp, o, believed)
    signal = output.signal
    solve_by_factor(gp, o, count)
    output.signal = signal


@lean_kernel
def _take_row(gp: GaussianProcess, o: int, i: int, noise: float) -> None:
    """Extend the factor of output ``o`` by row ``i``."""
    fill_row(gp, o, i)
    diagonal = gp.diagonals[o, i] = gp.kernel[i, i] + noise
    extend_factor(gp.factors[o], gp.kernel[i], i, diagonal, gp.sums)


@lean_kernel
def solve_by_factor(gp: GaussianProcess, o: int, count: int) -> None:
    """Mean, signal and alphas of output ``o``, from the factor of ``count`` rows."""
    output, factor, whitened, ones = (
        gp.outputs[o],
        gp.factors[o],
        gp.whitened,
        gp.sums,
    )
    for i in range(count):
        gp.alphas[o, i] = 1.0
    whiten(factor, gp.targets[o], count, whitened)
    whiten(factor, gp.alphas[o], count, ones)
    output.level, square = likeliest(whitened, ones, count)
    output.signal = math.sqrt(square)
    for i in range(count):
        whitened[i] -= output.level * ones[i]
    unwhiten(factor, whitened, count, gp.alphas[o])


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
    if gp.blocks.shape[0] > 0:
        write_orders(layout, gp.blocks, x, gp.own_stands, gp.own_follows)
        set_alike(gp, count, False)
        for o in range(gp.outputs.shape[0]):
            add_alike(gp, o, count)


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
    """Mean and deviation of output ``o`` from its ``covariances``."""
    predict_mean(gp, o)
    predict_deviation(gp, o)


@lean_kernel
def predict_mean(gp: GaussianProcess, o: int) -> None:
    """Mean of output ``o`` from its ``covariances``."""
    count = gp.control[0].num_rows + gp.control[0].num_pending
    covariances, alphas, mean = gp.covariances[o], gp.alphas[o], gp.outputs[o].level
    for i in range(count):
        mean += covariances[i] * alphas[i]
    gp.outputs[o].predicted = mean


@lean_kernel
def predict_deviation(gp: GaussianProcess, o: int) -> None:
    """Deviation of output ``o`` from its ``covariances``, the most of the work.

    Leaves these times the inverse factor in ``sums``.
    """
    output, sums = gp.outputs[o], gp.sums
    count = gp.control[0].num_rows + gp.control[0].num_pending
    whiten(gp.factors[o], gp.covariances[o], count, sums)
    left = gp.own_variances[o]
    for i in range(count):
        left -= sums[i] * sums[i]
    output.deviation = output.signal * math.sqrt(max(left, _LEAST_VARIANCE))


@lean_kernel
def bound_deviation(gp: GaussianProcess, o: int) -> None:
    """Write what the deviation of output ``o`` is at most, in little time.

    What rows explain of a variance, k'K^-1 k, is no less than what one row explains
    alone, and since it is convex in k, no less than its tangent at another solution,
    the anchor z: 2 k'K^-1 k_z - k_z'K^-1 k_z.
    """
    output, covariances, diagonals = gp.outputs[o], gp.covariances[o], gp.diagonals[o]
    count = gp.control[0].num_rows + gp.control[0].num_pending
    explained = 0.0
    for i in range(count):
        alone = covariances[i] * covariances[i] / diagonals[i]
        explained = alone if alone > explained else explained
    if gp.anchored[o] < HUGE:
        anchors, both = gp.anchors[o], 0.0
        for i in range(count):
            both += covariances[i] * anchors[i]
        explained = max(explained, 2.0 * both - gp.anchored[o])
    left = gp.own_variances[o] - explained
    output.deviation = output.signal * math.sqrt(max(left, _LEAST_VARIANCE))


@lean_kernel
def set_anchor(gp: GaussianProcess) -> None:
    """Let the solution whose distances are known be the anchor of bounds."""
    control = gp.control[0]
    count = control.num_rows + control.num_pending
    if control.num_front == 0:  # there are no gains to bound
        return
    for o in range(control.num_objectives):
        set_covariances(gp, o, -1, 0.0, 0.0)
        whiten(gp.factors[o], gp.covariances[o], count, gp.sums)
        unwhiten(gp.factors[o], gp.sums, count, gp.anchors[o])
        square = 0.0
        for i in range(count):
            square += gp.sums[i] * gp.sums[i]
        gp.anchored[o] = square


@lean_kernel
def begin_change(gp: GaussianProcess, c: int, after: float) -> float:
    """Prepare to predict with coordinate ``c`` changed to ``after``.

    Returns
    -------
    Mean similarity of the new coordinate, for :func:`set_covariances`.
    """
    if c < 0:
        return 0.0
    control, column = gp.control[0], gp.columns[c]
    count = control.num_rows + control.num_pending
    others, means = gp.coordinates[c], gp.means[c]
    value_mean = mean_similarity(column, after)
    set_similarities(column, after, value_mean, others, means, count, gp.changed)
    return value_mean


@lean_kernel
def predict_output(
    gp: GaussianProcess, o: int, c: int, after: float, value_mean: float
) -> None:
    """Predict output ``o``, see :func:`set_covariances`."""
    set_covariances(gp, o, c, after, value_mean)
    predict(gp, o)


@lean_kernel
def set_covariances(
    gp: GaussianProcess, o: int, c: int, after: float, value_mean: float
) -> None:
    """Covariances of output ``o``, with coordinate ``c`` changed, or not if c is -1.

    Expects what :func:`set_distances` left of the solution before the change.
    """
    count = gp.control[0].num_rows + gp.control[0].num_pending
    distances, added, covariances = (
        gp.distances[o],
        gp.interactions[o],
        gp.covariances[o],
    )
    gp.own_variances[o] = gp.outputs[o].prior_variance
    smooth = gp.outputs[o].smooth
    if c < 0:
        for i in range(count):
            covariances[i] = likeness(distances[i], smooth) + added[i]
        return
    _change_distances(gp, o, c, after, count)
    _change_pairs(gp, o, c, value_mean, count)


@lean_kernel
def _change_distances(
    gp: GaussianProcess, o: int, c: int, after: float, count: int
) -> None:
    """Write covariances without pairs, with coordinate ``c`` changed to ``after``."""
    weight, distances = gp.weights[o, c], gp.distances[o]
    covariances = gp.covariances[o]
    others, before = gp.coordinates[c], gp.row[c]
    smooth = gp.outputs[o].smooth
    kind = kind_of_difference(gp.columns[c], smooth)
    if kind == 2:
        for i in range(count):
            change = (after - before) * (after + before - 2.0 * others[i])
            covariances[i] = likeness(distances[i] + weight * change, smooth)
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
            covariances[i] = likeness(distances[i] + change, smooth)


@lean_kernel
def _change_pairs(
    gp: GaussianProcess, o: int, c: int, value_mean: float, count: int
) -> None:
    """Add to ``covariances`` what pairs add once column ``c`` has changed."""
    output, covariances = gp.outputs[o], gp.covariances[o]
    added = gp.interactions[o]
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
        gp.own_variances[o] += weight * (rise * _with_itself(gp, partner))
        for i in range(count):
            covariances[i] += weight * ((after[i] - before[i]) * other[i])
