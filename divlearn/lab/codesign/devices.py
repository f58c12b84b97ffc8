"""Resistive cells as they really are: misprogrammed, fluctuating, stuck."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.codesign.images import Exact
from divlearn.lab.codesign.technology import Technology

#: Conductances are multiples of this share of a full step, which keeps sums exact.
GRID = 64
#: Device errors of the encoder are drawn from a table of this size.
TABLE = 256


def conductances(
    levels: Floats, bits: int, rng: np.random.Generator, technology: Technology
) -> Exact:
    """Program cells and read what they have become.

    Parameters
    ----------
    levels
        Whole numbers from 0 to ``2**bits - 1``, any shape.
    bits
        Bits per cell.
    rng
        Source of the errors.
    technology
        How large they are.

    Returns
    -------
    Levels as they are read, in units of ``1 / GRID``.
    """
    low, high = technology.low_conductance, technology.high_conductance
    top = 2**bits - 1
    shape = levels.shape
    target = low + levels * ((high - low) / top)
    error = rng.standard_normal(shape, np.float32) * technology.programming_error
    fate = rng.random(shape, np.float32)
    flips = rng.random(shape, np.float32) < technology.telegraph_share
    reached = np.clip(target + error, low, high)
    reached = reached * np.where(flips, 1.0 - technology.telegraph_noise, 1.0)
    reached[fate < technology.stuck_low] = low
    reached[fate > 1.0 - technology.stuck_high] = high
    read = np.rint((reached - low) * (top * GRID / (high - low)))
    return np.asarray(read, np.float32)


def sign_table(rng: np.random.Generator, technology: Technology) -> Exact:
    """Draw how +1 and -1 turn out in a pair of cells, in units of ``1 / GRID``.

    Returns
    -------
    The first half for +1, the second for -1, shape (TABLE,).
    """
    ideal = np.repeat([1.0, 0.0], TABLE // 2)
    plus = conductances(ideal, 1, rng, technology)
    minus = conductances(1.0 - ideal, 1, rng, technology)
    return plus - minus


def convert(sums: Exact, bits: int, full: float) -> Exact:
    """Convert sums to whole numbers, the codes of a converter.

    Parameters
    ----------
    sums
        Any shape; changed in place.
    bits
        Bits of the converter: codes run from ``-2**(bits - 1)`` to one less than its
        opposite, and sums that are small compared with a step become 0.
    full
        Sums of this size and beyond get the largest code.
    """
    half = 2 ** (bits - 1)
    sums *= np.float32(half / full)
    np.rint(sums, out=sums)
    return np.clip(sums, -half, half - 1, out=sums)
