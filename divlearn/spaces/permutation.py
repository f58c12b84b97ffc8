"""Orders of n items."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Codes, Value
from divlearn.errors import InputError
from divlearn.spaces.base import (
    PERMUTATION,
    Segment,
    Space,
    integer_vector,
)


class Permutation(Space):
    """All orders of ``n`` items; a value is an integer array of 0 .. n - 1.

    Parameters
    ----------
    n
        Number of items.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> Permutation(4).contains([2, 0, 3, 1])
    True
    >>> Permutation(4).distance([0, 1, 2, 3], [1, 0, 2, 3])
    1.0
    """

    def __init__(self, n: int) -> None:
        self.n = require_whole("n", n, least=1)
        self.require_room(self.n**2)

    def segments(self) -> list[Segment]:
        """One segment of n positions with n actions each."""
        return [Segment(PERMUTATION, [self.n] * self.n)]

    def decode(self, codes: Codes) -> Value:
        """Return a copy of the order."""
        return codes.copy()

    def encode(self, value: Value) -> Codes:
        """Check that ``value`` names each item once."""
        codes = integer_vector("a permutation", value, self.n)
        if not np.array_equal(np.sort(codes), np.arange(self.n)):
            raise InputError(
                f"a permutation of {self.n} items names each of 0 to {self.n - 1} "
                f"once, got {codes.tolist()}."
            )
        return codes

    def describe(self) -> dict[str, Any]:
        """Kind and size."""
        return {"space": "permutation", "n": self.n}

    def __repr__(self) -> str:
        return f"Permutation({self.n})"
