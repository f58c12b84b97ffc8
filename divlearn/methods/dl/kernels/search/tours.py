"""A cycle that is being improved: places, near items, what is to be looked at again.

Items and places that are read from arrays are never negative. Where searches spend
their time they are used as unsigned numbers, so that nobody asks whether to count from
the end of an array.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.additive import find_row
from divlearn.methods.dl.kernels.models.encodings import pair_action
from divlearn.methods.dl.kernels.models.latent import is_fitted, point_distance


@viewed
class Tour(NamedTuple):
    """Scratch: a cycle that is being improved."""

    order: Codes  # (n,) items in their order
    place: Integers  # (n,) where each item is
    best_order: Codes  # (n,) the cycle before the last kick
    touched: Integers  # (n,) places written since then
    near: Integers  # (n, K) items of least cost to each item
    reach: Floats  # (n, K) their costs, side by side
    cost: Floats  # (n, n) cost of a pair, or (0, 0): see pair_cost
    queue: Integers  # (n,) items to look at, a ring
    queued: Integers  # (n,) 1: the item is in the queue
    ends: Integers  # (4,) head and length of the queue, places touched, first action
    keys: Integers  # (S,) pairs of which something is known, where not all have a cost
    mean: Floats  # (S + 1, m + c) what they add to each output
    points: Floats  # (m, n, d) points whose distances are what pairs add, if fitted
    weights: Floats  # (m + c,) of the outputs


@inlined_kernel
def pair_cost(tour: Tour, a: int, b: int) -> float:
    """Cost of a pair: from the table of all, or of what is known of it, 0 for none."""
    if tour.cost.shape[0] > 0:
        return float(tour.cost[np.uint64(a), np.uint64(b)])
    return known_cost(tour, a, b)


@lean_kernel
def known_cost(tour: Tour, a: int, b: int) -> float:
    """Cost of a pair where there is no table of all; 0 if nothing is known of it."""
    total, row = 0.0, -1
    for j in range(tour.weights.shape[0]):
        if tour.weights[j] == 0.0:
            continue
        if j < tour.points.shape[0] and is_fitted(tour.points, j):
            total += tour.weights[j] * point_distance(tour.points[j], a, b)
            continue
        if row < 0:
            pair = pair_action(a, b, tour.order.shape[0], False)
            row = find_row(tour.keys, tour.ends[3] + pair, False)
        total += tour.weights[j] * tour.mean[row, j]
    return float(total)


@inlined_kernel
def _offer_near(tour: Tour, a: int, b: int, cost: float, count: int) -> int:
    """Insert ``b`` among the ``count`` items nearest to ``a``; return their number."""
    near, reach, wanted = tour.near[a], tour.reach[a], tour.near.shape[1]
    if count == wanted and cost >= reach[wanted - 1]:
        return count
    k = min(count, wanted - 1)
    while k > 0 and reach[k - 1] > cost:
        near[k], reach[k] = near[k - 1], reach[k - 1]
        k -= 1
    near[k], reach[k] = b, cost
    return int(min(wanted, count + 1))


@lean_kernel
def list_near(tour: Tour) -> None:
    """List the K items of least cost to each item, the nearest first."""
    n = tour.order.shape[0]
    for a in range(n):
        count = 0
        for b in range(n):
            if b != a:
                count = _offer_near(tour, a, b, pair_cost(tour, a, b), count)


@lean_kernel
def list_known(tour: Tour) -> None:
    """List, of the pairs that are known, those that cost least, -1 where none is left.

    Pairs of which nothing is known cost 0: only those that cost less are listed.
    """
    n, first, counts = tour.order.shape[0], tour.ends[3], tour.queued
    for a in range(n):
        counts[a] = 0
    for s in range(tour.keys.shape[0]):
        pair = tour.keys[s] - first
        if tour.keys[s] < 0 or not 0 <= pair < n * n:
            continue
        a, b = pair // n, pair % n
        cost = pair_cost(tour, a, b)
        if a != b and cost < 0.0:
            counts[a] = _offer_near(tour, a, b, cost, counts[a])
            counts[b] = _offer_near(tour, b, a, cost, counts[b])
    for a in range(n):
        for k in range(counts[a], tour.near.shape[1]):
            tour.near[a, k] = -1
        counts[a] = 0


@lean_kernel
def choose_near(tour: Tour, useful: Integers, start: int, length: int) -> None:
    """List the K items of least cost among the ``useful`` ones, shape (n, U).

    Only of the ``length`` items from place ``start`` of the cycle on: to all others
    nothing is near, so that the search does not begin there.
    """
    n = tour.order.shape[0]
    for i in range(n):
        a, count = tour.order[i], 0
        if length < n and (i - start + n) % n >= length:
            tour.near[a, 0], tour.reach[a, 0] = a, math.inf
            continue
        for u in range(useful.shape[1]):
            if useful[a, u] < 0:
                break
            b = useful[a, u]
            count = _offer_near(tour, a, b, pair_cost(tour, a, b), count)
        if count == 0:  # out of reach, so that nothing is tried
            tour.near[a, 0], tour.reach[a, 0] = a, math.inf
            count = 1
        for k in range(count, tour.near.shape[1]):  # the last again does no harm
            tour.near[a, k] = tour.near[a, count - 1]
            tour.reach[a, k] = tour.reach[a, count - 1]


@inlined_kernel
def push(tour: Tour, a: int) -> None:
    """Look at item ``a`` (again)."""
    if tour.queued[np.uint64(a)] == 0:
        n = tour.queue.shape[0]
        last = tour.ends[0] + tour.ends[1]
        tour.queue[np.uint64(last if last < n else last - n)] = a
        tour.queued[np.uint64(a)] = 1
        tour.ends[1] += 1


@lean_kernel
def pop(tour: Tour) -> int:
    """Take the next item from the queue."""
    n, first = tour.queue.shape[0], tour.ends[0]
    a = tour.queue[np.uint64(first)]
    tour.ends[0] = first + 1 if first + 1 < n else 0
    tour.ends[1] -= 1
    tour.queued[np.uint64(a)] = 0
    return int(a)


@inlined_kernel
def after(tour: Tour, i: int) -> int:
    """The item after place ``i``."""
    i += 1
    return int(tour.order[np.uint64(i if i < tour.order.shape[0] else 0)])


@inlined_kernel
def before(tour: Tour, i: int) -> int:
    """The item before place ``i``."""
    return int(tour.order[np.uint64(i - 1 if i > 0 else tour.order.shape[0] - 1)])


@inlined_kernel
def put(tour: Tour, i: int, item: int) -> None:
    """Write an item into place ``i``, and remember that."""
    written = tour.ends[2]
    tour.order[np.uint64(i)] = item
    tour.place[np.uint64(item)] = i
    if written < tour.touched.shape[0]:
        tour.touched[np.uint64(written)] = i
    tour.ends[2] = written + 1


@lean_kernel
def keep(tour: Tour) -> None:
    """Take the cycle for the best one."""
    if tour.ends[2] <= tour.touched.shape[0]:
        for k in range(tour.ends[2]):
            written = np.uint64(tour.touched[k])
            tour.best_order[written] = tour.order[written]
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
        item = tour.best_order[np.uint64(i)]
        tour.order[np.uint64(i)] = item
        tour.place[np.uint64(item)] = i
    tour.ends[2] = 0


@lean_kernel
def reverse(tour: Tour, i: int, j: int) -> None:
    """Reverse the stretch from place ``i`` on to place ``j``, or all the rest."""
    n = tour.order.shape[0]
    length = j - i + 1
    if length <= 0:
        length += n
    if 2 * length > n:  # the same cycle, with less work
        i = (j + 1) % n
        length = n - length
    reverse_places(tour, i, length)


@inlined_kernel
def step(tour: Tour, i: int, by: int) -> int:
    """Place ``i`` moved by ``by`` places along the cycle."""
    n = tour.order.shape[0]
    i += by
    if i >= n:
        i -= n
    elif i < 0:
        i += n
    return i


@inlined_kernel
def item_at(tour: Tour, i: int) -> int:
    """The item at place ``i``, which may lie beyond an end by less than a cycle."""
    return int(tour.order[np.uint64(step(tour, i, 0))])


@inlined_kernel
def is_within(tour: Tour, i: int, here: int, way: int, length: int) -> bool:
    """Whether place ``i`` is among ``length`` ones from ``here`` against ``way``."""
    distance = (here - i) * way
    if distance < 0:
        distance += tour.order.shape[0]
    return bool(distance < length)


@lean_kernel
def reverse_places(tour: Tour, i: int, length: int) -> None:
    """Reverse ``length`` places from ``i`` on, exactly these."""
    n = tour.order.shape[0]
    i = i % n
    j = (i + length - 1) % n
    for _ in range(length // 2):
        a, b = tour.order[np.uint64(i)], tour.order[np.uint64(j)]
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
    side = n if storage.cost.shape[0] > 0 else 0
    return Tour(
        storage.order[:n],
        storage.place[:n],
        storage.best_order[:n],
        storage.touched[:n],
        storage.near[:n],
        storage.reach[:n],
        storage.cost[: side * side].reshape((side, side)),
        storage.queue[:n],
        storage.queued[:n],
        storage.ends,
        storage.keys,
        storage.mean,
        storage.points,
        storage.weights,
    )


@lean_kernel
def with_known(
    tour: Tour, keys: Integers, mean: Floats, points: Floats, weights: Floats
) -> Tour:
    """The same cycle, whose pairs cost what is known of them under ``weights``."""
    return Tour(
        tour.order,
        tour.place,
        tour.best_order,
        tour.touched,
        tour.near,
        tour.reach,
        tour.cost,
        tour.queue,
        tour.queued,
        tour.ends,
        keys,
        mean,
        points,
        weights,
    )
