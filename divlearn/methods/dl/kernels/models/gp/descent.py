"""Descent of an order by insertions, exchanges and reversals, by costs of actions."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Integers, Words
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.search.orders import (
    Order,
    best_insertion,
    exchanged,
    set_margins,
)
from divlearn.methods.dl.kernels.variation import insert_item, reverse_items

_LEAST_GAIN = 1e-12
#: Longest stretch that is reversed, or between items that are exchanged, where what is
#: inside matters and items are more than so many: its costs take long.
LONGEST_INSIDE, MANY_ITEMS = 12, 64


@inlined_kernel
def best_reversal(order: Order, i: int, target: Integers) -> float:
    """Best end of a stretch from ``i`` on to reverse; writes it, returns the change."""
    x, n, best, inside = order.items, order.items.shape[0], -_LEAST_GAIN, 0.0
    target[0] = -1
    inner = n > MANY_ITEMS and (order.used[0] == 1 or order.used[2] == 1)
    for j in range(i + 1, min(n, i + LONGEST_INSIDE) if inner else n):
        if i == 0 and j == n - 1:
            break
        a, b = x[j - 1], x[j]
        if order.used[1] == 1:
            inside += order.follow[b, a] - order.follow[a, b]
        if order.used[2] == 1:
            row = order.margin[b]
            for k in range(i, j):
                inside += row[np.uint64(x[k])]
        change = inside
        if order.used[1] == 1:
            before, after = x[i - 1 if i > 0 else n - 1], x[j + 1 if j + 1 < n else 0]
            change += order.follow[before, b] + order.follow[x[i], after]
            change -= order.follow[before, x[i]] + order.follow[b, after]
        if order.used[0] == 1:
            for k in range(i, j + 1):
                change += order.at[i + j - k, x[k]] - order.at[k, x[k]]
        if change < best:
            best = change
            target[0] = j
    return best if target[0] >= 0 else 0.0


@inlined_kernel
def _improve_from(order: Order, i: int, target: Integers) -> bool:
    """Make the best move of the item at ``i``, or of a stretch from it on."""
    x, partner = order.items, -1
    best = best_reversal(order, i, target)
    end = target[0]
    inserted = best_insertion(order, i, target)
    place = target[0]
    if inserted < best:
        best, end = inserted, -1
    else:
        place = -1
    low, high = 0, x.shape[0]
    if high > MANY_ITEMS and order.used[2] == 1:
        low, high = max(0, i - LONGEST_INSIDE), min(high, i + LONGEST_INSIDE + 1)
    for j in range(low, high):
        if j != i:
            change = exchanged(order, min(i, j), max(i, j))
            if change < best - _LEAST_GAIN:
                best, partner = change, j
    if partner >= 0:
        x[i], x[partner] = x[partner], x[i]
    elif place >= 0:
        insert_item(x, i, place)
    elif end >= 0:
        reverse_items(x, i, end)
    return partner >= 0 or place >= 0 or end >= 0


@lean_kernel
def descend(order: Order, limit: int, target: Integers, rng: Words) -> int:
    """Improve item by item until nothing helps or ``limit`` moves are made.

    Parameters
    ----------
    order
        Order and costs.
    limit
        Most moves: how far the costs are trusted.
    target
        Scratch, shape (1,).
    rng
        Random numbers.

    Returns
    -------
    Number of moves.
    """
    n = order.items.shape[0]
    moves, idle, i = 0, 0, below(rng, n)
    set_margins(order)
    while idle < n and moves < limit:
        if _improve_from(order, i, target):
            moves += 1
            idle = 0
        else:
            idle += 1
        i = i + 1 if i + 1 < n else 0
    return moves
