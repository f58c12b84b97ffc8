"""Choices of other packages by their number, which need not be hashable."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from divlearn.spaces import Categorical, Ordinal

#: Ascending numbers are ordered if there are at least so many of them.
LEAST_ORDERED = 3


def numbered(choices: Sequence[Any]) -> Categorical:
    """The space of the numbers 0, 1, ... of choices.

    Numbers that ascend, such as ``[16, 32, 64]``, are ordered: other packages have no
    way to say so.

    Examples
    --------
    >>> numbered([16, 32, 64]), numbered(["a", "b", "c"])
    (Ordinal([0, 1, 2]), Categorical([0, 1, 2]))
    """
    listed = list(choices)
    ordered = len(listed) >= LEAST_ORDERED and _ascend(listed)
    return (Ordinal if ordered else Categorical)(range(len(listed)))


def _ascend(choices: list[Any]) -> bool:
    """Whether choices are numbers, each above the one before."""
    numbers = all(type(choice) in (int, float) for choice in choices)
    return numbers and all(a < b for a, b in pairwise(choices))
