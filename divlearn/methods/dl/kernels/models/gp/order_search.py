"""Search inside the model where something is permuted.

Random variations, as elsewhere, and orders that follow the slopes of the model
(:mod:`divlearn.methods.dl.kernels.models.gp.guides`): from members of the front or from
the best candidates so far, under random weights, by one move or by very many. All are
judged by the model itself, and the best ones are improved position by position.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.random import below, uniform
from divlearn.kernels.rules.presence import is_absent
from divlearn.kernels.structure import settle
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.candidates import draw_candidate, pick
from divlearn.methods.dl.kernels.models.gp.descent import descend
from divlearn.methods.dl.kernels.models.gp.guides import set_costs, set_guides
from divlearn.methods.dl.kernels.models.gp.merit import merit_of
from divlearn.methods.dl.kernels.models.gp.posterior import set_distances
from divlearn.methods.dl.kernels.models.gp.search import (
    climb_from_best,
    keep_best,
    prepare,
    share_of_effort,
)
from divlearn.methods.dl.kernels.models.gp.state import HUGE, GaussianProcess
from divlearn.methods.dl.kernels.search.orders import cut_order, forbid_orders
from divlearn.methods.dl.kernels.variation import copy_codes

#: Chance to begin with one of the best candidates so far instead of the front.
AGAIN = 0.4
#: Most moves that slopes are trusted for, per item; fewer ones are as likely.
MOVES_PER_ITEM = 5


@lean_kernel
def find_best_order(
    gp: GaussianProcess, layout: Layout, seen: Words, rng: Words, x: Codes
) -> bool:
    """Write the most promising solution into ``x``, shape (n,).

    Returns
    -------
    False if all that were found were seen before.
    """
    control, kept = gp.control[0], 0
    prepare(gp, layout, rng)
    for _ in range(int(share_of_effort(gp) * control.num_tries)):
        draw_candidate(gp, layout, rng, x)
        kept = _judge(gp, layout, seen, x, kept)
    for _ in range(int(max(1.0, share_of_effort(gp)) * control.num_guided)):
        if kept > 0 and uniform(rng) < AGAIN:
            copy_codes(gp.starts[below(rng, kept)], x)
        else:
            pick(gp, rng, x)
        follow_guides(gp, layout, rng, x)
        kept = _judge(gp, layout, seen, x, kept)
    return climb_from_best(gp, layout, seen, rng, x, kept)


@lean_kernel
def _judge(
    gp: GaussianProcess, layout: Layout, seen: Words, x: Codes, kept: int
) -> int:
    """Keep ``x`` if it is new and among the best; returns how many there are."""
    if is_seen(seen, hash_solution(layout, x, False)):
        return kept
    for b in range(kept):
        if _is_same(gp.starts[b], x):
            return kept
    enough = kept == gp.control[0].num_starts
    least = gp.acquisitions[kept - 1] if enough else -HUGE
    return keep_best(gp, x, merit_of(gp, layout, x, least), kept)


@lean_kernel
def _is_same(a: Codes, b: Codes) -> bool:
    """Whether two solutions are equal."""
    i = 0
    while i < a.shape[0] and a[i] == b[i]:
        i += 1
    return bool(i == a.shape[0])


@lean_kernel
def follow_guides(gp: GaussianProcess, layout: Layout, rng: Words, x: Codes) -> None:
    """Improve one permutation of ``x`` by the slopes of the model, random weights."""
    block = gp.blocks[below(rng, gp.blocks.shape[0])]
    segment = layout.segments[block.segment]
    start, n = segment.start, block.length
    if is_absent(layout, x, start):
        return
    _draw_weights(gp, rng)
    set_distances(gp, layout, x)
    set_guides(gp, gp.place, gp.control[0].kappa)
    order = cut_order(gp.order, n)
    set_costs(gp, block.segment, order)
    if layout.rules.shape[0] > 0:
        forbid_orders(order, layout, block.segment)
    for i in range(n):
        order.items[i] = x[start + i]
    limit = int(math.exp(uniform(rng) * math.log(MOVES_PER_ITEM * n + 1.0)))
    descend(order, max(1, limit), order.kept, rng)
    for i in range(n):
        x[start + i] = order.items[i]
    settle(layout, x, rng)


@lean_kernel
def _draw_weights(gp: GaussianProcess, rng: Words) -> None:
    """Draw weights of the objectives, uniform on the simplex, into ``place``."""
    total = 0.0
    for o in range(gp.control[0].num_objectives):
        gp.place[o] = -math.log(1.0 - uniform(rng))
        total += gp.place[o]
    for o in range(gp.control[0].num_objectives):
        gp.place[o] /= total
