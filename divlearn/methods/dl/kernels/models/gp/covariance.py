"""The covariances of one output, and the process conditioned on its targets.

The covariance of two solutions is exp(-sum of weighted differences), plus what pairs of
positions add (:mod:`divlearn.methods.dl.kernels.models.gp.interactions`), mixed with
what orders have in common (:mod:`divlearn.methods.dl.kernels.models.gp.mixture`).
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.cholesky import factorize, invert_factor
from divlearn.methods.dl.kernels.models.gp.columns import (
    add_differences,
    fall,
    kind_of_difference,
    likeness,
    mean_similarity,
    write_row,
)
from divlearn.methods.dl.kernels.models.gp.interactions import add_pairs
from divlearn.methods.dl.kernels.models.gp.mixture import (
    add_exponents,
    add_sums,
    load_orders,
    set_mixture,
)
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess

#: Least variance of the signal, where all targets are equal.
LEAST_SIGNAL = 1e-12


@lean_kernel
def load_rows(gp: GaussianProcess, layout: Layout) -> None:
    """Write coordinates of all rows: chosen points, then pending proposals."""
    control = gp.control[0]
    for r in range(control.num_rows + control.num_pending):
        if r < control.num_rows:
            write_row(layout, gp.first, gp.points[gp.rows[r]], gp.row)
        else:
            p = r - control.num_rows
            write_row(layout, gp.first, gp.pending[p], gp.row)
        for c in range(gp.row.shape[0]):
            gp.coordinates[c, r] = gp.row[c]
            gp.means[c, r] = mean_similarity(gp.columns[c], gp.row[c])
    load_orders(gp, layout)


@lean_kernel
def set_weights(gp: GaussianProcess, o: int) -> None:
    """Weight of every column of output ``o``; on average they add up to the rate."""
    num_features = gp.log_weights.shape[1] - gp.blocks.shape[0]
    for c in range(gp.columns.shape[0]):
        column = gp.columns[c]
        log_weight = gp.outputs[o].log_rate + gp.log_weights[o, column.feature]
        gp.weights[o, c] = math.exp(log_weight) * column.share / num_features
    set_mixture(gp, o)


@lean_kernel
def fill_kernel(gp: GaussianProcess, o: int, count: int) -> None:
    """Covariances of the first ``count`` rows, without noise, signal 1."""
    for i in range(count):
        fill_row(gp, o, i)


@lean_kernel
def fill_row(gp: GaussianProcess, o: int, i: int) -> None:
    """Covariances of row ``i`` with those before it and itself."""
    row, total, falls = gp.base[i], gp.kernel[i], gp.falls[i]
    smooth = gp.outputs[o].smooth
    for j in range(i):
        row[j] = 0.0
    for c in range(gp.columns.shape[0]):
        others = gp.coordinates[c]
        kind = kind_of_difference(gp.columns[c], smooth)
        add_differences(kind, others[i], others, i, gp.weights[o, c], row)
    add_exponents(gp, o, i, row)
    for j in range(i):
        falls[j] = fall(row[j], smooth)
        row[j] = likeness(row[j], smooth)
        total[j] = row[j]
    row[i] = total[i] = 1.0
    add_sums(gp, o, i, total)
    add_pairs(gp, o, i)


@lean_kernel
def solve(gp: GaussianProcess, o: int, count: int) -> float:
    """Condition the process of output ``o`` on the targets of ``count`` rows.

    Mean and signal are the likeliest ones.

    Returns
    -------
    The logarithm of the evidence, up to a constant.
    """
    upper, lower, output = gp.upper, gp.lower, gp.outputs[o]
    noise = math.exp(output.log_noise)
    for i in range(count):
        for j in range(i + 1):
            upper[j, i] = gp.kernel[i, j]
        upper[i, i] += noise
    log_det = factorize(upper, count)
    invert_factor(upper, count, lower)
    targets, whitened, ones = gp.targets[o], gp.whitened, gp.sums
    for i in range(count):
        row, a, b = lower[i], 0.0, 0.0
        for j in range(i + 1):
            a += row[j] * targets[j]
            b += row[j]
        whitened[i], ones[i] = a, b
    output.level, square = likeliest(whitened, ones, count)
    output.signal = math.sqrt(square)
    _set_alphas(gp, o, count)
    return -0.5 * (count * math.log(square) + log_det)


@lean_kernel
def likeliest(whitened: Floats, ones: Floats, count: int) -> tuple[float, float]:
    """Mean and variance of greatest likelihood, of targets and ones times V."""
    of_targets, of_both, of_ones = 0.0, 0.0, 0.0
    for i in range(count):
        of_targets += whitened[i] * whitened[i]
        of_both += whitened[i] * ones[i]
        of_ones += ones[i] * ones[i]
    level = of_both / of_ones
    return level, max((of_targets - of_both * level) / count, LEAST_SIGNAL)


@lean_kernel
def _set_alphas(gp: GaussianProcess, o: int, count: int) -> None:
    """Inverse covariance times centred targets, from what :func:`solve` left."""
    alphas, mean = gp.alphas[o], gp.outputs[o].level
    for j in range(count):
        alphas[j] = 0.0
    for i in range(count):
        residual = gp.whitened[i] - mean * gp.sums[i]
        row = gp.lower[i]
        for j in range(i + 1):
            alphas[j] += residual * row[j]
