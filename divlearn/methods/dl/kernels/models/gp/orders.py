"""What two orders have in common, counted in five ways.

A permutation is compared as the encodings of the tables do, by shares of common actions
(:mod:`divlearn.methods.dl.kernels.models.encodings`): items at the same position, the
same item right after another, the same two side by side (both as cycles), pairs in the
same order. The fifth way is the correlation of the items' positions, for outputs that
rise or fall with how early an item comes. Each way is a *block*: a matrix of
*likenesses* S_b(x, z), 1 for equal orders. All are products of features, so that sums
of them and exp(-w (1 - S_b)) are covariances.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.records import new_records
from divlearn.kernels.rules.presence import is_absent

#: Kinds of blocks: same position, correlation of positions, same successor, side by
#: side, pairs in the same order.
AT, PLACE, AFTER, BESIDE, BEFORE = range(5)
#: Orders longer than this are not compared pair by pair.
LONGEST_PAIRED = 128
#: Logits of their shares where nothing is known. How early items come tells much of
#: which come before which, so that few points cannot tell the two apart; but it is so
#: simple that a model of it is soon too sure.
LOGITS = (0.0, -2.5, 0.0, 0.0, 0.0)
#: Position and successor of items of an order that is absent.
NOWHERE = -2

#: Positions and counts: small numbers, of which many are compared at once.
Shorts: TypeAlias = NDArray[np.int16]

BLOCK = np.dtype(
    [
        ("segment", "i8"),  # of the layout
        ("kind", "i8"),  # one of the above
        ("first", "i8"),  # row of the first item in ``stands`` and ``follows``
        ("length", "i8"),  # number of items
        ("norm", "f8"),  # one over the likeness of an order with itself, not divided
        ("logit", "f8"),  # of its share, where nothing is known
    ]
)


def blocks_of(layout: Layout) -> Records:
    """Blocks of a space, those of one permutation together."""
    rows: list[tuple[int, int, int, int, float, float]] = []
    first = 0
    for s, segment in enumerate(layout.segments):
        n = int(segment.stop - segment.start)
        if segment.kind != PERMUTATION or n < 2:
            continue
        norms = [1 / n, 12 / (n * (n * n - 1)), 1 / n, 1 / n, 2 / (n * (n - 1))]
        kinds = range(BEFORE if n > LONGEST_PAIRED else BEFORE + 1)
        rows += [(s, kind, first, n, norms[kind], LOGITS[kind]) for kind in kinds]
        first += n
    blocks = new_records(len(rows), BLOCK)
    for b, row in enumerate(rows):
        blocks[b] = row
    return blocks


def num_items(blocks: Records) -> int:
    """Items of all permutations that are compared."""
    return int(blocks[-1].first + blocks[-1].length) if len(blocks) else 0


@lean_kernel
def write_orders(
    layout: Layout, blocks: Records, x: Codes, stands: Integers, follows: Integers
) -> None:
    """Write the position of each item of ``x``, and the item after it as a cycle."""
    for b in range(blocks.shape[0]):
        block = blocks[b]
        if block.kind != AT:
            continue
        start, n, first = (
            layout.segments[block.segment].start,
            block.length,
            block.first,
        )
        absent = is_absent(layout, x, start)
        for i in range(n):
            item = x[start + i]
            after = x[start + i + 1] if i + 1 < n else x[start]
            stands[first + item] = NOWHERE if absent else i
            follows[first + item] = NOWHERE if absent else after


@lean_kernel
def compare(
    block: Records,
    own_stands: Integers,
    own_follows: Integers,
    stands: Shorts,
    follows: Shorts,
    count: int,
    counts: Shorts,
    likeness: Floats,
) -> None:
    """Write the likenesses of one order and the first ``count`` others.

    Parameters
    ----------
    block
        Which permutation, and how it is compared.
    own_stands, own_follows
        Positions and successors of the one, shape (Q,).
    stands, follows
        The same of the others, shape (Q, M).
    count
        How many others.
    counts
        Scratch, shape (M,).
    likeness
        Output, shape (M,).
    """
    n, first = block.length, block.first
    if own_stands[first] == NOWHERE:
        for i in range(count):
            likeness[i] = 1.0 if stands[first, i] == NOWHERE else 0.0
        return
    for i in range(count):
        counts[i] = 0
        likeness[i] = 0.0
    factor, shift = block.norm, 0.0
    if block.kind == BEFORE:
        _count_pairs(n, first, own_stands, stands, count, counts)
        factor, shift = 2.0 * block.norm, -0.5 * n * (n - 1) * block.norm
    elif block.kind == PLACE:
        _correlate(n, first, own_stands, stands, count, likeness)
    elif block.kind == BESIDE:
        _count_edges(n, first, own_follows, follows, count, counts)
    elif block.kind == AFTER:
        _count_equal(n, first, own_follows, follows, count, counts)
    else:
        _count_equal(n, first, own_stands, stands, count, counts)
    for i in range(count):
        total = factor * (likeness[i] + counts[i]) + shift
        likeness[i] = 0.0 if stands[first, i] == NOWHERE else total


@lean_kernel
def _count_equal(
    n: int, first: int, own: Integers, others: Shorts, count: int, counts: Shorts
) -> None:
    """Add items of which both orders say the same."""
    for k in range(first, first + n):
        value, row = own[k], others[k]
        for i in range(count):
            counts[i] += row[i] == value


@lean_kernel
def _count_pairs(
    n: int, first: int, own: Integers, others: Shorts, count: int, counts: Shorts
) -> None:
    """Add pairs in the same order."""
    for a in range(first, first + n):
        one = others[a]
        for b in range(first, a):
            other = others[b]
            if own[a] < own[b]:
                for i in range(count):
                    counts[i] += one[i] < other[i]
            else:
                for i in range(count):
                    counts[i] += other[i] < one[i]


@lean_kernel
def _correlate(
    n: int, first: int, own: Integers, others: Shorts, count: int, total: Floats
) -> None:
    """Add products of positions, measured from the middle."""
    middle = 0.5 * (n - 1)
    for k in range(first, first + n):
        value, row = own[k] - middle, others[k]
        for i in range(count):
            total[i] += value * (row[i] - middle)


@lean_kernel
def _count_edges(
    n: int, first: int, own: Integers, others: Shorts, count: int, counts: Shorts
) -> None:
    """Add pairs side by side in both orders, whichever comes first."""
    for a in range(n):
        b = own[first + a]
        one, other = others[first + a], others[first + b]
        for i in range(count):
            counts[i] += (one[i] == b) | (other[i] == a)
