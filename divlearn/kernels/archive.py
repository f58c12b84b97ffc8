"""The archive: every non-dominated solution that was ever evaluated.

Objectives are minimised here. Values equal after rounding (see :func:`rounded`) count
once, so that a tour and its rotation do not both enter. ``order`` lists the used slots
first, then the free ones; with two objectives the used ones are sorted by the first,
which makes a comparison a binary search.

Keys are what learning compares predictions with: rounded values, tamed
(:mod:`divlearn.kernels.scale`). Where taming made two alike, the values decide.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.scale import is_usual, tamed
from divlearn.kernels.views import viewed

_ROUND = 1e9
_BITS = 2.0**30
SMALL = 2.0**-10

Number = TypeVar("Number", np.float64, np.int64)

#: Slots of a new archive; it doubles when it is full.
NUM_SLOTS = 256


@viewed
class Archive(NamedTuple):
    """Slots of the archive; the number of used ones is kept with the search."""

    solutions: Codes  # (slots, n) codes
    outputs: Floats  # (slots, m + c) objectives (minimised), then raw constraints
    keys: Floats  # (slots, m) rounded objectives, tamed
    order: Integers  # (slots,) used slots, then free ones


def new_archive(slots: int, n: int, m: int, c: int) -> Archive:
    """Make an empty archive."""
    return Archive(
        np.zeros((slots, n), np.int64),
        np.zeros((slots, m + c)),
        np.zeros((slots, m)),
        np.arange(slots, dtype=np.int64),
    )


def enlarged(archive: Archive) -> Archive:
    """Copy into an archive with twice the slots."""
    slots = archive.order.shape[0]

    def twice(array: NDArray[Number]) -> NDArray[Number]:
        return np.concatenate((array, np.zeros_like(array)))

    return Archive(
        twice(archive.solutions),
        twice(archive.outputs),
        twice(archive.keys),
        np.concatenate((archive.order, np.arange(slots, 2 * slots, dtype=np.int64))),
    )


@lean_kernel
def rounded(value: float) -> float:
    """Round to nine decimals, and numbers below 1/1024 to nine significant digits.

    So objectives in small units keep their front. Large numbers are left alone.
    """
    if abs(value) > 1e6:
        return value
    if abs(value) >= SMALL:
        return math.floor(value * _ROUND + 0.5) / _ROUND
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.floor(mantissa * _BITS + 0.5) / _BITS, exponent)


@lean_kernel
def insert(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """Add ``x`` with outputs ``y`` unless something as good is there.

    Parameters
    ----------
    archive
        Archive with at least one free slot.
    size
        Number of used slots.
    x
        Codes, shape (n,).
    y
        Objectives (minimised), then constraints, shape (m + c,).

    Returns
    -------
    The new size, or -1 if ``x`` did not enter.
    """
    key = archive.keys[archive.order[size]]  # the next free slot serves as scratch
    for j in range(key.shape[0]):
        key[j] = rounded(y[j])
        if not is_usual(key[j]):
            key[j] = tamed(key[j])
    if archive.keys.shape[1] == 2:
        return _insert_sorted(archive, size, x, y)
    return _insert_listed(archive, size, x, y)


@lean_kernel
def insert_predicted(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """As :func:`insert`, of outputs that learning predicts, which are tame already."""
    key = archive.keys[archive.order[size]]
    for j in range(key.shape[0]):
        key[j] = rounded(y[j])
    if archive.keys.shape[1] == 2:
        return _insert_sorted(archive, size, x, y)
    return _insert_listed(archive, size, x, y)


@lean_kernel
def _beyond_key(key: float, value: float, other: float) -> int:
    """Compare values that have the same ``key``: 1 where the first is larger, or -1."""
    if is_usual(key):
        return 0
    first, second = rounded(value), rounded(other)
    return int(first > second) - int(first < second)


@lean_kernel
def remove(archive: Archive, size: int, rank: int) -> int:
    """Take the member at ``rank`` out; its slot is the next one that is filled."""
    order = archive.order
    slot = order[rank]
    for i in range(rank, size - 1):
        order[i] = order[i + 1]
    order[size - 1] = slot
    return size - 1


@lean_kernel
def _fill(archive: Archive, slot: int, x: Codes, y: Floats) -> None:
    """Write a solution into its slot, whose key is there already."""
    for i in range(x.shape[0]):
        archive.solutions[slot, i] = x[i]
    for j in range(y.shape[0]):
        archive.outputs[slot, j] = y[j]


@lean_kernel
def _insert_sorted(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """Insert with two objectives: sorted by the first, so falling in the second."""
    keys, order, outputs = archive.keys, archive.order, archive.outputs
    slot = order[size]
    first, second = keys[slot, 0], keys[slot, 1]
    low, high = 0, size  # find the first member whose first objective is larger
    while low < high:
        middle = (low + high) // 2
        key = keys[order[middle], 0]
        if key < first or (
            key == first and _beyond_key(key, y[0], outputs[order[middle], 0]) >= 0
        ):
            low = middle + 1
        else:
            high = middle
    start = low
    if low > 0:
        before = order[low - 1]
        key = keys[before, 1]
        if key < second or (
            key == second and _beyond_key(key, y[1], outputs[before, 1]) >= 0
        ):
            return -1
        key = keys[before, 0]
        if key == first and _beyond_key(key, y[0], outputs[before, 0]) == 0:
            start = low - 1
    stop = low
    while stop < size:
        key = keys[order[stop], 1]
        if key < second or (
            key == second and _beyond_key(key, y[1], outputs[order[stop], 1]) > 0
        ):
            break
        stop += 1
    _fill(archive, slot, x, y)
    if stop == start:
        for i in range(size, start, -1):
            order[i] = order[i - 1]
        order[start] = slot
        return size + 1
    # The newcomer takes the place of the first it dominates, the others make room.
    order[size] = order[start]
    order[start] = slot
    removed = stop - start - 1
    if removed > 0:
        for _ in range(removed):
            freed = order[start + 1]
            for i in range(start + 1, size - 1):
                order[i] = order[i + 1]
            order[size - 1] = freed
    return size - removed


@lean_kernel
def _insert_listed(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """Insert with any number of objectives: compare with one after the other."""
    keys, order, outputs = archive.keys, archive.order, archive.outputs
    m, slot = keys.shape[1], order[size]
    i = 0
    while i < size:
        member = order[i]
        worse = better = False  # the newcomer, in some objective
        for j in range(m):
            if keys[slot, j] > keys[member, j]:
                worse = True
                if better:
                    break
            elif keys[slot, j] < keys[member, j]:
                better = True
                if worse:
                    break
            else:
                sign = _beyond_key(keys[slot, j], y[j], outputs[member, j])
                worse, better = worse or sign > 0, better or sign < 0
        if not better:
            # Whoever turned one away will likely turn the next away: ask it sooner.
            j = i // 2
            order[i], order[j] = order[j], order[i]
            return -1
        if not worse:
            size -= 1
            order[i] = order[size]
            order[size] = member
            # The slot of the newcomer stays the first free one.
            order[size], order[size + 1] = order[size + 1], order[size]
            continue
        i += 1
    _fill(archive, slot, x, y)
    return size + 1
