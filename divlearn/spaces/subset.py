"""Choices of some of n items: free bits, or subsets of limited size."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Value
from divlearn.spaces.base import (
    SUBSET,
    Segment,
    Space,
    integer_vector,
)
from divlearn.spaces.demands import read_groups, read_items
from divlearn.spaces.exclusion import Choice


class Binary(Space):
    """``n`` yes/no decisions; a value is an array of n booleans.

    Parameters
    ----------
    n
        Number of decisions. If None or left out, there is one decision whose value is
        True or False.

    Examples
    --------
    >>> from divlearn import Binary
    >>> Binary(3).distance([True, False, True], [True, True, True])
    1.0
    >>> Binary().contains(True), Binary(1).contains([True])
    (True, True)
    """

    def __init__(self, n: int | None = None) -> None:
        self.n: int | None = None if n is None else require_whole("n", n, least=1)
        self._size = self.n or 1
        self.require_room(2 * self._size)

    def segments(self) -> list[Segment]:
        """One segment of n bits, any number of them set."""
        return [Segment(SUBSET, [2] * self._size, 0, self._size)]

    def decode(self, codes: Codes) -> Value:
        """Return the bits as booleans."""
        return bool(codes[0]) if self.n is None else codes.astype(np.bool_)

    def encode(self, value: Value) -> Codes:
        """Check that ``value`` has n entries, each true or false, 0 or 1."""
        if self.n is None:
            return self._encode_one(value)
        codes = _whole_numbers(value)
        if codes is None or len(codes) != self.n or not np.isin(codes, (0, 1)).all():
            raise InputError(
                f"a value of {self!r} has {self.n} entries that are true or false, "
                f"got {value!r}."
            )
        return codes

    def _encode_one(self, value: Value) -> Codes:
        """Check a single True or False."""
        codes = _whole_numbers([value])
        if codes is None or codes[0] not in (0, 1):
            raise InputError(f"a value of {self!r} is true or false, got {value!r}.")
        return codes

    def describe(self) -> dict[str, Any]:
        """Kind and size."""
        return {"space": "binary", "n": self.n}

    def __repr__(self) -> str:
        return f"Binary({'' if self.n is None else self.n})"


class Subset(Space):
    """Subsets of ``n`` items with a given size or limits on it.

    A value is the sorted array of the chosen items' numbers.

    Parameters
    ----------
    n
        Number of items to choose from.
    k
        Size of every subset; leave it out to give limits instead.
    min, max
        Least and greatest size; default 0 and n.
    forced, forbidden
        Items that every subset has, and that none has.
    exclusive
        Groups of items of which a subset has one at most. Groups may have items in
        common, unless a least size might then be out of reach.

    Examples
    --------
    >>> from divlearn import Subset
    >>> Subset(5, 2).contains([0, 3])
    True
    >>> Subset(5, min=1, max=2).contains([0, 1, 2])
    False
    >>> Subset(5, forced=[4], exclusive=[[0, 1]]).contains([0, 1, 4])
    False
    """

    def __init__(
        self,
        n: int,
        k: int | None = None,
        *,
        min: int | None = None,  # noqa: A002 - the public name
        max: int | None = None,  # noqa: A002 - the public name
        forced: Any = None,
        forbidden: Any = None,
        exclusive: Any = None,
    ) -> None:
        self.n: int = require_whole("n", n, least=1)
        if k is not None and (min is not None or max is not None):
            raise InputError("give either k or min and max, not both.")
        self.min: int
        self.max: int
        if k is not None:
            self.min = self.max = require_whole("k", k)
        else:
            self.min = 0 if min is None else require_whole("min", min)
            self.max = self.n if max is None else require_whole("max", max)
        if self.max > self.n or self.min > self.max:
            given = (
                f"k = {k}" if k is not None else f"min = {self.min}, max = {self.max}"
            )
            raise InputError(
                f"a subset of {self.n} items needs 0 <= min <= max <= {self.n}, "
                f"got {given}; choose no more items than there are."
            )
        self.forced: list[int] = read_items("forced", forced, self.n, "item")
        self.forbidden: list[int] = read_items("forbidden", forbidden, self.n, "item")
        self.exclusive: list[list[int]] = read_groups(
            "exclusive", exclusive, self.n, "item"
        )
        self.require_room(2 * self.n)
        self._choice = self._make_choice()

    def _make_choice(self) -> Choice | None:
        """What is demanded of single items; None if nothing is."""
        if not (self.forced or self.forbidden or self.exclusive):
            return None
        choice = Choice(self.n, self.forced, self.forbidden, self.exclusive)
        choice.require_sizes(self.min, self.max)
        return choice

    def segments(self) -> list[Segment]:
        """One segment of n bits with a limited number of ones."""
        if self._choice is None:
            return [Segment(SUBSET, [2] * self.n, self.min, self.max)]
        return [self._choice.segment(self.min, self.max)]

    def decode(self, codes: Codes) -> Value:
        """Return the numbers of the chosen items, ascending."""
        return np.flatnonzero(codes)

    def encode(self, value: Value) -> Codes:
        """Check the numbers and their count; the order does not matter."""
        chosen = _whole_numbers(value)
        if (
            chosen is None
            or not ((chosen >= 0) & (chosen < self.n)).all()
            or len(np.unique(chosen)) != len(chosen)
            or not self.min <= len(chosen) <= self.max
        ):
            raise InputError(
                f"a value of {self!r} lists {self.min} to {self.max} different items "
                f"from 0 to {self.n - 1}, got {value!r}."
            )
        if self._choice is not None:
            self._choice.require_kept(chosen, repr(self))
        codes = np.zeros(self.n, np.int64)
        codes[chosen] = 1
        return codes

    def _demands(self) -> dict[str, Any]:
        """What is demanded of single items, by name."""
        demands = {
            "forced": self.forced,
            "forbidden": self.forbidden,
            "exclusive": self.exclusive,
        }
        return {name: value for name, value in demands.items() if value}

    def describe(self) -> dict[str, Any]:
        """Kind, size and limits, and what is demanded of single items."""
        limits = {"n": self.n, "min": self.min, "max": self.max}
        return {"space": "subset", **limits, **self._demands()}

    def __repr__(self) -> str:
        limits = f"min={self.min}, max={self.max}"
        size = f"{self.min}" if self.min == self.max else limits
        demands = [f"{name}={value}" for name, value in self._demands().items()]
        return f"Subset({', '.join([f'{self.n}', size, *demands])})"


def _whole_numbers(value: Value) -> Codes | None:
    """Turn ``value`` into a vector of integers of any length, or None."""
    try:
        return integer_vector("value", value, len(value))
    except (InputError, TypeError):
        return None
