"""Numbers that represent solutions, for methods that only know numbers.

A permutation becomes one number per item, its *key*: items are put in the order of
their keys (J. C. Bean, "Genetic algorithms and random keys for sequencing and
optimization", ORSA Journal on Computing 6, 1994). A subset with limits on its size
becomes one key per item too: items with a key above one half are chosen or, if these
are too many or too few, those with the highest keys. Everything else is represented
directly. What a space demands beyond that is settled (:meth:`Space.settled`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.spaces import Space
from divlearn.spaces.base import PERMUTATION, SUBSET


class Part(NamedTuple):
    """One segment of a space."""

    kind: int
    inside: slice
    least: int  # number of ones of a subset
    most: int

    @property
    def has_keys(self) -> bool:
        """Whether its positions are represented by keys."""
        if self.kind == SUBSET:
            free = self.inside.stop - self.inside.start
            return self.least > 0 or self.most < free
        return self.kind == PERMUTATION


def parts_of(space: Space) -> list[Part]:
    """List the segments of a space."""
    return [
        Part(int(s.kind), slice(int(s.start), int(s.stop)), int(s.least), int(s.most))
        for s in space.layout.segments
    ]


def from_keys(part: Part, keys: Floats) -> Codes:
    """Codes of a segment from one key per position, or per item.

    Examples
    --------
    >>> import numpy as np
    >>> order = Part(PERMUTATION, slice(0, 3), 0, 0)
    >>> from_keys(order, np.array([0.7, 0.1, 0.4]))
    array([1, 2, 0])
    """
    if part.kind == PERMUTATION:
        return np.argsort(keys, kind="stable")
    wanted = int(np.clip((keys > 0.5).sum(), part.least, part.most))
    codes = np.zeros(len(keys), np.int64)
    codes[np.argsort(-keys, kind="stable")[:wanted]] = 1
    return codes


def to_keys(part: Part, codes: Codes) -> Floats:
    """Keys strictly between 0 and 1 that represent the codes of a segment."""
    count = len(codes)
    if part.kind == PERMUTATION:
        keys = np.empty(count)
        keys[codes] = (np.arange(count) + 0.5) / count
        return keys
    return np.where(codes == 1, 0.75, 0.25)


def from_numbers(space: Space, numbers: Any) -> Codes:
    """Codes, shape (n,), from one number per position between 0 and its last code.

    Whole numbers that form a solution are that solution. Others are read as keys, or
    mapped to a value, where all values have an equal share of the range. What the
    space demands beyond that, such as precedence, is settled.
    """
    given = np.asarray(numbers, float)
    codes = np.empty(space.num_positions, np.int64)
    levels = space.layout.places.levels
    for part in parts_of(space):
        x, count = given[part.inside], levels[part.inside]
        whole = np.clip(x, 0, count - 1).astype(np.int64)
        if not part.has_keys:
            # Exact for whole numbers; uniform if x is.
            share = np.floor(x * count / np.maximum(count - 1, 1))
            codes[part.inside] = np.clip(share, 0, count - 1)
        elif np.array_equal(whole, x) and _is_solution(part, whole):
            codes[part.inside] = whole
        else:
            codes[part.inside] = from_keys(part, x)
    return space.settled(codes)


def _is_solution(part: Part, codes: Codes) -> bool:
    """Whether these codes are valid for a segment as they are."""
    if part.kind == PERMUTATION:
        return np.array_equal(np.sort(codes), np.arange(len(codes)))
    return part.least <= int(codes.sum()) <= part.most
