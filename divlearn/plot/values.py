"""What the codes of a space are called."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.spaces import Space, Subset
from divlearn.spaces.names import Stretch, position_names, stretches


class Labels:
    """Names of positions, and of their values by code.

    Parameters
    ----------
    space
        The space.

    Examples
    --------
    >>> from divlearn import Binary, Categorical, Composite
    >>> labels = Labels(Composite(kind=Categorical("ab"), on=Binary(2)))
    >>> labels.names, labels.of(0, 1), labels.of(2, 0)
    (['kind', 'on[0]', 'on[1]'], 'b', 'no')
    """

    def __init__(self, space: Space) -> None:
        self.names: list[str] = position_names(space)
        self._stretches = stretches(space)
        self._values = space.layout.places.values

    def of(self, position: int, code: int) -> str:
        """What a user calls the value of a position with this code."""
        stretch = next(s for s in self._stretches if s.start <= position < s.stop)
        if code >= self._values[position]:
            return "absent"
        return _text(_decoded(stretch, position - stretch.start, code))


def _decoded(stretch: Stretch, i: int, code: int) -> Any:
    """The value of one position of a part; whether an item is in, of a subset."""
    if stretch.space is None or isinstance(stretch.space, Subset):
        return bool(code)
    codes = np.zeros(stretch.space.num_positions, np.int64)
    codes[i] = code
    value = stretch.space.decode(codes)
    return value[i] if np.ndim(value) == 1 else value


def _text(value: Any) -> str:
    """A value in a few characters."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return f"{value:.3g}"
    return str(value)
