"""Pairs of positions that act together: which ones, and how much.

Each pair adds the product of two centred similarities to the covariance. Of the many
pairs few matter, and which ones can be seen from the slope of the evidence by their
weights: the steepest are tried, and stay if the evidence pays for them.
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.columns import set_similarities
from divlearn.methods.dl.kernels.models.gp.state import Similarity

#: Prior of the logarithm of a pair's weight times the number of pairs.
PAIR_MEAN, PAIR_DEVIATION = math.log(0.1), 1.2
#: New pairs start above their prior mean; who is not above this later is dropped.
_START, _LEAST = 1.0, 0.5
#: Rows per pair, at least.
_ROWS_PER_PAIR = 3


@lean_kernel
def prior_mean(sim: Similarity) -> float:
    """Mean of the logarithm of a pair's weight."""
    n = sim.columns.shape[0]
    return PAIR_MEAN - math.log(max(1.0, 0.5 * n * (n - 1)))


@lean_kernel
def set_alike(sim: Similarity, i: int, count: int) -> None:
    """Centred similarities of row ``i`` to the first ``count`` rows."""
    for c in range(sim.columns.shape[0]):
        if sim.columns[c].arity > 0.0:
            others, means = sim.coordinates[c], sim.means[c]
            set_similarities(
                sim.columns[c], others[i], means[i], others, means, count, sim.alike[c]
            )


@lean_kernel
def add_pairs(sim: Similarity, o: int, count: int) -> None:
    """Add the pairs' part to the covariances in ``kernel``."""
    num_pairs = sim.outputs[o].num_pairs
    if num_pairs == 0:
        return
    for i in range(count):
        set_alike(sim, i, i + 1)
        row = sim.kernel[i]
        for p in range(num_pairs):
            weight = math.exp(sim.log_pairs[o, p])
            a, b = sim.alike[sim.pairs[o, p, 0]], sim.alike[sim.pairs[o, p, 1]]
            for j in range(i + 1):
                row[j] += weight * (a[j] * b[j])


@lean_kernel
def _slope(sim: Similarity, a: int, b: int, i: int) -> float:
    """What row ``i`` of the matrix in ``inverse`` says of a pair of columns."""
    slopes, first, second = sim.inverse[i], sim.alike[a], sim.alike[b]
    total = 0.0
    for j in range(i):
        total += slopes[j] * (first[j] * second[j])
    return float(total + 0.5 * slopes[i] * (first[i] * second[i]))


@lean_kernel
def add_pair_slopes(sim: Similarity, o: int, count: int) -> None:
    """Add the slopes by the pairs' log-weights to ``gradient``, priors included.

    Expects the slope by each covariance in ``inverse``.
    """
    first, output = sim.log_weights.shape[1] + 2, sim.outputs[o]
    for p in range(output.num_pairs):
        sim.gradient[first + p] = 0.0
    for i in range(count):
        if output.num_pairs > 0:
            set_alike(sim, i, i + 1)
        for p in range(output.num_pairs):
            a, b = sim.pairs[o, p, 0], sim.pairs[o, p, 1]
            sim.gradient[first + p] += _slope(sim, a, b, i)
    middle = prior_mean(sim)
    for p in range(output.num_pairs):
        above = (sim.log_pairs[o, p] - middle) / (PAIR_DEVIATION * PAIR_DEVIATION)
        slope = math.exp(sim.log_pairs[o, p]) * sim.gradient[first + p]
        sim.gradient[first + p] = slope - above


@lean_kernel
def log_prior_of_pairs(sim: Similarity, o: int) -> float:
    """Logarithm of the prior density of all pairs' weights, up to a constant."""
    total, middle = 0.0, prior_mean(sim)
    for p in range(sim.outputs[o].num_pairs):
        r = (sim.log_pairs[o, p] - middle) / PAIR_DEVIATION
        total -= 0.5 * r * r
    return total


@lean_kernel
def choose_pairs(sim: Similarity, o: int, count: int) -> int:
    """Drop pairs that came to nothing and take in the most promising ones.

    Expects the slope by each covariance in ``inverse``.

    Returns
    -------
    Number of pairs that were there before; the new ones follow them.
    """
    output, middle = sim.outputs[o], prior_mean(sim)
    kept = 0
    for p in range(output.num_pairs):
        if sim.log_pairs[o, p] > middle + _LEAST:
            sim.log_pairs[o, kept] = sim.log_pairs[o, p]
            sim.pairs[o, kept, 0] = sim.pairs[o, p, 0]
            sim.pairs[o, kept, 1] = sim.pairs[o, p, 1]
            kept += 1
    most = min(sim.control[0].num_pairs, sim.pairs.shape[1], count // _ROWS_PER_PAIR)
    output.num_pairs = min(kept, most)
    num_paired = _list_paired(sim, o)
    _measure_pairs(sim, num_paired, count)
    start = output.num_pairs
    most = min(most, start + sim.control[0].num_new_pairs)
    for s in range(1, num_paired):
        for r in range(s):
            _offer(sim, o, start, most, sim.paired[r], sim.paired[s], sim.upper[s, r])
    for p in range(start, output.num_pairs):
        sim.log_pairs[o, p] = middle + _START
    return int(start)


@lean_kernel
def _list_paired(sim: Similarity, o: int) -> int:
    """List the columns that may be in a pair: the heaviest ones, if they are many."""
    count = 0
    for c in range(sim.columns.shape[0]):
        if sim.columns[c].arity == 0.0:
            continue
        b = min(count, sim.paired.shape[0] - 1)
        if b < count and sim.weights[o, c] <= sim.weights[o, sim.paired[b]]:
            continue
        while b > 0 and sim.weights[o, sim.paired[b - 1]] < sim.weights[o, c]:
            sim.paired[b] = sim.paired[b - 1]
            b -= 1
        sim.paired[b] = c
        count = min(count + 1, sim.paired.shape[0])
    return count


@lean_kernel
def _measure_pairs(sim: Similarity, num_paired: int, count: int) -> None:
    """Slopes of the evidence by all pairs' weights, into ``upper``."""
    for s in range(num_paired):
        for r in range(s):
            sim.upper[s, r] = 0.0
    for i in range(count):
        set_alike(sim, i, i + 1)
        for s in range(1, num_paired):
            for r in range(s):
                slope = _slope(sim, sim.paired[s], sim.paired[r], i)
                sim.upper[s, r] += slope


@lean_kernel
def _offer(
    sim: Similarity, o: int, start: int, most: int, a: int, b: int, slope: float
) -> None:
    """Insert a pair among the new ones, ordered by slope, if it is steep enough."""
    output, slopes = sim.outputs[o], sim.sums
    if slope <= 0.0 or start == most:
        return
    for p in range(start):
        c, d = sim.pairs[o, p, 0], sim.pairs[o, p, 1]
        if (a == c and b == d) or (a == d and b == c):
            return
    p = output.num_pairs
    if p == most:
        p -= 1
        if slope <= slopes[p]:
            return
    while p > start and slopes[p - 1] < slope:
        slopes[p] = slopes[p - 1]
        sim.pairs[o, p, 0] = sim.pairs[o, p - 1, 0]
        sim.pairs[o, p, 1] = sim.pairs[o, p - 1, 1]
        p -= 1
    slopes[p] = slope
    sim.pairs[o, p, 0], sim.pairs[o, p, 1] = a, b
    output.num_pairs = min(output.num_pairs + 1, most)
