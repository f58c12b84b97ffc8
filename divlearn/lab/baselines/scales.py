"""Ordered values as numbers between 0 and 1, for methods that know real numbers.

A real, a large integer and an integer on a logarithmic scale are *continuous* here: a
method sees their coordinate, and whatever number it proposes is the nearest value.
Absent values have no coordinate; models see the middle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.cells import WIDE, coordinates_of
from divlearn.kernels.layout import ORDINAL, Layout

#: Values on a logarithmic scale from which their steps are not counted any more.
FEW = 8
#: Coordinate that stands for an absent value.
MIDDLE = 0.5


def continuous(layout: Layout) -> NDArray[np.bool_]:
    """Which positions are continuous, shape (n,).

    Examples
    --------
    >>> import divlearn as dl
    >>> space = dl.Composite(width=dl.Real(0, 1), teeth=dl.Integer(10, 20))
    >>> continuous(space.layout)
    array([ True, False])
    """
    places = layout.places
    ordered = layout.segments.kind[places.segment] == ORDINAL
    logarithmic = (places.log_from > 0.0) & (places.values > FEW)
    return np.asarray(ordered & ((places.values > WIDE) | logarithmic))


class Scales:
    """Some ordered positions of a layout, and their coordinates.

    Parameters
    ----------
    layout
        Layout of the space.
    columns
        Positions; all that are continuous if None.

    Examples
    --------
    >>> import divlearn as dl
    >>> layout = dl.Integer(1, 1_000, log=True).layout
    >>> scales = Scales(layout)
    >>> scales.codes(np.array([[0.0], [1 / 3], [1.0]]))
    array([[  0],
           [  9],
           [999]])
    """

    def __init__(self, layout: Layout, columns: Integers | None = None) -> None:
        chosen = np.flatnonzero(continuous(layout)) if columns is None else columns
        self.columns: Integers = chosen
        self._places = layout.places[chosen]
        self.last = np.maximum(self._places.values - 1, 1)

    def __len__(self) -> int:
        return len(self.columns)

    def present(self, codes: Codes) -> NDArray[np.bool_]:
        """Which of the positions have a value, shape (q, n) to (q, k)."""
        return np.asarray(codes[:, self.columns] < self._places.values)

    def coordinates(self, codes: Codes) -> Floats:
        """Coordinates of solutions, shape (q, n) to (q, k)."""
        found = np.empty((len(codes), len(self)))
        for k, place in enumerate(self._places):
            found[:, k] = coordinates_of(place, codes[:, self.columns[k]])
        return np.where(self.present(codes), found, MIDDLE)

    def codes(self, shares: Floats) -> Codes:
        """Codes nearest to coordinates, shape (q, k); none of them is absent."""
        inside = np.clip(shares, 0.0, 1.0)
        start = self._places.log_from
        logarithmic = start > 0.0
        unit = np.where(logarithmic, start, 1.0)
        grown = unit * np.expm1(inside * np.log1p(self.last / unit))
        numbers = np.where(logarithmic, grown, inside * self.last)
        inside = np.clip(np.rint(numbers), 0, self._places.values - 1)
        return np.asarray(inside, np.int64)
