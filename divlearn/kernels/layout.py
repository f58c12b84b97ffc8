"""What positions a solution has and which actions each one allows.

Every space is a row of segments over one integer vector: permutations, subsets (bits
with a limited number of ones), unordered categories and ordered values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.kernels.jit import kernel
from divlearn.kernels.random import below, shuffle, uniform
from divlearn.typing import Codes, Integers, Words

PERMUTATION, SUBSET, CATEGORICAL, ORDINAL = 0, 1, 2, 3
KIND_NAMES = ("permutation", "subset", "categorical", "ordinal")


class Layout(NamedTuple):
    """Positions, their actions and their segments, as arrays.

    Action ``a`` of position ``i`` has the number ``offset[i] + a`` in every table.
    """

    arity: Integers  # (n,) number of actions at each position
    offset: Integers  # (n + 1,) number of actions before each position
    segment: Integers  # (n,) segment that holds each position
    kind: Integers  # (s,) PERMUTATION, SUBSET, CATEGORICAL or ORDINAL
    start: Integers  # (s + 1,) first position of each segment
    least: Integers  # (s,) least number of ones of a subset, else 0
    most: Integers  # (s,) greatest number of ones of a subset, else 0


def build_layout(
    segments: list[tuple[int, list[int], int, int]],
) -> Layout:
    """Join segments ``(kind, arities, least, most)`` into one layout."""
    arity = [a for _, arities, _, _ in segments for a in arities]
    lengths = [len(arities) for _, arities, _, _ in segments]
    return Layout(
        arity=np.array(arity, np.int64),
        offset=np.concatenate(([0], np.cumsum(arity))).astype(np.int64),
        segment=np.repeat(np.arange(len(segments)), lengths).astype(np.int64),
        kind=np.array([kind for kind, _, _, _ in segments], np.int64),
        start=np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        least=np.array([least for _, _, least, _ in segments], np.int64),
        most=np.array([most for _, _, _, most in segments], np.int64),
    )


@kernel
def count_ones(x: Codes, start: int, stop: int) -> int:
    """Number of ones in ``x[start:stop]``."""
    total = 0
    for i in range(start, stop):
        total += x[i]
    return total


@kernel
def available_actions(layout: Layout, x: Codes, i: int, actions: Integers) -> int:
    """List the actions allowed at position ``i`` given ``x[:i]``.

    Writes them into ``actions`` and returns how many there are, at least one: a
    construction in the order of positions never runs into a dead end.
    """
    s = layout.segment[i]
    start, stop = layout.start[s], layout.start[s + 1]
    kind = layout.kind[s]
    if kind == PERMUTATION:
        for a in range(stop - start):
            actions[a] = 1
        for j in range(start, i):
            actions[x[j]] = 0
        count = 0
        for a in range(stop - start):
            if actions[a] == 1:
                actions[count] = a
                count += 1
        return count
    if kind == SUBSET:
        ones = count_ones(x, start, i)
        count = 0
        if ones + (stop - i - 1) >= layout.least[s]:
            actions[count] = 0
            count += 1
        if ones < layout.most[s]:
            actions[count] = 1
            count += 1
        return count
    for a in range(layout.arity[i]):
        actions[a] = a
    return int(layout.arity[i])


@kernel
def sample(layout: Layout, words: Words, x: Codes) -> None:
    """Draw a random solution into ``x``.

    Permutations, free bits and values are uniform; a subset with limits draws its
    size uniformly and then its members.
    """
    for s in range(layout.kind.shape[0]):
        start, stop = layout.start[s], layout.start[s + 1]
        kind = layout.kind[s]
        if kind == PERMUTATION:
            for i in range(start, stop):
                x[i] = i - start
            shuffle(words, x, start, stop)
        elif kind == SUBSET:
            _sample_subset(layout, words, x, s)
        else:
            for i in range(start, stop):
                x[i] = below(words, layout.arity[i])


@kernel
def _sample_subset(layout: Layout, words: Words, x: Codes, s: int) -> None:
    """Draw the bits of segment ``s``."""
    start, stop = layout.start[s], layout.start[s + 1]
    least, most = layout.least[s], layout.most[s]
    if least == 0 and most == stop - start:
        for i in range(start, stop):
            x[i] = below(words, 2)
        return
    missing = least + below(words, most - least + 1)
    for i in range(start, stop):
        if uniform(words) * (stop - i) < missing:
            x[i] = 1
            missing -= 1
        else:
            x[i] = 0


@kernel
def is_member(layout: Layout, x: Codes) -> bool:
    """Whether ``x`` is a solution of the space."""
    for i in range(x.shape[0]):
        if x[i] < 0 or x[i] >= layout.arity[i]:
            return False
    for s in range(layout.kind.shape[0]):
        start, stop = layout.start[s], layout.start[s + 1]
        if layout.kind[s] == SUBSET:
            ones = count_ones(x, start, stop)
            if ones < layout.least[s] or ones > layout.most[s]:
                return False
        elif layout.kind[s] == PERMUTATION:
            for i in range(start, stop):
                for j in range(start, i):
                    if x[i] == x[j]:
                        return False
    return True


@kernel
def distance(layout: Layout, x: Codes, y: Codes) -> float:
    """Metric of the space, summed over segments.

    Permutations: Kendall tau, the number of pairs in opposite order. Bits and
    categories: Hamming, the number of different positions. Ordered values: the
    number of steps between them.
    """
    total = 0
    for s in range(layout.kind.shape[0]):
        start, stop = layout.start[s], layout.start[s + 1]
        kind = layout.kind[s]
        if kind == PERMUTATION:
            total += _kendall_tau(x, y, start, stop)
        else:
            for i in range(start, stop):
                if kind == ORDINAL:
                    total += abs(x[i] - y[i])
                elif x[i] != y[i]:
                    total += 1
    return float(total)


@kernel
def _kendall_tau(x: Codes, y: Codes, start: int, stop: int) -> int:
    """Pairs of items that ``x`` and ``y`` hold in opposite order."""
    place = np.empty(stop - start, np.int64)
    for i in range(start, stop):
        place[y[i]] = i
    total = 0
    for i in range(start, stop):
        for j in range(i + 1, stop):
            if place[x[i]] > place[x[j]]:
                total += 1
    return total
