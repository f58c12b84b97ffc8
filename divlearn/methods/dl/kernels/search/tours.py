"""Local search for cycles through a table of pair costs.

2-opt and or-opt moves from lists of near items, driven by a queue of items whose
surroundings changed, and kicks that exchange two neighbouring stretches inside a
window. Nothing is evaluated here: costs are what was learned.
"""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.kernels.views import viewed

#: Longest stretch that is moved elsewhere in one piece.
LONGEST_MOVED = 3
#: Longest stretch that a kick exchanges with its neighbour.
LONGEST_KICKED = 30
_LEAST_GAIN = 1e-10


@viewed
class Tour(NamedTuple):
    """Scratch: a cycle that is being improved."""

    order: Codes  # (n,) items in their order
    place: Integers  # (n,) where each item is
    best_order: Codes  # (n,) the cycle before the last kick
    touched: Integers  # (n,) places written since then
    near: Integers  # (n, K) items of least cost to each item
    cost: Floats  # (n, n) cost of a pair
    queue: Integers  # (n,) items to look at, a ring
    queued: Integers  # (n,) 1: the item is in the queue
    ends: Integers  # (3,) head and length of the queue, number of places touched


@lean_kernel
def list_near(tour: Tour) -> None:
    """List the K items of least cost to each item, the nearest first."""
    n, wanted = tour.cost.shape[0], tour.near.shape[1]
    for a in range(n):
        count = 0
        for b in range(n):
            if b == a:
                continue
            c = tour.cost[a, b]
            if count == wanted and c >= tour.cost[a, tour.near[a, wanted - 1]]:
                continue
            k = count if count < wanted else wanted - 1
            while k > 0 and tour.cost[a, tour.near[a, k - 1]] > c:
                tour.near[a, k] = tour.near[a, k - 1]
                k -= 1
            tour.near[a, k] = b
            count = min(wanted, count + 1)


@lean_kernel
def choose_near(tour: Tour, useful: Integers) -> None:
    """List the K items of least cost among the ``useful`` ones, shape (n, U)."""
    wanted = tour.near.shape[1]
    for a in range(tour.order.shape[0]):
        count = 0
        for u in range(useful.shape[1]):
            b = useful[a, u]
            if b < 0:
                break
            c = tour.cost[a, b]
            if count == wanted and c >= tour.cost[a, tour.near[a, wanted - 1]]:
                continue
            k = count if count < wanted else wanted - 1
            while k > 0 and tour.cost[a, tour.near[a, k - 1]] > c:
                tour.near[a, k] = tour.near[a, k - 1]
                k -= 1
            tour.near[a, k] = b
            count = min(wanted, count + 1)
        for k in range(count, wanted):  # the last one again does no harm
            tour.near[a, k] = tour.near[a, count - 1]


@lean_kernel
def push(tour: Tour, a: int) -> None:
    """Look at item ``a`` (again)."""
    if tour.queued[a] == 0:
        n = tour.queue.shape[0]
        state = tour.ends[0] + tour.ends[1]
        tour.queue[state if state < n else state - n] = a
        tour.queued[a] = 1
        tour.ends[1] += 1


@lean_kernel
def _pop(tour: Tour) -> int:
    """Take the next item from the queue."""
    n = tour.queue.shape[0]
    a = tour.queue[tour.ends[0]]
    tour.ends[0] = tour.ends[0] + 1 if tour.ends[0] + 1 < n else 0
    tour.ends[1] -= 1
    tour.queued[a] = 0
    return int(a)


@lean_kernel
def after(tour: Tour, a: int) -> int:
    """The item after ``a``."""
    i = tour.place[a] + 1
    return int(tour.order[i if i < tour.order.shape[0] else 0])


@lean_kernel
def before(tour: Tour, a: int) -> int:
    """The item before ``a``."""
    i = tour.place[a] - 1
    return int(tour.order[i if i >= 0 else tour.order.shape[0] - 1])


