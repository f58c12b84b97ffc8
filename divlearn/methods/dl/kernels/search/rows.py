"""Many constraints inside additive tables: as rows of what is not zero.

A few constraints are priced one after the other by bisection, see
:mod:`divlearn.methods.dl.kernels.search.relaxation`. That costs a pass over the table
per step and constraint; with tens or hundreds of them it is far too slow, and prices
depend on each other. Here all prices move at once, along the violation of the solution
that they make best (a subgradient of the bound), and a pass touches only what a
constraint has to do with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.search.relaxation import (
    HUGE,
    Relaxation,
    weigh_actions,
)

#: Most constraints that are priced by bisection.
FEW = 4
#: Steps of the prices, failures until a step is halved, and the least distance to the
#: bound that a step is made for.
STEPS, FAILURES, LEAST_DISTANCE = 60, 4, 0.01
#: Entries below this share of the largest one of a row are rounding.
ROUNDING = 1e-9


@viewed
class Rows(NamedTuple):
    """Scratch: constraints by action, values and prices; empty if they are few."""

    used: Integers  # (1,) how many there are
    first: Integers  # (A + 1,) where the entries of an action begin
    row: Integers  # (Z,) row of an entry, ascending within an action
    entry: Floats  # (Z,) what the action adds to that row
    base: Floats  # (C,) a row before any action is counted
    size: Floats  # (C,) its largest entry
    value: Floats  # (C,) what it has come to; up to 0 is kept
    price: Floats  # (C,)
    kept: Floats  # (C,) prices of the best bound so far
    actions: Integers  # (n,) action at each position
    spots: Integers  # (n,) positions that a walk may change
    tabu: Integers  # (A,) step until which an action must not come back


def new_rows(layout: Layout, num_rows: int, num_entries: int) -> Rows:
    """Make room for rows; for none if they are few."""
    n, num_actions = len(layout.places), int(layout.places.arity.sum())
    if num_rows <= FEW:
        n = num_actions = num_rows = num_entries = 0
    return Rows(
        np.zeros(1, np.int64),
        np.zeros(num_actions + 1, np.int64),
        np.zeros(num_entries, np.int64),
        np.zeros(num_entries),
        np.zeros(num_rows),
        np.zeros(num_rows),
        np.zeros(num_rows),
        np.zeros(num_rows),
        np.zeros(num_rows),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(num_actions, np.int64),
    )


@lean_kernel
def are_many(rows: Rows) -> bool:
    """Whether there is room for rows: constraints are more than a few."""
    return bool(rows.price.shape[0] > 0)


@lean_kernel
def list_rows(rows: Rows, relax: Relaxation) -> None:
    """List what the constraints of a table have, without what is zero."""
    table, m, p = relax.table, relax.weights.shape[0], relax.outputs.shape[0]
    rows.used[0] = p - m
    for r in range(p - m):
        rows.base[r], rows.size[r] = relax.base[m + r], 0.0
        for a in range(table.shape[0]):
            rows.size[r] = max(rows.size[r], abs(table[a, m + r]))
    count = 0
    for a in range(table.shape[0]):
        rows.first[a] = count
        for r in range(p - m):
            entry = table[a, m + r]
            if abs(entry) > ROUNDING * rows.size[r]:
                rows.row[count], rows.entry[count] = r, entry
                count += 1
    rows.first[table.shape[0]] = count


@lean_kernel
def add_entries(rows: Rows, action: int, sign: float) -> None:
    """Count an action in the values of its rows, or take it out again."""
    for e in range(rows.first[action], rows.first[action + 1]):
        rows.value[rows.row[e]] += sign * rows.entry[e]


@lean_kernel
def priced_change(rows: Rows, new: int, old: int) -> float:
    """What violation costs more, at the prices, if action ``new`` replaces ``old``."""
    e, e_stop = rows.first[new], rows.first[new + 1]
    o, o_stop = rows.first[old], rows.first[old + 1]
    cost = 0.0
    while e < e_stop or o < o_stop:
        come = rows.row[e] if e < e_stop else rows.used[0]
        gone = rows.row[o] if o < o_stop else rows.used[0]
        r, step = min(come, gone), 0.0
        if come == r:
            step += rows.entry[e]
            e += 1
        if gone == r:
            step -= rows.entry[o]
            o += 1
        before = rows.value[r]
        cost += rows.price[r] * (max(0.0, before + step) - max(0.0, before))
    return cost


@lean_kernel
def price_rows(relax: Relaxation, rows: Rows, layout: Layout, target: float) -> float:
    """Find prices under which no solution is much better than the best feasible one.

    Parameters
    ----------
    relax
        Its table and weights; the best solution under the prices is written there.
    rows
        The constraints, and prices to start from.
    layout
        Positions.
    target
        Weighted sum of objectives of some feasible solution.

    Returns
    -------
    The bound: no feasible solution has a smaller weighted sum of objectives.
    """
    weigh_actions(relax)
    greatest, step, failures = -HUGE, 1.0, 0
    for _ in range(STEPS):
        bound = _best_under_prices(relax, rows, layout)
        if bound > greatest:
            greatest, failures = bound, 0
            for r in range(rows.used[0]):
                rows.kept[r] = rows.price[r]
        else:
            failures += 1
            if failures == FAILURES:
                step, failures = 0.5 * step, 0
        if not _follow_violation(rows, step, target, bound):
            break
    for r in range(rows.used[0]):
        rows.price[r] = rows.kept[r]
    _best_under_prices(relax, rows, layout)
    return greatest


@lean_kernel
def _best_under_prices(relax: Relaxation, rows: Rows, layout: Layout) -> float:
    """Take the cheapest action everywhere; return the bound."""
    bound = 0.0
    for k in range(relax.weights.shape[0]):
        bound += relax.weights[k] * relax.base[k]
    for r in range(rows.used[0]):
        rows.value[r] = rows.base[r]
        bound += rows.price[r] * rows.base[r]
    for i in range(relax.best.shape[0]):
        place, least = layout.places[i], HUGE
        for a in range(place.offset, place.offset + place.arity):
            cost = relax.weighted[a]
            for e in range(rows.first[a], rows.first[a + 1]):
                cost += rows.price[rows.row[e]] * rows.entry[e]
            relax.cost[a] = cost
            if cost < least:
                relax.best[i], least = a, cost
        add_entries(rows, relax.best[i], 1.0)
        bound += least
    return bound


@lean_kernel
def _follow_violation(rows: Rows, step: float, target: float, bound: float) -> bool:
    """Move prices along the values of their rows; False if there is nothing to move."""
    norm = 0.0
    for r in range(rows.used[0]):
        if rows.size[r] > 0.0 and (rows.value[r] > 0.0 or rows.price[r] > 0.0):
            norm += (rows.value[r] / rows.size[r]) ** 2
    if norm <= 0.0:
        return False
    distance = max(target - bound, LEAST_DISTANCE * (abs(target) + abs(bound)))
    for r in range(rows.used[0]):
        if rows.size[r] > 0.0:
            move = step * distance / norm * rows.value[r] / rows.size[r] ** 2
            rows.price[r] = max(0.0, rows.price[r] + move)
    return True
