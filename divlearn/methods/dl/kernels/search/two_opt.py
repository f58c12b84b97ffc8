"""Local search for cycles through a table of pair costs.

2-opt and or-opt moves from lists of near items, driven by a queue of items whose
surroundings changed, and kicks that exchange two neighbouring stretches inside a
window. Nothing is evaluated here: costs are what was learned.
"""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Words
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.search.tours import (
    Tour,
    after,
    before,
    is_within,
    item_at,
    keep,
    pair_cost,
    pop,
    push,
    put,
    restore,
    reverse,
    reverse_places,
    step,
)

#: Longest stretch that is moved elsewhere in one piece.
LONGEST_MOVED = 3
#: Longest stretch that a kick exchanges with its neighbour.
LONGEST_KICKED = 30
#: Shortest cycle that is kicked.
SHORTEST_KICKED = 8
#: Moves per item after which a descent ends: rounding may lead it round in circles.
MOVES_PER_ITEM = 50
_LEAST_GAIN = 1e-10


@inlined_kernel
def _try_two_opt(tour: Tour, a: int) -> float:
    """Make the first gainful 2-opt move at ``a``; return the gain, 0 for none."""
    near, reach = tour.near[np.uint64(a)], tour.reach[np.uint64(a)]
    here = tour.place[np.uint64(a)]
    b, p = after(tour, here), before(tour, here)
    ahead, behind = pair_cost(tour, a, b), pair_cost(tour, a, p)
    for k in range(near.shape[0]):
        forward, backward = ahead - reach[k], behind - reach[k]
        if forward <= _LEAST_GAIN and backward <= _LEAST_GAIN:
            break
        c = near[k]
        there = tour.place[np.uint64(c)]
        d = after(tour, there)
        gain = forward + pair_cost(tour, c, d) - pair_cost(tour, b, d)
        if gain > _LEAST_GAIN:
            reverse(tour, tour.place[b], there)
            _push_four(tour, a, b, c, d)
            return float(gain)
        d = before(tour, there)
        gain = backward + pair_cost(tour, c, d) - pair_cost(tour, p, d)
        if gain > _LEAST_GAIN:
            reverse(tour, here, tour.place[d])
            _push_four(tour, a, p, c, d)
            return float(gain)
    return 0.0


@inlined_kernel
def _push_four(tour: Tour, a: int, b: int, c: int, d: int) -> None:
    """Look at four items again."""
    push(tour, a)
    push(tour, b)
    push(tour, c)
    push(tour, d)


@inlined_kernel
def _try_or_opt(tour: Tour, a: int) -> float:
    """Move a stretch that ends in ``a`` next to an item near ``a``; return the gain."""
    n, here = tour.order.shape[0], tour.place[np.uint64(a)]
    for way in (1, -1):
        # The stretch runs from a, against the way, over up to three items to e.
        out = item_at(tour, here + way)
        left = pair_cost(tour, a, out)
        for length in range(1, min(LONGEST_MOVED, n - 3) + 1):
            e = item_at(tour, here - way * (length - 1))
            inner = item_at(tour, here - way * length)
            freed = left + pair_cost(tour, e, inner) - pair_cost(tour, out, inner)
            gain = _try_moving(tour, a, e, length, way, freed)
            if gain > 0.0:
                push(tour, out)
                push(tour, inner)
                return gain
    return 0.0


@inlined_kernel
def _try_moving(
    tour: Tour, a: int, e: int, length: int, way: int, freed: float
) -> float:
    """Move the stretch from ``a`` to ``e``, which frees so much; return the gain."""
    near, reach = tour.near[np.uint64(a)], tour.reach[np.uint64(a)]
    here = tour.place[np.uint64(a)]
    for k in range(near.shape[0]):
        left = freed - reach[k]
        if left <= _LEAST_GAIN:
            break
        c = near[k]
        there = tour.place[np.uint64(c)]
        if is_within(tour, there, here, way, length):
            continue
        for side in (1, -1):
            beside = step(tour, there, side)
            if is_within(tour, beside, here, way, length):
                continue
            d = item_at(tour, beside)
            gain = left - pair_cost(tour, e, d) + pair_cost(tour, c, d)
            if gain > _LEAST_GAIN:
                move_stretch(tour, a, e, length, way, c, d)
                _push_four(tour, a, e, c, d)
                return float(gain)
    return 0.0


