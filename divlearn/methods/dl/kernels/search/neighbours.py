"""Neighbours of archive members that are predicted to extend the front.

A neighbour has another action at one position, or at two or three of those where a
change costs least by itself: flips, exchanges, one for two and two for one, steps.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET, Layout
from divlearn.kernels.random import uniform
from divlearn.kernels.structure import keeps_rules
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_repaired
from divlearn.methods.dl.kernels.models.hidden import is_trusted, weight_of
from divlearn.methods.dl.kernels.models.quadratic.view import (
    change,
    code_of_row,
    joint_change,
    write_codes,
)
from divlearn.methods.dl.kernels.search.loads import view_back, view_trial
from divlearn.methods.dl.kernels.search.nearby import promised
from divlearn.methods.dl.kernels.search.scratch import LOAD, PRICE, Walk
from divlearn.methods.dl.kernels.search.tabu import (
    REACH,
    look_at_member,
)
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes, is_limited

#: Exchanges of items of a limited subset that are looked at around a member.
MOST_EXCHANGES = 2_000


@lean_kernel
def refine_values(state: DifferenceState, member: int, y: Codes) -> float:
    """Write the neighbour of an archive member that promises to add most to the front.

    Parameters
    ----------
    state
        State; its weights of the tables say which changes cost least. The prices of
        the constraints are written behind them.
    member
        Slot of the archive member.
    y
        Result, shape (n,).

    Returns
    -------
    The predicted gain, see :func:`divlearn.methods.dl.kernels.front.gain`; 0 if there
    is none, ``y`` is then undefined.
    """
    look_at_member(state, member)
    most, spots = _try_single(state, y), state.inside.spots
    most = _try_exchanges(state, most, y)
    for a in range(state.inside.listed[0]):
        _apply(state, 1, a)
        for b in range(a):
            if spots[a] == spots[b]:
                continue
            _apply(state, 2, b)
            most = _keep_best(state, 2, most, y)
            for c in range(b):
                if spots[c] in (spots[a], spots[b]):
                    continue
                _apply(state, 3, c)
                most = _keep_best(state, 3, most, y)
    return most


@lean_kernel
def _try_single(state: DifferenceState, y: Codes) -> float:
    """Try every other action of every position, and list those that cost least."""
    walk, values, layout = state.inside, state.values, state.layout
    view, weights, most = walk.view, state.weights[OF_TABLES], 0.0
    walk.listed[0] = 0
    for k in range(weights.shape[0]):
        walk.points[0, k] = view.outputs[k]
    for i in range(y.shape[0]):
        place = layout.places[i]
        kind = layout.segments[place.segment].kind
        if kind == PERMUTATION:
            continue
        old, start, stop = view.actions[i], place.offset, place.offset + place.arity
        if kind == ORDINAL:
            start, stop = max(start, old - REACH), min(stop, old + REACH + 1)
        for new in range(start, stop):
            if new == old:
                continue
            cost = 0.0
            for k in range(weights.shape[0]):
                step = change(view, values, new, old, k)
                walk.points[1, k] = view.outputs[k] + step
                cost += weights[k] * step
            if is_trusted(state.hidden):
                step = weight_of(state.hidden, new) - weight_of(state.hidden, old)
                cost += walk.limit[PRICE] * step
            walk.news[0], walk.places[0] = new, i
            most = _keep_best(state, 1, most, y)
            _shortlist(walk, i, new, cost)
    return most


@lean_kernel
def _try_exchanges(state: DifferenceState, most: float, y: Codes) -> float:
    """Try one item for another in subsets of limited size, all or a sample of them.

    There what costs least by itself is to add, always, so that no pair of the cheapest
    changes keeps the size.
    """
    view, layout = state.inside.view, state.layout
    for s in range(layout.segments.shape[0]):
        segment, ones = layout.segments[s], view.ones[s]
        if not is_limited(segment) or ones == 0:
            continue
        pairs = ones * (segment.stop - segment.start - ones)
        share = MOST_EXCHANGES / max(1, pairs)
        for i in range(segment.start, segment.stop):
            if view.actions[i] == layout.places[i].offset:
                continue
            for j in range(segment.start, segment.stop):
                taken = view.actions[j] > layout.places[j].offset
                if taken or (share < 1.0 and uniform(state.rng) >= share):
                    continue
                _apply_change(state, 1, i, layout.places[i].offset)
                _apply_change(state, 2, j, layout.places[j].offset + 1)
                most = _keep_best(state, 2, most, y)
    return most


@lean_kernel
def _shortlist(walk: Walk, i: int, new: int, cost: float) -> None:
    """Keep the changes of least cost, sorted."""
    j = walk.listed[0]
    if j == walk.picks.shape[0]:
        j -= 1
        if cost >= walk.cost[j]:
            return
    walk.listed[0] = j + 1
    while j > 0 and walk.cost[j - 1] > cost:
        walk.cost[j], walk.picks[j] = walk.cost[j - 1], walk.picks[j - 1]
        walk.spots[j] = walk.spots[j - 1]
        j -= 1
    walk.cost[j], walk.picks[j], walk.spots[j] = cost, new, i


@lean_kernel
def _apply(state: DifferenceState, depth: int, pick: int) -> None:
    """Write the outputs after one more change into ``points[depth]``."""
    _apply_change(state, depth, state.inside.spots[pick], state.inside.picks[pick])


@lean_kernel
def _apply_change(state: DifferenceState, depth: int, i: int, new: int) -> None:
    """Write the outputs after position ``i`` has changed, too."""
    walk, values, view = state.inside, state.values, state.inside.view
    old = view.actions[i]
    walk.places[depth - 1], walk.news[depth - 1] = i, new
    for k in range(walk.points.shape[1]):
        value = walk.points[depth - 1, k] + change(view, values, new, old, k)
        if view.paired[k] == 1:
            for d in range(depth - 1):
                come, gone = walk.news[d], view.actions[walk.places[d]]
                value += joint_change(values, new, old, come, gone, k)
        walk.points[depth, k] = value


@lean_kernel
def _keep_best(state: DifferenceState, depth: int, most: float, y: Codes) -> float:
    """Write a neighbour into ``y`` if it promises more than ``most``; return that."""
    walk, layout = state.inside, state.layout
    gained = promised(state, walk.points[depth], most)
    if gained <= most or not _keeps_limits(layout, walk, depth):
        return most
    if is_trusted(state.hidden) and _load_of(state, depth) > 0.0:
        return most
    write_codes(walk.view, layout, walk.trial)
    for d in range(depth):
        i = walk.places[d]
        walk.trial[i] = code_of_row(walk.view, layout, i, walk.news[d])
    if not keeps_rules(layout, walk.trial):
        return most
    if not is_new(state, walk.trial, False):
        return most
    if is_repaired(state):  # judged as it would be evaluated
        view_trial(state)
        gained = promised(state, walk.view.outputs, most)
        view_back(state)
        if gained <= most:
            return most
    copy_codes(walk.trial, y)
    return gained


@lean_kernel
def _load_of(state: DifferenceState, depth: int) -> float:
    """By how much a neighbour is expected to violate the learned constraint."""
    walk, load = state.inside, state.inside.limit[LOAD]
    for d in range(depth):
        old = walk.view.actions[walk.places[d]]
        load += weight_of(state.hidden, walk.news[d]) - weight_of(state.hidden, old)
    return float(load)


@lean_kernel
def _keeps_limits(layout: Layout, walk: Walk, depth: int) -> bool:
    """Whether subsets keep an allowed number of ones."""
    view = walk.view
    for d in range(depth):
        s = layout.places[walk.places[d]].segment
        segment = layout.segments[s]
        if segment.kind == SUBSET:
            ones = view.ones[s]
            for e in range(depth):
                if layout.places[walk.places[e]].segment == s:
                    ones += walk.news[e] - view.actions[walk.places[e]]
            if ones < segment.least or ones > segment.most:
                return False
    return True
