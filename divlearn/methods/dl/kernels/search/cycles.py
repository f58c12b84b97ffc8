"""Permutations that act as cycles: only neighbours matter, and they have a price."""

from __future__ import annotations

from divlearn.basics.typing import Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.rules.kinds import ORDER
from divlearn.kernels.structure import has_rule
from divlearn.methods.dl.kernels.models.additive import Tables
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR
from divlearn.methods.dl.kernels.models.geometry import points_explain_all
from divlearn.methods.dl.kernels.search.tours import (
    Tour,
    cut_tour,
    list_known,
    list_near,
    with_known,
)
from divlearn.methods.dl.kernels.state import DifferenceState

#: Rows of a table that are mirrored together: a column at a time misses the cache.
ROWS_MIRRORED = 16


@lean_kernel
def are_cycles(state: DifferenceState) -> bool:
    """Whether neighbours explain every output best, and orders may be turned."""
    tables, layout = state.tables, state.layout
    for j in range(tables.chosen.shape[0]):
        if tables.encodings[tables.chosen[j]] != NEIGHBOUR:
            return False
    s = layout.places[state.control[0].first].segment
    return layout.rules.shape[0] == 0 or not has_rule(layout, s, ORDER)


@lean_kernel
def first_action(state: DifferenceState) -> int:
    """Number of the first action of the longest permutation."""
    return int(state.layout.places[state.control[0].first].offset)


@lean_kernel
def price_pairs(tables: Tables, cost: Floats, weights: Floats, base: int) -> None:
    """Write the cost of every pair under ``weights`` into ``cost``, shape (n, n)."""
    n = cost.shape[0]
    for a in range(n):
        for b in range(a, n):
            cost[a, b] = 0.0
        for j in range(weights.shape[0]):
            means, weight = tables.mean[tables.chosen[j]], weights[j]
            if weight != 0.0:
                for b in range(a + 1, n):
                    cost[a, b] += weight * means[base + a * n + b, j]
    for first in range(0, n, ROWS_MIRRORED):
        for a in range(first + 1, n):
            for b in range(first, min(a, first + ROWS_MIRRORED)):
                cost[a, b] = cost[b, a]


@lean_kernel
def priced_tour(state: DifferenceState, weights: Floats) -> Tour:
    """Scratch for the longest permutation as a cycle, whose pairs have their costs.

    Where there is no room for all, a pair costs what is known of it by then.
    """
    tour, tables, base = (
        cut_tour(state.tour, state.near.shape[0]),
        state.tables,
        first_action(state),
    )
    if tour.cost.shape[0] > 0:
        price_pairs(tables, tour.cost, weights, base)
    tour.ends[3], e = base, tables.chosen[0]
    return with_known(tour, tables.keys[e], tables.mean[e], state.points, weights)


@lean_kernel
def update_lists(state: DifferenceState) -> None:
    """List near items anew."""
    list_useful(state, priced_tour(state, state.delta))


@lean_kernel
def list_useful(state: DifferenceState, tour: Tour) -> None:
    """List items near each item: for every objective alone and for all together.

    Written into ``near``, shape (n, K), -1 where there is no more. ``tour`` is scratch
    for as many items as there are, ``delta`` too.
    """
    near, weights, m = state.near, state.delta, state.low.shape[0]
    each = near.shape[1] // (m + 1)
    for a in range(near.shape[0]):
        for k in range(near.shape[1]):
            near[a, k] = -1
    for view in range(m + 1):
        for j in range(weights.shape[0]):
            weights[j] = 0.0
        for j in range(m):
            width = state.high[j] - state.low[j]
            if view in (j, m):
                weights[j] = 1.0 / (width if width > 0.0 else 1.0)
        if tour.cost.shape[0] > 0:
            price_pairs(state.tables, tour.cost, weights, first_action(state))
        if tour.cost.shape[0] > 0 or points_explain_all(state):
            list_near(tour)
        else:
            list_known(tour)
        for a in range(near.shape[0]):
            _add_near(near[a], tour.near[a], each)


@lean_kernel
def _add_near(row: Integers, nearest: Integers, each: int) -> None:
    """Add the ``each`` nearest items that are not listed yet."""
    count, added = 0, 0
    while count < row.shape[0] and row[count] >= 0:
        count += 1
    for k in range(nearest.shape[0]):
        if added == each or count == row.shape[0] or nearest[k] < 0:
            return
        known = False
        for i in range(count):
            if row[i] == nearest[k]:
                known = True
        if not known:
            row[count] = nearest[k]
            count += 1
            added += 1
