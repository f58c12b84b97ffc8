"""Tabu search inside learned values: a walk that remembers where it came from.

Weights of the objectives, and prices of the constraints behind them, are the state's
weights of the tables.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.cells import row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION
from divlearn.kernels.random import below, uniform
from divlearn.kernels.scale import tame
from divlearn.kernels.structure import keeps_rules, may_become
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_repaired
from divlearn.methods.dl.kernels.models.hidden import excess_of, is_trusted
from divlearn.methods.dl.kernels.models.quadratic.values import Values, unexplained
from divlearn.methods.dl.kernels.models.quadratic.view import (
    View,
    change,
    choose_orders,
    code_of_row,
    look_at,
    may_take,
    take,
    within_limits,
    write_codes,
)
from divlearn.methods.dl.kernels.search.loads import (
    cost_of_load,
    list_load,
    move_on,
    view_back,
    view_trial,
)
from divlearn.methods.dl.kernels.search.nearby import gather_around, promised
from divlearn.methods.dl.kernels.search.relaxation import HUGE, solve_relaxation
from divlearn.methods.dl.kernels.search.rows import (
    are_many,
    list_rows,
    price_rows,
    priced_change,
)
from divlearn.methods.dl.kernels.search.scratch import LOAD, PRICE
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Steps up or down that a walk considers where values are in order.
REACH = 2
#: Shortest tabu, and the share of the positions by which it varies.
TABU, TABU_SHARE = 5, 0.1
#: Prices are off by up to this power of e, on purpose.
PRICE_JITTER = 1.0


@lean_kernel
def look_at_member(state: DifferenceState, member: int) -> None:
    """Begin at a member of the archive, and price the constraints there."""
    walk, values = state.inside, state.values
    choose_orders(walk.view, values)
    tame(state.archive.outputs[member], walk.points[0])
    x = state.archive.solutions[member]
    look_at(walk.view, values, state.layout, x, walk.points[0])
    gather_around(state, member)
    trusted = is_trusted(state.hidden)
    walk.limit[LOAD] = excess_of(state.hidden, state.layout, x) if trusted else 0.0
    _price_constraints(state)


@lean_kernel
def walk_values(
    state: DifferenceState,
    member: int,
    steps: int,
    radius: int,
    optimism: float,
    y: Codes,
) -> float:
    """Walk from an archive member inside the tables to what promises most.

    A tabu search: every step takes the change of least cost, better or not, and what
    was left must not come back for a while. Of all feasible solutions on the way, the
    one that is predicted to add most to the front is kept.

    Parameters
    ----------
    state
        State; its weights of the objectives are what a step makes small.
    member
        Slot of the archive member to start from.
    steps, radius
        Length of the walk, and how many positions may differ from the member.
    optimism
        By how many usual errors objectives may turn out better than predicted. Where
        nothing is predicted to be new, that finds out where the tables are wrong.
    y
        Result, shape (n,).

    Returns
    -------
    The predicted gain, see :func:`divlearn.methods.dl.kernels.front.gain`; 0 if there
    is none, ``y`` is then undefined.
    """
    walk, view, layout = state.inside, state.inside.view, state.layout
    x, rng = state.archive.solutions[member], state.rng
    look_at_member(state, member)
    _jitter_prices(state)
    _follow_rows(state)
    for a in range(walk.tabu.shape[0]):
        walk.tabu[a] = 0
    spread, distance, most = 1 + int(TABU_SHARE * x.shape[0]), 0, 0.0
    for step in range(1, steps + 1):
        i, new, _ = _best_change(state, x, step, distance >= radius)
        if i < 0:
            break
        old, home = view.actions[i], row_of(layout, i, x[i])
        distance += (1 if old == home else 0) - (1 if new == home else 0)
        move_on(state, i, new)
        _follow_rows(state)
        walk.tabu[old] = step + TABU + below(rng, spread)
        inside = within_limits(view, layout) and walk.limit[LOAD] <= 0.0
        if distance > 0 and inside and _keeps_rules(state):
            most = _keep_better(state, optimism, most, y)
    return most


@lean_kernel
def _keep_better(
    state: DifferenceState, optimism: float, most: float, y: Codes
) -> float:
    """Write the solution in view into ``y`` if it promises more; return how much."""
    gained = _optimistic_gain(state, optimism, most)
    if gained <= most or not _is_new(state):
        return most
    if not is_repaired(state):
        write_codes(state.inside.view, state.layout, y)
        return gained
    view_trial(state)  # judged as it would be evaluated
    gained = _optimistic_gain(state, optimism, most)
    view_back(state)
    if gained <= most:
        return most
    copy_codes(state.inside.trial, y)
    return gained


@lean_kernel
def _jitter_prices(state: DifferenceState) -> None:
    """Multiply all prices of constraints by a random factor."""
    weights = state.weights[OF_TABLES]
    factor = math.exp(PRICE_JITTER * (2.0 * uniform(state.rng) - 1.0))
    for k in range(state.low.shape[0], weights.shape[0]):
        weights[k] *= factor
    state.inside.limit[PRICE] *= factor


@lean_kernel
def mend_values(state: DifferenceState, x: Codes, outputs: Floats, y: Codes) -> bool:
    """Write into ``y`` what becomes of ``x`` when it is led to where it is feasible.

    Parameters
    ----------
    state
        State; its weights of the tables are zeros and the prices of the constraints
        afterwards.
    x, outputs
        Solution that violates a constraint, and its outputs.
    y
        Result, shape (n,).

    Returns
    -------
    Whether less violation is predicted.
    """
    walk, values, layout = state.inside, state.values, state.layout
    view, weights, m = walk.view, state.weights[OF_TABLES], state.low.shape[0]
    choose_orders(view, values)
    look_at(view, values, layout, x, outputs)
    walk.limit[LOAD], walk.limit[PRICE] = 0.0, 0.0
    for k in range(weights.shape[0]):
        square = values.outputs[k].square
        weights[k] = 1.0 / math.sqrt(square) if k >= m and square > 0.0 else 0.0
    if are_many(walk.rows):
        _tabulate(state)
        list_rows(walk.rows, walk.relax)
        _follow_rows(state)
    for a in range(walk.tabu.shape[0]):
        walk.tabu[a] = 0
    moved = False
    for step in range(1, x.shape[0] + 1):
        i, new, cost = _best_change(state, x, step, False)
        before = 0.0 if _by_rows(state) else _violation(view.outputs, weights, m)
        if i < 0 or cost >= before:
            break
        walk.tabu[view.actions[i]] = x.shape[0] + 1
        take(view, values, layout, i, new)
        _follow_rows(state)
        moved = True
    write_codes(view, layout, y)
    return moved and within_limits(view, layout)


@lean_kernel
def _violation(outputs: Floats, weights: Floats, m: int) -> float:
    """Priced sum of the constraint values above zero."""
    total = 0.0
    for k in range(m, weights.shape[0]):
        total += weights[k] * max(0.0, outputs[k])
    return total


@lean_kernel
def _price_constraints(state: DifferenceState) -> None:
    """Write prices of the constraints behind the weights of the objectives.

    Those at which the best solution just keeps the constraints, if all changes of the
    solution in view were worth the same together as alone.
    """
    relax, view, weights = (
        state.inside.relax,
        state.inside.view,
        state.weights[OF_TABLES],
    )
    layout, m, p = state.layout, relax.weights.shape[0], weights.shape[0]
    rows, target = state.inside.rows, 0.0
    if m == relax.outputs.shape[0]:
        return
    for k in range(m):
        relax.weights[k] = weights[k]
        target += weights[k] * view.outputs[k]
    _tabulate(state)
    if are_many(rows):
        list_rows(rows, relax)
        for r in range(p - m):
            rows.price[r] = 0.0
        price_rows(relax, rows, layout, target)
        for k in range(m, p):
            weights[k] = rows.price[k - m]
        return
    for k in range(m, p):
        relax.price[k - m] = 0.0  # what was before must not matter
    if p < relax.outputs.shape[0]:
        list_load(state)
    solve_relaxation(relax, layout)
    for k in range(m, p):
        weights[k] = relax.price[k - m]
    state.inside.limit[PRICE] = relax.price[p - m] if p < relax.base.shape[0] else 0.0


@lean_kernel
def _tabulate(state: DifferenceState) -> None:
    """Write what every change of the solution in view would do as a table."""
    relax, view, layout = state.inside.relax, state.inside.view, state.layout
    for k in range(view.outputs.shape[0]):
        relax.base[k] = view.outputs[k]
    for i in range(layout.places.shape[0]):
        place = layout.places[i]
        for a in range(place.offset, place.offset + place.arity):
            for k in range(view.outputs.shape[0]):
                relax.table[a, k] = change(view, state.values, a, view.actions[i], k)


@lean_kernel
def _by_rows(state: DifferenceState) -> bool:
    """Whether constraints are many, and what changes do to them is always the same."""
    paired = 0
    for k in range(state.low.shape[0], state.inside.view.paired.shape[0]):
        paired += state.inside.view.paired[k]
    return are_many(state.inside.rows) and paired == 0


@lean_kernel
def _follow_rows(state: DifferenceState) -> None:
    """Let many constraints have the values of the solution in view, and its prices."""
    rows, view, m = state.inside.rows, state.inside.view, state.low.shape[0]
    for r in range(rows.price.shape[0]):
        rows.value[r] = view.outputs[m + r]
        rows.price[r] = state.weights[OF_TABLES, m + r]


@lean_kernel
def _optimistic_gain(state: DifferenceState, optimism: float, most: float) -> float:
    """What the solution in view would add, if outputs are better than predicted."""
    better, values = state.inside.points[0], state.values
    for k in range(better.shape[0]):
        better[k] = state.inside.view.outputs[k]
        if k < state.low.shape[0] and optimism > 0.0:
            square = unexplained(values, k) * values.outputs[k].square
            better[k] -= optimism * math.sqrt(square)
    return promised(state, better, most)


@lean_kernel
def _keeps_rules(state: DifferenceState) -> bool:
    """Whether the solution in view keeps what its space demands."""
    if state.layout.rules.shape[0] == 0:
        return True
    write_codes(state.inside.view, state.layout, state.inside.trial)
    return keeps_rules(state.layout, state.inside.trial)


@lean_kernel
def _is_new(state: DifferenceState) -> bool:
    """Whether the solution in view was never handed out."""
    write_codes(state.inside.view, state.layout, state.inside.trial)
    return is_new(state, state.inside.trial, False)


@lean_kernel
def _best_change(
    state: DifferenceState, x: Codes, step: int, homeward: bool
) -> tuple[int, int, float]:
    """Find the position and action of least cost that is not tabu; -1 for none."""
    view, tabu, layout = state.inside.view, state.inside.tabu, state.layout
    weights, m = state.weights[OF_TABLES], state.low.shape[0]
    best_i, best_new, least = -1, -1, HUGE
    ruled, codes = layout.rules.shape[0] > 0, state.inside.trial
    by_rows = _by_rows(state)
    if ruled:
        write_codes(view, layout, codes)
    for i in range(x.shape[0]):
        place = layout.places[i]
        kind = layout.segments[place.segment].kind
        old = view.actions[i]
        if kind == PERMUTATION or (homeward and old == row_of(layout, i, x[i])):
            continue
        first, last = place.offset, place.offset + place.arity
        if kind == ORDINAL:
            first, last = max(first, old - REACH), min(last, old + REACH + 1)
        for new in range(first, last):
            if new == old or tabu[new] > step:
                continue
            if not may_take(view, layout, i, new, 1):
                continue
            if ruled and not may_become(
                layout, codes, i, code_of_row(view, layout, i, new)
            ):
                continue
            last_output = m if by_rows else weights.shape[0]
            cost = _cost(state.values, view, weights, m, last_output, new, old)
            if by_rows:
                cost += priced_change(state.inside.rows, new, old)
            if state.inside.limit[PRICE] > 0.0:
                cost += cost_of_load(state, new, old)
            if cost < least:
                best_i, best_new, least = i, new, cost
    return best_i, best_new, least


@lean_kernel
def _cost(
    values: Values,
    view: View,
    weights: Floats,
    m: int,
    stop: int,
    new: int,
    old: int,
) -> float:
    """Weighted change of the objectives, and the price of what is then violated.

    Constraints count up to output ``stop``.
    """
    cost = 0.0
    for k in range(m):
        cost += weights[k] * change(view, values, new, old, k)
    for k in range(m, stop):
        after = view.outputs[k] + change(view, values, new, old, k)
        if after > 0.0:
            cost += weights[k] * after
    return cost
