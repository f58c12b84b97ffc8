"""A bounded sample of what a search evaluated: more than the front, less than all.

All of the first evaluations are kept, later ones at numbers that grow by a factor.
Usually these are 300 and 2 %: some five hundred of 10,000 evaluations. The compiled
loop has to stop at each, so of compiled objectives it is 64 and 5 %: some 170 of
10,000, 260 of a million. Their number alone decides, so every loop keeps the same.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.spaces import Space


class Pace(NamedTuple):
    """Which evaluations are kept: all of the first, later ones ever more rarely."""

    first: int
    growth: float

    def after(self, number: int) -> int:
        """The first evaluation after ``number`` that is kept; both count from 1.

        Examples
        --------
        >>> [USUAL.after(number) for number in (0, 299, 300, 10_000)]
        [1, 300, 306, 10200]
        """
        return number + 1 if number < self.first else int(number * self.growth)


#: Of objectives in Python, and of compiled ones.
USUAL, COMPILED = Pace(300, 1.02), Pace(64, 1.05)


@dataclass(frozen=True)
class Sample:
    """Designs that were evaluated, and what came out.

    Attributes
    ----------
    space
        What the codes belong to.
    codes
        Designs, shape (s, n).
    outputs
        Objectives in the user's senses, then constraints, shape (s, p).
    """

    space: Space
    codes: Codes
    outputs: Floats


class Keeper:
    """Keeps a sample while a search runs.

    Attributes
    ----------
    pace
        Which evaluations it keeps.
    count
        Evaluations so far.
    """

    def __init__(self, pace: Pace = USUAL) -> None:
        self.pace: Pace = pace
        self.count: int = 0
        self._next = 1
        self._codes: list[Codes] = []
        self._outputs: list[Floats] = []

    def note(self, codes: Codes, outputs: Floats, count: int = 1) -> None:
        """Count evaluations, of which this is the last; keep it if it is its turn."""
        self.count += count
        if self.count >= self._next:
            self._codes.append(codes.copy())
            self._outputs.append(outputs.copy())
            self._next = self.pace.after(self.count)

    def until_kept(self, evaluations: int) -> int:
        """How many of so many evaluations to make before the next one is kept."""
        return min(evaluations, max(1, self._next - self.count))

    def copy(self) -> Self:
        """A keeper that goes its own way from here."""
        other = type(self)(self.pace)
        other.count, other._next = self.count, self._next
        other._codes, other._outputs = list(self._codes), list(self._outputs)
        return other

    def sample(self, space: Space, num_outputs: int) -> Sample:
        """What was kept so far."""
        codes = np.array(self._codes, np.int64).reshape(-1, space.num_positions)
        outputs = np.array(self._outputs, float).reshape(-1, num_outputs)
        return Sample(space, codes, outputs)

    # --- files

    def saved(self) -> dict[str, Any]:
        """All of it as plain data."""
        texts = [
            b64encode(np.array(rows, kind).tobytes()).decode()
            for rows, kind in ((self._codes, "<i8"), (self._outputs, "<f8"))
        ]
        numbers = {"count": self.count, "next": self._next}
        return numbers | {"codes": texts[0], "outputs": texts[1]}

    @classmethod
    def restored(
        cls, data: Any, space: Space, num_outputs: int, pace: Pace = USUAL
    ) -> Self:
        """Make what :meth:`saved` described; raises ValueError otherwise.

        Whether the codes are solutions is left to the caller.
        """
        keeper = cls(pace)
        if data is None:  # of version 0.1.0
            return keeper
        try:
            codes = np.frombuffer(b64decode(data["codes"], validate=True), "<i8")
            outputs = np.frombuffer(b64decode(data["outputs"], validate=True), "<f8")
            keeper.count, keeper._next = int(data["count"]), int(data["next"])
            keeper._codes = list(
                codes.astype(np.int64).reshape(-1, space.num_positions)
            )
            keeper._outputs = list(outputs.reshape(-1, num_outputs))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"its sample is none: {error}") from None
        sizes = len(keeper._codes) == len(keeper._outputs) <= keeper.count < 2**63
        if not sizes or not np.isfinite(outputs).all():
            raise ValueError("its sample has not as many finite values as designs")
        return keeper


def thinned(rows: list[Any]) -> list[Any]:
    """Of all evaluations in their order, those that a keeper would have kept.

    Examples
    --------
    >>> len(thinned(list(range(300)))), len(thinned(list(range(10_000))))
    (300, 481)
    """
    kept, number = [], 1
    while number <= len(rows):
        kept.append(rows[number - 1])
        number = USUAL.after(number)
    return kept
