"""The assignment of least cost: which item at which place, by shortest ways.

One place after the other gets an item. The shortest way, in costs reduced by prices of
places and items, leads to an item that is free; all on the way hand on theirs, and the
prices are raised so that no reduced cost is negative (R. Jonker, A. Volgenant, "A
shortest augmenting path algorithm for dense and sparse linear assignment problems",
Computing 38, 1987). Whatever is not assigned *loses* its reduced cost.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.views import viewed


@viewed
class Matching(NamedTuple):
    """Scratch: costs of items at places, the best assignment, what others lose."""

    cost: Floats  # (n, n) of an item at a place: cost[place, item]
    item: Codes  # (n,) of each place
    place: Codes  # (n,) of each item, -1 for none
    place_price: Floats  # (n,)
    item_price: Floats  # (n,)
    distance: Floats  # (n,) of the ways to each item
    previous: Integers  # (n,) place before each item on its way
    reached: Integers  # (n,) 1 where the shortest way is known
    loss: Floats  # (n, n) of a place that takes the item of another one
    back: Floats  # (n, n) least loss of a way from one place to another
    near: Integers  # (n, n) other places by what taking their item loses
    cheapest: Floats  # (n,) least loss of a cycle from a place through later ones
    goes: Integers  # (n,) whose item each place takes
    taken: Integers  # (n,) 1 where a place hands on its item
    row: Integers  # (2n + 2,) place that needs an item at each depth, -1 for none
    start: Integers  # (2n + 2,) first place of the cycle
    following: Integers  # (2n + 2,) what is tried next
    lost: Floats  # (2n + 2,) so far
    outputs: Floats  # (2n + 2, p) so far


def new_matching(n: int, p: int) -> Matching:
    """Make the scratch for ``n`` items and ``p`` outputs."""
    depth = 2 * n + 2
    whole, number = np.zeros(n, np.int64), np.zeros(n)
    square = np.zeros((n, n))
    return Matching(
        cost=square,
        item=whole,
        place=whole.copy(),
        place_price=number,
        item_price=number.copy(),
        distance=number.copy(),
        previous=whole.copy(),
        reached=whole.copy(),
        loss=square.copy(),
        back=square.copy(),
        near=np.zeros((n, n), np.int64),
        cheapest=number.copy(),
        goes=whole.copy(),
        taken=whole.copy(),
        row=np.zeros(depth, np.int64),
        start=np.zeros(depth, np.int64),
        following=np.zeros(depth, np.int64),
        lost=np.zeros(depth),
        outputs=np.zeros((depth, p)),
    )


@lean_kernel
def solve_assignment(matching: Matching) -> float:
    """Find the assignment of least ``cost``; return what it costs."""
    n, total = matching.item.shape[0], 0.0
    for i in range(n):
        matching.item[i] = matching.place[i] = -1
        matching.place_price[i] = matching.item_price[i] = 0.0
    for i in range(n):
        free = _shortest_way(matching, i)
        _raise_prices(matching, i, free)
        _hand_on(matching, i, free)
    for i in range(n):
        total += matching.cost[i, matching.item[i]]
    return total


@lean_kernel
def _shortest_way(matching: Matching, first: int) -> int:
    """Lead ways from place ``first`` to all items near enough; return the free one."""
    n, cost, distance = matching.item.shape[0], matching.cost, matching.distance
    for a in range(n):
        distance[a], matching.previous[a], matching.reached[a] = math.inf, first, 0
    i, so_far = first, 0.0
    while True:
        nearest, least, price = -1, math.inf, matching.place_price[i]
        for a in range(n):
            if matching.reached[a] == 1:
                continue
            way = so_far + cost[i, a] - price - matching.item_price[a]
            if way < distance[a]:
                distance[a], matching.previous[a] = way, i
            if distance[a] < least or nearest < 0:
                nearest, least = a, distance[a]
        matching.reached[nearest] = 1
        if matching.place[nearest] < 0:
            return nearest
        i, so_far = matching.place[nearest], least


@lean_kernel
def _raise_prices(matching: Matching, first: int, free: int) -> None:
    """Let all reduced costs on the way to item ``free`` be zero, none be negative."""
    length = matching.distance[free]
    for a in range(matching.item.shape[0]):
        if matching.reached[a] == 1 and a != free:
            nearer = length - matching.distance[a]
            matching.place_price[matching.place[a]] += nearer
            matching.item_price[a] -= nearer
    matching.place_price[first] += length


@lean_kernel
def _hand_on(matching: Matching, first: int, free: int) -> None:
    """Give item ``free`` to the last place of its way, the item of that to another."""
    a = free
    while True:
        i = matching.previous[a]
        matching.place[a] = i
        before = matching.item[i]
        matching.item[i] = a
        if i == first:
            return
        a = before


@lean_kernel
def list_losses(matching: Matching) -> None:
    """Write what every place loses by taking another's item, and the least ways."""
    n, loss, near = matching.item.shape[0], matching.loss, matching.near
    for i in range(n):
        price = matching.place_price[i]
        for j in range(n):
            a = matching.item[j]
            lost = matching.cost[i, a] - price - matching.item_price[a]
            loss[i, j] = max(0.0, lost) if i != j else 0.0
            matching.back[i, j] = loss[i, j]
        for j in range(n):  # those of least loss first
            k = j
            while k > 0 and loss[i, near[i, k - 1]] > loss[i, j]:
                near[i, k] = near[i, k - 1]
                k -= 1
            near[i, k] = j
    _find_ways(matching.back)
    for i in range(n):
        matching.cheapest[i] = math.inf
        for j in range(i + 1, n):
            closed = loss[i, j] + matching.back[j, i]
            matching.cheapest[i] = min(matching.cheapest[i], closed)


@lean_kernel
def _find_ways(back: Floats) -> None:
    """Let every entry be the least loss over all ways (Floyd and Warshall)."""
    n = back.shape[0]
    for k in range(n):
        for i in range(n):
            first = back[i, k]
            for j in range(n):
                if first + back[k, j] < back[i, j]:
                    back[i, j] = first + back[k, j]
