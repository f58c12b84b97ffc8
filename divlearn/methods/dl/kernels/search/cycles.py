"""Candidates for permutations that act as cycles: only neighbours matter."""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.additive import Tables
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR, pair_action
from divlearn.methods.dl.kernels.search.outlook import Outlook, promises
from divlearn.methods.dl.kernels.search.tours import (
    LONGEST_MOVED,
    Tour,
    descend,
    keep,
    kick,
    list_near,
    move_stretch,
    restore,
    reverse,
    step,
)

#: Rows of a table that are mirrored together: a column at a time misses the cache.
ROWS_MIRRORED = 16


@lean_kernel
def are_cycles(tables: Tables) -> bool:
    """Whether neighbours explain every output best."""
    for j in range(tables.chosen.shape[0]):
        if tables.encodings[tables.chosen[j]] != NEIGHBOUR:
            return False
    return True


@lean_kernel
def price_pairs(tables: Tables, cost: Floats, weights: Floats, base: int) -> None:
    """Write the cost of every pair under ``weights`` into ``cost``, shape (n, n)."""
    n = cost.shape[0]
    for a in range(n):
        for b in range(a, n):
            cost[a, b] = 0.0
        for j in range(weights.shape[0]):
            means, weight = tables.mean[tables.chosen[j]], weights[j]
            if weight != 0.0:
                for b in range(a + 1, n):
                    cost[a, b] += weight * means[base + a * n + b, j]
    for first in range(0, n, ROWS_MIRRORED):
        for a in range(first + 1, n):
            for b in range(first, min(a, first + ROWS_MIRRORED)):
                cost[a, b] = cost[b, a]


@lean_kernel
def list_useful(
    tables: Tables,
    tour: Tour,
    base: int,
    low: Floats,
    high: Floats,
    weights: Floats,
    near: Integers,
) -> None:
    """List items near each item: for every objective alone and for all together.

    Parameters
    ----------
    tables
        Learned costs.
    tour
        Scratch for as many items as there are.
    base
        First action of the permutation.
    low, high
        The front's box, shape (m,).
    weights
        Scratch, shape (m + c,).
    near
        Written, shape (n, K); -1 where there is no more.
    """
    m = low.shape[0]
    each = near.shape[1] // (m + 1)
    for a in range(near.shape[0]):
        for k in range(near.shape[1]):
            near[a, k] = -1
    for view in range(m + 1):
        for j in range(weights.shape[0]):
            weights[j] = 0.0
        for j in range(m):
            width = high[j] - low[j]
            if view in (j, m):
                weights[j] = 1.0 / (width if width > 0.0 else 1.0)
        price_pairs(tables, tour.cost, weights, base)
        list_near(tour)
        for a in range(near.shape[0]):
            _add_near(near[a], tour.near[a], each)


@lean_kernel
def _add_near(row: Integers, nearest: Integers, each: int) -> None:
    """Add the ``each`` nearest items that are not listed yet."""
    count, added = 0, 0
    while count < row.shape[0] and row[count] >= 0:
        count += 1
    for k in range(nearest.shape[0]):
        if added == each or count == row.shape[0]:
            return
        known = False
        for i in range(count):
            if row[i] == nearest[k]:
                known = True
        if not known:
            row[count] = nearest[k]
            count += 1
            added += 1


@lean_kernel
def _add_pair(
    tables: Tables, delta: Floats, base: int, n: int, a: int, b: int, sign: float
) -> None:
    """Add a pair to a predicted difference."""
    action = base + pair_action(a, b, n, False)
    for j in range(delta.shape[0]):
        delta[j] += sign * tables.mean[tables.chosen[j], action, j]


class Aim(NamedTuple):
    """Which moves of a cycle are worth a closer look."""

    weights: Floats  # (m + c,) under which the cycle is nearly the best
    slack: float  # how much worse under them something new may be


@lean_kernel
def _weighted(
    tables: Tables, weights: Floats, base: int, n: int, a: int, b: int
) -> float:
    """Cost of a pair under ``weights``."""
    action, total = base + pair_action(a, b, n, False), 0.0
    for j in range(weights.shape[0]):
        total += weights[j] * tables.mean[tables.chosen[j], action, j]
    return total


