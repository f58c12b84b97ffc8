"""Operators over permutations, arrays of shape (q, n): one row per solution."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Integers

Marks = NDArray[np.bool_]


def order_crossover(receivers: Codes, donors: Codes, taken: Marks) -> Codes:
    """Keep the ``taken`` positions of the donors; the rest in the receivers' order.

    L. Davis, "Applying adaptive algorithms to epistatic domains", IJCAI (1985).

    Examples
    --------
    >>> import numpy as np
    >>> receiver, donor = np.array([[0, 1, 2, 3, 4]]), np.array([[4, 3, 2, 1, 0]])
    >>> order_crossover(receiver, donor, np.array([[False, True, True, False, False]]))
    array([[0, 3, 2, 1, 4]])
    """
    places = np.argsort(taken, axis=1, kind="stable")  # positions to fill come first
    return _fill(receivers, donors, taken, places)


def gather_crossover(receivers: Codes, donors: Codes, taken: Marks) -> Codes:
    """Like order crossover, but what comes from the donors goes to the front."""
    last_first = np.argsort(~taken, axis=1, kind="stable")
    donors = np.take_along_axis(donors, last_first, axis=1)
    taken = np.take_along_axis(taken, last_first, axis=1)
    return order_crossover(receivers, donors, taken)


def _fill(receivers: Codes, donors: Codes, taken: Marks, places: Integers) -> Codes:
    """Write the receivers' other items into the free positions, in order."""
    used = np.empty_like(taken)
    np.put_along_axis(used, donors, taken, axis=1)
    there = np.take_along_axis(used, receivers, axis=1)
    rest = np.argsort(there, axis=1, kind="stable")
    children = np.empty_like(receivers)
    np.put_along_axis(
        children, places, np.take_along_axis(receivers, rest, axis=1), axis=1
    )
    return np.where(taken, donors, children)


def random_stretches(count: int, n: int, rng: np.random.Generator) -> Marks:
    """Mark a stretch of at least two places in each of ``count`` rows."""
    return _between(random_pairs(count, n, rng), n)


def random_pairs(count: int, n: int, rng: np.random.Generator) -> Integers:
    """Draw two different places in ascending order, shape (count, 2)."""
    first, second = rng.integers(0, n, count), rng.integers(0, n - 1, count)
    second += second >= first
    return np.sort(np.column_stack([first, second]), axis=1)


def _between(ends: Integers, n: int) -> Marks:
    """Mark the places from the first to the second end, shape (count, n)."""
    places = np.arange(n)
    return (places >= ends[:, :1]) & (places <= ends[:, 1:])


def invert(rows: Codes, rng: np.random.Generator) -> Codes:
    """Reverse a random stretch of each row."""
    count, n = rows.shape
    ends, places = random_pairs(count, n, rng), np.arange(n)
    mirrored = ends.sum(axis=1, keepdims=True) - places
    origin = np.where(_between(ends, n), mirrored, places)
    return np.take_along_axis(rows, origin, axis=1)


def swap(rows: Codes, rng: np.random.Generator) -> Codes:
    """Exchange two items of each row."""
    ends = random_pairs(len(rows), rows.shape[1], rng)
    swapped = rows.copy()
    np.put_along_axis(
        swapped, ends, np.take_along_axis(rows, ends[:, ::-1], axis=1), axis=1
    )
    return swapped


def exchange(rows: Codes, rng: np.random.Generator, longest: int = 3) -> Codes:
    """Exchange two stretches of up to ``longest`` items; one of them may be empty."""
    count, n = rows.shape
    lengths = np.minimum(rng.integers(0, longest + 1, (count, 2)), n // 2)
    lengths[:, 0] = np.maximum(lengths[:, 0], 1)
    room = n - lengths.sum(axis=1)
    starts = np.sort((rng.random((count, 2)) * (room[:, None] + 1)).astype(int), axis=1)
    cuts = np.column_stack(
        [
            starts[:, 0],
            starts[:, 0] + lengths[:, 0],
            starts[:, 1] + lengths[:, 0],
            starts[:, 1] + lengths.sum(axis=1),
        ]
    )
    places = np.arange(n)
    block = (places >= cuts[:, :, None]).sum(axis=1)
    order = np.array([0, 3, 2, 1, 4])[block] * n + places
    return np.take_along_axis(rows, np.argsort(order, axis=1), axis=1)
