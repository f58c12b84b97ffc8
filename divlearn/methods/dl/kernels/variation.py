"""Variations of solutions that need nothing but the layout of the space."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Records, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, SUBSET, Layout, count_ones
from divlearn.kernels.random import below
from divlearn.kernels.rules.presence import is_absent, stands_alone
from divlearn.kernels.structure import may_change, settle


@lean_kernel
def copy_codes(source: Codes, target: Codes) -> None:
    """Copy a solution."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@lean_kernel
def write_corner(layout: Layout, last: bool, x: Codes) -> None:
    """Let every position of ``x`` have its first value, or its ``last`` one."""
    for i in range(x.shape[0]):
        x[i] = layout.places[i].values - 1 if last else 0


@lean_kernel
def is_limited(segment: Records) -> bool:
    """Whether a segment is a subset whose size is limited."""
    free = segment.least == 0 and segment.most == segment.stop - segment.start
    return bool(segment.kind == SUBSET and not free)


@lean_kernel
def is_free(layout: Layout, x: Codes, i: int) -> bool:
    """Whether position ``i`` can be changed alone (a limited subset: flipped)."""
    segment = layout.segments[layout.places[i].segment]
    if segment.kind == PERMUTATION or not stands_alone(layout, x, i):
        return False
    if is_limited(segment):
        ones = count_ones(x, segment.start, segment.stop) + 1 - 2 * x[i]
        if ones < segment.least or ones > segment.most:
            return False
    return may_change(layout, x, i)


@lean_kernel
def insert_item(x: Codes, i: int, j: int) -> None:
    """Take the item at place ``i`` out and put it in at place ``j``."""
    item, step = x[i], 1 if i < j else -1
    while i != j:
        x[i] = x[i + step]
        i += step
    x[j] = item


@lean_kernel
def reverse_items(x: Codes, i: int, j: int) -> None:
    """Reverse the stretch from place ``i`` to place ``j``."""
    while i < j:
        x[i], x[j] = x[j], x[i]
        i, j = i + 1, j - 1


@lean_kernel
def move_items(x: Codes, i: int, j: int, rng: Words) -> None:
    """Exchange the items at two places, move one to the other, or reverse a stretch."""
    move = below(rng, 3)
    if move == 0:
        x[i], x[j] = x[j], x[i]
    elif move == 1:
        insert_item(x, i, j)
    else:
        reverse_items(x, min(i, j), max(i, j))


@lean_kernel
def crossover(
    layout: Layout, rng: Words, a: Codes, b: Codes, y: Codes, spare: bool
) -> None:
    """Draw every position of ``y`` from ``a`` or ``b``; ``y`` may be one of them.

    Permutations come from one of them as a whole; a subset whose size is limited is
    then brought to an allowed size, where the two differ. With ``spare`` a number is
    drawn for every segment, whether it is used or not. What ``y`` then needs and has
    not comes from ``a``, where it can; the rest is settled.
    """
    for segment in layout.segments:
        whole = segment.kind == PERMUTATION
        first = (whole or spare) and below(rng, 2) == 0
        for i in range(segment.start, segment.stop):
            if not whole:
                first = below(rng, 2) == 0
            y[i] = a[i] if first else b[i]
        if is_limited(segment):
            _limit_size(segment, rng, a, b, y)
    borrow(layout, a, y)
    settle(layout, y, rng)


@lean_kernel
def _limit_size(segment: Records, rng: Words, a: Codes, b: Codes, y: Codes) -> None:
    """Drop or add random items of a subset, of those that only one parent has."""
    start, stop = segment.start, segment.stop
    ones = count_ones(y, start, stop)
    while ones < segment.least or ones > segment.most:
        gone, chosen, seen = 1 if ones > segment.most else 0, -1, 0
        for i in range(start, stop):
            if y[i] == gone and a[i] != b[i]:
                seen += 1
                if below(rng, seen) == 0:
                    chosen = i
        y[chosen] = 1 - gone
        ones += 1 - 2 * gone


@lean_kernel
def borrow(layout: Layout, donor: Codes, x: Codes) -> None:
    """Take over from ``donor`` all that ``x`` lacks.

    What ``x`` does not need is for :func:`divlearn.kernels.structure.settle` to remove:
    so a part that comes to be begins as another solution has it.
    """
    if layout.rules.shape[0] == 0:
        return
    for s in range(layout.segments.shape[0] - 1, -1, -1):  # orders before their flag
        segment = layout.segments[s]
        start = segment.start
        if is_absent(layout, x, start) and not is_absent(layout, donor, start):
            for i in range(start, segment.stop):
                x[i] = donor[i]