@lean_kernel
def try_neighbours(
    outlook: Outlook,
    aim: Aim,
    tables: Tables,
    near: Integers,
    base: int,
    tour: Tour,
    a: int,
    number: int,
) -> int:
    """Find a move at item ``a`` that promises something new, and make it.

    Parameters
    ----------
    outlook
        The archive, and the outputs of the cycle.
    aim
        Moves are passed over whose first new pair alone costs more than they may.
    tables, base
        Learned costs, and the first action of the permutation.
    near
        Items near each item, shape (n, K).
    tour
        The cycle; changed by the move.
    a
        Item at which the move starts.
    number
        Moves of this item to pass over.

    Returns
    -------
    Number of moves looked at, or -1 if none of the rest promises anything.
    """
    n, count = tour.order.shape[0], 0
    for way in (1, -1):
        b = tour.order[step(tour, tour.place[a], way)]
        most = _weighted(tables, aim.weights, base, n, a, b) + aim.slack
        for k in range(near.shape[1]):
            c = near[a, k]
            if c < 0:
                break
            d = tour.order[step(tour, tour.place[c], way)]
            if b == c or a == d:
                continue
            if _weighted(tables, aim.weights, base, n, a, c) > most:
                continue
            count += 1
            if count <= number:
                continue
            _clear(outlook.delta)
            _add_pair(tables, outlook.delta, base, n, a, c, 1.0)
            _add_pair(tables, outlook.delta, base, n, b, d, 1.0)
            _add_pair(tables, outlook.delta, base, n, a, b, -1.0)
            _add_pair(tables, outlook.delta, base, n, c, d, -1.0)
            if promises(outlook):
                if way == 1:
                    reverse(tour, tour.place[b], tour.place[c])
                else:
                    reverse(tour, tour.place[a], tour.place[d])
                return count
        count = _try_moving(
            outlook, aim, tables, near, base, tour, a, way, number, count
        )
        if count < 0:
            return -count
    return -1


@lean_kernel
def _clear(delta: Floats) -> None:
    """Begin a prediction."""
    for j in range(delta.shape[0]):
        delta[j] = 0.0


@lean_kernel
def _try_moving(
    outlook: Outlook,
    aim: Aim,
    tables: Tables,
    near: Integers,
    base: int,
    tour: Tour,
    a: int,
    way: int,
    number: int,
    count: int,
) -> int:
    """Try stretches that end in ``a`` beside the items near it.

    Returns the number of moves looked at, negative if the last one was made.
    """
    n, delta, weights = tour.order.shape[0], outlook.delta, aim.weights
    here = tour.place[a]
    out = tour.order[step(tour, here, way)]
    for length in range(1, min(LONGEST_MOVED, n - 3) + 1):
        e = tour.order[step(tour, here, -way * (length - 1))]
        inner = tour.order[step(tour, here, -way * length)]
        freed = _weighted(tables, weights, base, n, a, out)
        freed += _weighted(tables, weights, base, n, e, inner)
        freed -= _weighted(tables, weights, base, n, out, inner)
        for k in range(near.shape[1]):
            c = near[a, k]
            if c < 0:
                break
            if _lies_within(tour, c, here, way, length):
                continue
            if _weighted(tables, weights, base, n, a, c) > freed + aim.slack:
                continue
            for side in (1, -1):
                d = tour.order[step(tour, tour.place[c], side)]
                if _lies_within(tour, d, here, way, length):
                    continue
                count += 1
                if count <= number:
                    continue
                _clear(delta)
                _add_pair(tables, delta, base, n, a, out, -1.0)
                _add_pair(tables, delta, base, n, e, inner, -1.0)
                _add_pair(tables, delta, base, n, c, d, -1.0)
                _add_pair(tables, delta, base, n, out, inner, 1.0)
                _add_pair(tables, delta, base, n, a, c, 1.0)
                _add_pair(tables, delta, base, n, e, d, 1.0)
                if promises(outlook):
                    move_stretch(tour, a, e, length, way, c, d)
                    return -count
    return count


@lean_kernel
def _lies_within(tour: Tour, item: int, here: int, way: int, length: int) -> bool:
    """Whether an item is among ``length`` ones from ``here`` against ``way``."""
    distance = (here - tour.place[item]) * way
    if distance < 0:
        distance += tour.order.shape[0]
    return bool(distance < length)


@lean_kernel
def price_tour(
    tables: Tables, tour: Tour, base: int, sign: float, delta: Floats
) -> None:
    """Add all pairs of the cycle, times ``sign``, to ``delta``."""
    n = tour.order.shape[0]
    for i in range(n):
        b = tour.order[i + 1] if i + 1 < n else tour.order[0]
        _add_pair(tables, delta, base, n, tour.order[i], b, sign)


@lean_kernel
def kick_promises(
    outlook: Outlook, tables: Tables, base: int, tour: Tour, tries: int, words: Words
) -> bool:
    """Kick and descend until the cycle promises something new.

    ``tour`` holds the cycle whose outputs are ``outlook.y``, priced under weights for
    which it is nearly the best.
    """
    keep(tour)
    n = tour.order.shape[0]
    for _ in range(tries):
        _clear(outlook.delta)
        price_tour(tables, tour, base, -1.0, outlook.delta)
        kick(tour, words)
        descend(tour, 50 * n)
        price_tour(tables, tour, base, 1.0, outlook.delta)
        if promises(outlook):
            return True
        restore(tour)
    return False
