"""Improve a whole solution with permutations inside the tables."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.cells import action_of, code_in
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION
from divlearn.kernels.random import below
from divlearn.kernels.rules.kinds import CHOICE, SIZES
from divlearn.kernels.rules.presence import has_absent, stands_alone
from divlearn.kernels.structure import has_rule
from divlearn.methods.dl.kernels.memory import lists_changes
from divlearn.methods.dl.kernels.models.encodings import THERMOMETER
from divlearn.methods.dl.kernels.models.geometry import points_explain_all
from divlearn.methods.dl.kernels.models.positions import positions_decide
from divlearn.methods.dl.kernels.search.cycles import first_action, priced_tour
from divlearn.methods.dl.kernels.search.matching import solve_assignment
from divlearn.methods.dl.kernels.search.orders import (
    cut_order,
    forbid_orders,
    improve_order,
    price_orders,
)
from divlearn.methods.dl.kernels.search.tours import (
    aligned,
    choose_near,
    set_tour,
)
from divlearn.methods.dl.kernels.search.two_opt import improve
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import is_limited

#: Items that a search inside tables of some pairs looks at.
STRETCH = 500


@lean_kernel
def improve_cycle(
    state: DifferenceState, weights: Floats, kicks: int, source: Codes, x: Codes
) -> float:
    """Improve the longest permutation of ``source`` as a cycle into ``x``."""
    first, tour = state.control[0].first, priced_tour(state, weights)
    set_tour(tour, source, first)
    start, length = stretch_to_search(state)
    choose_near(tour, state.near, start, length)
    found = improve(tour, kicks, state.rng)
    aligned(tour, source, first, x)
    return found


@lean_kernel
def stretch_to_search(state: DifferenceState) -> tuple[int, int]:
    """Where a search inside a cycle begins, and how many items it looks at.

    All of them, where tables know every pair or points do. Elsewhere finding what is
    known of a pair takes longer than all else, and one stretch after the other does.
    """
    n = state.near.shape[0]
    if not lists_changes(state.ring) or points_explain_all(state):
        return 0, n
    return below(state.rng, n), min(n, STRETCH)


@lean_kernel
def improve_sequence(
    state: DifferenceState,
    weights: Floats,
    kicks: int,
    limit: int,
    source: Codes,
    x: Codes,
) -> float:
    """Improve the longest permutation of ``source`` as an order into ``x``."""
    n, first = state.near.shape[0], state.control[0].first
    order = cut_order(state.order, n)
    price_orders(state.tables, order, weights, first_action(state))
    if state.layout.rules.shape[0] > 0:
        forbid_orders(order, state.layout, state.layout.places[first].segment)
    for i in range(n):
        order.items[i] = source[first + i]
    found = improve_order(order, kicks, limit, state.scratch, state.rng)
    for i in range(n):
        x[first + i] = order.items[i]
    return found


@lean_kernel
def may_match(state: DifferenceState) -> bool:
    """Whether the best order is an assignment: only positions matter."""
    n = state.near.shape[0]
    alone = n == state.trial.shape[0] and state.matching.item.shape[0] == n
    return alone and state.layout.rules.shape[0] == 0 and positions_decide(state)


@lean_kernel
def match_sequence(
    state: DifferenceState, weights: Floats, source: Codes, x: Codes
) -> float:
    """Write the best order under ``weights`` into ``x``; return the gain."""
    n, matching, before = state.near.shape[0], state.matching, 0.0
    order = cut_order(state.order, n)
    price_orders(state.tables, order, weights, first_action(state))
    for i in range(n):
        before += order.at[i, source[i]]
        for a in range(n):
            matching.cost[i, a] = order.at[i, a]
    after = solve_assignment(matching)
    for i in range(n):
        x[i] = matching.item[i]
    return before - after


@lean_kernel
def choose_values(state: DifferenceState, weights: Floats, x: Codes) -> float:
    """Give every position beside permutations its best value; return the gain.

    Subsets and groups of limited size are left as they are. Tables must have a row for
    every action, and encodings must be built in.
    """
    total, layout = 0.0, state.layout
    for s in range(layout.segments.shape[0]):
        segment = layout.segments[s]
        limited = is_limited(segment) or has_rule(layout, s, SIZES)
        if segment.kind == PERMUTATION or limited or has_rule(layout, s, CHOICE):
            continue
        for i in range(segment.start, segment.stop):
            if not stands_alone(state.layout, x, i):
                continue
            old = action_of(state.layout, i, x[i])
            before = _value_cost(state, weights, segment.kind, i, old)
            least, best = before, old
            arity = state.layout.places[i].arity - int(has_absent(state.layout, i))
            for value in range(arity):
                cost = _value_cost(state, weights, segment.kind, i, value)
                if cost < least:
                    least, best = cost, value
            total += before - least
            x[i] = code_in(state.layout, i, best, x[i])
    return total


@lean_kernel
def _value_cost(
    state: DifferenceState, weights: Floats, kind: int, i: int, value: int
) -> float:
    """What the chosen tables say of an action of position ``i``."""
    cost = 0.0
    tables, offset = state.tables, state.layout.places[i].offset
    for j in range(weights.shape[0]):
        if weights[j] == 0.0:
            continue
        e = tables.chosen[j]
        if kind == ORDINAL and tables.encodings[e] == THERMOMETER:
            for k in range(value):
                cost += weights[j] * tables.mean[e, offset + k, j]
        else:
            cost += weights[j] * tables.mean[e, offset + value, j]
    return cost
