"""Values and loads of chosen items, and repairs that make a choice fit.

With n items, m values and c weights each, the table has m + c + 1 columns and n + 1
rows:

- 0 .. n - 1: an item's values, its weights, and in the last column the number of the
  item that holds this place when all are ordered by efficiency, the best first;
- n: m in column 0, the capacities in columns m .. m + c - 1, and in the last column
  1 if a repair also fills what room is left, else 0.
"""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.kernels.random import below, seed_words

_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HASH_SHIFT = np.uint64(29)

#: Share of the capacity by which sums of the same weights may differ from rounding.
ROUNDING = 1e-9


@kernel
def knapsack_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write the m values of choice ``x`` and, where ``y`` has room, load - capacity."""
    n = x.shape[0]
    m = int(table[n, 0])
    for k in range(y.shape[0]):
        y[k] = _total(x, table, k)
        if k >= m:
            y[k] -= table[n, k]


@kernel
def random_drop(x: Codes, table: Floats) -> None:
    """Drop items drawn at random until the rest fits; the draw depends on ``x``."""
    if not choice_fits(x, table):
        words = np.empty(4, np.uint64)
        seed_words(words, hash_choice(x))
        chosen = np.empty(x.shape[0], np.int64)
        left = 0
        for j in range(x.shape[0]):
            if x[j] == 1:
                chosen[left] = j
                left += 1
        while not choice_fits(x, table):
            place = below(words, left)
            x[chosen[place]] = 0
            left -= 1
            chosen[place] = chosen[left]
    _fill(x, table)


@kernel
def efficiency_drop(x: Codes, table: Floats) -> None:
    """Drop the chosen items of least efficiency until the rest fits."""
    fits = choice_fits(x, table)
    place = x.shape[0]
    while not fits:
        place -= 1
        item = int(table[place, table.shape[1] - 1])
        if x[item] == 1:
            x[item] = 0
            fits = choice_fits(x, table)
    _fill(x, table)


@kernel
def _fill(x: Codes, table: Floats) -> None:
    """Add what fits, the most efficient first, if the table asks for it."""
    n = x.shape[0]
    last = table.shape[1] - 1
    if table[n, last] == 0.0:
        return
    room = np.empty(last - int(table[n, 0]))
    _measure_room(x, table, room)
    for place in range(n):
        item = int(table[place, last])
        if x[item] == 0 and _may_fit(table, item, room):
            x[item] = 1
            if choice_fits(x, table):
                _measure_room(x, table, room)
            else:
                x[item] = 0


@kernel
def choice_fits(x: Codes, table: Floats) -> bool:
    """Whether no load is above its capacity, by the sums the objective reports.

    No repair decides by sums that were kept up to date instead, which round
    differently: so a repaired choice is feasible to the last bit.
    """
    n = x.shape[0]
    for k in range(int(table[n, 0]), table.shape[1] - 1):
        if _total(x, table, k) > table[n, k]:
            return False
    return True


@kernel
def _total(x: Codes, table: Floats, k: int) -> float:
    """Sum of column ``k`` over the chosen items."""
    total = 0.0
    for j in range(x.shape[0]):
        # A product and no branch: which items are chosen cannot be predicted.
        total += x[j] * table[j, k]
    return total


@kernel
def _measure_room(x: Codes, table: Floats, room: Floats) -> None:
    """Write what is left of each capacity."""
    n = x.shape[0]
    m = int(table[n, 0])
    for k in range(room.shape[0]):
        room[k] = table[n, m + k] - _total(x, table, m + k)


@kernel
def _may_fit(table: Floats, item: int, room: Floats) -> bool:
    """Whether ``item`` fits into ``room``, if only up to rounding."""
    n = table.shape[0] - 1
    m = int(table[n, 0])
    for k in range(room.shape[0]):
        if table[item, m + k] > room[k] + ROUNDING * table[n, m + k]:
            return False
    return True


@kernel
def hash_choice(x: Codes) -> np.uint64:
    """Mix all bits of a choice into one word."""
    word = np.uint64(x.shape[0])
    for j in range(x.shape[0]):
        word = (word ^ np.uint64(x[j])) * _HASH_FACTOR
        word = word ^ (word >> _HASH_SHIFT)
    return word
