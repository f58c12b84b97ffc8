"""A value with everything that solutions of a space may have."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Value
from divlearn.spaces.base import PERMUTATION, Space
from divlearn.spaces.composite import Composite


def whole_design(space: Space) -> Value | None:
    """A value with all parts, whether they can exist together or not.

    Returns
    -------
    A dict of example values; None if all parts of the space always exist.

    Examples
    --------
    >>> from divlearn import Categorical, If, Integer
    >>> space = Composite(kind=Categorical("ab"), size=If(kind="b", then=Integer(3, 9)))
    >>> whole_design(space)
    {'kind': 'a', 'size': 3}
    >>> whole_design(Composite(kind=Categorical("ab")))
    """
    return _example(space) if _varies(space) else None


def _varies(space: Space) -> bool:
    """Whether some part exists only sometimes."""
    if not isinstance(space, Composite):
        return False
    parts = space.placed.values()
    return any(bool(part.conditions) or _varies(part.space) for part in parts)


def _example(space: Space) -> Value:
    """Some value of a space, its demands aside."""
    if isinstance(space, Composite):
        return {name: _example(part.space) for name, part in space.placed.items()}
    codes = np.zeros(space.num_positions, np.int64)
    first = 0
    for segment in space.segments():
        size = len(segment.levels)
        if segment.kind == PERMUTATION:
            codes[first : first + size] = np.arange(size)
        first += size
    return space.decode(codes)
