"""``Packing``: codes of a space as few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.spaces.base import Space


class Packing:
    """Codes as bytes: the smallest type of whole numbers that holds all of a space.

    Parameters
    ----------
    space
        The space.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> packing = Packing(Permutation(4))
    >>> packing.pack(np.array([3, 0, 2, 1])).hex()
    '03000201'
    """

    def __init__(self, space: Space) -> None:
        most = max((max(arities) for _, arities, *_ in space.segments()), default=1)
        kinds = ("<u1", "<u2", "<u4")
        large_enough = (kind for kind in kinds if most - 1 <= np.iinfo(kind).max)
        self.kind: np.dtype[Any] = np.dtype(next(large_enough, "<i8"))

    def pack(self, codes: Codes) -> bytes:
        """Write codes, shape (n,)."""
        return codes.astype(self.kind).tobytes()

    def unpack(self, content: bytes) -> Codes:
        """Read codes, shape (n,)."""
        return np.frombuffer(content, self.kind).astype(np.int64)
