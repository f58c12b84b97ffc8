"""Choices among listed values or whole numbers, one or several at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_flag, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Value
from divlearn.spaces.base import (
    CATEGORICAL,
    MAX_LEVELS,
    ORDINAL,
    Segment,
    Space,
    actions_of_values,
    integer_vector,
)


class Categorical(Space):
    """One of several values without order, ``n`` times.

    Parameters
    ----------
    values
        The values to choose from, all different: strings, numbers, anything hashable.
    n
        Number of choices; a value is then a list of n, or for n = 1 the value itself.

    Examples
    --------
    >>> from divlearn import Categorical
    >>> Categorical(["nmos", "pmos"]).contains("nmos")
    True
    >>> Categorical("abc", n=2).distance(["a", "b"], ["a", "c"])
    1.0
    """

    kind: ClassVar[int] = CATEGORICAL

    def __init__(self, values: Sequence[Any], n: int = 1) -> None:
        self.values: list[Any] = list(values)
        self.n: int = require_whole("n", n, least=1)
        if not self.values:
            raise InputError(
                f"{type(self).__name__} needs at least one value to choose from, "
                "got an empty list."
            )
        try:
            self._code = {value: code for code, value in enumerate(self.values)}
        except TypeError:
            raise InputError(
                f"the values of {type(self).__name__} must be hashable (numbers, "
                f"strings, tuples), got {self.values!r}."
            ) from None
        if len(self._code) != len(self.values):
            raise InputError(
                f"the values of {type(self).__name__} must all be different, "
                f"got {self.values!r}."
            )
        actions = len(self.values)
        if self.kind == ORDINAL:
            actions = actions_of_values(actions)
        self.require_room(actions * self.n)

    def segments(self) -> list[Segment]:
        """One segment of n positions with an action per value."""
        return [Segment(self.kind, [len(self.values)] * self.n)]

    def decode(self, codes: Codes) -> Value:
        """Return the value, or the list of n values."""
        if self.n == 1:
            return self.values[codes[0]]
        return [self.values[code] for code in codes]

    def encode(self, value: Value) -> Codes:
        """Look up the values."""
        if self.n > 1 and _num_entries(value) != self.n:
            raise InputError(
                f"a value of {self!r} has {self.n} entries, got {value!r}."
            )
        chosen = [value] if self.n == 1 else list(value)
        try:
            return np.array([self._code[v] for v in chosen], np.int64)
        except (KeyError, TypeError):
            raise InputError(
                f"a value of {self!r} is one of {self.values!r}, got {value!r}."
            ) from None

    def describe(self) -> dict[str, Any]:
        """Kind, values and number of choices."""
        return {
            "space": type(self).__name__.lower(),
            "values": [
                v.item() if isinstance(v, np.generic) else v for v in self.values
            ],
            "n": self.n,
        }

    def __repr__(self) -> str:
        repeat = f", n={self.n}" if self.n > 1 else ""
        return f"{type(self).__name__}({self.values!r}{repeat})"


class Ordinal(Categorical):
    """One of several values in order, ``n`` times; neighbours are one step apart.

    Examples
    --------
    >>> from divlearn import Ordinal
    >>> Ordinal([16, 32, 64, 128]).distance(16, 64)
    2.0
    """

    kind: ClassVar[int] = ORDINAL


class Integer(Space):
    """A whole number from ``low`` to ``high``, both included, ``n`` times.

    Parameters
    ----------
    low, high
        Limits, both included.
    n
        Number of integers; a value is then an array, or for n = 1 an int.
    log
        Whether ratios count rather than differences, as for sizes that range over
        several powers of ten: from 10 to 20 is then as far as from 100 to 200. ``low``
        must be at least 1.

    Examples
    --------
    >>> from divlearn import Integer
    >>> Integer(1, 8).distance(2, 5)
    3.0
    """

    def __init__(self, low: int, high: int, n: int = 1, log: bool = False) -> None:
        self.low: int = require_whole("low", low, least=None)
        self.high: int = require_whole("high", high, least=None)
        self.n: int = require_whole("n", n, least=1)
        if self.low > self.high:
            raise InputError(
                f"Integer needs low <= high, got low = {low} and high = {high}: "
                "the space would be empty."
            )
        require_flag("log", log)
        self.log: bool = bool(log)
        if self.log and self.low < 1:
            raise InputError(
                f"Integer with log=True needs low >= 1, got low = {low}; use "
                "log=False, or count from 1."
            )
        levels = self.high - self.low + 1
        if levels > MAX_LEVELS:
            raise InputError(
                f"Integer has {levels:,} values from {low} to {high}, more than the "
                f"{MAX_LEVELS:,} that codes have room for; use a narrower range."
            )
        self.require_room(actions_of_values(levels) * self.n)

    def segments(self) -> list[Segment]:
        """One segment of n positions with an action per number."""
        levels = [self.high - self.low + 1] * self.n
        return [Segment(ORDINAL, levels, log_from=float(self.low if self.log else 0))]

    def decode(self, codes: Codes) -> Value:
        """Return the int, or the array of n integers."""
        return int(codes[0]) + self.low if self.n == 1 else codes + self.low

    def encode(self, value: Value) -> Codes:
        """Check the limits."""
        numbers = integer_vector(repr(self), [value] if self.n == 1 else value, self.n)
        if numbers.min() < self.low or numbers.max() > self.high:
            raise InputError(
                f"a value of {self!r} lies between {self.low} and {self.high}, "
                f"got {value!r}."
            )
        return numbers - self.low

    def describe(self) -> dict[str, Any]:
        """Kind, limits and number of integers, and the scale if it is logarithmic."""
        plain = {"space": "integer", "low": self.low, "high": self.high, "n": self.n}
        return {**plain, "log": True} if self.log else plain

    def __repr__(self) -> str:
        repeat = f", n={self.n}" if self.n > 1 else ""
        scale = ", log=True" if self.log else ""
        return f"Integer({self.low}, {self.high}{repeat}{scale})"


def _num_entries(value: object) -> int:
    """Number of entries; -1 if it has no length, like an array without axes."""
    try:
        return len(value)  # type: ignore[arg-type]
    except TypeError:
        return -1
