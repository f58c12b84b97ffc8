"""Crossover and mutation over integer codes, one segment of a space at a time.

Permutations: order crossover and inversion. Bits, categories and ordered values:
uniform crossover, and each position changes with a probability of one over their
number. Subsets with limits are put right by random flips.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET, Layout, sample
from divlearn.kernels.random import seed_words

Rng = Any  # numpy's Generator, or the RandomState that pymoo passes


def random_codes(layout: Layout, count: int, seed: int) -> np.ndarray:
    """Draw solutions as divlearn does, shape (count, n)."""
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    rows = np.empty((count, len(layout.places)), np.int64)
    for row in rows:
        sample(layout, words, row)
    return rows


def order_crossover(receiver: np.ndarray, donor: np.ndarray, rng: Rng) -> np.ndarray:
    """Take a stretch of ``donor`` and the other items in the order of ``receiver``."""
    n = len(receiver)
    if n < 2:
        return receiver.copy()
    start, last = np.sort(rng.choice(n, 2, replace=False))
    stretch = donor[start : last + 1]
    used = np.zeros(n, bool)
    used[stretch] = True
    rest = receiver[~used[receiver]]
    return np.concatenate([rest[:start], stretch, rest[start:]])


def cross(layout: Layout, a: np.ndarray, b: np.ndarray, rng: Rng) -> list[np.ndarray]:
    """Make two children of two parents, shape (n,) each."""
    children = [a.copy(), b.copy()]
    for segment in layout.segments:
        inside = slice(segment.start, segment.stop)
        if segment.kind == PERMUTATION:
            children[0][inside] = order_crossover(a[inside], b[inside], rng)
            children[1][inside] = order_crossover(b[inside], a[inside], rng)
            continue
        swapped = segment.start + np.flatnonzero(
            rng.random(segment.stop - segment.start) < 0.5
        )
        children[0][swapped], children[1][swapped] = b[swapped], a[swapped]
        for child in children:
            put_right(segment, child, rng)
    return children


def mutate(layout: Layout, x: np.ndarray, rng: Rng) -> np.ndarray:
    """Change a copy of ``x``, shape (n,)."""
    x = x.copy()
    kinds = layout.segments.kind[layout.places.segment]
    rate = min(0.5, 1.0 / max(1, np.count_nonzero(kinds != PERMUTATION)))
    for segment in layout.segments:
        if segment.kind == PERMUTATION:
            _invert(x[segment.start : segment.stop], rng)
            continue
        length = segment.stop - segment.start
        for i in segment.start + np.flatnonzero(rng.random(length) < rate):
            x[i] = _other(x[i], layout.places[i].arity, segment.kind, rng)
        put_right(segment, x, rng)
    return x


def _invert(items: np.ndarray, rng: Rng) -> None:
    """Reverse a random stretch in place."""
    if len(items) > 1:
        start, last = np.sort(rng.choice(len(items), 2, replace=False))
        items[start : last + 1] = items[start : last + 1][::-1].copy()


def _other(value: int, arity: int, kind: int, rng: Rng) -> int:
    """Another value; of ordered ones the next, in half of the cases."""
    if arity < 2:
        return value
    if kind == ORDINAL and rng.random() < 0.5:
        step = 1 if rng.random() < 0.5 else -1
        # At an end there is one neighbour only.
        return value + step if 0 <= value + step < arity else value - step
    other = int(rng.random() * (arity - 1))
    return other + (other >= value)


def put_right(segment: Any, x: np.ndarray, rng: Rng) -> None:
    """Flip random bits in place until a subset has an allowed number of ones."""
    if segment.kind != SUBSET:
        return
    bits = x[segment.start : segment.stop]
    ones = int(bits.sum())
    if ones > segment.most:
        drop = rng.choice(np.flatnonzero(bits), ones - segment.most, replace=False)
        bits[drop] = 0
    elif ones < segment.least:
        free = np.flatnonzero(bits == 0)
        bits[rng.choice(free, segment.least - ones, replace=False)] = 1
