"""The archive: every non-dominated solution that was ever evaluated.

Objectives are minimised here. Values equal after rounding (see :func:`rounded`) count
once, so that a tour and its rotation do not both enter. ``order`` lists the used slots
first, then the free ones; with two objectives the used ones are sorted by the first,
which makes a comparison a binary search. With more, few members are compared one after
the other, and many are found in a tree (:mod:`divlearn.kernels.tree`). Which members
stay does not depend on that. An archive may have a limit; where it is full, whoever is
missed least leaves (:mod:`divlearn.kernels.crowding`).

Keys are what learning compares predictions with: rounded values, tamed
(:mod:`divlearn.kernels.scale`). Where taming made two alike, the values decide.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.crowding import who_leaves
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.scale import is_usual, tamed
from divlearn.kernels.tree import COUNT, Tree, add, build, drop, new_tree
from divlearn.kernels.tree_search import covers, list_beside
from divlearn.kernels.views import viewed

_ROUND = 1e9
_BITS = 2.0**30
SMALL = 2.0**-10

Number = TypeVar("Number", np.float64, np.int64)

#: Slots of a new archive; it doubles when it is full.
NUM_SLOTS = 256
#: Most members that are compared one after the other; a tree answers for more.
MOST_LISTED = 512
#: Members that one newcomer may remove from the tree; for more it is built anew.
_MOST_DROPPED = 32


@viewed
class Archive(NamedTuple):
    """Slots of the archive; the number of used ones is kept with the search."""

    solutions: Codes  # (slots, n) codes
    outputs: Floats  # (slots, m + c) objectives (minimised), then raw constraints
    keys: Floats  # (slots, m) rounded objectives, tamed
    order: Integers  # (slots,) used slots, then free ones
    tree: Tree  # of many members, for more than two objectives; follows from the rest
    limit: Integers  # (1,) most members, 0 for any number; a setting
    line: Integers  # (slots,) scratch
    gaps: Floats  # (slots,) scratch


def new_archive(slots: int, n: int, m: int, c: int) -> Archive:
    """Make an empty archive without a limit."""
    return Archive(
        np.zeros((slots, n), np.int64),
        np.zeros((slots, m + c)),
        np.zeros((slots, m)),
        np.arange(slots, dtype=np.int64),
        new_tree(slots, m),
        np.zeros(1, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots),
    )


def with_tree(archive: Archive) -> Archive:
    """Give an archive that came from a file what is not saved; its limit stays."""
    slots, m = archive.keys.shape
    fresh = new_archive(slots, 0, m, 0)
    return archive._replace(tree=fresh.tree, line=fresh.line, gaps=fresh.gaps)


def enlarged(archive: Archive) -> Archive:
    """Copy into an archive with twice the slots."""
    slots, m = archive.keys.shape
    fresh = new_archive(2 * slots, 0, m, 0)

    def twice(array: NDArray[Number]) -> NDArray[Number]:
        return np.concatenate((array, np.zeros_like(array)))

    return Archive(
        twice(archive.solutions),
        twice(archive.outputs),
        twice(archive.keys),
        np.concatenate((archive.order, fresh.order[slots:])),
        fresh.tree,
        archive.limit,
        fresh.line,
        fresh.gaps,
    )


@lean_kernel
def has_tree(archive: Archive, size: int) -> bool:
    """Whether the members are in the tree; it is built if it is not there yet.

    The order of the archive must then not be changed by anyone else.
    """
    if size <= MOST_LISTED or archive.keys.shape[1] <= 2:
        return False
    if archive.tree.head[COUNT] != size:
        build(archive.tree, archive.keys, archive.order, size)
    return True


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
    The new size, or -1 if ``x`` did not enter. In a full archive somebody leaves, see
    :mod:`divlearn.kernels.crowding`; if that is ``x`` itself, it did not enter.
    """
    slot = archive.order[size]
    key = archive.keys[slot]  # the next free slot serves as scratch
    for j in range(key.shape[0]):
        key[j] = rounded(y[j])
        if not is_usual(key[j]):
            key[j] = tamed(key[j])
    entered = _insert_key(archive, size, x, y)
    if archive.limit[0] > 0 and entered > archive.limit[0]:
        return _let_go(archive, entered, slot)
    return entered


