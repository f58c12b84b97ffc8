"""Search inside the learned values: a walk that remembers where it came from."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout
from divlearn.kernels.random import below, uniform
from divlearn.kernels.scale import tame
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.quadratic.values import Values, unexplained
from divlearn.methods.dl.kernels.models.quadratic.view import (
    View,
    change,
    choose_orders,
    look_at,
    may_take,
    new_view,
    take,
    within_limits,
    write_codes,
)
from divlearn.methods.dl.kernels.search.nearby import (
    Around,
    Front,
    gather_around,
    new_around,
    promised,
)
from divlearn.methods.dl.kernels.search.relaxation import (
    Relaxation,
    new_relaxation,
    solve_relaxation,
)

#: Steps up or down that a walk considers where values are in order.
REACH = 2
#: Shortest tabu, and the share of the positions by which it varies.
TABU, TABU_SHARE = 5, 0.1
#: Cheapest changes of a member that are combined.
NUM_PICKS = 20
#: Prices are off by up to this power of e, on purpose.
PRICE_SPREAD = 1.0
HUGE = 1e300


@viewed
class Walk(NamedTuple):
    """Scratch of the search."""

    sight: View
    around: Around  # members near the one it began with
    relax: Relaxation  # of the changes in sight, for prices of constraints
    tabu: Integers  # (A,) step until which an action is not to come back
    trial: Codes  # (n,) a solution
    points: Floats  # (4, p) predicted outputs after up to three changes
    places: Integers  # (3,) positions of these changes
    news: Integers  # (3,) and their actions
    listed: Integers  # (1,) number of cheap changes listed
    picks: Integers  # (L,) cheapest changes of a member
    spots: Integers  # (L,) their positions
    cost: Floats  # (L,) their cost


def new_walk(layout: Layout, values: Values, num_objectives: int) -> Walk:
    """Make the scratch for tables of this shape."""
    num_actions, num_outputs = values.singles.mean.shape
    return Walk(
        new_view(layout, values),
        new_around(num_objectives),
        new_relaxation(layout, num_objectives, num_outputs),
        np.zeros(num_actions, np.int64),
        np.zeros(len(layout.places), np.int64),
        np.zeros((4, num_outputs)),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
        np.zeros(NUM_PICKS, np.int64),
        np.zeros(NUM_PICKS, np.int64),
        np.zeros(NUM_PICKS),
    )


@lean_kernel
def propose_values(
    values: Values,
    layout: Layout,
    walk: Walk,
    weights: Floats,
    front: Front,
    words: Words,
    member: int,
    steps: int,
    radius: int,
    hope: float,
    y: Codes,
) -> float:
    """Walk from an archive member inside the tables to what promises most.

    A tabu search: every step takes the change of least cost, better or not, and what
    was left must not come back for a while. Of all feasible solutions on the way, the
    one that is predicted to add most to the front is kept.

    Parameters
    ----------
    values, layout, walk
        Tables, positions and scratch.
    weights
        Weights of the objectives and prices of the constraints, shape (p,): what a
        step makes small.
    front
        The archive, and what was seen.
    words
        Random generator.
    member
        Slot of the archive member to start from.
    steps, radius
        Length of the walk, and how many positions may differ from the member.
    hope
        By how many usual errors objectives may turn out better than predicted. Where
        nothing is predicted to be new, that finds out where the tables are wrong.
    y
        Result, shape (n,).

    Returns ------- The predicted gain, see
    :func:`divlearn.methods.dl.kernels.front.gain`; 0 if there is none, ``y`` is then
    undefined.
    """
    sight, x = walk.sight, front.archive.solutions[member]
    choose_orders(sight, values)
    tame(front.archive.outputs[member], walk.points[0])
    look_at(sight, values, layout, x, walk.points[0])
    gather_around(walk.around, front, member)
    price_constraints(values, layout, walk, weights)
    doubt = math.exp(PRICE_SPREAD * (2.0 * uniform(words) - 1.0))
    for k in range(front.low.shape[0], weights.shape[0]):
        weights[k] *= doubt
    for a in range(walk.tabu.shape[0]):
        walk.tabu[a] = 0
    spread, distance, most = 1 + int(TABU_SHARE * x.shape[0]), 0, 0.0
    for step in range(1, steps + 1):
        i, new, _ = _best_change(
            values, layout, walk, weights, x, step, distance >= radius
        )
        if i < 0:
            break
        old, home = sight.actions[i], layout.places[i].offset + x[i]
        distance += (1 if old == home else 0) - (1 if new == home else 0)
        take(sight, values, layout, i, new)
        walk.tabu[old] = step + TABU + below(words, spread)
        if distance > 0 and within_limits(sight, layout):
            gained = _hoped(walk, front, values, hope, most)
            if gained > most and _is_new(walk, layout, front):
                most = gained
                write_codes(sight, layout, y)
    return most


@lean_kernel
def mend_values(
    values: Values,
    layout: Layout,
    walk: Walk,
    weights: Floats,
    x: Codes,
    outputs: Floats,
    y: Codes,
) -> bool:
    """Write into ``y`` what becomes of ``x`` when it is led to where it is feasible.

    Parameters
    ----------
    values, layout, walk
        Tables, positions and scratch.
    weights
        Filled with zeros and the prices of the constraints, shape (p,).
    x, outputs
        Solution that violates a constraint, and its outputs.
    y
        Result, shape (n,).

    Returns
    -------
    Whether less violation is predicted.
    """
    sight, m = walk.sight, walk.relax.weights.shape[0]
    choose_orders(sight, values)
    look_at(sight, values, layout, x, outputs)
    for k in range(weights.shape[0]):
        square = values.outputs[k].square
        weights[k] = 1.0 / math.sqrt(square) if k >= m and square > 0.0 else 0.0
    for a in range(walk.tabu.shape[0]):
        walk.tabu[a] = 0
    moved = False
    for step in range(1, x.shape[0] + 1):
        i, new, cost = _best_change(values, layout, walk, weights, x, step, False)
        if i < 0 or cost >= _violation(sight.outputs, weights, m):
            break
        walk.tabu[sight.actions[i]] = x.shape[0] + 1
        take(sight, values, layout, i, new)
        moved = True
    write_codes(sight, layout, y)
    return moved and within_limits(sight, layout)


@lean_kernel
def _violation(outputs: Floats, weights: Floats, m: int) -> float:
    """Priced sum of the constraint values above zero."""
    total = 0.0
    for k in range(m, weights.shape[0]):
        total += weights[k] * max(0.0, outputs[k])
    return total


@lean_kernel
def price_constraints(
    values: Values, layout: Layout, walk: Walk, weights: Floats
) -> None:
    """Write prices of the constraints into ``weights[m:]``.

    Those at which the best solution just keeps the constraints, if all changes of the
    solution in sight were worth the same together as alone.
    """
    relax, sight = walk.relax, walk.sight
    m, p = relax.weights.shape[0], weights.shape[0]
    if m == p:
        return
    for k in range(p):
        relax.base[k] = sight.outputs[k]
        if k < m:
            relax.weights[k] = weights[k]
        else:
            relax.price[k - m] = 0.0  # what was before must not matter
    for i in range(layout.places.shape[0]):
        place = layout.places[i]
        for a in range(place.offset, place.offset + place.arity):
            for k in range(p):
                relax.table[a, k] = change(sight, values, a, sight.actions[i], k)
    solve_relaxation(relax, layout)
    for k in range(m, p):
        weights[k] = relax.price[k - m]


@lean_kernel
def _hoped(walk: Walk, front: Front, values: Values, hope: float, most: float) -> float:
    """What the solution in sight would add, with ``hope`` errors to the better."""
    better = walk.points[0]
    for k in range(better.shape[0]):
        better[k] = walk.sight.outputs[k]
        if k < front.low.shape[0] and hope > 0.0:
            square = unexplained(values, k) * values.outputs[k].square
            better[k] -= hope * math.sqrt(square)
    return promised(walk.around, front, better, most)


@lean_kernel
def _is_new(walk: Walk, layout: Layout, front: Front) -> bool:
    """Whether the solution in sight was never handed out."""
    write_codes(walk.sight, layout, walk.trial)
    return not is_seen(front.seen, hash_solution(layout, walk.trial, False))


@lean_kernel
def _best_change(
    values: Values,
    layout: Layout,
    walk: Walk,
    weights: Floats,
    x: Codes,
    step: int,
    homeward: bool,
) -> tuple[int, int, float]:
    """Find the position and action of least cost that is not tabu; -1 for none."""
    sight = walk.sight
    best_i, best_new, least = -1, -1, HUGE
    for i in range(x.shape[0]):
        place = layout.places[i]
        kind = layout.segments[place.segment].kind
        old = sight.actions[i]
        if kind == PERMUTATION or (homeward and old == place.offset + x[i]):
            continue
        first, last = place.offset, place.offset + place.arity
        if kind == ORDINAL:
            first, last = max(first, old - REACH), min(last, old + REACH + 1)
        for new in range(first, last):
            if new == old or walk.tabu[new] > step:
                continue
            if not may_take(sight, layout, i, new, 1):
                continue
            cost = _cost(values, walk, weights, new, old)
            if cost < least:
                best_i, best_new, least = i, new, cost
    return best_i, best_new, least


@lean_kernel
def _cost(values: Values, walk: Walk, weights: Floats, new: int, old: int) -> float:
    """Weighted change of the objectives, and the price of what is then violated."""
    sight, m, cost = walk.sight, walk.relax.weights.shape[0], 0.0
    for k in range(m):
        cost += weights[k] * change(sight, values, new, old, k)
    for k in range(m, weights.shape[0]):
        after = sight.outputs[k] + change(sight, values, new, old, k)
        if after > 0.0:
            cost += weights[k] * after
    return cost
