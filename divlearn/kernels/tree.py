"""A tree over the members of an archive, for three and more objectives.

A node holds the members inside of a box, and the box is the tightest one. So whoever
asks for a member that is as good as something, or nearest to it, passes over most of
them: what the best corner of a box cannot do, none of its members can. The idea is that
of the ND-tree (Jaszkiewicz and Lust, 2018); nodes are divided as in a k-d tree, in two
halves across the longest side.

Everything here follows from the members' keys, and what is asked is answered exactly.
So answers do not depend on how the tree came about: it is never saved, and is built
anew when it is missing, lopsided or out of room.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.views import viewed

#: Most members of a leaf.
CAPACITY = 16
#: Pairs of nodes for so many leaves full of members: halves, and more after insertions.
_ROOM = 4
#: Ranges that wait while a tree is built, three numbers each: one per halving.
_RANGES = 64

#: Fields of the head: members; pairs of nodes in use; members since the tree was built;
#: the bucket that last turned something away.
COUNT, PAIRS, ADDED, LAST = 0, 1, 2, 3
#: Columns of the links: parent, -1 for the root; left one of a pair of children, -1 for
#: a leaf; objective by which they differ; bucket of a leaf.
PARENT, LEFT, AXIS, BUCKET = 0, 1, 2, 3


@viewed
class Tree(NamedTuple):
    """Nodes in pairs, and the buckets of those that are leaves."""

    head: Integers  # (4,) see above
    links: Integers  # (N, 4) see above
    split: Floats  # (N,) where the right child begins, about
    low: Floats  # (N, m) the best corner of a node's box
    high: Floats  # (N, m) the worst corner
    fill: Integers  # (B,) members of a bucket
    slots: Integers  # (B, CAPACITY) their slots
    keys: Floats  # (B, CAPACITY, m) their keys, side by side
    home: Integers  # (slots,) leaf of a member
    rank: Integers  # (slots,) where the archive's order lists a member
    found: Integers  # (slots,) scratch: slots
    stack: Integers  # (S,) scratch: nodes that wait
    corner: Floats  # (m,) scratch: what is asked for


def new_tree(slots: int, m: int) -> Tree:
    """Make a tree without members for an archive of so many slots.

    With one or two objectives none is needed, and it stays empty.
    """
    slots = slots if m > 2 else 0
    pairs = _ROOM * slots // CAPACITY + 2
    nodes = 2 * pairs + 1
    tree = Tree(
        head=np.zeros(4, np.int64),
        links=np.zeros((nodes, 4), np.int64),
        split=np.zeros(nodes),
        low=np.zeros((nodes, m)),
        high=np.zeros((nodes, m)),
        fill=np.zeros(pairs + 1, np.int64),
        slots=np.zeros((pairs + 1, CAPACITY), np.int64),
        keys=np.zeros((pairs + 1, CAPACITY, m)),
        home=np.zeros(slots, np.int64),
        rank=np.zeros(slots, np.int64),
        found=np.zeros(slots, np.int64),
        stack=np.zeros(max(nodes, 3 * _RANGES), np.int64),
        corner=np.zeros(m),
    )
    tree.links[0, PARENT] = tree.links[0, LEFT] = -1
    tree.low[0], tree.high[0] = np.inf, -np.inf
    return tree


# --- building


@lean_kernel
def build(tree: Tree, keys: Floats, order: Integers, size: int) -> None:
    """Build the tree of the first ``size`` slots of ``order``.

    Parameters
    ----------
    tree
        Tree with room for them; whatever it held is forgotten.
    keys
        Keys by slot, shape (slots, m).
    order
        Slots, shape (slots,).
    size
        Number of members.
    """
    head, found, ranges = tree.head, tree.found, tree.stack
    for i in range(size):
        found[i] = order[i]
        tree.rank[order[i]] = i
    head[COUNT], head[PAIRS], head[ADDED], head[LAST] = size, 0, 0, 0
    tree.links[0, PARENT], tree.links[0, BUCKET] = -1, 0
    ranges[0], ranges[1], ranges[2] = 0, 0, size
    top = 3
    while top > 0:
        top -= 3
        node, first, stop = ranges[top], ranges[top + 1], ranges[top + 2]
        _bound(tree, keys, node, first, stop)
        if stop - first <= CAPACITY:
            _fill_leaf(tree, keys, node, first, stop)
            continue
        axis, middle = _longest_side(tree, node), (first + stop) // 2
        _halve(found, keys, axis, first, stop - 1, middle)
        left = _divide(tree, node, axis, keys[found[middle], axis])
        ranges[top], ranges[top + 1], ranges[top + 2] = left, first, middle
        ranges[top + 3], ranges[top + 4], ranges[top + 5] = left + 1, middle, stop
        top += 6


@lean_kernel
def _bound(tree: Tree, keys: Floats, node: int, first: int, stop: int) -> None:
    """Write the box of those found from ``first`` to ``stop``."""
    low, high = tree.low[node], tree.high[node]
    _empty(low, high)
    for i in range(first, stop):
        _widen(low, high, keys[tree.found[i]])


@lean_kernel
def _empty(low: Floats, high: Floats) -> None:
    """Make a box that holds nothing."""
    for j in range(low.shape[0]):
        low[j], high[j] = math.inf, -math.inf


@lean_kernel
def _widen(low: Floats, high: Floats, key: Floats) -> None:
    """Let a box hold a key."""
    for j in range(low.shape[0]):
        low[j] = min(low[j], key[j])
        high[j] = max(high[j], key[j])


@lean_kernel
def _fill_leaf(tree: Tree, keys: Floats, node: int, first: int, stop: int) -> None:
    """Put those found from ``first`` to ``stop`` into a leaf."""
    tree.links[node, LEFT] = -1
    tree.fill[tree.links[node, BUCKET]] = 0
    for i in range(first, stop):
        _put(tree, node, tree.found[i], keys[tree.found[i]])


@lean_kernel
def _put(tree: Tree, node: int, slot: int, key: Floats) -> None:
    """Add a member to the bucket of a leaf, which has room."""
    bucket = tree.links[node, BUCKET]
    i = tree.fill[bucket]
    tree.slots[bucket, i] = slot
    for j in range(key.shape[0]):
        tree.keys[bucket, i, j] = key[j]
    tree.fill[bucket] = i + 1
    tree.home[slot] = node


@lean_kernel
def _longest_side(tree: Tree, node: int) -> int:
    """The objective in which a node's box is longest, in units of the whole."""
    most, axis = -1.0, 0
    for j in range(tree.low.shape[1]):
        whole = tree.high[0, j] - tree.low[0, j]
        side = tree.high[node, j] - tree.low[node, j]
        if whole > 0.0 and side / whole > most:
            most, axis = side / whole, j
    return axis