@lean_kernel
def _let_go(archive: Archive, size: int, newcomer: int) -> int:
    """Take out one member of an archive that has one too many.

    Returns
    -------
    The new size; -1 if it was the newcomer, so that all is as before.
    """
    rank = who_leaves(archive.keys, archive.order, size, archive.line, archive.gaps)
    gone = archive.order[rank]
    size = remove(archive, size, rank)
    return -1 if gone == newcomer else size


@lean_kernel
def insert_predicted(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """As :func:`insert`, of outputs that learning predicts, which are tame already."""
    key = archive.keys[archive.order[size]]
    for j in range(key.shape[0]):
        key[j] = rounded(y[j])
    return _insert_key(archive, size, x, y)


@lean_kernel
def _insert_key(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """Insert what has its key in the next free slot."""
    if archive.keys.shape[1] == 2:
        return _insert_sorted(archive, size, x, y)
    if has_tree(archive, size):
        return insert_into_tree(archive, size, x, y)
    archive.tree.head[COUNT] = 0
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
    slot, indexed = order[rank], has_tree(archive, size)
    if indexed:
        drop(archive.tree, slot)
    for i in range(rank, size - 1):
        order[i] = order[i + 1]
        if indexed:
            archive.tree.rank[order[i]] = i
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
    order, i = archive.order, 0
    slot = order[size]
    while i < size:
        worse, better = _compare(archive, slot, order[i], y)
        if not better:
            # Whoever turned one away will likely turn the next away: ask it sooner.
            j = i // 2
            order[i], order[j] = order[j], order[i]
            return -1
        if not worse:
            size = _take_out(order, size, i)
            continue
        i += 1
    _fill(archive, slot, x, y)
    return size + 1


@lean_kernel
def _compare(archive: Archive, slot: int, member: int, y: Floats) -> tuple[bool, bool]:
    """Whether a newcomer is worse than a member in some objective, and better.

    Where it is both, others are not looked at.
    """
    keys = archive.keys
    worse = better = False
    for j in range(keys.shape[1]):
        if keys[slot, j] > keys[member, j]:
            worse = True
            if better:
                break
        elif keys[slot, j] < keys[member, j]:
            better = True
            if worse:
                break
        else:
            sign = _beyond_key(keys[slot, j], y[j], archive.outputs[member, j])
            worse, better = worse or sign > 0, better or sign < 0
    return worse, better


@lean_kernel
def _take_out(order: Integers, size: int, rank: int) -> int:
    """Let the last member take the place of one; return the number that is left.

    The slot of the newcomer stays the first free one.
    """
    size -= 1
    member = order[rank]
    order[rank] = order[size]
    order[size], order[size + 1] = order[size + 1], member
    return size


# --- many members


@lean_kernel
def insert_into_tree(archive: Archive, size: int, x: Codes, y: Floats) -> int:
    """Insert with many members, all of which are in the tree.

    Returns
    -------
    The new size, or -1 if ``x`` did not enter; the order is then as before.
    """
    order, tree = archive.order, archive.tree
    slot = order[size]
    if _is_turned_away(archive, slot, y):
        return -1
    count = list_beside(tree, archive.keys[slot], True)
    if count > _MOST_DROPPED:
        tree.head[COUNT] = 0
        return _insert_listed(archive, size, x, y)
    found = tree.found
    for i in range(1, count):  # by slot, however the tree has listed them
        k = i
        while k > 0 and found[k - 1] > found[k]:
            found[k - 1], found[k] = found[k], found[k - 1]
            k -= 1
    for i in range(count):
        worse, _ = _compare(archive, slot, found[i], y)
        if worse:
            continue
        rank = tree.rank[found[i]]
        drop(tree, found[i])
        size = _take_out(order, size, rank)
        tree.rank[order[rank]] = rank
    _fill(archive, slot, x, y)
    add(tree, archive.keys, order, size, slot)
    return size + 1


@lean_kernel
def _is_turned_away(archive: Archive, slot: int, y: Floats) -> bool:
    """Whether a member is as good as the newcomer whose key is in ``slot``."""
    tree, key, usual = archive.tree, archive.keys[slot], True
    for j in range(key.shape[0]):
        usual = usual and is_usual(key[j])
    if usual:
        return covers(tree, key)
    for i in range(list_beside(tree, key, False)):
        _, better = _compare(archive, slot, tree.found[i], y)
        if not better:
            return True
    return False
