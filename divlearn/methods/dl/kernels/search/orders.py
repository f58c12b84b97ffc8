"""Local search for permutations under any mixture of encodings.

The cost of an order is a sum over "item at place", "item after item" (as a cycle) and
"item before item". Items are inserted elsewhere, which is looked at for all places in
one sweep, and exchanged. Nothing is evaluated here: costs are what was learned.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.random import below
from divlearn.kernels.rules.kinds import ORDER
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.additive import Tables
from divlearn.methods.dl.kernels.models.encodings import (
    NEIGHBOUR,
    PRECEDENCE,
    SUCCESSOR,
)
from divlearn.methods.dl.kernels.search.between import (
    look_from,
    look_on,
    note_exchange,
    note_insertion,
)
from divlearn.methods.dl.kernels.variation import copy_codes, insert_item

_LEAST_GAIN = 1e-10
#: Random moves of a kick.
KICK_MOVES = 3
#: Moves per item after which a descent from a kick ends.
MOVES_PER_ITEM = 20
#: Price of a forbidden order, by all that a move may gain otherwise.
FORBIDDEN = 10.0


@viewed
class Order(NamedTuple):
    """Scratch: an order that is being improved, and its costs."""

    items: Codes  # (n,)
    kept: Codes  # (n,) the order before the last kick
    at: Floats  # (n, n) cost of an item at a place: at[place, item]
    follow: Floats  # (n, n) cost of an item right after another: follow[first, second]
    ahead: Floats  # (n, n) cost of an item somewhere before another
    margin: Floats  # (n, n) the same, less the cost of the reverse
    between: Floats  # (n,) sums of it, see divlearn.methods.dl.kernels.search.between
    prices: Floats  # (n,) of exchanging an item with others
    used: Integers  # (3,) 1 where such costs are in use


def new_order(size: int) -> Order:
    """Scratch for orders of up to ``size`` items."""
    return Order(
        items=np.zeros(size, np.int64),
        kept=np.zeros(size, np.int64),
        at=np.zeros(size * size),
        follow=np.zeros(size * size),
        ahead=np.zeros(size * size),
        margin=np.zeros(size * size),
        between=np.zeros(size),
        prices=np.zeros(size),
        used=np.zeros(3, np.int64),
    )


@lean_kernel
def cut_order(storage: Order, n: int) -> Order:
    """The first part of scratch that was made for longer orders, for ``n`` items."""
    return Order(
        storage.items[:n],
        storage.kept[:n],
        storage.at[: n * n].reshape((n, n)),
        storage.follow[: n * n].reshape((n, n)),
        storage.ahead[: n * n].reshape((n, n)),
        storage.margin[: n * n].reshape((n, n)),
        storage.between[:n],
        storage.prices[:n],
        storage.used,
    )


@lean_kernel
def price_orders(tables: Tables, order: Order, weights: Floats, base: int) -> None:
    """Write all costs under ``weights``, shape (m + c,), by the chosen encodings."""
    n = order.items.shape[0]
    for k in range(3):
        order.used[k] = 0
    for a in range(n):
        for b in range(n):
            order.at[a, b] = order.follow[a, b] = order.ahead[a, b] = 0.0
    for j in range(weights.shape[0]):
        if weights[j] == 0.0:
            continue
        e = tables.chosen[j]
        kind = tables.encodings[e]
        for a in range(n):
            for b in range(n):
                value = weights[j] * tables.mean[e, base + a * n + b, j]
                if kind == SUCCESSOR:
                    order.follow[a, b] += value
                elif kind == NEIGHBOUR:
                    if a < b:
                        order.follow[a, b] += value
                        order.follow[b, a] += value
                elif kind == PRECEDENCE:
                    if a < b:
                        order.ahead[a, b] += value
                else:
                    order.at[a, b] += value
        if kind in (SUCCESSOR, NEIGHBOUR):
            order.used[1] = 1
        elif kind == PRECEDENCE:
            order.used[2] = 1
        else:
            order.used[0] = 1


@lean_kernel
def forbid_orders(order: Order, layout: Layout, s: int) -> None:
    """Add costs that outweigh all others to what rules on segment ``s`` forbid."""
    n, most = order.items.shape[0], 0.0
    for a in range(n):
        for b in range(n):
            most = max(most, abs(order.at[a, b]), abs(order.follow[a, b]))
            most = max(most, abs(order.ahead[a, b]))
    for rule in layout.rules:
        if rule.segment == s and rule.kind == ORDER:
            price = FORBIDDEN * n * max(most, _LEAST_GAIN)
            price_demands(layout.links, rule.first, n, price, order)


@lean_kernel
def price_demands(
    links: Integers, first: int, n: int, price: float, order: Order
) -> None:
    """Add a price to every broken demand: places, groups, and who comes first.

    Copies of a thing may stand in any order: they are numbered anew when an order is
    settled, and without that few moves would be left.
    """
    copies, starts = first + 1 + 3 * n, first + 1 + 4 * n
    before = starts + n + 1
    for a in range(n):
        for b in range(n):
            outside = links[first + 1 + b] > a or links[first + 1 + n + b] < a
            if outside and links[first] == 1:
                order.at[a, b] += price
                order.used[0] = 1
            group = links[first + 1 + 2 * n + a]
            if group >= 0 and group == links[first + 1 + 2 * n + b]:
                order.follow[a, b] -= price
                order.used[1] = 1
        for k in range(links[starts + a], links[starts + a + 1]):
            b = links[before + k]
            if links[copies + a] != links[copies + b]:
                order.ahead[a, b] += price
                order.used[2] = 1


@lean_kernel
def set_margins(order: Order) -> None:
    """Write what each pair of items costs in one order rather than the other.

    Whoever changes the costs does this before moves are looked at.
    """
    n = order.items.shape[0]
    for a in range(n if order.used[2] == 1 else 0):
        for b in range(a):
            order.margin[a, b] = order.ahead[a, b] - order.ahead[b, a]
            order.margin[b, a] = -order.margin[a, b]
        order.margin[a, a] = 0.0


@inlined_kernel
def _follow(order: Order, a: int, b: int) -> float:
    """Cost of ``b`` right after ``a``."""
    # Items are never negative: nobody need ask whether to count from the end.
    return float(order.follow[np.uint64(a), np.uint64(b)])


@inlined_kernel
def _moved_past(order: Order, v: int, k: int, way: int) -> float:
    """Change when ``v`` passes the item at place ``k``, which moves against ``way``."""
    item, change = order.items[k], 0.0
    if order.used[0] == 1:
        change += order.at[k - way, item] - order.at[k, item]
    if order.used[2] == 1:  # v was before the item, or after it
        change += -order.margin[v, item] if way == 1 else order.margin[v, item]
    return change


@inlined_kernel
def _inserted(order: Order, i: int, j: int, way: int) -> float:
    """Change of the "after" costs when the item at ``i`` goes to ``j``."""
    if order.used[1] == 0:
        return 0.0
    x, n = order.items, order.items.shape[0]
    v = x[i]
    left, right = x[i - 1 if i > 0 else n - 1], x[i + 1 if i + 1 < n else 0]
    # It comes to lie between the item at j and the one beyond, in its direction.
    if way == 1:
        p, s = x[j], x[j + 1 if j + 1 < n else 0]
    else:
        p, s = x[j - 1 if j > 0 else n - 1], x[j]
    if p == v or s == v:  # the whole cycle only turns
        return 0.0
    change = _follow(order, left, right) - _follow(order, left, v)
    change -= _follow(order, v, right)
    change += _follow(order, p, v) + _follow(order, v, s)
    return change - _follow(order, p, s)


@inlined_kernel
def best_insertion(order: Order, i: int, target: Integers) -> float:
    """Best place to insert the item at ``i``; writes it, returns the change."""
    n = order.items.shape[0]
    v, best = order.items[i], -_LEAST_GAIN
    target[0] = -1
    for way in (1, -1):
        passed, j = 0.0, i + way
        while 0 <= j < n:
            passed += _moved_past(order, v, j, way)
            change = passed + _inserted(order, i, j, way)
            if order.used[0] == 1:
                change += order.at[j, v] - order.at[i, v]
            if change < best:
                best = change
                target[0] = j
            j += way
    return best if target[0] >= 0 else 0.0


@inlined_kernel
def _replaced(order: Order, i: int, j: int) -> float:
    """Change of the costs of places when the items at ``i`` < ``j`` are exchanged."""
    a, b = order.items[i], order.items[j]
    if order.used[0] == 0:
        return 0.0
    return float(order.at[i, b] + order.at[j, a] - order.at[i, a] - order.at[j, b])


@inlined_kernel
def _joined(order: Order, i: int, j: int, change: float) -> float:
    """Add the change of "after" costs when items at ``i`` < ``j`` are exchanged."""
    x, n = order.items, order.items.shape[0]
    if order.used[1] == 0:
        return change
    a, b = x[i], x[j]
    p, s = x[i - 1 if i > 0 else n - 1], x[j + 1 if j + 1 < n else 0]
    if j == i + 1:
        if p != b:
            change += _follow(order, p, b) + _follow(order, a, s)
            change -= _follow(order, p, a) + _follow(order, b, s)
        change += _follow(order, b, a) - _follow(order, a, b)
    elif i == 0 and j == n - 1:
        c, d = x[1], x[n - 2]
        change += _follow(order, d, a) + _follow(order, a, b) + _follow(order, b, c)
        change -= _follow(order, d, b) + _follow(order, b, a) + _follow(order, a, c)
    else:
        c, d = x[i + 1], x[j - 1]
        change += _follow(order, p, b) + _follow(order, b, c)
        change += _follow(order, d, a) + _follow(order, a, s)
        change -= _follow(order, p, a) + _follow(order, a, c)
        change -= _follow(order, d, b) + _follow(order, b, s)
    return change


@inlined_kernel
def exchanged(order: Order, i: int, j: int) -> float:
    """Change when the items at ``i`` < ``j`` are exchanged."""
    x, change = order.items, _replaced(order, i, j)
    if order.used[2] == 1:
        one, other = order.margin[x[i]], order.margin[x[j]]
        change += other[x[i]]
        for k in range(i + 1, j):
            passed = np.uint64(x[k])
            change += other[passed] - one[passed]
    return _joined(order, i, j, change)


@inlined_kernel
def _price_exchanges(order: Order, i: int) -> None:
    """Write what it changes to exchange the item at ``i`` with each other one.

    The same as ``exchanged`` for all of them, in the time of an order.
    """
    n, between, own = order.items.shape[0], order.used[2] == 1, order.margin[0]
    if between:
        own = order.margin[order.items[i]]
    order.prices[i] = 0.0
    for way in (1, -1):
        passed, sign, j = 0.0, float(way), i + way
        while 0 <= j < n:
            low, high = min(i, j), max(i, j)
            change = _replaced(order, low, high)
            if between:
                met = own[order.items[j]]
                change += sign * (order.between[j] - passed - met)
                passed += met
            order.prices[j] = _joined(order, low, high, change)
            j += way


@inlined_kernel
def _improve_item(order: Order, i: int, target: Integers) -> float:
    """Make the best insertion or exchange of the item at place ``i``."""
    x, best, partner = order.items, best_insertion(order, i, target), -1
    place, between = target[0], order.used[2] == 1
    _price_exchanges(order, i)
    for j in range(x.shape[0]):
        if order.prices[j] < best - _LEAST_GAIN and j != i:
            best, partner = order.prices[j], j
    if partner >= 0:
        if between:
            note_exchange(x, order.margin, order.between, i, partner)
        x[i], x[partner] = x[partner], x[i]
        return best
    if place >= 0:
        if between:
            note_insertion(x, order.margin, order.between, i, place)
        insert_item(x, i, place)
        return best
    return 0.0


@lean_kernel
def descend_order(order: Order, limit: int, target: Integers, rng: Words) -> float:
    """Improve item by item until nothing helps or ``limit`` moves are made."""
    n = order.items.shape[0]
    total, moves, idle, between = 0.0, 0, 0, order.used[2] == 1
    i = below(rng, n)
    if between:
        look_from(order.items, order.margin, order.between, i)
    while idle < n and moves < limit:
        change = _improve_item(order, i, target)
        if change < 0.0:
            total += change
            moves += 1
            idle = 0
        else:
            idle += 1
        if between:
            i = look_on(order.items, order.margin, order.between, i)
        else:
            i = i + 1 if i + 1 < n else 0
    return -total


@lean_kernel
def _kick_order(order: Order, rng: Words) -> float:
    """Exchange random items a few times; return the change."""
    n, total = order.items.shape[0], 0.0
    for _ in range(KICK_MOVES):
        i = below(rng, n)
        j = below(rng, n)
        if i != j:
            low, high = min(i, j), max(i, j)
            total += exchanged(order, low, high)
            order.items[low], order.items[high] = order.items[high], order.items[low]
    return total


@lean_kernel
def improve_order(
    order: Order, kicks: int, limit: int, target: Integers, rng: Words
) -> float:
    """Descend, then kick and descend; return the total gain.

    Parameters
    ----------
    order
        Order and costs.
    kicks
        Number of kicks.
    limit
        Most moves of the first descent: how far the costs are trusted.
    target
        Scratch, shape (1,).
    rng
        Random generator.
    """
    n = order.items.shape[0]
    set_margins(order)
    total = descend_order(order, limit, target, rng)
    for _ in range(kicks):
        copy_codes(order.items, order.kept)
        gain = -_kick_order(order, rng)
        gain += descend_order(order, MOVES_PER_ITEM * n, target, rng)
        if gain >= _LEAST_GAIN:
            total += gain
        else:
            copy_codes(order.kept, order.items)
    return total
