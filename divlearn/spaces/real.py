"""``Real``: a real number between two limits, as fine as the search needs it."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from divlearn.basics.checks import require_flag, require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Value
from divlearn.spaces.base import (
    MAX_LEVELS,
    ORDINAL,
    Segment,
    Space,
    actions_of_values,
)

#: Steps between the limits, unless floating point numbers are not as fine as that.
FINEST = 2**30
#: Floating point numbers per step, at least.
LEAST_FLOATS = 8
#: How far a value may be off a step, and the last step off the limit, in steps.
TOLERANCE = 1e-6


class Real(Space):
    """A real number from ``low`` to ``high``, both included, ``n`` times.

    The search refines it where that pays. Inside, a real is one of 2**30 + 1 codes; two
    numbers that are less than (high - low) / 2**31 apart count as equal (on a
    logarithmic scale the same share of the range of the logarithm), and of all equal
    ones the shortest decimal is used: 0.3 stays 0.3.

    Parameters
    ----------
    low, high
        Limits, both included.
    log
        Whether ratios count rather than differences, as for rates and sizes that range
        over several powers of ten; ``low`` must then be positive.
    step
        Distance between allowed values ``low, low + step, ...``; None for all numbers.
    n
        Number of reals; a value is then an array, or for n = 1 a float.

    Examples
    --------
    >>> from divlearn import Real
    >>> Real(0, 1).canonical(0.3)
    0.3
    >>> Real(1e-5, 1e-1, log=True).contains(0.001)
    True
    >>> Real(0, 1, step=0.25).contains(0.75)
    True
    """

    def __init__(
        self,
        low: float,
        high: float,
        log: bool = False,
        step: float | None = None,
        n: int = 1,
    ) -> None:
        self.low: float = require_number("low", low)
        self.high: float = require_number("high", high)
        require_flag("log", log)
        self.log: bool = bool(log)
        self.step: float | None = None if step is None else require_number("step", step)
        self.n: int = require_whole("n", n, least=1)
        self._require_range()
        self._last = self._num_steps()
        self.require_room(actions_of_values(self._last + 1) * self.n)

    def segments(self) -> list[Segment]:
        """One segment of n positions of so many ordered codes."""
        # Codes of a logarithmic scale are even on it already, unless steps are given.
        log_from = self.low / self.step if self.log and self.step else 0.0
        return [Segment(ORDINAL, [self._last + 1] * self.n, log_from=log_from)]

    def decode(self, codes: Codes) -> Value:
        """Return the float, or the array of n floats."""
        if self.n == 1:
            return self._value(int(codes[0]))
        return np.array([self._value(int(code)) for code in codes])

    def encode(self, value: Value) -> Codes:
        """Find the nearest codes."""
        numbers = [value] if self.n == 1 else self._entries(value)
        return np.array([self._checked(number) for number in numbers], np.int64)

    def describe(self) -> dict[str, Any]:
        """Kind, limits, number of reals, and the scale and step if they are given."""
        plain = {"space": "real", "low": self.low, "high": self.high, "n": self.n}
        return plain | self._options()

    def __repr__(self) -> str:
        given = {**self._options(), **({"n": self.n} if self.n > 1 else {})}
        more = "".join(f", {name}={value!r}" for name, value in given.items())
        return f"Real({self.low!r}, {self.high!r}{more})"

    def _options(self) -> dict[str, Any]:
        """Scale and step, where they are not the usual ones."""
        options: dict[str, Any] = {"log": True} if self.log else {}
        return options if self.step is None else {**options, "step": self.step}

    # --- what is asked for

    def _require_range(self) -> None:
        """Refuse limits between which there is nothing to choose."""
        if not self.low < self.high:
            raise InputError(
                f"Real needs low < high, got low = {self.low!r} and high = "
                f"{self.high!r}; a number that never changes belongs into the function."
            )
        if not math.isfinite(self.high - self.low):
            raise InputError(
                f"Real needs high - low below {math.inf}, got low = {self.low!r} and "
                f"high = {self.high!r}; use log=True, or other units."
            )
        if self.log and self.low <= 0.0:
            raise InputError(
                f"Real with log=True needs low > 0, got low = {self.low!r}; "
                "use a small positive number, or log=False."
            )

    def _num_steps(self) -> int:
        """Number of the last code."""
        if self.step is None:
            return self._num_fine_steps()
        if not 0.0 < self.step <= self.high - self.low:
            raise InputError(
                f"step must be above 0 and at most high - low = "
                f"{self.high - self.low!r}, got {self.step!r}."
            )
        ratio = (self.high - self.low) / self.step
        if ratio >= MAX_LEVELS:
            raise InputError(
                f"step = {self.step!r} makes {ratio:,.0f} steps from {self.low!r} to "
                f"{self.high!r}, more than {MAX_LEVELS - 1:,}; leave step out for all "
                "numbers."
            )
        last = round(ratio)
        if abs(ratio - last) > TOLERANCE:
            below, above = (self._at_step(k) for k in (math.floor(ratio), last + 1))
            raise InputError(
                f"high = {self.high!r} must be low + a whole number of steps of "
                f"{self.step!r}, such as {below!r} or {above!r}."
            )
        return last

    def _num_fine_steps(self) -> int:
        """Number of the last code where all numbers are allowed."""
        finest = LEAST_FLOATS * math.ulp(max(abs(self.low), abs(self.high)))
        width = self.high - self.low
        if self.log:  # steps are narrowest at the lower end
            width = self.low * math.log(self.high / self.low)
            finest = LEAST_FLOATS * math.ulp(self.low)
        last = min(FINEST, int(width / finest))
        if last < 1:
            raise InputError(
                f"Real has fewer than {LEAST_FLOATS} floating point numbers from "
                f"{self.low!r} to {self.high!r}; use a difference to {self.low!r} "
                "in place of the number."
            )
        return last

    # --- codes to values

    def _value(self, code: int) -> float:
        """The shortest decimal of a code; limits are as they were given."""
        if code in (0, self._last):
            return self.high if code else self.low
        if self.step is not None:
            return self._at_step(code)
        share = code / self._last
        if self.log:
            value = self.low * math.exp(share * self._reach)
            width = value * self._reach / self._last
        else:
            value = self.low + (self.high - self.low) * share
            width = (self.high - self.low) / self._last
        # Of decimals farther apart than codes at most one is inside, the shortest.
        digits = math.floor(-math.log10(width))
        for more in range(3):
            short = round(value, digits + more) + 0.0  # never -0.0
            if self.low < short < self.high and self._code(short) == code:
                return short
        return value

    def _at_step(self, code: int) -> float:
        """Value of a step, as a decimal with no more digits than those given."""
        assert self.step is not None
        return float(Decimal(repr(self.low)) + code * Decimal(repr(self.step)))

    @cached_property
    def _reach(self) -> float:
        """Logarithm of the ratio of the limits."""
        return math.log(self.high) - math.log(self.low)

    # --- values to codes

    def _code(self, number: float) -> int:
        """Nearest code of a number within the limits."""
        if self.step is not None:
            share = (number - self.low) / self.step
        elif self.log:
            share = (math.log(number) - math.log(self.low)) / self._reach * self._last
        else:
            share = (number - self.low) / (self.high - self.low) * self._last
        return min(self._last, math.floor(share + 0.5))

    def _checked(self, value: Value) -> int:
        """Code of a value of the user's."""
        try:
            number = require_number("a value", value)
        except InputError:
            raise InputError(f"{self!r} needs a number, got {value!r}.") from None
        if not self.low <= number <= self.high:
            raise InputError(
                f"a value of {self!r} lies between {self.low!r} and {self.high!r}, "
                f"got {value!r}; widen the limits if it makes sense."
            )
        code = self._code(number)
        if self.step is not None:
            off = (number - self._value(code)) / self.step
            if abs(off) > TOLERANCE:
                raise InputError(
                    f"a value of {self!r} is low + a whole number of steps, such as "
                    f"{self._value(code)!r}, got {value!r}."
                )
        return code

    def _entries(self, value: Value) -> list[Any]:
        """The n entries of a value."""
        try:
            entries = list(value)
        except TypeError:
            entries = []
        if len(entries) != self.n or isinstance(value, (str, bytes)):
            raise InputError(
                f"a value of {self!r} has {self.n} numbers, got {value!r}."
            )
        return entries
