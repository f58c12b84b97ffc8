"""Features: convolutions with filters taken from the training images."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from divlearn.basics.typing import Floats
from divlearn.lab.codesign.design import POOL, Convolution, Design
from divlearn.lab.codesign.images import BRIGHTEST, Exact, Sample

#: Largest weight of a filter, and largest sum of the absolute values of its weights:
#: sums of products with bytes stay below 2**24, which float32 holds exactly.
LARGEST_WEIGHT, LARGEST_SUM = 127, 2**24 // 256
#: Share of the training activations that the quantiser covers; the rest is clipped.
COVERED = 0.99
#: Training images whose activations set the quantiser.
CALIBRATION_IMAGES = 50


def extract(design: Design, sample: Sample, rng: np.random.Generator) -> Exact:
    """Pass images through the layers of a design.

    Returns
    -------
    Whole numbers from 0 to ``2**act_bits - 1``, shape (features, n).
    """
    maps = sample.pixels
    for layer in design.layers:
        filters = choose_filters(maps[..., : sample.train], layer, design, rng)
        maps = convolve(maps, filters, layer.stride)
        np.maximum(maps, 0, out=maps)
        if layer is design.layers[-1]:
            maps = pool(maps)
        maps = quantise(maps, design.act_bits)
    if not design.layers:
        maps = np.floor(maps * (2.0**design.act_bits / (BRIGHTEST + 1)))
    return np.ascontiguousarray(maps).reshape(-1, maps.shape[-1])


def choose_filters(
    maps: Exact, layer: Convolution, design: Design, rng: np.random.Generator
) -> Exact:
    """Choose patches of the training maps that differ most from each other.

    Returns
    -------
    Whole numbers of mean about 0, shape (channels, kernel, kernel, input channels).
    """
    side, k = maps.shape[0] - layer.kernel + 1, layer.kernel
    num = max(design.candidates, layer.channels)
    tops, lefts = rng.integers(0, side, (2, num))
    images = rng.integers(0, maps.shape[-1], num)
    patches = np.stack(
        [
            maps[top : top + k, left : left + k, :, image]
            for top, left, image in zip(tops, lefts, images, strict=True)
        ]
    ).astype(np.float64)
    flat = patches.reshape(num, -1)
    flat = flat * flat.shape[1] - flat.sum(axis=1, keepdims=True)
    largest = np.abs(flat).max(axis=1, keepdims=True)
    scale = LARGEST_WEIGHT / np.maximum(largest, 1.0)
    total = np.abs(flat).sum(axis=1, keepdims=True)
    scale = np.minimum(scale, (LARGEST_SUM - flat.shape[1]) / np.maximum(total, 1.0))
    weights = np.rint(flat * scale)
    chosen = _most_different(weights, layer.channels)
    shape = (layer.channels, k, k, maps.shape[2])
    return np.asarray(weights[chosen].reshape(shape), np.float32)


def _most_different(weights: Floats, count: int) -> list[int]:
    """Repeatedly take the row least like any taken before."""
    products = weights @ weights.T
    squares = np.maximum(np.diag(products), 1.0)
    likeness = np.square(products) / squares[:, None] / squares[None, :]
    nearest = likeness[0].copy()
    nearest[np.diag(products) == 0] = 2.0  # blank patches come last
    chosen = [int(np.argmin(nearest))]
    while len(chosen) < count:
        nearest = np.maximum(nearest, likeness[chosen[-1]])
        nearest[chosen[-1]] = 3.0
        chosen.append(int(np.argmin(nearest)))
    return chosen


def convolve(maps: Exact, filters: Exact, stride: int) -> Exact:
    """Convolve without padding; no patch is ever copied.

    Parameters
    ----------
    maps
        Shape (side, side, channels, n).
    filters
        Shape (output channels, kernel, kernel, channels).
    stride
        Step between outputs.

    Returns
    -------
    Shape (new side, new side, output channels, n).
    """
    side, _, channels, n = maps.shape
    out, k = filters.shape[:2]
    new = (side - k) // stride + 1
    rows = filters.transpose(1, 0, 2, 3).reshape(k, out, k * channels)
    result = np.zeros((new, new, out, n), np.float32)
    _, column, inner, last = maps.strides
    for y in range(new):
        for dy in range(k):
            # k neighbouring columns with all their channels are adjacent
            strips = as_strided(
                maps[y * stride + dy],
                (new, k * channels, n),
                (column * stride, inner, last),
            )
            result[y] += rows[dy] @ strips
    return result


def pool(maps: Exact) -> Exact:
    """Take the largest of each 2 x 2 pixels; incomplete windows are left out."""
    even = maps.shape[0] // POOL * POOL
    cut = maps[:even, :even]
    top = np.maximum(cut[::POOL], cut[1::POOL])
    return np.maximum(top[:, ::POOL], top[:, 1::POOL])


def quantise(maps: Exact, bits: int) -> Exact:
    """Round to whole numbers from 0 to ``2**bits - 1``, clipping the largest."""
    seen = maps[..., :CALIBRATION_IMAGES]
    active = np.sort(seen[seen > 0])
    full = float(active[int(COVERED * (len(active) - 1))]) if len(active) else 1.0
    top = 2**bits - 1
    scaled = maps * np.float32(top / full)
    np.rint(scaled, out=scaled)
    return np.asarray(np.minimum(scaled, np.float32(top), out=scaled))
