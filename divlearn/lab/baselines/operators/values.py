"""Operators over bits, categories and ordered values, arrays of shape (q, k)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Integers

Marks = NDArray[np.bool_]

#: Share of the changes of an ordered value that are small steps.
CREEP_SHARE = 0.5


def uniform_crossover(
    a: Codes, b: Codes, rng: np.random.Generator
) -> tuple[Codes, Codes]:
    """Exchange every position with a probability of one half."""
    swapped = rng.random(a.shape) < 0.5
    return np.where(swapped, b, a), np.where(swapped, a, b)


def change(
    rows: Codes,
    arities: Integers,
    ordered: Marks,
    rate: float,
    rng: np.random.Generator,
) -> Codes:
    """Give each position another value with probability ``rate``.

    An ordered value moves by one step in half of the cases.

    Parameters
    ----------
    rows
        Codes, shape (q, k).
    arities, ordered
        Number of values at each position, and whether they are in order, shape (k,).
    rate
        Probability of a change at a position.
    rng
        Random numbers.
    """
    row, column = np.nonzero((rng.random(rows.shape) < rate) & (arities > 1))
    old, most = rows[row, column], arities[column]
    new = (rng.random(len(row)) * (most - 1)).astype(np.int64)
    new += new >= old
    creeping = ordered[column] & (rng.random(len(row)) < CREEP_SHARE)
    step = np.where(rng.random(len(row)) < 0.5, 1, -1)
    # At an end there is only one neighbour.
    step = np.where((old + step < 0) | (old + step >= most), -step, step)
    changed = rows.copy()
    changed[row, column] = np.where(creeping, old + step, new)
    return changed


def limit_ones(
    bits: Codes, least: int, most: int, rng: np.random.Generator, firm: Marks
) -> Codes:
    """Flip random bits of rows with too few or too many ones.

    Parameters
    ----------
    bits
        Zeros and ones, shape (q, k).
    least, most
        Allowed numbers of ones.
    rng
        Random numbers.
    firm
        Bits that change only if no others are left, shape (q, k).
    """
    ones = bits.sum(axis=1)
    wrong = np.flatnonzero((ones < least) | (ones > most))
    if not len(wrong):
        return bits
    found = bits[wrong]
    # Ones come before zeros; firm ones before all, and firm zeros after all.
    liking = found * (1.0 + firm[wrong]) - (1 - found) * firm[wrong]
    order = np.argsort(-(liking + rng.random(found.shape)), axis=1)
    wanted = np.clip(ones[wrong], least, most)
    chosen = (np.arange(bits.shape[1]) < wanted[:, None]).astype(np.int64)
    mended = bits.copy()
    rows = np.empty_like(found)
    np.put_along_axis(rows, order, chosen, axis=1)
    mended[wrong] = rows
    return mended
