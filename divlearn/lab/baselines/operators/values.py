"""Operators over bits, categories and ordered values, arrays of shape (q, k)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers

Marks = NDArray[np.bool_]

#: Share of the changes of an ordered value that are small steps.
CREEP_SHARE = 0.5
#: How near children of continuous values are to their parents: usual values.
CROSSOVER_SPREAD, MUTATION_SPREAD = 15.0, 20.0
#: Least distance of two parents, so that everything is defined.
TINY = 1e-12


def uniform_crossover(
    a: Codes, b: Codes, rng: np.random.Generator
) -> tuple[Codes, Codes]:
    """Exchange every position with a probability of one half."""
    swapped = rng.random(a.shape) < 0.5
    return np.where(swapped, b, a), np.where(swapped, a, b)


def change(
    rows: Codes,
    counts: Integers,
    ordered: Marks,
    rate: float,
    rng: np.random.Generator,
) -> Codes:
    """Give each position another value with probability ``rate``, if it has one.

    An ordered value moves by one step in half of the cases.

    Parameters
    ----------
    rows
        Codes, shape (q, k).
    counts, ordered
        Number of values at each position, and whether they are in order, shape (k,).
        A code beyond the values is an absent one.
    rate
        Probability of a change at a position.
    rng
        Random numbers.
    """
    may_change = (counts > 1) & (rows < counts)
    row, column = np.nonzero((rng.random(rows.shape) < rate) & may_change)
    old, most = rows[row, column], counts[column]
    new = (rng.random(len(row)) * (most - 1)).astype(np.int64)
    new += new >= old
    creeping = ordered[column] & (rng.random(len(row)) < CREEP_SHARE)
    step = np.where(rng.random(len(row)) < 0.5, 1, -1)
    # At an end there is only one neighbour.
    step = np.where((old + step < 0) | (old + step >= most), -step, step)
    changed = rows.copy()
    changed[row, column] = np.where(creeping, old + step, new)
    return changed


def blend(
    a: Floats, b: Floats, rng: np.random.Generator, spread: float = CROSSOVER_SPREAD
) -> tuple[Floats, Floats]:
    """Simulated binary crossover of coordinates, half of which stay as they are.

    K. Deb, R. B. Agrawal, "Simulated binary crossover for continuous search space",
    Complex Systems 9 (1995), with children inside [0, 1] as in NSGA-II.

    Parameters
    ----------
    a, b
        Coordinates of both parents, shape (q, k).
    rng
        Random numbers.
    spread
        The greater, the nearer children are to their parents.
    """
    low, high = np.minimum(a, b), np.maximum(a, b)
    apart = np.maximum(high - low, TINY)
    drawn = rng.random(a.shape)
    nearer = low + high - _reach(drawn, 1.0 + 2.0 * low / apart, spread) * apart
    farther = (
        low + high + _reach(drawn, 1.0 + 2.0 * (1.0 - high) / apart, spread) * apart
    )
    children = np.clip(nearer / 2.0, 0.0, 1.0), np.clip(farther / 2.0, 0.0, 1.0)
    swapped, kept = rng.random(a.shape) < 0.5, rng.random(a.shape) < 0.5
    first = np.where(swapped, children[1], children[0])
    second = np.where(swapped, children[0], children[1])
    return np.where(kept, a, first), np.where(kept, b, second)


def _reach(drawn: Floats, room: Floats, spread: float) -> Floats:
    """How far apart children are relative to their parents, given the room aside."""
    alpha = 2.0 - room ** -(spread + 1.0)
    inside = drawn <= 1.0 / alpha
    share = np.where(inside, drawn * alpha, 1.0 / np.maximum(2.0 - drawn * alpha, TINY))
    return np.asarray(share ** (1.0 / (spread + 1.0)))


def jitter(
    rows: Floats,
    rate: float,
    rng: np.random.Generator,
    spread: float = MUTATION_SPREAD,
) -> Floats:
    """Polynomial mutation of coordinates, shape (q, k), each with probability ``rate``.

    K. Deb, M. Goyal, "A combined genetic adaptive search (GeneAS) for engineering
    design", Computer Science and Informatics 26 (1996).
    """
    changed = rng.random(rows.shape) < rate
    drawn, power = rng.random(rows.shape), spread + 1.0
    down = drawn < 0.5
    room = np.where(down, 1.0 - rows, rows) ** power
    share = np.where(
        down,
        2.0 * drawn + (1.0 - 2.0 * drawn) * room,
        2.0 - 2.0 * drawn + (2.0 * drawn - 1.0) * room,
    ) ** (1.0 / power)
    moved = rows + np.where(down, share - 1.0, 1.0 - share)
    return np.where(changed, np.clip(moved, 0.0, 1.0), rows)


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
