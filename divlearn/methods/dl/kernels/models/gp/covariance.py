"""The covariances of one output, and the process conditioned on its targets.

The covariance of two solutions is exp(-sum of weighted differences), plus what pairs of
positions add (:mod:`divlearn.methods.dl.kernels.models.gp.interactions`).
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.cholesky import factorize, invert_factor
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    kind_of_difference,
    mean_similarity,
    write_row,
)
from divlearn.methods.dl.kernels.models.gp.interactions import add_pairs
from divlearn.methods.dl.kernels.models.gp.state import Similarity

#: Noise of a value that is believed, relative to the signal.
BELIEVED_NOISE = 1e-6


@lean_kernel
def load_rows(sim: Similarity, layout: Layout) -> None:
    """Write coordinates of all rows: chosen points, then pending proposals."""
    control = sim.control[0]
    for r in range(control.num_rows + control.num_pending):
        if r < control.num_rows:
            write_row(layout, sim.first, sim.points[sim.rows[r]], sim.row)
        else:
            p = r - control.num_rows
            write_row(layout, sim.first, sim.pending[p], sim.row)
        for c in range(sim.row.shape[0]):
            sim.coordinates[c, r] = sim.row[c]
            sim.means[c, r] = mean_similarity(sim.columns[c], sim.row[c])


@lean_kernel
def set_weights(sim: Similarity, o: int) -> None:
    """Weight of every column of output ``o``; on average they add up to the rate."""
    num_features = sim.log_weights.shape[1]
    for c in range(sim.columns.shape[0]):
        column = sim.columns[c]
        log_weight = sim.outputs[o].log_rate + sim.log_weights[o, column.feature]
        sim.weights[o, c] = math.exp(log_weight) * column.share / num_features


@lean_kernel
def fill_kernel(sim: Similarity, o: int, count: int) -> None:
    """Covariances of the first ``count`` rows, without noise, signal 1."""
    for i in range(count):
        row, total = sim.base[i], sim.kernel[i]
        for j in range(i):
            row[j] = 0.0
        for c in range(sim.columns.shape[0]):
            others = sim.coordinates[c]
            kind = kind_of_difference(sim.columns[c], sim.outputs[o].smooth)
            add_differences(kind, others[i], others, i, sim.weights[o, c], row)
        for j in range(i):
            row[j] = math.exp(-row[j])
            total[j] = row[j]
        row[i] = total[i] = 1.0
    add_pairs(sim, o, count)


@lean_kernel
def solve(sim: Similarity, o: int, count: int, noisy: int) -> float:
    """Condition the process of output ``o`` on the targets of ``count`` rows.

    The first ``noisy`` rows carry noise. Mean and signal are the likeliest ones.

    Returns
    -------
    The logarithm of the evidence, up to a constant.
    """
    upper, lower, output = sim.upper, sim.lower, sim.outputs[o]
    noise = math.exp(output.log_noise)
    for i in range(count):
        for j in range(i + 1):
            upper[j, i] = sim.kernel[i, j]
        upper[i, i] += noise if i < noisy else BELIEVED_NOISE
    log_det = factorize(upper, count)
    invert_factor(upper, count, lower)
    targets, whitened, ones = sim.targets[o], sim.similar, sim.sums
    of_targets, of_both, of_ones = 0.0, 0.0, 0.0
    for i in range(count):
        row, a, b = lower[i], 0.0, 0.0
        for j in range(i + 1):
            a += row[j] * targets[j]
            b += row[j]
        whitened[i], ones[i] = a, b
        of_targets += a * a
        of_both += a * b
        of_ones += b * b
    output.level = of_both / of_ones
    square = max((of_targets - of_both * output.level) / count, 1e-12)
    output.signal = math.sqrt(square)
    _set_alphas(sim, o, count)
    return -0.5 * (count * math.log(square) + log_det)


@lean_kernel
def _set_alphas(sim: Similarity, o: int, count: int) -> None:
    """Inverse covariance times centred targets, from what :func:`solve` left."""
    alphas, mean = sim.alphas[o], sim.outputs[o].level
    for j in range(count):
        alphas[j] = 0.0
    for i in range(count):
        residual = sim.similar[i] - mean * sim.sums[i]
        row = sim.lower[i]
        for j in range(i + 1):
            alphas[j] += residual * row[j]
