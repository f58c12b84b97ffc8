"""Whether rows of codes are solutions of a space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.kernels.layout import PERMUTATION, SUBSET, Layout
from divlearn.kernels.structure import keeps_rules
from divlearn.optimizer.checkpoint.rules import Misfit

#: Codes looked at together: copies of rows take little memory.
_TOGETHER = 2**20


def require_codes(name: str, rows: NDArray[Any], layout: Layout) -> None:
    """Check every code against its position, also in rows that are not used."""
    levels = layout.places.levels.astype(rows.dtype)
    for part in _parts(rows):
        if ((part < 0) | (part >= levels)).any():
            raise Misfit(f"{name} has a code that its position does not have")


def require_members(
    name: str, rows: NDArray[Any], layout: Layout, used: Any = None
) -> None:
    """Rows, or those that are ``used``, are solutions; the codes of all are codes.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> require_members("x", np.array([[2, 0, 1]]), Permutation(3).layout)
    """
    if rows.shape[1] == 0:
        return
    require_codes(name, rows, layout)
    for part in _parts(rows if used is None else rows[used]):
        for segment in layout.segments:
            codes = part[:, segment.start : segment.stop]
            if not _fit(codes, segment):
                raise Misfit(f"{name} has a row that is no solution of the space")
        whole = part.astype(np.int64) if len(layout.rules) else ()
        if not all(keeps_rules(layout, row) for row in whole):
            raise Misfit(f"{name} has a row that breaks a rule of the space")


def _parts(rows: NDArray[Any]) -> list[NDArray[Any]]:
    """Some rows at a time."""
    step = max(1, _TOGETHER // max(1, rows.shape[1]))
    return [rows[first : first + step] for first in range(0, len(rows), step)]


def _fit(codes: NDArray[Any], segment: Any) -> bool:
    """Whether the codes of a segment, shape (rows, length), belong together."""
    if segment.kind == PERMUTATION:
        return bool((np.sort(codes, axis=1) == np.arange(codes.shape[1])).all())
    if segment.kind == SUBSET:
        ones = codes.sum(axis=1)
        return bool(((ones >= segment.least) & (ones <= segment.most)).all())
    return True
