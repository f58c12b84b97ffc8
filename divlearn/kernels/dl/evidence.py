"""The Gaussian process of one output, and its constants by the evidence.

The covariance of two solutions is exp(-sum of weighted differences). Weights, noise
and bend are those under which the outputs seen were most likely, within priors that
keep many weights near one another while points are few.
"""

from __future__ import annotations

import math

from divlearn.kernels.dl.bending import BENDS, set_targets
from divlearn.kernels.dl.cholesky import factorize, invert, invert_factor
from divlearn.kernels.dl.columns import add_differences
from divlearn.kernels.dl.points import Similarity
from divlearn.kernels.jit import lean_kernel
from divlearn.typing import Floats

#: Priors of the logarithms of rate and noise: mean and standard deviation.
RATE_MEAN, RATE_DEVIATION = math.log(2.0), 1.5
NOISE_MEAN, NOISE_DEVIATION = math.log(0.02), 2.5
#: Least and greatest noise, relative to the signal; a believed value has little.
LEAST_NOISE, MOST_NOISE, BELIEVED_NOISE = math.log(1e-4), math.log(2.0), 1e-6
#: Grid of the first fit.
RATES, NOISES = (0.3, 0.8, 2.0, 5.0, 12.0), (1e-3, 1e-2, 5e-2, 3e-1)
_FIRST_STEP, _LARGEST_STEP = 0.3, 1.0


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
        row = sim.kernel[i]
        for j in range(i):
            row[j] = 0.0
        for c in range(sim.columns.shape[0]):
            others = sim.coordinates[c]
            ordered, weight = sim.columns[c].ordered, sim.weights[o, c]
            add_differences(ordered, others[i], others, i, weight, row)
        for j in range(i):
            row[j] = math.exp(-row[j])
        row[i] = 1.0


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


@lean_kernel
def log_evidence(sim: Similarity, o: int, count: int) -> float:
    """Evidence and prior of the present constants of output ``o``."""
    set_weights(sim, o)
    fill_kernel(sim, o, count)
    total = solve(sim, o, count, count)
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

    In the order of ``theta``: features' weights, rate, noise.
    """
    invert(sim.lower, count, sim.inverse)
    output, gradient, alphas = sim.outputs[o], sim.gradient, sim.alphas[o]
    num_features = sim.log_weights.shape[1]
    for f in range(num_features + 2):
        gradient[f] = 0.0
    square = output.signal * output.signal
    for i in range(count):
        row, kernel = sim.inverse[i], sim.kernel[i]
        a = alphas[i] / square
        gradient[num_features + 1] += 0.5 * (a * alphas[i] - row[i])
        for j in range(i):
            row[j] = (a * alphas[j] - row[j]) * kernel[j]
    for c in range(sim.columns.shape[0]):
        part = _along(sim, c, count) * sim.weights[o, c]
        gradient[sim.columns[c].feature] -= part
        gradient[num_features] -= part
    gradient[num_features + 1] *= math.exp(output.log_noise)
    _add_prior(sim, o)


@lean_kernel
def _along(sim: Similarity, c: int, count: int) -> float:
    """Sum over pairs of the matrix in ``inverse`` times differences of column ``c``."""
    sums, others = sim.sums, sim.coordinates[c]
    for j in range(count):
        sums[j] = 0.0
    ordered = sim.columns[c].ordered == 1
    for i in range(count):
        row, own = sim.inverse[i], others[i]
        if ordered:
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


@lean_kernel
def _get_theta(sim: Similarity, o: int, theta: Floats) -> None:
    """Copy the constants of output ``o`` into ``theta``."""
    num_features = sim.log_weights.shape[1]
    for f in range(num_features):
        theta[f] = sim.log_weights[o, f]
    theta[num_features] = sim.outputs[o].log_rate
    theta[num_features + 1] = sim.outputs[o].log_noise


@lean_kernel
def _set_theta(sim: Similarity, o: int, theta: Floats) -> None:
    """Take the constants of output ``o`` from ``theta``, noise within its limits."""
    num_features = sim.log_weights.shape[1]
    for f in range(num_features):
        sim.log_weights[o, f] = theta[f]
    sim.outputs[o].log_rate = theta[num_features]
    noise = min(max(theta[num_features + 1], LEAST_NOISE), MOST_NOISE)
    sim.outputs[o].log_noise = noise
    theta[num_features + 1] = noise


@lean_kernel
def climb_evidence(sim: Similarity, o: int, count: int, num_steps: int) -> None:
    """Improve the constants by steps whose sizes follow the signs of the gradient.

    Rprop: M. Riedmiller, H. Braun, "A direct adaptive method for faster
    backpropagation learning", IEEE ICNN 1993.
    """
    best = log_evidence(sim, o, count)
    _get_theta(sim, o, sim.theta)
    _get_theta(sim, o, sim.best_theta)
    for f in range(sim.theta.shape[0]):
        sim.steps[f], sim.signs[f] = _FIRST_STEP, 0.0
    for _ in range(num_steps):
        set_gradient(sim, o, count)
        _step(sim)
        _set_theta(sim, o, sim.theta)
        value = log_evidence(sim, o, count)
        if value > best:
            best = value
            _get_theta(sim, o, sim.best_theta)
    _set_theta(sim, o, sim.best_theta)


@lean_kernel
def _step(sim: Similarity) -> None:
    """Move ``theta`` by one step in every coordinate."""
    for f in range(sim.theta.shape[0]):
        slope = sim.gradient[f]
        sign = 1.0 if slope > 0.0 else (-1.0 if slope < 0.0 else 0.0)
        if sign * sim.signs[f] < 0.0:
            sim.steps[f] *= 0.5
            sign = 0.0
        elif sign * sim.signs[f] > 0.0:
            sim.steps[f] = min(_LARGEST_STEP, 1.3 * sim.steps[f])
        sim.theta[f] += sign * sim.steps[f]
        sim.signs[f] = sign


@lean_kernel
def start_constants(sim: Similarity, o: int, count: int) -> None:
    """Choose rate and noise from a grid, all weights equal."""
    output, best = sim.outputs[o], -1e300
    best_rate, best_noise = output.log_rate, output.log_noise
    for rate in RATES:
        for noise in NOISES:
            output.log_rate, output.log_noise = math.log(rate), math.log(noise)
            value = log_evidence(sim, o, count)
            if value > best:
                best, best_rate, best_noise = value, output.log_rate, output.log_noise
    output.log_rate, output.log_noise = best_rate, best_noise


@lean_kernel
def choose_bend(sim: Similarity, o: int, count: int) -> None:
    """Choose the bend by the evidence and leave its targets."""
    best, chosen = -1e300, 0.0
    for bend in BENDS:
        slopes = set_targets(sim, o, count, bend)
        value = log_evidence(sim, o, count) + slopes
        if value > best:
            best, chosen = value, bend
    set_targets(sim, o, count, chosen)
