"""Generic moves: unit perturbations that change only given positions.

A move works on the subsequence of ``x`` at ascending ``positions``, all of one
segment, so that it means the same for a window and for scattered positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.cells import another_code, has_scale, stepped
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET, Layout, count_ones
from divlearn.kernels.random import below, uniform
from divlearn.kernels.rules.kinds import SIZES
from divlearn.kernels.rules.presence import is_absent
from divlearn.kernels.structure import has_rule, settle

#: Moves of each kind of segment; the place in the row is the move's number.
MOVE_NAMES = (
    ("adjacent swap", "swap", "insertion", "reversal"),
    ("flip", "exchange"),
    ("set",),
    ("step", "set"),
)
#: An inserted block has at most this many items, where nothing speaks against blocks.
MAX_BLOCK = 3
#: Positions tried before a subproblem counts as one where nothing can move.
NUM_TRIES = 8


def move_shares(
    shares: Mapping[str, float] | Sequence[str] | None = None,
) -> Floats:
    """Turn shares by name into the cumulative table that kernels read, shape (4, 4).

    A kind of segment of which no move is named uses all of its moves equally.
    """
    if shares is None:
        shares = {}
    if not isinstance(shares, Mapping):
        shares = dict.fromkeys(shares, 1.0)
    table = np.zeros((len(MOVE_NAMES), 4))
    for kind, names in enumerate(MOVE_NAMES):
        given = [float(shares.get(name, 0.0)) for name in names]
        row = given if sum(given) > 0 else [1.0] * len(names)
        table[kind, : len(row)] = row
        table[kind] = np.cumsum(table[kind]) / sum(row)
    return table


@lean_kernel
def random_move(
    layout: Layout,
    x: Codes,
    positions: Integers,
    count: int,
    shares: Floats,
    block: int,
    words: Words,
    scratch: Integers,
) -> bool:
    """Change ``x`` by one move inside ``positions[:count]``, ascending.

    Where a layout has rules, ``x`` is a solution, and what becomes of it is settled. A
    move counts only if that leaves a change, and none at other positions. ``scratch``
    has room for a solution. An insertion moves at most ``block`` items.

    Returns
    -------
    False if no move was found; ``x`` is then unchanged.
    """
    if count == 0:
        return False
    ruled = layout.rules.shape[0] > 0
    for _ in range(NUM_TRIES):
        if ruled:
            for i in range(x.shape[0]):
                scratch[i] = x[i]
        moved = _try_move(layout, x, positions, count, shares, block, words)
        if moved and ruled:
            settle(layout, x, words)
            moved = _keep_inside(layout, x, scratch, positions, count)
        if moved:
            return True
    return False


@lean_kernel
def _try_move(
    layout: Layout,
    x: Codes,
    positions: Integers,
    count: int,
    shares: Floats,
    block: int,
    words: Words,
) -> bool:
    """Make one move at a random position, whatever rules say; False if none fits."""
    picked = _next_present(layout, x, positions, count, below(words, count))
    i = positions[picked]
    s = layout.places[i].segment
    first, last = picked, picked + 1
    if layout.segments.shape[0] == 1:
        first, last = 0, count
    else:
        while first > 0 and layout.places[positions[first - 1]].segment == s:
            first -= 1
        while last < count and layout.places[positions[last]].segment == s:
            last += 1
    kind = layout.segments[s].kind
    move = _draw_move(shares, kind, words)
    if kind == PERMUTATION:
        return _permute(x, positions, first, last, move, block, words)
    if kind == SUBSET:
        return _change_subset(layout, x, positions, first, last, picked, move, words)
    if has_rule(layout, s, SIZES) and below(words, 2) == 0:
        return _exchange(x, positions, first, last, i, words)
    step = kind == ORDINAL and move == 0
    return _change_value(layout, x, i, step, words)


@lean_kernel
def _next_present(
    layout: Layout, x: Codes, positions: Integers, count: int, picked: int
) -> int:
    """Number of the first of ``positions``, from ``picked`` on, that has a value."""
    if layout.rules.shape[0] > 0:
        for _ in range(count):
            if not is_absent(layout, x, positions[picked]):
                break
            picked = (picked + 1) % count
    return picked


@lean_kernel
def _keep_inside(
    layout: Layout, x: Codes, before: Codes, positions: Integers, count: int
) -> bool:
    """Whether ``x`` changed, and at ``positions`` only; else it is set back.

    What vanishes or comes to be because of a change may be elsewhere.
    """
    k, inside, outside = 0, False, False
    for i in range(x.shape[0]):
        given = k < count and positions[k] == i
        k += 1 if given else 0
        if x[i] != before[i]:
            follows = is_absent(layout, x, i) or is_absent(layout, before, i)
            inside, outside = inside or given, outside or not (given or follows)
    if outside:
        for i in range(x.shape[0]):
            x[i] = before[i]
    return inside and not outside


@lean_kernel
def _exchange(
    x: Codes, positions: Integers, first: int, last: int, i: int, words: Words
) -> bool:
    """Exchange the value of position ``i`` with another one inside."""
    # Reservoir sampling: every position unlike the given one is equally likely.
    partner, seen = -1, 0
    for j in range(first, last):
        if x[positions[j]] != x[i]:
            seen += 1
            if below(words, seen) == 0:
                partner = positions[j]
    if partner >= 0:
        _swap(x, i, partner)
    return partner >= 0


@lean_kernel
def _draw_move(shares: Floats, kind: int, words: Words) -> int:
    """Draw the number of a move of this kind by its share."""
    u = uniform(words)
    for move in range(3):
        if u < shares[kind, move]:
            return move
    return 3


@lean_kernel
def _permute(
    x: Codes,
    positions: Integers,
    first: int,
    last: int,
    move: int,
    block: int,
    words: Words,
) -> bool:
    """Reorder the items at ``positions[first:last]``."""
    length = last - first
    if length < 2:
        return False
    if move == 0:
        j = first + below(words, length - 1)
        _swap(x, positions[j], positions[j + 1])
        return True
    j = first + below(words, length)
    k = first + below(words, length - 1)
    if k >= j:
        k += 1
    if move == 1:
        _swap(x, positions[j], positions[k])
    elif move == 2:
        _insert_block(x, positions, j, k, last, block, words)
    else:
        lower, upper = min(j, k), max(j, k)
        while lower < upper:
            _swap(x, positions[lower], positions[upper])
            lower += 1
            upper -= 1
    return True


@lean_kernel
def _swap(x: Codes, i: int, j: int) -> None:
    """Exchange two entries."""
    x[i], x[j] = x[j], x[i]


@lean_kernel
def _insert_block(
    x: Codes, positions: Integers, j: int, k: int, last: int, block: int, words: Words
) -> None:
    """Move a block of up to ``block`` items from place ``j`` to place ``k``."""
    if j < k:
        for _ in range(min(1 + below(words, block), k - j)):
            item = x[positions[j]]
            for place in range(j, k):
                x[positions[place]] = x[positions[place + 1]]
            x[positions[k]] = item
        return
    for b in range(min(1 + below(words, block), last - j)):
        item = x[positions[j + b]]
        for place in range(j + b, k + b, -1):
            x[positions[place]] = x[positions[place - 1]]
        x[positions[k + b]] = item


@lean_kernel
def _change_subset(
    layout: Layout,
    x: Codes,
    positions: Integers,
    first: int,
    last: int,
    picked: int,
    move: int,
    words: Words,
) -> bool:
    """Flip the picked bit where its subset's size allows, else exchange it."""
    i = positions[picked]
    s = layout.places[i].segment
    if move == 0 and _may_flip(layout, x, s, i):
        x[i] = 1 - x[i]
        return True
    if _exchange(x, positions, first, last, i, words):
        return True
    if _may_flip(layout, x, s, i):
        x[i] = 1 - x[i]
        return True
    return False


@lean_kernel
def _may_flip(layout: Layout, x: Codes, s: int, i: int) -> bool:
    """Whether segment ``s`` keeps an allowed number of ones without bit ``i``."""
    segment = layout.segments[s]
    if segment.least == 0 and segment.most == segment.stop - segment.start:
        return True
    ones = count_ones(x, segment.start, segment.stop) + 1 - 2 * x[i]
    return bool(segment.least <= ones <= segment.most)


@lean_kernel
def _change_value(layout: Layout, x: Codes, i: int, step: bool, words: Words) -> bool:
    """Give position ``i`` another value: an adjacent one if ``step``, else any.

    Where values have a scale (:mod:`divlearn.kernels.cells`) a step is of random size.
    """
    arity = layout.places[i].values
    if arity < 2:
        return False
    if has_scale(layout, i):
        if step:
            x[i] = stepped(layout, i, x[i], words)
        else:
            x[i] = another_code(layout, i, x[i], words)
        return True
    if not step:
        value = below(words, arity - 1)
        x[i] = value + 1 if value >= x[i] else value
        return True
    up = below(words, 2) == 1
    if x[i] == 0:
        up = True
    elif x[i] == arity - 1:
        up = False
    x[i] += 1 if up else -1
    return True
