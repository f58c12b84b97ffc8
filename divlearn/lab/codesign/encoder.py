"""Encoders: features to hypervectors of +1 and -1."""

from __future__ import annotations

import math

import numpy as np

from divlearn.lab.codesign.design import Design
from divlearn.lab.codesign.devices import GRID, TABLE, convert, sign_table
from divlearn.lab.codesign.images import Exact
from divlearn.lab.codesign.spaces import ANALOG, KRONECKER
from divlearn.lab.codesign.technology import Technology


def encode(
    design: Design,
    features: Exact,
    train: int,
    rng: np.random.Generator,
    technology: Technology,
) -> Exact:
    """Project features at random and keep the signs.

    Parameters
    ----------
    design
        Which encoder, and how long the hypervectors are.
    features
        Whole numbers, shape (f, n).
    train
        Number of training images, which come first; each dimension is compared with
        its mean over them.
    rng
        Source of the projection and the device errors.
    technology
        Constants of the crossbars.

    Returns
    -------
    +1 and -1, shape (hd_dim, n).
    """
    if design.encoder == ANALOG:
        sums = _in_crossbars(design, features, rng, technology)
        sums -= sums[:, :train].mean(axis=1, dtype=np.float64)[:, None]
    else:
        middle = np.rint(features[:, :train].mean(axis=1, dtype=np.float64))
        centred = features - middle.astype(np.float32)[:, None]
        project = _by_factors if design.encoder == KRONECKER else _by_signs
        sums = project(centred, design.hd_dim, rng)
    return np.where(sums >= 0, np.float32(1), np.float32(-1))


def _signs(shape: tuple[int, int], rng: np.random.Generator) -> Exact:
    """Draw a matrix of +1 and -1."""
    coins = np.frombuffer(rng.bytes(shape[0] * shape[1]), np.int8).reshape(shape)
    return np.where(coins >= 0, np.float32(1), np.float32(-1))


def _by_signs(centred: Exact, hd_dim: int, rng: np.random.Generator) -> Exact:
    """Multiply by one large matrix."""
    return _signs((hd_dim, len(centred)), rng) @ centred


def factors(number: int) -> tuple[int, int]:
    """Split a number into two factors that are as equal as possible.

    Examples
    --------
    >>> factors(3072), factors(8192)
    ((48, 64), (64, 128))
    """
    small = math.isqrt(number)
    while number % small:
        small -= 1
    return small, number // small


def feature_grid(features: int) -> tuple[int, int]:
    """Sides of the smallest nearly square grid that holds this many features.

    Examples
    --------
    >>> feature_grid(400), feature_grid(17)
    ((20, 20), (4, 5))
    """
    rows = math.isqrt(features)
    return rows, math.ceil(features / rows)


def _by_factors(centred: Exact, hd_dim: int, rng: np.random.Generator) -> Exact:
    """Multiply by the Kronecker product of two small matrices."""
    f, n = centred.shape
    rows, cols = feature_grid(f)
    padded = np.zeros((rows * cols, n), np.float32)
    padded[:f] = centred
    first, second = factors(hd_dim)
    half = _signs((first, rows), rng) @ padded.reshape(rows, cols * n)
    whole = _signs((second, cols), rng) @ half.reshape(first, cols, n)
    return whole.reshape(hd_dim, n)


def _in_crossbars(
    design: Design, features: Exact, rng: np.random.Generator, technology: Technology
) -> Exact:
    """Add currents in crossbars, convert the sums of each, and add the codes."""
    f, n = features.shape
    table = sign_table(rng, technology)
    cells = np.frombuffer(rng.bytes(design.hd_dim * f), np.uint8)
    assert cells.max(initial=0) < TABLE
    matrix = table[cells].reshape(design.hd_dim, f)
    total = np.zeros((design.hd_dim, n), np.float32)
    largest = design.crossbar * (2**design.act_bits - 1) * GRID
    for start in range(0, f, design.crossbar):
        rows = slice(start, start + design.crossbar)
        sums = matrix[:, rows] @ features[rows]
        total += convert(sums, design.adc_bits, largest * technology.adc_range)
    return total