@lean_kernel
def _divide(tree: Tree, node: int, axis: int, split: float) -> int:
    """Give a node two children; return the left one, which has the node's bucket."""
    left = 1 + 2 * tree.head[PAIRS]
    tree.head[PAIRS] += 1
    links = tree.links
    links[node, LEFT], links[node, AXIS], tree.split[node] = left, axis, split
    links[left, PARENT] = links[left + 1, PARENT] = node
    links[left, BUCKET] = links[node, BUCKET]
    links[left + 1, BUCKET] = tree.head[PAIRS]
    return int(left)


@lean_kernel
def _halve(
    found: Integers, keys: Floats, axis: int, first: int, last: int, middle: int
) -> None:
    """Bring the smaller ones by one objective before rank ``middle``: a quickselect."""
    while first < last:
        a, b = keys[found[first], axis], keys[found[last], axis]
        c = keys[found[(first + last) // 2], axis]
        pivot = max(min(a, b), min(max(a, b), c))
        i, k = first, last
        while i <= k:
            while keys[found[i], axis] < pivot:
                i += 1
            while keys[found[k], axis] > pivot:
                k -= 1
            if i <= k:
                found[i], found[k] = found[k], found[i]
                i += 1
                k -= 1
        if middle <= k:
            last = k
        elif middle >= i:
            first = i
        else:
            return


# --- one more, one less


@lean_kernel
def add(tree: Tree, keys: Floats, order: Integers, size: int, slot: int) -> None:
    """Add a member to the ``size`` ones that ``order`` lists; it is listed next."""
    head, node, key = tree.head, 0, keys[slot]
    full = 2 * head[PAIRS] + 3 > tree.low.shape[0]
    if full or 2 * head[ADDED] > size + CAPACITY:
        build(tree, keys, order, size)
    while True:
        _widen(tree.low[node], tree.high[node], key)
        if tree.links[node, LEFT] < 0:
            if tree.fill[tree.links[node, BUCKET]] < CAPACITY:
                break
            _divide_leaf(tree, node)
        right = key[tree.links[node, AXIS]] >= tree.split[node]
        node = tree.links[node, LEFT] + int(right)
    _put(tree, node, slot, key)
    tree.rank[slot] = size
    head[COUNT] += 1
    head[ADDED] += 1


@lean_kernel
def _divide_leaf(tree: Tree, node: int) -> None:
    """Divide the members of a full leaf between two new ones."""
    bucket, axis = tree.links[node, BUCKET], _longest_side(tree, node)
    keys, slots = tree.keys[bucket], tree.slots[bucket]
    for i in range(1, CAPACITY):
        k = i
        while k > 0 and keys[k - 1, axis] > keys[k, axis]:
            slots[k - 1], slots[k] = slots[k], slots[k - 1]
            for j in range(keys.shape[1]):
                keys[k - 1, j], keys[k, j] = keys[k, j], keys[k - 1, j]
            k -= 1
    half = CAPACITY // 2
    left = _divide(tree, node, axis, keys[half, axis])
    tree.links[left, LEFT] = tree.links[left + 1, LEFT] = -1
    tree.fill[bucket], tree.fill[tree.links[left + 1, BUCKET]] = half, 0
    for i in range(half):
        tree.home[slots[i]] = left
    for i in range(half, CAPACITY):
        _put(tree, left + 1, slots[i], keys[i])
    _tighten(tree, left)
    _tighten(tree, left + 1)


@lean_kernel
def drop(tree: Tree, slot: int) -> None:
    """Take a member out; boxes become as tight as they can be without it."""
    node = tree.home[slot]
    bucket = tree.links[node, BUCKET]
    i, last = 0, tree.fill[bucket] - 1
    while tree.slots[bucket, i] != slot:
        i += 1
    tree.slots[bucket, i] = tree.slots[bucket, last]
    for j in range(tree.keys.shape[2]):
        tree.keys[bucket, i, j] = tree.keys[bucket, last, j]
    tree.fill[bucket] = last
    tree.head[COUNT] -= 1
    while node >= 0:
        _tighten(tree, node)
        node = tree.links[node, PARENT]


@lean_kernel
def _tighten(tree: Tree, node: int) -> None:
    """Measure the box of a node anew: by its members, or by its children."""
    low, high, left = tree.low[node], tree.high[node], tree.links[node, LEFT]
    _empty(low, high)
    if left < 0:
        bucket = tree.links[node, BUCKET]
        for i in range(tree.fill[bucket]):
            _widen(low, high, tree.keys[bucket, i])
        return
    for j in range(low.shape[0]):
        low[j] = min(tree.low[left, j], tree.low[left + 1, j])
        high[j] = max(tree.high[left, j], tree.high[left + 1, j])
