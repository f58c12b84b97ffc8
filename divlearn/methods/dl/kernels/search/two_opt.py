"""Local search for cycles through a table of pair costs.

2-opt and or-opt moves from lists of near items, driven by a queue of items whose
surroundings changed, and kicks that exchange two neighbouring stretches inside a
window. Nothing is evaluated here: costs are what was learned.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.search.tours import (
    Tour,
    after,
    before,
    keep,
    lies_within,
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


@lean_kernel
def _try_two_opt(tour: Tour, a: int) -> float:
    """Make the first gainful 2-opt move at ``a``; return the gain, 0 for none."""
    b, p = after(tour, a), before(tour, a)
    ahead, behind = pair_cost(tour, a, b), pair_cost(tour, a, p)
    for k in range(tour.near.shape[1]):
        c, reached = tour.near[a, k], tour.reach[a, k]
        forward, backward = ahead - reached, behind - reached
        if forward <= _LEAST_GAIN and backward <= _LEAST_GAIN:
            break
        d = after(tour, c)
        gain = forward + pair_cost(tour, c, d) - pair_cost(tour, b, d)
        if gain > _LEAST_GAIN:
            reverse(tour, tour.place[b], tour.place[c])
            _push_four(tour, a, b, c, d)
            return float(gain)
        d = before(tour, c)
        gain = backward + pair_cost(tour, c, d) - pair_cost(tour, p, d)
        if gain > _LEAST_GAIN:
            reverse(tour, tour.place[a], tour.place[d])
            _push_four(tour, a, p, c, d)
            return float(gain)
    return 0.0


@lean_kernel
def _push_four(tour: Tour, a: int, b: int, c: int, d: int) -> None:
    """Look at four items again."""
    push(tour, a)
    push(tour, b)
    push(tour, c)
    push(tour, d)


@lean_kernel
def _try_or_opt(tour: Tour, a: int) -> float:
    """Move a stretch that ends in ``a`` next to an item near ``a``; return the gain."""
    n = tour.order.shape[0]
    for way in (1, -1):
        # The stretch runs from a, against the way, over up to three items to e.
        here = tour.place[a]
        out = tour.order[step(tour, here, way)]
        for length in range(1, min(LONGEST_MOVED, n - 3) + 1):
            e = tour.order[step(tour, here, -way * (length - 1))]
            inner = tour.order[step(tour, here, -way * length)]
            freed = (
                pair_cost(tour, a, out)
                + pair_cost(tour, e, inner)
                - pair_cost(tour, out, inner)
            )
            for k in range(tour.near.shape[1]):
                c, left = tour.near[a, k], freed - tour.reach[a, k]
                if left <= _LEAST_GAIN:
                    break
                if lies_within(tour, c, here, way, length):
                    continue
                for side in (1, -1):
                    d = tour.order[step(tour, tour.place[c], side)]
                    if lies_within(tour, d, here, way, length):
                        continue
                    gain = left - pair_cost(tour, e, d) + pair_cost(tour, c, d)
                    if gain > _LEAST_GAIN:
                        move_stretch(tour, a, e, length, way, c, d)
                        _push_four(tour, a, e, c, d)
                        push(tour, out)
                        push(tour, inner)
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
    held0, held1, held2 = a, tour.order[step(tour, tour.place[a], -way)], e
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
            item = tour.order[step(tour, last, k + 1)]
            put(tour, start, item)
            start = step(tour, start, 1)
    else:  # items before the stretch move forward
        stop = last
        for k in range(rest - low_gap):
            item = tour.order[step(tour, first, -k - 1)]
            put(tour, stop, item)
            stop = step(tour, stop, -1)
        start = step(tour, stop, 1 - length)
    for k in range(length):
        held = held0 if k == 0 else (held1 if k == 1 and length == 3 else held2)
        state = start + k if c_first else start + length - 1 - k
        if state >= n:
            state -= n
        put(tour, state, held)


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
    a = tour.order[start]
    b, c = tour.order[(start + 1) % n], tour.order[(start + first) % n]
    d = tour.order[(start + first + 1) % n]
    e = tour.order[(start + first + second) % n]
    f = tour.order[(start + first + second + 1) % n]
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
