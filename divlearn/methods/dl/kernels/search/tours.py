"""A cycle that is being improved: places, near items, what is to be looked at again."""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.views import viewed


@viewed
class Tour(NamedTuple):
    """Scratch: a cycle that is being improved."""

    order: Codes  # (n,) items in their order
    place: Integers  # (n,) where each item is
    best_order: Codes  # (n,) the cycle before the last kick
    touched: Integers  # (n,) places written since then
    near: Integers  # (n, K) items of least cost to each item
    reach: Floats  # (n, K) their costs, side by side
    cost: Floats  # (n, n) cost of a pair
    queue: Integers  # (n,) items to look at, a ring
    queued: Integers  # (n,) 1: the item is in the queue
    ends: Integers  # (3,) head and length of the queue, number of places touched


@lean_kernel
def _offer_near(tour: Tour, a: int, b: int, count: int) -> int:
    """Insert ``b`` among the ``count`` items nearest to ``a``; return their number."""
    near, cost, wanted = tour.near[a], tour.cost[a], tour.near.shape[1]
    if count == wanted and cost[b] >= cost[near[wanted - 1]]:
        return count
    k = min(count, wanted - 1)
    while k > 0 and cost[near[k - 1]] > cost[b]:
        near[k] = near[k - 1]
        k -= 1
    near[k] = b
    return int(min(wanted, count + 1))


@lean_kernel
def list_near(tour: Tour) -> None:
    """List the K items of least cost to each item, the nearest first."""
    n = tour.cost.shape[0]
    for a in range(n):
        count = 0
        for b in range(n):
            if b != a:
                count = _offer_near(tour, a, b, count)
        _note_reach(tour, a)


@lean_kernel
def choose_near(tour: Tour, useful: Integers) -> None:
    """List the K items of least cost among the ``useful`` ones, shape (n, U)."""
    for a in range(tour.order.shape[0]):
        count = 0
        for u in range(useful.shape[1]):
            if useful[a, u] < 0:
                break
            count = _offer_near(tour, a, useful[a, u], count)
        for k in range(count, tour.near.shape[1]):  # the last again does no harm
            tour.near[a, k] = tour.near[a, count - 1]
        _note_reach(tour, a)


@lean_kernel
def _note_reach(tour: Tour, a: int) -> None:
    """Write what the items near ``a`` cost: most moves are judged by that alone."""
    for k in range(tour.near.shape[1]):
        tour.reach[a, k] = tour.cost[a, tour.near[a, k]]


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
def pop(tour: Tour) -> int:
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
        i = (j + 1) % n
        length = n - length
    reverse_places(tour, i, length)


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
def lies_within(tour: Tour, item: int, here: int, way: int, length: int) -> bool:
    """Whether an item is among ``length`` ones from ``here`` against ``way``."""
    distance = (here - tour.place[item]) * way
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
        storage.reach[:n],
        storage.cost[: n * n].reshape((n, n)),
        storage.queue[:n],
        storage.queued[:n],
        storage.ends,
    )
