"""Questions to the tree of an archive: who covers, who is covered, nearest, lightest.

Boxes are passed over by the same sums that members are compared by, made of their best
corner. Rounding keeps the order of these, so none is passed over that matters.
"""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import inlined_kernel, lean_kernel
from divlearn.kernels.tree import BUCKET, COUNT, LAST, LEFT, Tree


@lean_kernel
def covers(tree: Tree, corner: Floats) -> bool:
    """Whether the key of a member is nowhere above ``corner``, shape (m,)."""
    # What is asked comes from the same neighbourhood as what was asked before.
    if tree.head[COUNT] == 0 or _bucket_covers(tree, tree.head[LAST], corner):
        return bool(tree.head[COUNT] > 0)
    stack, top, node, low = tree.stack, 0, 0, tree.low
    if not _is_below(low[0], corner):
        return False
    while True:
        left = tree.links[node, LEFT]
        if left < 0:
            if _bucket_covers(tree, tree.links[node, BUCKET], corner):
                tree.head[LAST] = tree.links[node, BUCKET]
                return True
        else:
            one = _is_below(low[np.uint64(left)], corner)
            other = _is_below(low[np.uint64(left + 1)], corner)
            # Who covers it is hardly below it: the right child has what is nearer.
            if other:
                node = left + 1
                if one:
                    stack[top] = left
                    top += 1
                continue
            if one:
                node = left
                continue
        if top == 0:
            return False
        top -= 1
        node = stack[top]


@inlined_kernel
def _is_below(key: Floats, corner: Floats) -> bool:
    """Whether ``key`` is nowhere above ``corner``.

    All objectives are compared: where to stop would have to be guessed, mostly wrongly.
    """
    below = True
    for j in range(key.shape[0]):
        below = below & (not key[j] > corner[j])  # NaN is no better than any
    return below


@inlined_kernel
def _bucket_covers(tree: Tree, bucket: int, corner: Floats) -> bool:
    """Whether a member of a bucket is nowhere above ``corner``."""
    keys = tree.keys[np.uint64(bucket)]
    for i in range(tree.fill[np.uint64(bucket)]):
        if _is_below(keys[np.uint64(i)], corner):
            return True
    return False


@lean_kernel
def list_beside(tree: Tree, corner: Floats, above: bool) -> int:
    """List members that ``corner`` covers in ``found``, or that cover it; count them.

    Parameters
    ----------
    tree
        Tree of the members.
    corner
        A key, shape (m,).
    above
        Whether those are listed that are nowhere below it; else nowhere above it.
    """
    stack, count, top = tree.stack, 0, 1
    stack[0] = 0
    while top > 0:
        top -= 1
        node = stack[top]
        if not _is_beside(tree.low[node], tree.high[node], corner, above):
            continue
        left = tree.links[node, LEFT]
        if left >= 0:
            stack[top], stack[top + 1] = left, left + 1
            top += 2
            continue
        bucket = tree.links[node, BUCKET]
        for i in range(tree.fill[bucket]):
            key = tree.keys[bucket, i]
            if _is_beside(key, key, corner, above):
                tree.found[count] = tree.slots[bucket, i]
                count += 1
    return count


@lean_kernel
def _is_beside(low: Floats, high: Floats, corner: Floats, above: bool) -> bool:
    """Whether something in a box may be nowhere below ``corner``, or nowhere above."""
    return _is_below(corner, high) if above else _is_below(low, corner)


@lean_kernel
def least_missed(
    tree: Tree, y: Floats, low: Floats, high: Floats, least: float, most: float
) -> float:
    """By how much the member that is nearest to covering ``y`` misses that.

    Parameters
    ----------
    tree
        Tree of the members.
    y
        Objectives, shape (m,) or longer.
    low, high
        Box in whose units it is measured, shape (m,).
    least
        What is returned if all members miss ``y`` by at least as much.
    most
        0 is returned where a member misses ``y`` by no more than this, which is below
        ``least``.
    """
    stack, top, node = tree.stack, 0, 0
    if _missed(tree.low[0], y, low, high) >= least:
        return least
    while True:
        left = tree.links[node, LEFT]
        if left < 0:
            bucket = tree.links[node, BUCKET]
            for i in range(tree.fill[bucket]):
                least = min(least, _missed(tree.keys[bucket, i], y, low, high))
            if least <= most:
                return 0.0
        else:
            near, far = left, left + 1
            first = _missed(tree.low[near], y, low, high)
            second = _missed(tree.low[far], y, low, high)
            if second < first:
                near, far, first, second = far, near, second, first
            if second < least:
                stack[top] = far
                top += 1
            if first < least:
                node = near
                continue
        node = -1
        while top > 0 and node < 0:
            top -= 1
            if _missed(tree.low[stack[top]], y, low, high) < least:
                node = stack[top]
        if node < 0:
            return least


@lean_kernel
def _missed(key: Floats, y: Floats, low: Floats, high: Floats) -> float:
    """By how much a key misses ``y`` in the objective where it does so most."""
    missed = -1.0
    for j in range(key.shape[0]):
        width = high[j] - low[j] if high[j] > low[j] else 1.0
        missed = max(missed, (key[j] - y[j]) / width)
    return missed


@lean_kernel
def lightest(tree: Tree, weights: Floats) -> int:
    """Slot of the member of least weighted sum, the lower one of two; -1 for none.

    No weight may be negative. ``weights`` has the shape (m,) or is longer.
    """
    stack, top, best, least = tree.stack, 1, -1, math.inf
    stack[0] = 0
    while top > 0:
        top -= 1
        node = stack[top]
        if _weighed(tree.low[node], weights) > least:
            continue
        left = tree.links[node, LEFT]
        if left < 0:
            bucket = tree.links[node, BUCKET]
            for i in range(tree.fill[bucket]):
                total = _weighed(tree.keys[bucket, i], weights)
                slot = int(tree.slots[bucket, i])
                if total < least or best < 0 or (total == least and slot < best):
                    best, least = slot, total
            continue
        first = _weighed(tree.low[left], weights)
        second = _weighed(tree.low[left + 1], weights)
        # The lighter one is looked at first: it waits on top.
        lighter = left if first <= second else left + 1
        stack[top], stack[top + 1] = 2 * left + 1 - lighter, lighter
        top += 2
    return best


@lean_kernel
def _weighed(key: Floats, weights: Floats) -> float:
    """Weighted sum of a key."""
    total = 0.0
    for j in range(key.shape[0]):
        total += weights[j] * key[j]
    return total
