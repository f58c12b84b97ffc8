"""The best solution of an additive table under prices, and what others lose to it.

With weights for the objectives and prices for the constraints every position has a
best action by itself. That solution is a bound for all others: each replaced action
*loses* a known amount, and what a solution loses in total, with the price of the room
it leaves, is how much its weighted sum stays behind the bound. So the solutions of
interest are subsets of the few replacements that lose little.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.views import viewed

#: Rounds of prices when there are several constraints, and steps of each bisection.
ROUNDS, HALVINGS, DOUBLINGS = 3, 22, 60
#: Most replacements that are considered.
MAX_REPLACEMENTS = 256
HUGE = 1e300


@viewed
class Relaxation(NamedTuple):
    """Scratch: costs under weights and prices, and replacements by what they lose."""

    table: Floats  # (A, p) what an action adds to each output
    base: Floats  # (p,) outputs before any action is counted
    weights: Floats  # (m,)
    price: Floats  # (p - m,)
    cost: Floats  # (A,) weighted objectives with the priced constraints
    weighted: Floats  # (A,) weighted objectives
    best: Integers  # (n,) action of least cost at each position
    outputs: Floats  # (p,) outputs of that solution
    action: Integers  # (R,) replacements, by increasing loss
    position: Integers  # (R,) where they are
    loss: Floats  # (R,)
    change: Floats  # (R, p) what they do to the outputs
    least: Floats  # (R + 1, p) least change among this and the following ones


def new_relaxation(layout: Layout, m: int, p: int) -> Relaxation:
    """Make the scratch for ``m`` objectives among ``p`` outputs."""
    n, num_actions = len(layout.places), int(layout.places.arity.sum())
    most = min(MAX_REPLACEMENTS, num_actions)
    return Relaxation(
        np.zeros((num_actions, p)),
        np.zeros(p),
        np.ones(m),
        np.zeros(p - m),
        np.zeros(num_actions),
        np.zeros(num_actions),
        np.zeros(n, np.int64),
        np.zeros(p),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros((most, p)),
        np.zeros((most + 1, p)),
    )


@lean_kernel
def _pick(relax: Relaxation, layout: Layout) -> None:
    """Take the cheapest action everywhere and add up its outputs."""
    table, outputs, price = relax.table, relax.outputs, relax.price
    m, p = relax.weights.shape[0], outputs.shape[0]
    for k in range(p):
        outputs[k] = relax.base[k]
    for i in range(relax.best.shape[0]):
        place = layout.places[i]
        if layout.segments[place.segment].kind == PERMUTATION:
            continue
        best, least = place.offset, HUGE
        for a in range(place.offset, place.offset + place.arity):
            cost = relax.weighted[a]
            for j in range(p - m):
                cost += price[j] * table[a, m + j]
            relax.cost[a] = cost
            if cost < least:
                best, least = a, cost
        relax.best[i] = best
        for k in range(p):
            outputs[k] += table[best, k]


@lean_kernel
def weigh_actions(relax: Relaxation) -> None:
    """Write what each action adds to the weighted sum of objectives."""
    for a in range(relax.weighted.shape[0]):
        total = 0.0
        for k in range(relax.weights.shape[0]):
            total += relax.weights[k] * relax.table[a, k]
        relax.weighted[a] = total


@lean_kernel
def solve_relaxation(relax: Relaxation, layout: Layout) -> float:
    """Find prices at which the best solution just keeps the constraints.

    Starts from the prices that stand there; 0 for a guess.

    Returns
    -------
    The bound: no feasible solution has a smaller weighted sum of objectives.
    """
    m, p = relax.weights.shape[0], relax.outputs.shape[0]
    weigh_actions(relax)
    for _ in range(1 if p - m < 2 else ROUNDS):
        for j in range(p - m):
            _set_price(relax, layout, j)
    _pick(relax, layout)
    bound = 0.0
    for k in range(m):
        bound += relax.weights[k] * relax.outputs[k]
    for j in range(p - m):
        bound += relax.price[j] * relax.outputs[m + j]
    return bound


@lean_kernel
def _likely_price(relax: Relaxation, output: int) -> float:
    """Price at which a usual action gains as much as it takes of a constraint."""
    gained, taken = 0.0, 0.0
    for a in range(relax.weighted.shape[0]):
        gained += abs(relax.weighted[a])
        taken += abs(relax.table[a, output])
    return gained / taken if gained > 0.0 and taken > 0.0 else 1.0


@lean_kernel
def _set_price(relax: Relaxation, layout: Layout, j: int) -> None:
    """Find the least price at which constraint ``j`` is kept, given the others."""
    price, output = relax.price, relax.weights.shape[0] + j
    high = price[j] if price[j] > 0.0 else _likely_price(relax, output)
    price[j] = 0.0
    _pick(relax, layout)
    if relax.outputs[output] <= 0.0:
        return
    low = 0.0
    for _ in range(DOUBLINGS):
        price[j] = high
        _pick(relax, layout)
        if relax.outputs[output] <= 0.0:
            break
        low, high = high, 2.0 * high
    for _ in range(HALVINGS):
        price[j] = 0.5 * (low + high)
        _pick(relax, layout)
        if relax.outputs[output] <= 0.0:
            high = price[j]
        else:
            low = price[j]
    price[j] = high


@lean_kernel
def list_replacements(relax: Relaxation, layout: Layout, limit: float) -> int:
    """List the actions that lose at most ``limit`` in place of the best ones.

    Returns
    -------
    How many there are, or minus that number if there were too many to list.
    """
    room, count, whole = relax.action.shape[0], 0, True
    for i in range(relax.best.shape[0]):
        place = layout.places[i]
        if layout.segments[place.segment].kind == PERMUTATION:
            continue
        best = relax.best[i]
        for a in range(place.offset, place.offset + place.arity):
            loss = relax.cost[a] - relax.cost[best]
            if a == best or loss > limit:
                continue
            if count == room:
                whole = False
                if loss >= relax.loss[count - 1]:
                    continue
                count -= 1
            _insert_replacement(relax, count, a, i, loss)
            count += 1
    _list_changes(relax, count)
    return count if whole else -count


@lean_kernel
def _insert_replacement(
    relax: Relaxation, count: int, a: int, i: int, loss: float
) -> None:
    """Keep the list sorted by loss."""
    j = count
    while j > 0 and relax.loss[j - 1] > loss:
        relax.loss[j] = relax.loss[j - 1]
        relax.action[j] = relax.action[j - 1]
        relax.position[j] = relax.position[j - 1]
        j -= 1
    relax.loss[j], relax.action[j], relax.position[j] = loss, a, i


@lean_kernel
def _list_changes(relax: Relaxation, count: int) -> None:
    """Write what the replacements do, and the least that any later one does."""
    for k in range(relax.outputs.shape[0]):
        relax.least[count, k] = 0.0
        for r in range(count - 1, -1, -1):
            best = relax.best[relax.position[r]]
            step = relax.table[relax.action[r], k] - relax.table[best, k]
            relax.change[r, k] = step
            relax.least[r, k] = min(relax.least[r + 1, k], step)
