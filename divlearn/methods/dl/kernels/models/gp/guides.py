"""What a change of an order is worth by the model, as costs of its actions.

Near a candidate, the optimistic bound of an output is linear in the covariances with
the rows, these are linear in likenesses, and a likeness is a sum over actions. So the
slope of a weighted sum of bounds is a cost for every action: costs that
:mod:`divlearn.methods.dl.kernels.search.orders` can search by thousands of moves in the
time of one prediction. For outputs that are sums over actions the mean is that sum, and
the costs hold far away, too.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Records
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.gp.cholesky import unwhiten
from divlearn.methods.dl.kernels.models.gp.orders import (
    AFTER,
    AT,
    BEFORE,
    BESIDE,
    PLACE,
)
from divlearn.methods.dl.kernels.models.gp.posterior import predict_output
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.search.orders import Order

#: Blocks whose slopes are below this share of the greatest are left out.
NEGLIGIBLE = 0.01
#: What the logarithm of the chance to be feasible counts, in extents of the front.
CHANCE = 0.1
#: Slope of the logistic curve nearest to the normal distribution function.
_LOGISTIC = 1.702
#: Keeps exponentials finite.
_MOST = 50.0


@lean_kernel
def set_guides(gp: GaussianProcess, weights: Floats, kappa: float) -> None:
    """Slopes of the weighted bounds by all likenesses, at the present candidate.

    Parameters
    ----------
    gp
        With the distances of the candidate.
    weights
        Of the objectives, shape (P,); constraints follow their chances.
    kappa
        Standard deviations below the mean of the bounds.
    """
    control, guides = gp.control[0], gp.guides
    count = control.num_rows + control.num_pending
    for b in range(gp.blocks.shape[0]):
        for i in range(count):
            guides[b, i] = 0.0
    for o in range(gp.outputs.shape[0]):
        predict_output(gp, o, -1, 0.0, 0.0)
        bold = kappa if o < control.num_objectives else 0.0
        worth = _worth(gp, o, weights[o], bold)
        _add_guides(gp, o, count, worth, bold)


@lean_kernel
def _worth(gp: GaussianProcess, o: int, weight: float, kappa: float) -> float:
    """Slope of what is minimised by the bound of output ``o``, standardised."""
    output = gp.outputs[o]
    if o >= gp.control[0].num_objectives:
        z = (-output.centre / output.scale - output.predicted) / output.deviation
        missing = 1.0 / (1.0 + math.exp(min(_LOGISTIC * z, _MOST)))
        return float(CHANCE * _LOGISTIC * missing / output.deviation)
    slope = weight * output.unit * output.scale
    if output.warp > 0.0:
        bound = output.predicted - kappa * output.deviation
        grown = output.centre + output.scale * bound
        slope *= output.warp_scale * math.exp(min(grown, _MOST))
    return float(slope)


@lean_kernel
def _add_guides(
    gp: GaussianProcess, o: int, count: int, worth: float, kappa: float
) -> None:
    """Add the slopes of output ``o``, from what its prediction left in ``sums``."""
    output, alphas, solved = gp.outputs[o], gp.alphas[o], gp.whitened
    bold = kappa * output.signal * output.signal / output.deviation
    unwhiten(gp.factors[o], gp.sums, count, solved)
    covariances, added = gp.covariances[o], gp.interactions[o]
    for b in range(gp.blocks.shape[0]):
        share, rate, guide = gp.shares[o, b], gp.rates[o, b], gp.guides[b]
        if share == 0.0 and rate == 0.0:
            continue
        for j in range(count):
            slope = worth * (alphas[j] + bold * solved[j])
            guide[j] += slope * (share + rate * (covariances[j] - added[j]))


@lean_kernel
def set_costs(gp: GaussianProcess, s: int, order: Order) -> None:
    """Turn the slopes into costs of the actions of segment ``s``."""
    n = order.items.shape[0]
    count = gp.control[0].num_rows + gp.control[0].num_pending
    for a in range(n):
        for b in range(n):
            order.at[a, b] = order.follow[a, b] = order.ahead[a, b] = 0.0
    for k in range(3):
        order.used[k] = 0
    greatest = 0.0
    for b in range(gp.blocks.shape[0]):
        if gp.blocks[b].segment == s:
            greatest = max(greatest, _size(gp.guides[b], count))
    for b in range(gp.blocks.shape[0]):
        block = gp.blocks[b]
        if block.segment != s or _size(gp.guides[b], count) <= NEGLIGIBLE * greatest:
            continue
        if block.kind in (AT, PLACE):
            _price_places(gp, block, gp.guides[b], count, order)
        elif block.kind in (AFTER, BESIDE):
            _price_pairs(gp, block, gp.guides[b], count, order)
        elif block.kind == BEFORE:
            _price_orders(gp, block, gp.guides[b], count, order)


@lean_kernel
def _size(slopes: Floats, count: int) -> float:
    """Sum of all absolute slopes."""
    total = 0.0
    for i in range(count):
        total += abs(slopes[i])
    return total


@lean_kernel
def _price_places(
    gp: GaussianProcess, block: Records, slopes: Floats, count: int, order: Order
) -> None:
    """Add costs of items at places."""
    n, middle = block.length, 0.5 * (block.length - 1)
    order.used[0] = 1
    for item in range(n):
        stands, total = gp.stands[block.first + item], 0.0
        for i in range(count):
            if stands[i] < 0:
                continue
            slope = block.norm * slopes[i]
            if block.kind == AT:
                order.at[stands[i], item] += slope
            else:
                total += slope * (stands[i] - middle)
        if block.kind == PLACE:
            for place in range(n):
                order.at[place, item] += total * (place - middle)


@lean_kernel
def _price_pairs(
    gp: GaussianProcess, block: Records, slopes: Floats, count: int, order: Order
) -> None:
    """Add costs of items right after others, or side by side."""
    order.used[1] = 1
    for item in range(block.length):
        follows = gp.follows[block.first + item]
        for i in range(count):
            if follows[i] < 0:
                continue
            slope = block.norm * slopes[i]
            order.follow[item, follows[i]] += slope
            if block.kind == BESIDE:
                order.follow[follows[i], item] += slope


@lean_kernel
def _price_orders(
    gp: GaussianProcess, block: Records, slopes: Floats, count: int, order: Order
) -> None:
    """Add costs of items somewhere before others."""
    order.used[2] = 1
    n, first, ahead = block.length, block.first, order.ahead
    for i in range(count):
        stands, slope = gp.standing[i], block.norm * slopes[i]
        for a in range(n):
            row, one = ahead[a], stands[first + a]
            for b in range(a):
                row[b] += slope if one < stands[first + b] else -slope
    for a in range(n):
        for b in range(a):
            ahead[b, a] = -ahead[a, b]
