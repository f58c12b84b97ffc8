"""Neighbours of a member that acts as a cycle: those that promise something new.

Moves exchange two pairs of neighbours (2-opt) or take a short stretch elsewhere
(or-opt); kicks are the last resort. Members are priced pair by pair.
"""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_repaired
from divlearn.methods.dl.kernels.front import aim_at
from divlearn.methods.dl.kernels.memory import lists_changes
from divlearn.methods.dl.kernels.models.additive import find_row
from divlearn.methods.dl.kernels.models.encodings import pair_action
from divlearn.methods.dl.kernels.models.geometry import points_explain_all
from divlearn.methods.dl.kernels.models.latent import is_fitted, point_distance
from divlearn.methods.dl.kernels.search.cycles import first_action, priced_tour
from divlearn.methods.dl.kernels.search.improvement import promises, promises_repaired
from divlearn.methods.dl.kernels.search.tours import (
    Tour,
    aligned,
    choose_near,
    cut_tour,
    is_within,
    item_at,
    keep,
    restore,
    reverse,
    set_tour,
    step,
)
from divlearn.methods.dl.kernels.search.two_opt import (
    LONGEST_MOVED,
    MOVES_PER_ITEM,
    descend,
    kick,
    move_stretch,
)
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Kicks of a member that may lead to something not dominated.
MEMBER_KICKS = 30
#: Items that are looked at for one candidate where pairs have to be looked up.
MOST_LOOKED = 500


@lean_kernel
def neighbour_of_member(state: DifferenceState, slot: int, x: Codes) -> bool:
    """Write a neighbour of a member that promises something unseen; False for none.

    Items at which the search found nothing are not looked at again.
    """
    size, first = state.control[0].archive_size, state.control[0].first
    n, source, y = state.near.shape[0], state.archive.solutions[slot], state.told
    tame(state.archive.outputs[slot], y)
    copy_codes(source, x)
    weights, tour = state.weights[OF_TABLES], cut_tour(state.tour, n)
    slack = aim_at(state.archive, size, y, state.low, state.high, weights)
    set_tour(tour, source, first)
    if lists_changes(state.ring):
        n = min(n, state.open[slot] + MOST_LOOKED)
    while state.open[slot] < n:
        number = try_neighbours(state, tour, slack, state.open[slot], 0)
        while number >= 0:
            aligned(tour, source, first, x)
            if is_new(state, x, True) and promises_repaired(state, source, x):
                return True
            if is_repaired(state):
                copy_codes(source, x)
            set_tour(tour, source, first)
            number = try_neighbours(state, tour, slack, state.open[slot], number)
        state.open[slot] += 1
    return False


@lean_kernel
def kicked_member(state: DifferenceState, slot: int, x: Codes) -> bool:
    """Write what a kicked member leads to, if that is unseen and promises something."""
    if lists_changes(state.ring) and not points_explain_all(state):
        return False  # pairs of a whole cycle are not known, or take long to find
    first, source = state.control[0].first, state.archive.solutions[slot]
    tour = priced_tour(state, state.weights[OF_TABLES])
    tame(state.archive.outputs[slot], state.told)
    copy_codes(source, x)
    set_tour(tour, source, first)
    choose_near(tour, state.near, 0, state.near.shape[0])
    if not kick_promises(state, tour, MEMBER_KICKS):
        return False
    aligned(tour, source, first, x)
    return is_new(state, x, True) and promises_repaired(state, source, x)


# --- what pairs of neighbours cost


@inlined_kernel
def _pair_row(state: DifferenceState, base: int, n: int, a: int, b: int) -> int:
    """Row of a pair in the tables."""
    action = base + pair_action(a, b, n, False)
    if state.tables.keys.shape[1] == 0:
        return action
    return _known_row(state, action)


@lean_kernel
def _known_row(state: DifferenceState, action: int) -> int:
    """Row of a pair in tables that have no row for each."""
    if points_explain_all(state):
        return action
    return find_row(state.tables.keys[state.tables.chosen[0]], action, False)


