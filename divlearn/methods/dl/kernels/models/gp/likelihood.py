"""The evidence of the constants of one output, and its gradient.

Weights, rate, noise and pairs are those under which the outputs seen were most likely,
within priors that keep many weights near one another while points are few.
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.cholesky import invert
from divlearn.methods.dl.kernels.models.gp.columns import kind_of_difference
from divlearn.methods.dl.kernels.models.gp.covariance import (
    fill_kernel,
    set_weights,
    solve,
)
from divlearn.methods.dl.kernels.models.gp.interactions import (
    add_pair_slopes,
    log_prior_of_pairs,
)
from divlearn.methods.dl.kernels.models.gp.state import Similarity

#: Priors of the logarithms of rate and noise: mean and standard deviation.
RATE_MEAN, RATE_DEVIATION = math.log(2.0), 1.5
NOISE_MEAN, NOISE_DEVIATION = math.log(0.02), 2.5


@lean_kernel
def log_evidence(sim: Similarity, o: int, count: int) -> float:
    """Evidence and prior of the present constants of output ``o``."""
    set_weights(sim, o)
    fill_kernel(sim, o, count)
    total = solve(sim, o, count, count) + log_prior_of_pairs(sim, o)
    output, spread = sim.outputs[o], sim.control[0].spread
    if spread > 0.0:
        for f in range(sim.log_weights.shape[1]):
            r = sim.log_weights[o, f] / spread
            total -= 0.5 * r * r
    r = (output.log_rate - RATE_MEAN) / RATE_DEVIATION
    total -= 0.5 * r * r
    r = (output.log_noise - NOISE_MEAN) / NOISE_DEVIATION
    return float(total - 0.5 * r * r)


@lean_kernel
def set_gradient(sim: Similarity, o: int, count: int) -> None:
    """Gradient of :func:`log_evidence`, called before, by the logarithms.

    In the order of ``theta``: features' weights, rate, noise, pairs' weights.
    """
    set_slopes(sim, o, count)
    output, gradient = sim.outputs[o], sim.gradient
    num_features = sim.log_weights.shape[1]
    for f in range(num_features + 2):
        gradient[f] = 0.0
    add_pair_slopes(sim, o, count)
    for i in range(count):
        row, base = sim.inverse[i], sim.base[i]
        gradient[num_features + 1] += 0.5 * row[i]
        for j in range(i):
            row[j] *= base[j]
    for c in range(sim.columns.shape[0]):
        part = _along(sim, o, c, count) * sim.weights[o, c]
        gradient[sim.columns[c].feature] -= part
        gradient[num_features] -= part
    gradient[num_features + 1] *= math.exp(output.log_noise)
    _add_prior(sim, o)


@lean_kernel
def set_slopes(sim: Similarity, o: int, count: int) -> None:
    """Slope of the evidence by each covariance into ``inverse``, lower triangle."""
    invert(sim.lower, count, sim.inverse)
    alphas, signal = sim.alphas[o], sim.outputs[o].signal
    for i in range(count):
        row, a = sim.inverse[i], alphas[i] / (signal * signal)
        for j in range(i + 1):
            row[j] = a * alphas[j] - row[j]


@lean_kernel
def _along(sim: Similarity, o: int, c: int, count: int) -> float:
    """Sum over pairs of the matrix in ``inverse`` times differences of column ``c``."""
    sums, others = sim.sums, sim.coordinates[c]
    for j in range(count):
        sums[j] = 0.0
    kind = kind_of_difference(sim.columns[c], sim.outputs[o].smooth)
    for i in range(count):
        row, own = sim.inverse[i], others[i]
        if kind == 2:
            for j in range(i):
                apart = own - others[j]
                sums[j] += row[j] * (apart * apart)
        elif kind == 1:
            for j in range(i):
                sums[j] += row[j] * abs(own - others[j])
        else:
            for j in range(i):
                sums[j] += row[j] if own != others[j] else 0.0
    total = 0.0
    for j in range(count):
        total += sums[j]
    return total


@lean_kernel
def _add_prior(sim: Similarity, o: int) -> None:
    """Add the gradient of the priors."""
    output, spread, gradient = sim.outputs[o], sim.control[0].spread, sim.gradient
    num_features = sim.log_weights.shape[1]
    for f in range(num_features):
        if spread > 0.0:
            gradient[f] -= sim.log_weights[o, f] / (spread * spread)
        else:
            gradient[f] = 0.0
    rate = (output.log_rate - RATE_MEAN) / (RATE_DEVIATION * RATE_DEVIATION)
    noise = (output.log_noise - NOISE_MEAN) / (NOISE_DEVIATION * NOISE_DEVIATION)
    gradient[num_features] -= rate
    gradient[num_features + 1] -= noise
