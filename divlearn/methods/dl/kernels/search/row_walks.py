"""Walks that plan a front under many rows, inside tables that are exact.

A walk begins at a planned point and takes the change that costs least at every step,
violation included at its prices; what was left must not come back for a while. Prices
of violated rows rise, and all fall while nothing is violated, so that the walk stays
near the border. Every feasible solution on the way that nothing planned dominates is
planned.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Floats, Words
from divlearn.kernels.cells import middle_of, row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.search.enumeration import (
    Plan,
    add_point,
    is_dominated,
)
from divlearn.methods.dl.kernels.search.relaxation import HUGE, list_replacements
from divlearn.methods.dl.kernels.search.rows import (
    ROUNDING,
    add_entries,
    price_rows,
    priced_change,
)

#: Steps of a walk, and how long what was left stays away.
STEPS, TABU, TABU_SPREAD = 150, 3, 8
#: Powers of e by which prices are off at first, and what violation and its absence do.
JITTER, RISE, FALL = 0.7, 1.15, 0.96
#: Price that a violated row gains in any case, by the mean price.
LEAST_RISE = 0.05


@lean_kernel
def walk_under_rows(
    plan: Plan, layout: Layout, rng: Words, slot: int, price: Floats
) -> None:
    """Walk from the planned point ``slot`` under the weights of the plan.

    How many points were found is then in ``plan.control``. ``price`` are prices of the
    rows to start from, and those that were found afterwards.
    """
    control, rows, relax = plan.control[0], plan.rows, plan.relax
    control.found = 0
    for r in range(rows.used[0]):
        rows.price[r] = price[r]
    price_rows(relax, rows, layout, _target(plan))
    for r in range(rows.used[0]):
        price[r] = rows.price[r]
    listed = abs(list_replacements(relax, layout, HUGE))
    _begin(plan, layout, slot)
    mean = _jitter_prices(plan, rng)
    spots = _list_spots(plan, listed)
    control.work += STEPS * spots
    for step in range(1, STEPS + 1):
        i, new = _cheapest_change(plan, layout, spots, step)
        if i < 0:
            break
        old = rows.actions[i]
        rows.tabu[old] = step + TABU + below(rng, TABU_SPREAD)
        _change(plan, i, new)
        if _adapt_prices(plan, mean):
            _consider(plan, layout)


@lean_kernel
def _target(plan: Plan) -> float:
    """Least weighted sum of objectives of all that is planned."""
    least, weights, archive = HUGE, plan.relax.weights, plan.archive
    for s in range(plan.control[0].points):
        total = 0.0
        for k in range(weights.shape[0]):
            total += weights[k] * archive.keys[archive.order[s], k]
        least = min(least, total)
    return least


@lean_kernel
def _begin(plan: Plan, layout: Layout, slot: int) -> None:
    """Stand at a planned point."""
    rows, archive = plan.rows, plan.archive
    for k in range(plan.outputs.shape[1]):
        plan.outputs[0, k] = archive.outputs[slot, k]
    for r in range(rows.used[0]):
        rows.value[r] = rows.base[r]
    for i in range(rows.actions.shape[0]):
        rows.actions[i] = row_of(layout, i, archive.solutions[slot, i])
        add_entries(rows, rows.actions[i], 1.0)
    for a in range(rows.tabu.shape[0]):
        rows.tabu[a] = 0


@lean_kernel
def _jitter_prices(plan: Plan, rng: Words) -> float:
    """Multiply prices by random factors; return their mean, per unit of a row."""
    rows, mean = plan.rows, 0.0
    for r in range(rows.used[0]):
        mean += rows.price[r] * rows.size[r]
        rows.price[r] *= math.exp(JITTER * (2.0 * uniform(rng) - 1.0))
    if mean > 0.0:
        return float(mean / rows.used[0])
    for a in range(plan.relax.weighted.shape[0]):
        mean += abs(plan.relax.weighted[a])
    return float(mean / plan.relax.weighted.shape[0])


@lean_kernel
def _list_spots(plan: Plan, listed: int) -> int:
    """List positions where a change loses little, or that are not at their best."""
    relax, rows, count = plan.relax, plan.rows, 0
    for r in range(listed):
        plan.used[relax.position[r]] = 1
    for i in range(plan.used.shape[0]):
        if plan.used[i] == 1 or rows.actions[i] != relax.best[i]:
            rows.spots[count] = i
            count += 1
        plan.used[i] = 0
    return count


@lean_kernel
def _cheapest_change(
    plan: Plan, layout: Layout, spots: int, step: int
) -> tuple[int, int]:
    """Position and action of least cost that is not tabu; -1 for none."""
    rows, weighted = plan.rows, plan.relax.weighted
    best, best_new, least = -1, -1, HUGE
    for s in range(spots):
        i = rows.spots[s]
        place, old = layout.places[i], rows.actions[i]
        for new in range(place.offset, place.offset + place.arity):
            if new == old or rows.tabu[new] > step:
                continue
            cost = weighted[new] - weighted[old] + priced_change(rows, new, old)
            if cost < least:
                best, best_new, least = i, new, cost
    return best, best_new


@lean_kernel
def _change(plan: Plan, i: int, new: int) -> None:
    """Give position ``i`` the action ``new``."""
    rows, table = plan.rows, plan.relax.table
    old = rows.actions[i]
    for k in range(plan.outputs.shape[1]):
        plan.outputs[0, k] += table[new, k] - table[old, k]
    add_entries(rows, old, -1.0)
    add_entries(rows, new, 1.0)
    rows.actions[i] = new


@lean_kernel
def _adapt_prices(plan: Plan, mean: float) -> bool:
    """Raise prices of violated rows, or lower all; return whether none is violated."""
    rows, feasible = plan.rows, True
    for r in range(rows.used[0]):
        if rows.value[r] > ROUNDING * rows.size[r]:
            feasible = False
            least = LEAST_RISE * mean / rows.size[r] if rows.size[r] > 0.0 else 0.0
            rows.price[r] = RISE * rows.price[r] + least
    if feasible:
        for r in range(rows.used[0]):
            rows.price[r] *= FALL
    return feasible


@lean_kernel
def _consider(plan: Plan, layout: Layout) -> None:
    """Plan the solution that the walk has come to, if nothing planned is as good."""
    if is_dominated(plan, plan.outputs[0]):
        return
    for i in range(plan.x.shape[0]):
        action = plan.rows.actions[i] - layout.places[i].offset
        plan.x[i] = middle_of(layout, i, action)
    if add_point(plan, 0, 1):
        plan.control[0].found += 1
        plan.control[0].waiting = 1
