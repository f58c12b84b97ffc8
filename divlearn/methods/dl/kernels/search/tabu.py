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
from divlearn.methods.dl.kernels.search.nearby import gather_around, promised
from divlearn.methods.dl.kernels.search.relaxation import HUGE, solve_relaxation
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState

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
    for a in range(walk.tabu.shape[0]):
        walk.tabu[a] = 0
    spread, distance, most = 1 + int(TABU_SHARE * x.shape[0]), 0, 0.0
    for step in range(1, steps + 1):
        i, new, _ = _best_change(state, x, step, distance >= radius)
        if i < 0:
            break
        old, home = view.actions[i], row_of(layout, i, x[i])
        distance += (1 if old == home else 0) - (1 if new == home else 0)
        take(view, state.values, layout, i, new)
        walk.tabu[old] = step + TABU + below(rng, spread)
        if distance > 0 and within_limits(view, layout) and _keeps_rules(state):
            gained = _optimistic_gain(state, optimism, most)
            if gained > most and _is_new(state):
                most = gained
                write_codes(view, layout, y)
    return most


@lean_kernel
def _jitter_prices(state: DifferenceState) -> None:
    """Multiply all prices of constraints by a random factor."""
    weights = state.weights[OF_TABLES]
    factor = math.exp(PRICE_JITTER * (2.0 * uniform(state.rng) - 1.0))
    for k in range(state.low.shape[0], weights.shape[0]):
        weights[k] *= factor


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
    for k in range(weights.shape[0]):
        square = values.outputs[k].square
        weights[k] = 1.0 / math.sqrt(square) if k >= m and square > 0.0 else 0.0
    for a in range(walk.tabu.shape[0]):
        walk.tabu[a] = 0
    moved = False
    for step in range(1, x.shape[0] + 1):
        i, new, cost = _best_change(state, x, step, False)
        if i < 0 or cost >= _violation(view.outputs, weights, m):
            break
        walk.tabu[view.actions[i]] = x.shape[0] + 1
        take(view, values, layout, i, new)
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
    if m == p:
        return
    for k in range(p):
        relax.base[k] = view.outputs[k]
        if k < m:
            relax.weights[k] = weights[k]
        else:
            relax.price[k - m] = 0.0  # what was before must not matter
    for i in range(layout.places.shape[0]):
        place = layout.places[i]
        for a in range(place.offset, place.offset + place.arity):
            for k in range(p):
                relax.table[a, k] = change(view, state.values, a, view.actions[i], k)
    solve_relaxation(relax, layout)
    for k in range(m, p):
        weights[k] = relax.price[k - m]


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
            cost = _cost(state.values, view, weights, m, new, old)
            if cost < least:
                best_i, best_new, least = i, new, cost
    return best_i, best_new, least


@lean_kernel
def _cost(
    values: Values, view: View, weights: Floats, m: int, new: int, old: int
) -> float:
    """Weighted change of the objectives, and the price of what is then violated."""
    cost = 0.0
    for k in range(m):
        cost += weights[k] * change(view, values, new, old, k)
    for k in range(m, weights.shape[0]):
        after = view.outputs[k] + change(view, values, new, old, k)
        if after > 0.0:
            cost += weights[k] * after
    return cost