@inlined_kernel
def _mean(
    state: DifferenceState, means: Floats, row: int, a: int, b: int, j: int
) -> float:
    """What a pair adds to output ``j``.

    ``row`` is its row in the tables, and ``means`` their rows, shape (R, m + c).
    """
    if state.tables.keys.shape[1] == 0:  # rows are never negative
        return float(means[np.uint64(row), np.uint64(j)])
    return _known_mean(state, row, a, b, j)


@lean_kernel
def _known_mean(state: DifferenceState, row: int, a: int, b: int, j: int) -> float:
    """What a pair adds to output ``j`` where tables have no row for each."""
    tables, points = state.tables, state.points
    if j < points.shape[0] and is_fitted(points, j):
        return point_distance(points[j], a, b)
    return float(tables.mean[tables.chosen[j], row, j])


@lean_kernel
def _add_pair(
    state: DifferenceState,
    means: Floats,
    delta: Floats,
    base: int,
    n: int,
    a: int,
    b: int,
    sign: float,
) -> None:
    """Add a pair to a predicted difference."""
    row = _pair_row(state, base, n, a, b)
    for j in range(delta.shape[0]):
        delta[j] += sign * _mean(state, means, row, a, b, j)


@inlined_kernel
def _price_exchange(
    state: DifferenceState,
    means: Floats,
    base: int,
    n: int,
    a: int,
    b: int,
    c: int,
    d: int,
) -> None:
    """Predict the difference of (a, c) and (b, d) in the place of (a, b) and (c, d)."""
    delta = state.delta
    ac, bd = _pair_row(state, base, n, a, c), _pair_row(state, base, n, b, d)
    ab, cd = _pair_row(state, base, n, a, b), _pair_row(state, base, n, c, d)
    for j in range(delta.shape[0]):
        come = _mean(state, means, ac, a, c, j) + _mean(state, means, bd, b, d, j)
        left = come - _mean(state, means, ab, a, b, j)
        delta[j] = left - _mean(state, means, cd, c, d, j)


@inlined_kernel
def _price_moving(
    state: DifferenceState,
    means: Floats,
    base: int,
    n: int,
    a: int,
    e: int,
    out: int,
    inner: int,
    c: int,
    d: int,
) -> None:
    """Predict the difference of moving a stretch from ``a`` to ``e``.

    It leaves ``out`` and ``inner``, and comes between ``c`` and ``d``.
    """
    delta = state.delta
    ao, ei = _pair_row(state, base, n, a, out), _pair_row(state, base, n, e, inner)
    cd, oi = _pair_row(state, base, n, c, d), _pair_row(state, base, n, out, inner)
    ac, ed = _pair_row(state, base, n, a, c), _pair_row(state, base, n, e, d)
    for j in range(delta.shape[0]):
        go = -_mean(state, means, ao, a, out, j)
        go -= _mean(state, means, ei, e, inner, j)
        go -= _mean(state, means, cd, c, d, j)
        come = go + _mean(state, means, oi, out, inner, j)
        come += _mean(state, means, ac, a, c, j)
        delta[j] = come + _mean(state, means, ed, e, d, j)


@inlined_kernel
def _weighted(
    state: DifferenceState, means: Floats, base: int, n: int, a: int, b: int
) -> float:
    """Cost of a pair under the weights of the tables."""
    weights, row, total = state.weights[OF_TABLES], _pair_row(state, base, n, a, b), 0.0
    for j in range(weights.shape[0]):
        total += weights[j] * _mean(state, means, row, a, b, j)
    return total


@lean_kernel
def _clear(delta: Floats) -> None:
    """Begin a prediction."""
    for j in range(delta.shape[0]):
        delta[j] = 0.0


@lean_kernel
def price_tour(
    state: DifferenceState, tour: Tour, base: int, sign: float, delta: Floats
) -> None:
    """Add all pairs of the cycle, times ``sign``, to ``delta``."""
    n, tables = tour.order.shape[0], state.tables
    means = tables.mean[tables.chosen[0]]
    for i in range(n):
        b = tour.order[i + 1] if i + 1 < n else tour.order[0]
        _add_pair(state, means, delta, base, n, tour.order[i], b, sign)