@lean_kernel
def put(tour: Tour, i: int, item: int) -> None:
    """Write an item into place ``i``, and remember that."""
    tour.order[i] = item
    tour.place[item] = i
    if tour.ends[2] < tour.touched.shape[0]:
        tour.touched[tour.ends[2]] = i
    tour.ends[2] += 1


@lean_kernel
def keep(tour: Tour) -> None:
    """Take the cycle for the best one."""
    if tour.ends[2] <= tour.touched.shape[0]:
        for k in range(tour.ends[2]):
            i = tour.touched[k]
            tour.best_order[i] = tour.order[i]
    else:  # too many to list
        for i in range(tour.order.shape[0]):
            tour.best_order[i] = tour.order[i]
    tour.ends[2] = 0


@lean_kernel
def restore(tour: Tour) -> None:
    """Go back to the best cycle."""
    listed = tour.ends[2] <= tour.touched.shape[0]
    for k in range(tour.ends[2] if listed else tour.order.shape[0]):
        i = tour.touched[k] if listed else k
        item = tour.best_order[i]
        tour.order[i] = item
        tour.place[item] = i
    tour.ends[2] = 0


@lean_kernel
def reverse(tour: Tour, i: int, j: int) -> None:
    """Reverse the stretch from place ``i`` on to place ``j``, or all the rest."""
    n = tour.order.shape[0]
    length = j - i + 1
    if length <= 0:
        length += n
    if 2 * length > n:  # the same cycle, with less work
        i, j = (j + 1) % n, (i - 1 + n) % n
        length = n - length
    for _ in range(length // 2):
        a, b = tour.order[i], tour.order[j]
        put(tour, i, b)
        put(tour, j, a)
        i = i + 1 if i + 1 < n else 0
        j = j - 1 if j > 0 else n - 1


@lean_kernel
def _try_two_opt(tour: Tour, a: int) -> float:
    """Make the first gainful 2-opt move at ``a``; return the gain, 0 for none."""
    cost = tour.cost
    b, p = after(tour, a), before(tour, a)
    for k in range(tour.near.shape[1]):
        c = tour.near[a, k]
        reached = cost[a, c]
        forward, backward = cost[a, b] - reached, cost[a, p] - reached
        if forward <= _LEAST_GAIN and backward <= _LEAST_GAIN:
            break
        d = after(tour, c)
        gain = forward + cost[c, d] - cost[b, d]
        if gain > _LEAST_GAIN:
            reverse(tour, tour.place[b], tour.place[c])
            _push_four(tour, a, b, c, d)
            return float(gain)
        d = before(tour, c)
        gain = backward + cost[c, d] - cost[p, d]
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
def step(tour: Tour, i: int, by: int) -> int:
    """Place ``i`` moved by ``by`` places along the cycle."""
    n = tour.order.shape[0]
    i += by
    if i >= n:
        i -= n
    elif i < 0:
        i += n
    return i


@lean_kernel
def _try_or_opt(tour: Tour, a: int) -> float:
    """Move a stretch that ends in ``a`` next to an item near ``a``; return the gain."""
    n = tour.order.shape[0]
    cost = tour.cost
    for way in (1, -1):
        # The stretch runs from a, against the way, over up to three items to e.
        here = tour.place[a]
        out = tour.order[step(tour, here, way)]
        for length in range(1, min(LONGEST_MOVED, n - 3) + 1):
            e = tour.order[step(tour, here, -way * (length - 1))]
            inner = tour.order[step(tour, here, -way * length)]
            freed = cost[a, out] + cost[e, inner] - cost[out, inner]
            for k in range(tour.near.shape[1]):
                c = tour.near[a, k]
                if freed - cost[a, c] <= _LEAST_GAIN:
                    break
                distance = (here - tour.place[c]) * way
                if distance < 0:
                    distance += n
                if distance < length:
                    continue  # c lies inside the stretch
                for side in (1, -1):
                    d = tour.order[step(tour, tour.place[c], side)]
                    inside = (here - tour.place[d]) * way
                    if inside < 0:
                        inside += n
                    if inside < length:
                        continue
                    gain = freed - cost[a, c] - cost[e, d] + cost[c, d]
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
        a = _pop(tour)
        while moves < limit:
            gain = _try_two_opt(tour, a)
            if gain <= 0.0:
                gain = _try_or_opt(tour, a)
            if gain <= 0.0:
                break
            total += gain
            moves += 1
    return total


@lean_kernel
def kick(tour: Tour, words: Words) -> float:
    """Exchange two neighbouring stretches; return the gain, mostly negative."""
    n = tour.order.shape[0]
    longest = min(LONGEST_KICKED, (n - 2) // 2)
    start = below(words, n)
    first, second = 1 + below(words, longest), 1 + below(words, longest)
    a = tour.order[start]
    b, c = tour.order[(start + 1) % n], tour.order[(start + first) % n]
    d = tour.order[(start + first + 1) % n]
    e = tour.order[(start + first + second) % n]
    f = tour.order[(start + first + second + 1) % n]
    cost = tour.cost
    gain = cost[a, b] + cost[c, d] + cost[e, f] - cost[a, d] - cost[e, b] - cost[c, f]
    # Reversing the whole and then each part exchanges the parts.
    _reverse_plain(tour, start + 1, first + second)
    _reverse_plain(tour, start + 1, second)
    _reverse_plain(tour, start + 1 + second, first)
    _push_four(tour, a, b, c, d)
    push(tour, e)
    push(tour, f)
    return float(gain)


@lean_kernel
def _reverse_plain(tour: Tour, i: int, length: int) -> None:
    """Reverse ``length`` places from ``i`` on, exactly these."""
    n = tour.order.shape[0]
    i = i % n
    j = (i + length - 1) % n
    for _ in range(length // 2):
        a, b = tour.order[i], tour.order[j]
        put(tour, i, b)
        put(tour, j, a)
        i = i + 1 if i + 1 < n else 0
        j = j - 1 if j > 0 else n - 1


@lean_kernel
def set_tour(tour: Tour, x: Codes, start: int) -> None:
    """Begin with the cycle ``x[start:]``."""
    for i in range(tour.order.shape[0]):
        tour.order[i] = x[start + i]
        tour.place[x[start + i]] = i
        tour.queued[i] = 0
        tour.best_order[i] = tour.order[i]
    tour.ends[0] = tour.ends[1] = tour.ends[2] = 0


@lean_kernel
def improve(tour: Tour, kicks: int, words: Words) -> float:
    """Descend from everywhere, then kick and descend; return the total gain."""
    n = tour.order.shape[0]
    for i in range(n):
        push(tour, tour.order[i])
    total = descend(tour, 50 * n)
    if n < 8:
        return total
    keep(tour)
    for _ in range(kicks):
        gain = kick(tour, words)
        gain += descend(tour, 50 * n)
        if gain >= 0.0:
            total += gain
            keep(tour)
        else:
            restore(tour)
    return total


@lean_kernel
def aligned(tour: Tour, x: Codes, start: int, into: Codes) -> None:
    """Write the cycle so that it begins and runs as ``x[start:]`` does."""
    n = tour.order.shape[0]
    begin = tour.place[x[start]]
    same, other = 0, 0
    for i in range(n):
        if tour.order[(begin + i) % n] == x[start + i]:
            same += 1
        if tour.order[(begin - i + n) % n] == x[start + i]:
            other += 1
    way = 1 if same >= other else -1
    for i in range(n):
        into[start + i] = tour.order[(begin + way * i + n) % n]


@lean_kernel
def cut_tour(storage: Tour, n: int) -> Tour:
    """The first part of scratch that was made for longer cycles, for ``n`` items."""
    return Tour(
        storage.order[:n],
        storage.place[:n],
        storage.best_order[:n],
        storage.touched[:n],
        storage.near[:n],
        storage.cost[: n * n].reshape((n, n)),
        storage.queue[:n],
        storage.queued[:n],
        storage.ends,
    )
