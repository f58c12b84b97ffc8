"""The evidence of the constants of one output, and its gradient.

Weights, rate, noise and pairs are those under which the outputs seen were most likely,
within priors that keep many weights near one another while points are few.
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.cholesky import invert
from divlearn.methods.dl.kernels.models.gp.columns import (
    hyperbola,
    kind_of_difference,
)
from divlearn.methods.dl.kernels.models.gp.covariance import (
    fill_kernel,
    set_weights,
    solve,
)
from divlearn.methods.dl.kernels.models.gp.interactions import (
    add_pair_slopes,
    log_prior_of_pairs,
)
from divlearn.methods.dl.kernels.models.gp.mixture import (
    add_rate_slopes,
    add_share_slopes,
)
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess

#: Priors of the logarithms of rate and noise: mean and standard deviation.
RATE_MEAN, RATE_DEVIATION = math.log(2.0), 1.5
NOISE_MEAN, NOISE_DEVIATION = math.log(0.02), 2.5


@lean_kernel
def log_posterior(gp: GaussianProcess, o: int, count: int) -> float:
    """Evidence and prior of the present constants of output ``o``."""
    set_weights(gp, o)
    fill_kernel(gp, o, count)
    total = solve(gp, o, count) + log_prior_of_pairs(gp, o)
    output, weight_sd = gp.outputs[o], gp.control[0].weight_sd
    if weight_sd > 0.0:
        for f in range(gp.log_weights.shape[1]):
            r = gp.log_weights[o, f] / weight_sd
            total -= 0.5 * r * r
    r = (output.log_rate - RATE_MEAN) / RATE_DEVIATION
    total -= 0.5 * r * r
    r = (output.log_noise - NOISE_MEAN) / NOISE_DEVIATION
    return float(total - 0.5 * r * r)


@lean_kernel
def set_gradient(gp: GaussianProcess, o: int, count: int) -> None:
    """Gradient of :func:`log_posterior`, called before, by the logarithms.

    In the order of ``theta``: features' weights, rate, noise, pairs' weights.
    """
    set_slopes(gp, o, count)
    output, gradient = gp.outputs[o], gp.gradient
    num_features = gp.log_weights.shape[1]
    for f in range(num_features + 2):
        gradient[f] = 0.0
    add_pair_slopes(gp, o, count)
    add_share_slopes(gp, o, count)
    for i in range(count):
        row, falls = gp.inverse[i], gp.falls[i]
        gradient[num_features + 1] += 0.5 * row[i]
        for j in range(i):
            row[j] *= falls[j]
    for c in range(gp.columns.shape[0]):
        part = _column_slope(gp, o, c, count) * gp.weights[o, c]
        gradient[gp.columns[c].feature] -= part
        gradient[num_features] -= part
    add_rate_slopes(gp, o, count)
    gradient[num_features + 1] *= math.exp(output.log_noise)
    _add_prior(gp, o)


@lean_kernel
def set_slopes(gp: GaussianProcess, o: int, count: int) -> None:
    """Slope of the evidence by each covariance into ``inverse``, lower triangle."""
    invert(gp.lower, count, gp.inverse)
    alphas, signal = gp.alphas[o], gp.outputs[o].signal
    for i in range(count):
        row, a = gp.inverse[i], alphas[i] / (signal * signal)
        for j in range(i + 1):
            row[j] = a * alphas[j] - row[j]


@lean_kernel
def _column_slope(gp: GaussianProcess, o: int, c: int, count: int) -> float:
    """Sum over pairs of the matrix in ``inverse`` times differences of column ``c``."""
    sums, others = gp.sums, gp.coordinates[c]
    for j in range(count):
        sums[j] = 0.0
    kind = kind_of_difference(gp.columns[c], gp.outputs[o].smooth)
    for i in range(count):
        row, value = gp.inverse[i], others[i]
        if kind == 2:
            for j in range(i):
                apart = value - others[j]
                sums[j] += row[j] * (apart * apart)
        elif kind == 3:
            for j in range(i):
                sums[j] += row[j] * hyperbola(value - others[j])
        elif kind == 1:
            for j in range(i):
                sums[j] += row[j] * abs(value - others[j])
        else:
            for j in range(i):
                sums[j] += row[j] if value != others[j] else 0.0
    total = 0.0
    for j in range(count):
        total += sums[j]
    return total


@lean_kernel
def _add_prior(gp: GaussianProcess, o: int) -> None:
    """Add the gradient of the priors."""
    output, gradient = gp.outputs[o], gp.gradient
    weight_sd = gp.control[0].weight_sd
    num_features = gp.log_weights.shape[1]
    for f in range(num_features):
        if weight_sd > 0.0:
            gradient[f] -= gp.log_weights[o, f] / (weight_sd * weight_sd)
        else:
            gradient[f] = 0.0
    rate = (output.log_rate - RATE_MEAN) / (RATE_DEVIATION * RATE_DEVIATION)
    noise = (output.log_noise - NOISE_MEAN) / (NOISE_DEVIATION * NOISE_DEVIATION)
    gradient[num_features] -= rate
    gradient[num_features + 1] -= noise