# --- moves


@lean_kernel
def try_neighbours(
    state: DifferenceState, tour: Tour, slack: float, a: int, number: int
) -> int:
    """Find a move at item ``a`` that promises something new, and make it.

    Parameters
    ----------
    state
        State; the outputs of the cycle stand in ``told``, and the weights of the
        tables are those under which it is nearly the best.
    tour
        The cycle; changed by the move.
    slack
        By how much something new may be worse under these weights. Moves are passed
        over whose first new pair alone costs more than that.
    a
        Item at which the move starts.
    number
        Moves of this item to pass over.

    Returns
    -------
    Number of moves looked at, or -1 if none of the rest promises anything.
    """
    near, base, bounded = state.near[a], first_action(state), slack < math.inf
    n, count, here = tour.order.shape[0], 0, tour.place[a]
    means = state.tables.mean[state.tables.chosen[0]]
    for way in (1, -1):
        b, most = item_at(tour, here + way), slack
        if bounded:
            most += _weighted(state, means, base, n, a, b)
        for k in range(near.shape[0]):
            c = near[k]
            if c < 0:
                break
            d = item_at(tour, tour.place[np.uint64(c)] + way)
            if b == c or a == d:
                continue
            if bounded and _weighted(state, means, base, n, a, c) > most:
                continue
            count += 1
            if count <= number:
                continue
            _price_exchange(state, means, base, n, a, b, c, d)
            if promises(state):
                if way == 1:
                    reverse(tour, tour.place[b], tour.place[c])
                else:
                    reverse(tour, tour.place[a], tour.place[d])
                return count
        count = _try_moving(state, tour, slack, a, way, number, count)
        if count < 0:
            return -count
    return -1


@inlined_kernel
def _try_moving(
    state: DifferenceState,
    tour: Tour,
    slack: float,
    a: int,
    way: int,
    number: int,
    count: int,
) -> int:
    """Try stretches that end in ``a`` beside the items near it.

    Returns the number of moves looked at, negative if the last one was made.
    """
    near, base, bounded = state.near[a], first_action(state), slack < math.inf
    n, here = tour.order.shape[0], tour.place[a]
    means = state.tables.mean[state.tables.chosen[0]]
    out = item_at(tour, here + way)
    for length in range(1, min(LONGEST_MOVED, n - 3) + 1):
        e = item_at(tour, here - way * (length - 1))
        inner, most = item_at(tour, here - way * length), slack
        if bounded:
            freed = _weighted(state, means, base, n, a, out)
            freed += _weighted(state, means, base, n, e, inner)
            most += freed - _weighted(state, means, base, n, out, inner)
        for k in range(near.shape[0]):
            c = near[k]
            if c < 0:
                break
            there = tour.place[np.uint64(c)]
            if is_within(tour, there, here, way, length):
                continue
            if bounded and _weighted(state, means, base, n, a, c) > most:
                continue
            for side in (1, -1):
                beside = step(tour, there, side)
                if is_within(tour, beside, here, way, length):
                    continue
                count += 1
                if count <= number:
                    continue
                d = item_at(tour, beside)
                _price_moving(state, means, base, n, a, e, out, inner, c, d)
                if promises(state):
                    move_stretch(tour, a, e, length, way, c, d)
                    return -count
    return count


@lean_kernel
def kick_promises(state: DifferenceState, tour: Tour, tries: int) -> bool:
    """Kick and descend until the cycle promises something new.

    ``tour`` holds the cycle whose outputs are ``told``, priced under weights for which
    it is nearly the best.
    """
    keep(tour)
    base, delta = first_action(state), state.delta
    for _ in range(tries):
        _clear(delta)
        price_tour(state, tour, base, -1.0, delta)
        kick(tour, state.rng)
        descend(tour, MOVES_PER_ITEM * tour.order.shape[0])
        price_tour(state, tour, base, 1.0, delta)
        if promises(state):
            return True
        restore(tour)
    return False
