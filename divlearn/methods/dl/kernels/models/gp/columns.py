"""What two solutions have in common, as numbers that compare one by one.

A solution becomes a row of coordinates, one per *column*. Two coordinates of a column
differ by 0 or 1 (bits, categories) or by their distance (ordered values, scaled to [0,
1]) or, where an output is smooth, by its square; at wide positions, where values may be
ever so near, by a hyperbola, which is a square for near values and a distance for far
ones: squares alone are too sure of what lies between few points, unless likeness falls
with them as Matern's does (:func:`likeness`). Each column belongs to
a *feature*, whose weight the model learns. A position is a feature of one column.
Permutations have none: orders are compared as a whole
(:mod:`divlearn.methods.dl.kernels.models.gp.orders`).

What a solution lacks is neither near nor far: in the middle of ordered values, and a
category of its own elsewhere. Two solutions that lack the same do not differ there.
"""

from __future__ import annotations

import math

import numpy as np

from divlearn.basics.typing import Codes, Floats, Records
from divlearn.kernels.cells import coordinate
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout
from divlearn.kernels.rules.presence import lacks

#: Coordinate of something ordered that is absent.
MIDDLE = 0.5
#: How an output varies with ordered values.
ROUGH, SMOOTH, MATERN = 0, 1, 2
#: Coordinates nearer than this differ by a square rather than a distance.
NEAR = 0.2

COLUMN = np.dtype(
    [
        ("ordered", "i8"),  # 1: coordinates differ by their distance, 0: by 0 or 1
        ("feature", "i8"),  # whose weight counts
        ("share", "f8"),  # of the feature's weight
        ("arity", "f8"),  # number of values; 0: not to be paired
        ("middle", "f8"),  # mean similarity of two random values
        ("wide", "i8"),  # 1: if smooth, coordinates differ by a hyperbola
    ]
)


def columns_of(layout: Layout) -> tuple[Records, int]:
    """Columns of a space, and the number of features they belong to."""
    rows: list[tuple[int, int, float, float, float, int]] = []
    num_features = 0
    for segment in layout.segments:
        if segment.kind == PERMUTATION:
            continue
        ordered = int(segment.kind == ORDINAL)
        places = layout.places[segment.start : segment.stop]
        arities = (places.values if ordered else places.levels).tolist()
        wides = (places.arity < places.levels).tolist()
        for arity, wide in zip(arities, wides, strict=True):
            middle = 2 / 3 - 1 / (3 * arity) if ordered else 1 / arity
            single = 0 if arity == 1 else arity
            rows.append((ordered, num_features, 1.0, single, middle, int(wide)))
            num_features += 1
    columns = np.array(rows, COLUMN).view(np.recarray)
    return columns, num_features


def first_columns(layout: Layout) -> Codes:
    """First column of each segment, shape (s,)."""
    lengths = layout.segments.stop - layout.segments.start
    widths = np.where(layout.segments.kind == PERMUTATION, 0, lengths)
    return np.asarray(np.cumsum(widths) - widths, np.int64)


@lean_kernel
def write_row(layout: Layout, first: Codes, x: Codes, row: Floats) -> None:
    """Write the coordinates of ``x`` into ``row``, one per column."""
    for s in range(layout.segments.shape[0]):
        segment = layout.segments[s]
        start, length = segment.start, segment.stop - segment.start
        c = first[s]
        if segment.kind == PERMUTATION:
            continue
        if segment.kind == ORDINAL:
            for i in range(length):
                row[c + i] = MIDDLE
                if not lacks(layout, x, start + i):
                    row[c + i] = coordinate(layout, start + i, x[start + i])
        else:
            for i in range(length):
                row[c + i] = float(x[start + i])


@lean_kernel
def kind_of_difference(column: Records, smooth: int) -> int:
    """How coordinates of a column differ.

    0: or not, 1: by distance, 2: by its square, 3: by a hyperbola.
    """
    if smooth == MATERN:
        return int(2 * column.ordered)
    return int(column.ordered * (1 + smooth * (1 + column.wide)))


@lean_kernel
def likeness(distance: float, smooth: int) -> float:
    """Covariance of two solutions by the sum of their weighted differences.

    An exponential, or Matern's 5/2 of the root of that sum: twice differentiable, so
    less sure of what lies between points than the exponential of squares is.
    """
    if smooth == MATERN:
        root = math.sqrt(5.0 * max(distance, 0.0))
        return float((1.0 + root + root * root / 3.0) * math.exp(-root))
    return math.exp(-distance)


@lean_kernel
def fall(distance: float, smooth: int) -> float:
    """Slope of :func:`likeness` by the sum, with the sign turned."""
    if smooth == MATERN:
        root = math.sqrt(5.0 * max(distance, 0.0))
        return float(5.0 / 6.0 * (1.0 + root) * math.exp(-root))
    return math.exp(-distance)


@lean_kernel
def hyperbola(apart: float) -> float:
    """A distance that is a square where it is small."""
    return math.sqrt(apart * apart + NEAR * NEAR) - NEAR


@lean_kernel
def add_differences(
    kind: int, value: float, others: Floats, count: int, weight: float, total: Floats
) -> None:
    """Add to ``total[:count]`` how much ``value`` differs from each of ``others``."""
    if kind == 1:
        for i in range(count):
            total[i] += weight * abs(value - others[i])
    elif kind == 2:
        for i in range(count):
            apart = value - others[i]
            total[i] += weight * (apart * apart)
    elif kind == 3:
        for i in range(count):
            total[i] += weight * hyperbola(value - others[i])
    else:
        for i in range(count):
            total[i] += weight if value != others[i] else 0.0


@lean_kernel
def mean_similarity(column: Records, coordinate: float) -> float:
    """Mean similarity of a value to all values of its column, less half its mean."""
    arity = column.arity
    if column.ordered == 0 or arity < 2.0:
        return float(0.5 * column.middle)
    below = coordinate * (arity - 1.0)
    above = arity - 1.0 - below
    apart = (below * (below + 1.0) + above * (above + 1.0)) / (arity - 1.0)
    if abs(below - math.floor(below) - 0.5) < 0.25:  # the middle, between two values
        apart += 0.5 / (arity - 1.0)
    return float(1.0 - 0.5 * apart / arity - 0.5 * column.middle)


@lean_kernel
def set_similarities(
    column: Records,
    value: float,
    value_mean: float,
    others: Floats,
    means: Floats,
    count: int,
    into: Floats,
) -> None:
    """Centred similarities of one value to others, of mean square 1 for itself.

    Centred: over all values they add up to zero, so that products of two columns
    stand for what the two do together and neither does alone.
    """
    scale = 1.0 / (1.0 - column.middle)
    if column.ordered == 1:
        for i in range(count):
            into[i] = scale * (1.0 - abs(value - others[i]) - value_mean - means[i])
    else:
        for i in range(count):
            equal = 1.0 if value == others[i] else 0.0
            into[i] = scale * (equal - value_mean - means[i])
