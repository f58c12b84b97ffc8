"""Neighbours of archive members that are predicted to extend the front.

A neighbour has another action at one position, or at two or three of those where a
change costs least by itself: flips, exchanges, one for two and two for one, steps.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET, Layout
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.quadratic.values import Values
from divlearn.methods.dl.kernels.models.quadratic.view import (
    change,
    choose_orders,
    joint_change,
    look_at,
    write_codes,
)
from divlearn.methods.dl.kernels.search.nearby import Front, gather_around, promised
from divlearn.methods.dl.kernels.search.tabu import REACH, Walk, price_constraints
from divlearn.methods.dl.kernels.variation import copy_codes


@lean_kernel
def refine_values(
    values: Values,
    layout: Layout,
    walk: Walk,
    weights: Floats,
    front: Front,
    member: int,
    y: Codes,
) -> float:
    """Write the neighbour of an archive member that promises to add most to the front.

    Parameters
    ----------
    values, layout, walk
        Tables, positions and scratch.
    weights
        Weights of the objectives, shape (p,): which changes cost least. The prices of
        the constraints are written behind them.
    front
        The archive, and what was seen.
    member
        Slot of the archive member.
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
    most = _try_single(values, layout, walk, weights, front, y)
    count = walk.listed[0]
    for a in range(count):
        _apply(values, walk, 1, a)
        for b in range(a):
            if walk.spots[a] == walk.spots[b]:
                continue
            _apply(values, walk, 2, b)
            most = _keep_best(layout, walk, front, 2, most, y)
            for c in range(b):
                if walk.spots[c] in (walk.spots[a], walk.spots[b]):
                    continue
                _apply(values, walk, 3, c)
                most = _keep_best(layout, walk, front, 3, most, y)
    return most


@lean_kernel
def _try_single(
    values: Values, layout: Layout, walk: Walk, weights: Floats, front: Front, y: Codes
) -> float:
    """Try every other action of every position, and list those that cost least."""
    sight, most = walk.sight, 0.0
    walk.listed[0] = 0
    for k in range(weights.shape[0]):
        walk.points[0, k] = sight.outputs[k]
    for i in range(y.shape[0]):
        place = layout.places[i]
        kind = layout.segments[place.segment].kind
        if kind == PERMUTATION:
            continue
        old, start, stop = sight.actions[i], place.offset, place.offset + place.arity
        if kind == ORDINAL:
            start, stop = max(start, old - REACH), min(stop, old + REACH + 1)
        for new in range(start, stop):
            if new == old:
                continue
            cost = 0.0
            for k in range(weights.shape[0]):
                step = change(sight, values, new, old, k)
                walk.points[1, k] = sight.outputs[k] + step
                cost += weights[k] * step
            walk.news[0], walk.places[0] = new, i
            most = _keep_best(layout, walk, front, 1, most, y)
            _shortlist(walk, i, new, cost)
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
def _apply(values: Values, walk: Walk, depth: int, pick: int) -> None:
    """Write the outputs after one more change into ``walk.points[depth]``."""
    sight, i, new = walk.sight, walk.spots[pick], walk.picks[pick]
    old = sight.actions[i]
    walk.places[depth - 1], walk.news[depth - 1] = i, new
    for k in range(walk.points.shape[1]):
        value = walk.points[depth - 1, k] + change(sight, values, new, old, k)
        if sight.paired[k] == 1:
            for d in range(depth - 1):
                come, gone = walk.news[d], sight.actions[walk.places[d]]
                value += joint_change(values, new, old, come, gone, k)
        walk.points[depth, k] = value


@lean_kernel
def _keep_best(
    layout: Layout, walk: Walk, front: Front, depth: int, most: float, y: Codes
) -> float:
    """Write a neighbour into ``y`` if it promises more than ``most``; return that."""
    gained = promised(walk.around, front, walk.points[depth], most)
    if gained <= most or not _keeps_limits(layout, walk, depth):
        return most
    write_codes(walk.sight, layout, walk.trial)
    for d in range(depth):
        i = walk.places[d]
        walk.trial[i] = walk.news[d] - layout.places[i].offset
    if is_seen(front.seen, hash_solution(layout, walk.trial, False)):
        return most
    copy_codes(walk.trial, y)
    return gained


@lean_kernel
def _keeps_limits(layout: Layout, walk: Walk, depth: int) -> bool:
    """Whether subsets keep an allowed number of ones."""
    sight = walk.sight
    for d in range(depth):
        s = layout.places[walk.places[d]].segment
        segment = layout.segments[s]
        if segment.kind == SUBSET:
            ones = sight.ones[s]
            for e in range(depth):
                if layout.places[walk.places[e]].segment == s:
                    ones += walk.news[e] - sight.actions[walk.places[e]]
            if ones < segment.least or ones > segment.most:
                return False
    return True
