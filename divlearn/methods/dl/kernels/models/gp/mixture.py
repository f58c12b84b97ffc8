"""The covariance of orders: a mixture of sums over actions and of a likeness.

With the likenesses S_b of :mod:`divlearn.methods.dl.kernels.models.gp.orders`,

    k(x, z) = p_0 exp(-sum_c w_c d_c - sum_b w_b (1 - S_b))  +  sum_b p_b S_b

where p_0 and all p_b add up to 1. A block's own term, p_b S_b, stands for outputs that
are sums over its actions: costs of pairs side by side make a tour, gains of pairs in
order make a linear ordering. The exponential stands for all else. Which ways of
comparing orders count is found by the evidence, output by output.

In ``log_weights`` the features of the columns come first, then the rates of the blocks,
then the logits of the p_b, in units of ``LOGIT``.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.models.gp.orders import compare, write_orders
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess

#: Logits are this many times as widely spread as logarithms of weights.
LOGIT = 2.5
#: Blocks that count for less than this of an output's covariance are left out.
NEGLIGIBLE = 0.01
#: Least share of a part.
LEAST_SHARE = 1e-9


@lean_kernel
def load_orders(gp: GaussianProcess, layout: Layout) -> None:
    """Compare rows that are new with all others; the likenesses of others stay."""
    if gp.blocks.shape[0] == 0:
        return
    control = gp.control[0]
    count = control.num_rows + control.num_pending
    for r in range(count):
        if r < control.num_rows:
            x = gp.points[gp.rows[r]]
        else:
            x = gp.pending[r - control.num_rows]
        if _is_loaded(gp.loaded[r], x):
            continue
        write_orders(layout, gp.blocks, x, gp.own_stands, gp.own_follows)
        for k in range(gp.own_stands.shape[0]):
            gp.stands[k, r] = gp.own_stands[k]
            gp.follows[k, r] = gp.own_follows[k]
            gp.standing[r, k] = gp.own_stands[k]
        set_alike(gp, count, True)
        for b in range(gp.blocks.shape[0]):
            for j in range(count):
                gp.likeness[b, max(r, j), min(r, j)] = gp.alike[b, j]


@lean_kernel
def _is_loaded(loaded: Codes, x: Codes) -> bool:
    """Whether ``loaded`` holds ``x``; it does afterwards."""
    same = True
    for i in range(x.shape[0]):
        same = same and loaded[i] == x[i]
        loaded[i] = x[i]
    return same


@lean_kernel
def set_alike(gp: GaussianProcess, count: int, whole: bool) -> None:
    """Likenesses of the order in ``own_stands`` and the first ``count`` rows.

    By all blocks if ``whole``, else by those that some output is about.
    """
    for b in range(gp.blocks.shape[0]):
        if not whole and gp.heard[b] == 0:
            continue
        compare(
            gp.blocks[b],
            gp.own_stands,
            gp.own_follows,
            gp.stands,
            gp.follows,
            count,
            gp.counts,
            gp.alike[b],
        )


@lean_kernel
def set_mixture(gp: GaussianProcess, o: int) -> None:
    """Shares of all parts of output ``o``, the exponential last, and blocks' rates."""
    if gp.blocks.shape[0] == 0:
        return
    num_blocks, num_weights = gp.blocks.shape[0], gp.log_weights.shape[1]
    first, shares = num_weights - num_blocks, gp.shares[o]
    largest, total = 0.0, 0.0
    shares[num_blocks] = 0.0
    for b in range(num_blocks):
        shares[b] = LOGIT * gp.log_weights[o, first + b] + gp.blocks[b].logit
        largest = max(largest, shares[b])
    for b in range(num_blocks + 1):
        shares[b] = math.exp(shares[b] - largest) + LEAST_SHARE
        total += shares[b]
    for b in range(num_blocks + 1):
        shares[b] /= total
    for b in range(num_blocks):
        log_rate = gp.outputs[o].log_rate + gp.log_weights[o, first - num_blocks + b]
        gp.rates[o, b] = math.exp(log_rate) / first