@lean_kernel
def move_stretch(
    tour: Tour, a: int, e: int, length: int, way: int, c: int, d: int
) -> None:
    """Take the stretch from ``a`` to ``e`` out and put it between ``c`` and ``d``.

    ``a`` becomes the neighbour of ``c``. The items between the stretch and its new
    place move up, on the shorter side.
    """
    n = tour.order.shape[0]
    first = tour.place[a] if way < 0 else tour.place[e]  # in the direction of places
    last = step(tour, first, length - 1)
    held0, held1, held2 = a, item_at(tour, tour.place[a] - way), e
    # c and d are neighbours: low is the one that comes first after the stretch.
    gap_c = tour.place[c] - last
    if gap_c <= 0:
        gap_c += n
    gap_d = tour.place[d] - last
    if gap_d <= 0:
        gap_d += n
    low_gap = min(gap_c, gap_d)
    c_first = gap_c < gap_d
    rest = n - length
    if 2 * low_gap <= rest:  # items after the stretch move back
        start = first
        for k in range(low_gap):
            item = item_at(tour, last + k + 1)
            put(tour, start, item)
            start = step(tour, start, 1)
    else:  # items before the stretch move forward
        stop = last
        for k in range(rest - low_gap):
            item = item_at(tour, first - k - 1)
            put(tour, stop, item)
            stop = step(tour, stop, -1)
        start = step(tour, stop, 1 - length)
    for k in range(length):
        held = held0 if k == 0 else (held1 if k == 1 and length == 3 else held2)
        i = start + k if c_first else start + length - 1 - k
        put(tour, i if i < n else i - n, held)


@lean_kernel
def descend(tour: Tour, limit: int) -> float:
    """Improve until the queue is empty or ``limit`` moves are made; return the gain."""
    total, moves = 0.0, 0
    while tour.ends[1] > 0:
        a = pop(tour)
        while moves < limit and tour.reach[a, 0] < math.inf:
            gain = _try_two_opt(tour, a)
            if gain <= 0.0:
                gain = _try_or_opt(tour, a)
            if gain <= 0.0:
                break
            total += gain
            moves += 1
    return total


@lean_kernel
def kick(tour: Tour, rng: Words) -> float:
    """Exchange two neighbouring stretches; return the gain, mostly negative."""
    n = tour.order.shape[0]
    longest = min(LONGEST_KICKED, (n - 2) // 2)
    start = below(rng, n)
    first, second = 1 + below(rng, longest), 1 + below(rng, longest)
    a, b = item_at(tour, start), item_at(tour, start + 1)
    c, d = item_at(tour, start + first), item_at(tour, start + first + 1)
    e = item_at(tour, start + first + second)
    f = item_at(tour, start + first + second + 1)
    gain = (
        pair_cost(tour, a, b)
        + pair_cost(tour, c, d)
        + pair_cost(tour, e, f)
        - pair_cost(tour, a, d)
        - pair_cost(tour, e, b)
        - pair_cost(tour, c, f)
    )
    # Reversing the whole and then each part exchanges the parts.
    reverse_places(tour, start + 1, first + second)
    reverse_places(tour, start + 1, second)
    reverse_places(tour, start + 1 + second, first)
    _push_four(tour, a, b, c, d)
    push(tour, e)
    push(tour, f)
    return float(gain)


@lean_kernel
def improve(tour: Tour, kicks: int, rng: Words) -> float:
    """Descend from everywhere, then kick and descend; return the total gain."""
    n = tour.order.shape[0]
    for i in range(n):
        push(tour, tour.order[i])
    total = descend(tour, MOVES_PER_ITEM * n)
    if n < SHORTEST_KICKED:
        return total
    keep(tour)
    for _ in range(kicks):
        gain = kick(tour, rng)
        gain += descend(tour, MOVES_PER_ITEM * n)
        if gain >= 0.0:
            total += gain
            keep(tour)
        else:
            restore(tour)
    return total
