"""Things of which there are several, as items that always keep their order.

Copy after copy of the first thing, then of the second and so on are the items 0, 1, 2
of a permutation. Copies of a thing come one before the other, so each order of things
is one order of items.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Integers
from divlearn.spaces.precedence import Demands, refuse_cycle

Pairs = list[tuple[int, int]]


class Copies:
    """How many there are of each thing, and which items they are.

    Examples
    --------
    >>> Copies([2, 1]).things
    array([0, 0, 1])
    """

    def __init__(self, counts: Any) -> None:
        try:
            given = list(counts)
        except TypeError:
            given = []
        if not given or isinstance(counts, str):
            raise InputError(
                "counts lists how many there are of each thing, such as [3, 2, 4], "
                f"got {counts!r}."
            )
        self.counts: list[int] = [
            require_whole(f"counts[{k}]", count, least=1)
            for k, count in enumerate(given)
        ]
        self.total: int = sum(self.counts)
        self.things: Integers = np.repeat(np.arange(len(self.counts)), self.counts)
        self._first = np.cumsum([0, *self.counts])

    def numbered(self, value: Codes) -> Codes:
        """Items in the order in which their things stand, shape (n,)."""
        found = np.bincount(value[value >= 0], minlength=len(self.counts))
        if value.min() < 0 or not np.array_equal(found, self.counts):
            raise InputError(
                f"an order of things has thing k counts[k] times, counts = "
                f"{self.counts}, got {value.tolist()}."
            )
        codes = np.empty(self.total, np.int64)
        codes[np.argsort(value, kind="stable")] = np.arange(self.total)
        return codes

    def _items(self, thing: int) -> range:
        """Items that are copies of a thing."""
        return range(self._first[thing], self._first[thing + 1])

    def demands(
        self, before: Pairs, fixed: dict[int, int], together: list[list[int]]
    ) -> Demands:
        """What demands on things mean for items."""
        refuse_cycle(before, [f"thing {k}" for k in range(len(self.counts))])
        chains = [p for k in range(len(self.counts)) for p in pairwise(self._items(k))]
        pairs = [(self._items(a)[-1], self._items(b)[0]) for a, b in before]
        names = [
            f"thing {k} (copy {i - self._items(k)[0]})"
            for i, k in enumerate(self.things)
        ]
        groups = [[i for k in group for i in self._items(k)] for group in together]
        items, copies = self._fixed_items(fixed), self._first[self.things].tolist()
        return Demands(names, chains + pairs, items, groups, copies)

    def _fixed_items(self, fixed: dict[int, int]) -> dict[int, int]:
        """Items at fixed places, where it is known which copy stands there."""
        for thing in sorted(set(fixed.values())):
            given = sum(other == thing for other in fixed.values())
            if given > self.counts[thing]:
                raise InputError(
                    f"fixed demands thing {thing} at {given} positions, but there are "
                    f"{self.counts[thing]} of it."
                )
        found = {}
        for place, thing in fixed.items():
            copy = self._copy(place, thing, fixed)
            if copy is None:
                raise InputError(
                    f"fixed: which of the {self.counts[thing]} copies of thing {thing} "
                    f"stands at position {place} is open, and with it whether the rest "
                    "can be placed. Fix all copies of the thing, or positions at the "
                    "beginning and at the end without gaps."
                )
            found[place] = self._items(thing)[copy]
        return found

    def _copy(self, place: int, thing: int, fixed: dict[int, int]) -> int | None:
        """Which copy of a thing stands at a fixed place; None if that is open."""
        earlier = sum(other == thing for p, other in fixed.items() if p < place)
        later = sum(other == thing for p, other in fixed.items() if p > place)
        from_start = all(p in fixed for p in range(place))
        to_end = all(p in fixed for p in range(place + 1, self.total))
        if from_start or earlier + 1 + later == self.counts[thing]:
            return earlier
        return self.counts[thing] - 1 - later if to_end else None
