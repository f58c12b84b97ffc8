"""A scatter plot made of braille characters, eight dots to a character."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.typing import Floats, Integers

# Bit of each dot in a braille character, by row (top first) and column.
_BITS = np.array(
    [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]], dtype=np.uint8
)
_BLANK = 0x2800


def scatter(points: ArrayLike, width: int = 40, height: int = 10) -> list[str]:
    """Draw points as text, the smallest values at the bottom left.

    The axes reach from the smallest to the largest value; a coordinate that is the
    same everywhere is drawn in the middle. Points that are not finite are left out.

    Parameters
    ----------
    points
        Points to draw, shape (k, 2).
    width, height
        Size of the picture in characters.

    Returns
    -------
    One string of ``width`` characters per line, top line first.

    Examples
    --------
    >>> scatter([(0, 0), (1, 1)], width=2, height=1)
    ['⡀⠈']
    """
    dots = np.asarray(points, np.float64).reshape(-1, 2)
    dots = dots[np.isfinite(dots).all(axis=1)]
    cells = np.zeros((height, width), np.uint8)
    if len(dots):
        columns = _pixels(dots[:, 0], 2 * width)
        rows = 4 * height - 1 - _pixels(dots[:, 1], 4 * height)
        bits = _BITS[rows % 4, columns % 2]
        np.bitwise_or.at(cells, (rows // 4, columns // 2), bits)
    return ["".join(chr(_BLANK + int(cell)) for cell in line) for line in cells]


def shows_unicode(stream: Any = None) -> bool:
    """Whether a stream, standard output if None, can show such characters."""
    stream = sys.stdout if stream is None else stream
    try:
        "⡀▁┤".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _pixels(values: Floats, count: int) -> Integers:
    """Spread ``values``, shape (k,), over the pixels 0 to ``count`` - 1."""
    halves = values / 2  # the difference of two huge values would overflow
    span = halves.max() - halves.min()
    if span == 0:
        return np.full(values.shape, (count - 1) // 2)
    pixels: Floats = np.rint((halves - halves.min()) / span * (count - 1))
    return pixels.astype(np.int64)
