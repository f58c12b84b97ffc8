"""Pairs of positions that act together: which ones, and how much.

Each pair adds the product of two centred similarities to the covariance. Of the many
pairs few matter, and which ones can be seen from the slope of the evidence by their
weights: the steepest are tried, and stay if the evidence pays for them.
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.columns import set_similarities
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess

#: Prior of the logarithm of a pair's weight times the number of pairs.
PAIR_MEAN, PAIR_DEVIATION = math.log(0.1), 1.2
#: New pairs start above their prior mean; who is not above this later is dropped.
_START, _LEAST = 1.0, 0.5
#: Rows per pair, at least.
_ROWS_PER_PAIR = 3


@lean_kernel
def prior_mean(gp: GaussianProcess) -> float:
    """Mean of the logarithm of a pair's weight."""
    n = gp.columns.shape[0]
    return PAIR_MEAN - math.log(max(1.0, 0.5 * n * (n - 1)))


@lean_kernel
def set_centred(gp: GaussianProcess, i: int, count: int) -> None:
    """Centred similarities of row ``i`` to the first ``count`` rows."""
    for c in range(gp.columns.shape[0]):
        if gp.columns[c].arity > 0.0:
            others, means = gp.coordinates[c], gp.means[c]
            set_similarities(
                gp.columns[c], others[i], means[i], others, means, count, gp.centred[c]
            )


@lean_kernel
def add_pairs(gp: GaussianProcess, o: int, i: int) -> None:
    """Add the pairs' part to the covariances of row ``i`` in ``kernel``."""
    num_pairs = gp.outputs[o].num_pairs
    if num_pairs == 0:
        return
    set_centred(gp, i, i + 1)
    row = gp.kernel[i]
    for p in range(num_pairs):
        weight = math.exp(gp.log_pairs[o, p])
        a, b = gp.centred[gp.pairs[o, p, 0]], gp.centred[gp.pairs[o, p, 1]]
        for j in range(i + 1):
            row[j] += weight * (a[j] * b[j])


@lean_kernel
def _slope(gp: GaussianProcess, a: int, b: int, i: int) -> float:
    """What row ``i`` of the matrix in ``inverse`` says of a pair of columns."""
    slopes, first, second = gp.inverse[i], gp.centred[a], gp.centred[b]
    total = 0.0
    for j in range(i):
        total += slopes[j] * (first[j] * second[j])
    return float(total + 0.5 * slopes[i] * (first[i] * second[i]))


@lean_kernel
def add_pair_slopes(gp: GaussianProcess, o: int, count: int) -> None:
    """Add the slopes by the pairs' log-weights to ``gradient``, priors included.

    Expects the slope by each covariance in ``inverse``.
    """
    first, output = gp.log_weights.shape[1] + 2, gp.outputs[o]
    for p in range(output.num_pairs):
        gp.gradient[first + p] = 0.0
    for i in range(count):
        if output.num_pairs > 0:
            set_centred(gp, i, i + 1)
        for p in range(output.num_pairs):
            a, b = gp.pairs[o, p, 0], gp.pairs[o, p, 1]
            gp.gradient[first + p] += _slope(gp, a, b, i)
    middle = prior_mean(gp)
    for p in range(output.num_pairs):
        above = (gp.log_pairs[o, p] - middle) / (PAIR_DEVIATION * PAIR_DEVIATION)
        slope = math.exp(gp.log_pairs[o, p]) * gp.gradient[first + p]
        gp.gradient[first + p] = slope - above


@lean_kernel
def log_prior_of_pairs(gp: GaussianProcess, o: int) -> float:
    """Logarithm of the prior density of all pairs' weights, up to a constant."""
    total, middle = 0.0, prior_mean(gp)
    for p in range(gp.outputs[o].num_pairs):
        r = (gp.log_pairs[o, p] - middle) / PAIR_DEVIATION
        total -= 0.5 * r * r
    return total


@lean_kernel
def choose_pairs(gp: GaussianProcess, o: int, count: int) -> int:
    """Drop pairs that came to nothing and take in the most promising ones.

    Expects the slope by each covariance in ``inverse``.

    Returns
    -------
    Number of pairs that were there before; the new ones follow them.
    """
    output, middle = gp.outputs[o], prior_mean(gp)
    kept = 0
    for p in range(output.num_pairs):
        if gp.log_pairs[o, p] > middle + _LEAST:
            gp.log_pairs[o, kept] = gp.log_pairs[o, p]
            gp.pairs[o, kept, 0] = gp.pairs[o, p, 0]
            gp.pairs[o, kept, 1] = gp.pairs[o, p, 1]
            kept += 1
    most = min(gp.control[0].num_pairs, gp.pairs.shape[1], count // _ROWS_PER_PAIR)
    output.num_pairs = min(kept, most)
    num_paired = _list_paired(gp, o)
    _measure_pairs(gp, num_paired, count)
    start = output.num_pairs
    most = min(most, start + gp.control[0].num_new_pairs)
    for s in range(1, num_paired):
        for r in range(s):
            _offer(gp, o, start, most, gp.paired[r], gp.paired[s], gp.upper[s, r])
    for p in range(start, output.num_pairs):
        gp.log_pairs[o, p] = middle + _START
    return int(start)


@lean_kernel
def _list_paired(gp: GaussianProcess, o: int) -> int:
    """List the columns that may be in a pair: the heaviest ones, if they are many."""
    count = 0
    for c in range(gp.columns.shape[0]):
        if gp.columns[c].arity == 0.0:
            continue
        b = min(count, gp.paired.shape[0] - 1)
        if b < count and gp.weights[o, c] <= gp.weights[o, gp.paired[b]]:
            continue
        while b > 0 and gp.weights[o, gp.paired[b - 1]] < gp.weights[o, c]:
            gp.paired[b] = gp.paired[b - 1]
            b -= 1
        gp.paired[b] = c
        count = min(count + 1, gp.paired.shape[0])
    return count


@lean_kernel
def _measure_pairs(gp: GaussianProcess, num_paired: int, count: int) -> None:
    """Slopes of the evidence by all pairs' weights, into ``upper``."""
    for s in range(num_paired):
        for r in range(s):
            gp.upper[s, r] = 0.0
    for i in range(count):
        set_centred(gp, i, i + 1)
        for s in range(1, num_paired):
            for r in range(s):
                slope = _slope(gp, gp.paired[s], gp.paired[r], i)
                gp.upper[s, r] += slope


@lean_kernel
def _offer(
    gp: GaussianProcess, o: int, start: int, most: int, a: int, b: int, slope: float
) -> None:
    """Insert a pair among the new ones, ordered by slope, if it is steep enough."""
    output, slopes = gp.outputs[o], gp.sums
    if slope <= 0.0 or start == most:
        return
    for p in range(start):
        c, d = gp.pairs[o, p, 0], gp.pairs[o, p, 1]
        if (a == c and b == d) or (a == d and b == c):
            return
    p = output.num_pairs
    if p == most:
        p -= 1
        if slope <= slopes[p]:
            return
    while p > start and slopes[p - 1] < slope:
        slopes[p] = slopes[p - 1]
        gp.pairs[o, p, 0] = gp.pairs[o, p - 1, 0]
        gp.pairs[o, p, 1] = gp.pairs[o, p - 1, 1]
        p -= 1
    slopes[p] = slope
    gp.pairs[o, p, 0], gp.pairs[o, p, 1] = a, b
    output.num_pairs = min(output.num_pairs + 1, most)