@lean_kernel
def leave_out(gp: GaussianProcess, o: int) -> None:
    """Leave out what is next to nothing of output ``o``: blocks that need no time."""
    num_blocks, shares, rates, total = (
        gp.blocks.shape[0],
        gp.shares[o],
        gp.rates[o],
        0.0,
    )
    if num_blocks == 0:
        return
    for b in range(num_blocks):
        if shares[b] < NEGLIGIBLE:
            shares[b] = 0.0
        total += shares[b]
        if shares[b] == 0.0 and shares[num_blocks] * rates[b] < NEGLIGIBLE:
            rates[b] = 0.0
    total += shares[num_blocks]
    for b in range(num_blocks + 1):
        shares[b] /= total


@lean_kernel
def hear_blocks(gp: GaussianProcess) -> None:
    """Note which blocks any output is about."""
    for b in range(gp.blocks.shape[0]):
        gp.heard[b] = 0
        for o in range(gp.outputs.shape[0]):
            if gp.shares[o, b] > 0.0 or gp.rates[o, b] > 0.0:
                gp.heard[b] = 1


@lean_kernel
def add_exponents(gp: GaussianProcess, o: int, i: int, row: Floats) -> None:
    """Add what blocks differ in to the exponents of row ``i``, and the share p_0."""
    if gp.blocks.shape[0] == 0:
        return
    start = -math.log(gp.shares[o, gp.blocks.shape[0]])
    for j in range(i):
        row[j] += start
    for b in range(gp.blocks.shape[0]):
        rate, likeness = gp.rates[o, b], gp.likeness[b, i]
        if rate == 0.0:
            continue
        for j in range(i):
            row[j] += rate * (1.0 - likeness[j])


@lean_kernel
def add_sums(gp: GaussianProcess, o: int, i: int, row: Floats) -> None:
    """Add p_b S_b of all blocks to the covariances of row ``i``."""
    for b in range(gp.blocks.shape[0]):
        share, likeness = gp.shares[o, b], gp.likeness[b, i]
        if share == 0.0:
            continue
        for j in range(i):
            row[j] += share * likeness[j]


@lean_kernel
def add_alike(gp: GaussianProcess, o: int, count: int) -> None:
    """Add what blocks say of a candidate to its distances and interactions."""
    distances, added = gp.distances[o], gp.interactions[o]
    start = -math.log(gp.shares[o, gp.blocks.shape[0]])
    for i in range(count):
        distances[i] += start
    for b in range(gp.blocks.shape[0]):
        rate, share, alike = gp.rates[o, b], gp.shares[o, b], gp.alike[b]
        if rate == 0.0 and share == 0.0:
            continue
        for i in range(count):
            distances[i] += rate * (1.0 - alike[i])
            added[i] += share * alike[i]


@lean_kernel
def add_share_slopes(gp: GaussianProcess, o: int, count: int) -> None:
    """Add the slopes by the shares' logits to ``gradient``.

    Expects the slope by each covariance in ``inverse``.
    """
    num_blocks = gp.blocks.shape[0]
    if num_blocks == 0:
        return
    first, whole = gp.log_weights.shape[1] - num_blocks, 0.0
    for i in range(count):
        slopes, base = gp.inverse[i], gp.base[i]
        for j in range(i):
            whole += slopes[j] * base[j]
    for b in range(num_blocks):
        total = 0.0
        for i in range(count):
            slopes, likeness = gp.inverse[i], gp.likeness[b, i]
            for j in range(i):
                total += slopes[j] * likeness[j]
        gp.gradient[first + b] = total
        whole += gp.shares[o, b] * total
    for b in range(num_blocks):
        above = gp.gradient[first + b] - whole
        gp.gradient[first + b] = LOGIT * gp.shares[o, b] * above


@lean_kernel
def add_rate_slopes(gp: GaussianProcess, o: int, count: int) -> None:
    """Add the slopes by the blocks' rates to ``gradient``, and to that of the rate.

    Expects slopes times covariances of the exponential in ``inverse``.
    """
    num_blocks, num_weights = gp.blocks.shape[0], gp.log_weights.shape[1]
    first = num_weights - 2 * num_blocks
    for b in range(num_blocks):
        total = 0.0
        for i in range(count):
            slopes, likeness = gp.inverse[i], gp.likeness[b, i]
            for j in range(i):
                total += slopes[j] * (1.0 - likeness[j])
        gp.gradient[first + b] -= gp.rates[o, b] * total
        gp.gradient[num_weights] -= gp.rates[o, b] * total
