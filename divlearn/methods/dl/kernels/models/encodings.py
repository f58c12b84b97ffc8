"""Encodings: which actions a solution consists of, and which ones a step changed.

Every encoding numbers its actions like a :class:`~divlearn.kernels.layout.Layout`: a
permutation of n items owns n * n numbers, whatever they mean, so that all encodings
have tables of one size.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout

#: Item or value at a position; item after item; items side by side; item before item;
#: ordered values as steps that are passed.
VALUE, SUCCESSOR, NEIGHBOUR, PRECEDENCE, THERMOMETER = 0, 1, 2, 3, 4


@lean_kernel
def list_changes(
    layout: Layout,
    encoding: int,
    parent: Codes,
    child: Codes,
    inverse: Integers,
    actions: Integers,
    signs: Floats,
) -> int:
    """Write the actions that ``child`` has and ``parent`` has not, and the reverse.

    Parameters
    ----------
    layout
        Positions and segments.
    encoding
        One of the encodings above.
    parent, child
        Two solutions, shape (n,).
    inverse
        Scratch, shape (n,).
    actions, signs
        Filled with the changed actions and 1 for a new one, -1 for one that is gone.

    Returns
    -------
    Number of changed actions.
    """
    count = 0
    for segment in layout.segments:
        start, stop, kind = segment.start, segment.stop, segment.kind
        if kind == PERMUTATION and encoding in (SUCCESSOR, NEIGHBOUR):
            directed = encoding == SUCCESSOR
            base = layout.places[start].offset
            count = _list_pairs(
                parent, child, start, stop, base, directed, 1.0,
                inverse, actions, signs, count,
            )  # fmt: skip
            count = _list_pairs(
                child, parent, start, stop, base, directed, -1.0,
                inverse, actions, signs, count,
            )  # fmt: skip
        elif kind == PERMUTATION and encoding == PRECEDENCE:
            base = layout.places[start].offset
            count = _list_orders(
                parent, child, start, stop, base, inverse, actions, signs, count
            )
        elif kind == ORDINAL and encoding == THERMOMETER:
            count = _list_steps(
                layout, parent, child, start, stop, actions, signs, count
            )
        else:
            count = _list_values(
                layout, parent, child, start, stop, actions, signs, count
            )
    return count


@lean_kernel
def _list_values(
    layout: Layout,
    parent: Codes,
    child: Codes,
    start: int,
    stop: int,
    actions: Integers,
    signs: Floats,
    count: int,
) -> int:
    """Values that changed, position by position."""
    for i in range(start, stop):
        if parent[i] != child[i]:
            offset = layout.places[i].offset
            actions[count] = offset + child[i]
            signs[count] = 1.0
            actions[count + 1] = offset + parent[i]
            signs[count + 1] = -1.0
            count += 2
    return count


@lean_kernel
def _list_steps(
    layout: Layout,
    parent: Codes,
    child: Codes,
    start: int,
    stop: int,
    actions: Integers,
    signs: Floats,
    count: int,
) -> int:
    """Steps between ordered values: action k of a position is "above k"."""
    for i in range(start, stop):
        offset = layout.places[i].offset
        for k in range(parent[i], child[i]):
            actions[count] = offset + k
            signs[count] = 1.0
            count += 1
        for k in range(child[i], parent[i]):
            actions[count] = offset + k
            signs[count] = -1.0
            count += 1
    return count


@lean_kernel
def pair_action(a: int, b: int, size: int, directed: bool) -> int:
    """Number of the pair of items ``a``, ``b`` within a permutation's actions."""
    if directed or a < b:
        return a * size + b
    return b * size + a


@lean_kernel
def _list_pairs(
    old: Codes,
    new: Codes,
    start: int,
    stop: int,
    base: int,
    directed: bool,
    sign: float,
    inverse: Integers,
    actions: Integers,
    signs: Floats,
    count: int,
) -> int:
    """Pairs that follow each other in ``new`` (as a cycle) but not in ``old``."""
    size = stop - start
    if size < 3:
        return count
    for i in range(size):
        inverse[old[start + i]] = i
    for i in range(size):
        a = new[start + i]
        b = new[start + i + 1] if i + 1 < size else new[start]
        place = inverse[a]
        after = old[start + place + 1] if place + 1 < size else old[start]
        if after == b:
            continue
        if not directed:
            before = old[start + place - 1] if place > 0 else old[stop - 1]
            if before == b:
                continue
        actions[count] = base + pair_action(a, b, size, directed)
        signs[count] = sign
        count += 1
    return count


@lean_kernel
def _list_orders(
    parent: Codes,
    child: Codes,
    start: int,
    stop: int,
    base: int,
    inverse: Integers,
    actions: Integers,
    signs: Floats,
    count: int,
) -> int:
    """Pairs of items whose order changed: action (a, b), a < b, is "a before b"."""
    size = stop - start
    first, last = start, stop - 1
    while first < stop and parent[first] == child[first]:
        first += 1
    while last > first and parent[last] == child[last]:
        last -= 1
    for i in range(start, stop):
        inverse[parent[i]] = i
    for i in range(first, last + 1):
        a = child[i]
        for k in range(i + 1, last + 1):
            b = child[k]
            if inverse[a] > inverse[b]:
                actions[count] = base + (a * size + b if a < b else b * size + a)
                signs[count] = 1.0 if a < b else -1.0
                count += 1
    return count
