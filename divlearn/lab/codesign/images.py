"""Images: handwritten digits, unevenly lit, seen through a noisy sensor."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.errors import MissingExtra
from divlearn.basics.typing import Floats

#: Pixels are bytes, and everything up to the hypervectors consists of whole numbers
#: that float32 holds exactly, so sums do not depend on the order in which BLAS adds.
Exact = NDArray[np.float32]
Labels = NDArray[np.int64]

NUM_CLASSES = 10
#: Side of the field of view; a digit takes 16 x 16 of it, near the centre.
SIDE, DIGIT, WANDERS = 20, 16, 1
BRIGHTEST = 255
#: Grey levels of a pixel in the source.
_LEVELS = 16
#: Brightness of the background, and how much it may change towards the edges.
BACKGROUND, SLOPE = 60, 30
#: Standard deviation of the sensor's noise.
SENSOR_NOISE = 8


class Sample(NamedTuple):
    """Images of a measurement, the training images first.

    Attributes
    ----------
    pixels
        Bytes as float32, shape (SIDE, SIDE, 1, n).
    labels
        Shape (n,).
    train
        Number of training images.
    """

    pixels: Exact
    labels: Labels
    train: int


def draw(rng: np.random.Generator, train: int, test: int) -> Sample:
    """Choose images, place each digit in the field, light it unevenly and add noise.

    Parameters
    ----------
    rng
        Source of all choices.
    train, test
        Numbers of images; all that are left if there are fewer.
    """
    digits, labels = load()
    chosen = rng.permutation(len(labels))[: train + test]
    n = len(chosen)
    field = rng.standard_normal((n, SIDE, SIDE), np.float32) * np.float32(SENSOR_NOISE)
    slopes = rng.uniform(-SLOPE, SLOPE, (2, n, 1, 1)).astype(np.float32)
    ramp = np.linspace(-1.0, 1.0, SIDE, dtype=np.float32)
    field += slopes[0] * ramp[:, None] + slopes[1] * ramp + np.float32(BACKGROUND)
    np.rint(field, out=field)
    middle = (SIDE - DIGIT) // 2
    places = middle + rng.integers(-WANDERS, WANDERS + 1, (n, 2))
    for image, digit, (top, left) in zip(field, chosen, places, strict=True):
        image[top : top + DIGIT, left : left + DIGIT] += digits[digit]
    np.clip(field, 0, BRIGHTEST, out=field)
    pixels = np.ascontiguousarray(field.transpose(1, 2, 0))[:, :, None, :]
    return Sample(pixels, labels[chosen], train)


@cache
def load() -> tuple[Exact, Labels]:
    """Read the digits of scikit-learn and make them twice as large.

    Returns
    -------
    Images of shape (1797, 16, 16) and their labels.

    Raises
    ------
    MissingExtra
        If scikit-learn, which brings the images, is not installed.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise MissingExtra(
            "HDnnPIM measures its error on the digits that come with scikit-learn: "
            'pip install "divlearn[codesign]".'
        ) from error
    data = load_digits()
    source = np.asarray(data.images, np.float64)
    rows = _doubled(source, axis=1)
    both = _doubled(rows, axis=2)
    contrast = BRIGHTEST - 2 * BACKGROUND
    scaled = np.rint(both * (contrast / _LEVELS / 16))  # both steps multiply by 4
    return scaled.astype(np.float32), np.asarray(data.target, np.int64)


def _doubled(images: Floats, axis: int) -> Floats:
    """Double the pixels along an axis by linear interpolation, times 4."""
    before = np.roll(images, 1, axis)
    after = np.roll(images, -1, axis)
    first = [slice(None)] * 3
    last = [slice(None)] * 3
    first[axis], last[axis] = slice(0, 1), slice(-1, None)
    before[tuple(first)] = images[tuple(first)]
    after[tuple(last)] = images[tuple(last)]
    pairs = np.stack([3 * images + before, 3 * images + after], axis=axis + 1)
    shape = list(images.shape)
    shape[axis] *= 2
    return pairs.reshape(shape)
