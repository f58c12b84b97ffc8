"""Encodings: which actions a solution consists of, and which ones a step changed.

Every encoding numbers its actions like a :class:`~divlearn.kernels.layout.Layout`: a
permutation of n items owns n * n numbers, whatever they mean, so that all encodings
have tables of one size.
"""

from __future__ import annotations

from typing import NamedTuple

from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.cells import row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout
from divlearn.kernels.rules.presence import has_absent
from divlearn.kernels.views import viewed

#: Item or value at a position; item after item; items side by side; item before item;
#: ordered values as steps that are passed.
VALUE, SUCCESSOR, NEIGHBOUR, PRECEDENCE, THERMOMETER = 0, 1, 2, 3, 4


@viewed
class Changes(NamedTuple):
    """Scratch: the actions that a step changed."""

    inverse: Integers  # (n,)
    actions: Integers  # as many as a step may change
    signs: Floats
    errors: Floats  # (m + c,)
    parent: Codes  # (n,)
    child: Codes  # (n,)
    tally: Integers  # (A,) zeros, one per action of encodings of a user's own
    listed: Integers  # actions of one solution by such an encoding


@lean_kernel
def list_changes(
    layout: Layout, encoding: int, parent: Codes, child: Codes, changes: Changes
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
    changes
        Its ``actions`` and ``signs`` are filled: 1 for a new one, -1 for one that is
        gone; ``inverse`` is scratch.

    Returns
    -------
    Number of changed actions.
    """
    count = 0
    for segment in layout.segments:
        kind = segment.kind
        if kind == PERMUTATION and encoding in (SUCCESSOR, NEIGHBOUR):
            directed, base = encoding == SUCCESSOR, layout.places[segment.start].offset
            count = _list_pairs(
                changes, count, segment, base, parent, child, directed, 1.0
            )
            count = _list_pairs(
                changes, count, segment, base, child, parent, directed, -1.0
            )
        elif kind == PERMUTATION and encoding == PRECEDENCE:
            base = layout.places[segment.start].offset
            count = _list_orders(changes, count, segment, base, parent, child)
        elif kind == ORDINAL and encoding == THERMOMETER:
            count = _list_steps(changes, count, segment, layout, parent, child)
        else:
            count = _list_values(changes, count, segment, layout, parent, child)
    return count


@lean_kernel
def _append(changes: Changes, count: int, action: int, sign: float) -> int:
    """Add an action to the list; return its length."""
    changes.actions[count] = action
    changes.signs[count] = sign
    return count + 1


@lean_kernel
def _list_values(
    changes: Changes,
    count: int,
    segment: Records,
    layout: Layout,
    parent: Codes,
    child: Codes,
) -> int:
    """Values that changed, position by position."""
    for i in range(segment.start, segment.stop):
        if parent[i] != child[i]:
            old, new = row_of(layout, i, parent[i]), row_of(layout, i, child[i])
            if old != new:
                count = _append(changes, count, new, 1.0)
                count = _append(changes, count, old, -1.0)
    return count


@lean_kernel
def _list_steps(
    changes: Changes,
    count: int,
    segment: Records,
    layout: Layout,
    parent: Codes,
    child: Codes,
) -> int:
    """Steps between ordered values: action k of a position is "above k".

    The last action of a position that may be absent says so, above nothing.
    """
    for i in range(segment.start, segment.stop):
        old, new = row_of(layout, i, parent[i]), row_of(layout, i, child[i])
        first, absent = layout.places[i].offset, -1
        if has_absent(layout, i):
            absent = first + layout.places[i].arity - 1
        if absent in (old, new) and old != new:
            count = _append(changes, count, absent, 1.0 if new == absent else -1.0)
            old = first if old == absent else old
            new = first if new == absent else new
        for step in range(old, new):
            count = _append(changes, count, step, 1.0)
        for step in range(new, old):
            count = _append(changes, count, step, -1.0)
    return count


@lean_kernel
def pair_action(a: int, b: int, size: int, directed: bool) -> int:
    """Number of the pair of items ``a``, ``b`` within a permutation's actions."""
    if directed or a < b:
        return a * size + b
    return b * size + a


@lean_kernel
def _list_pairs(
    changes: Changes,
    count: int,
    segment: Records,
    base: int,
    old: Codes,
    new: Codes,
    directed: bool,
    sign: float,
) -> int:
    """Pairs that follow each other in ``new`` (as a cycle) but not in ``old``."""
    start, stop, inverse = segment.start, segment.stop, changes.inverse
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
        action = base + pair_action(a, b, size, directed)
        count = _append(changes, count, action, sign)
    return count


@lean_kernel
def _list_orders(
    changes: Changes,
    count: int,
    segment: Records,
    base: int,
    parent: Codes,
    child: Codes,
) -> int:
    """Pairs of items whose order changed: action (a, b), a < b, is "a before b"."""
    start, stop, inverse = segment.start, segment.stop, changes.inverse
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
                action = base + pair_action(a, b, stop - start, False)
                count = _append(changes, count, action, 1.0 if a < b else -1.0)
    return count
