"""The class memory: learned, quantised, stored in cells and read again."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.codesign.design import Design
from divlearn.lab.codesign.devices import GRID, conductances, convert
from divlearn.lab.codesign.images import NUM_CLASSES, Exact, Labels
from divlearn.lab.codesign.technology import Technology

#: Standard deviations of a class vector's entries that the quantiser covers.
SPREAD = 2.0


def learn(vectors: Exact, labels: Labels, passes: int) -> Exact:
    """Add up the hypervectors of each class, then correct what is misclassified.

    Parameters
    ----------
    vectors
        Hypervectors of the training images, shape (d, n).
    labels
        Their classes, shape (n,).
    passes
        How often all images are classified and then corrected together.

    Returns
    -------
    Whole numbers, shape (d, classes).
    """
    member = np.eye(NUM_CLASSES, dtype=np.float32)[labels]
    classes = vectors @ member
    for _ in range(passes):
        lengths = np.sqrt(np.square(classes).sum(axis=0, dtype=np.float64))
        guesses = np.argmax((vectors.T @ classes) / np.maximum(lengths, 1.0), axis=1)
        wrong = guesses != labels
        if not wrong.any():
            break
        change = member[wrong] - np.eye(NUM_CLASSES, dtype=np.float32)[guesses[wrong]]
        classes = classes + vectors[:, wrong] @ change
    return classes


def quantise(classes: Exact, bits: int) -> Floats:
    """Round each class vector to levels from 0 to ``2**bits - 1``, 0 in the middle."""
    deviation = np.sqrt(np.square(classes).mean(axis=0, dtype=np.float64))
    step = np.maximum(2.0 * SPREAD * deviation / 2**bits, 1e-9)
    levels = np.floor(classes / step) + 2 ** (bits - 1)
    return np.asarray(np.clip(levels, 0, 2**bits - 1))


def classify(
    design: Design,
    vectors: Exact,
    classes: Exact,
    rng: np.random.Generator,
    technology: Technology,
) -> Labels:
    """Compare hypervectors with the class memory as the hardware does.

    Entries are bit-sliced into pairs of cells, one for the level and one for its
    complement; sums over the rows of each crossbar pass through a converter.

    Returns
    -------
    The class of greatest similarity, shape (n,).
    """
    levels = quantise(classes, design.am_bits)
    top = 2**design.cell_bits - 1
    d, n = vectors.shape
    height = min(design.crossbar, d)
    blocks = d // height
    rows = vectors.reshape(blocks, height, n).transpose(0, 2, 1)
    full = design.crossbar * top * GRID * technology.adc_range
    scores = np.zeros((n, NUM_CLASSES), np.float32)
    for place in range(design.slices):
        part = levels // 2.0 ** (design.cell_bits * place) % (top + 1)
        plus = conductances(part, design.cell_bits, rng, technology)
        minus = conductances(top - part, design.cell_bits, rng, technology)
        cells = (plus - minus).reshape(blocks, height, NUM_CLASSES)
        codes = convert(rows @ cells, design.adc_bits, full).sum(axis=0)
        scores += codes * np.float32(2.0 ** (design.cell_bits * place))
    return np.asarray(np.argmax(scores, axis=1))
