"""Orders of n items, or of things of which there are several."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Integers, Value
from divlearn.kernels.rules.kinds import ORDER
from divlearn.spaces.base import (
    MAX_ITEMS,
    PERMUTATION,
    Segment,
    Space,
    integer_vector,
)
from divlearn.spaces.copies import Copies
from divlearn.spaces.demands import read_fixed, read_groups, read_pairs
from divlearn.spaces.precedence import Demands, order_numbers


class Permutation(Space):
    """Orders of ``n`` items; a value is an integer array of 0 .. n - 1.

    All orders, or those that keep what is demanded. Such a space holds no others, so
    that none is ever evaluated: nothing has to be refused or repaired.

    Parameters
    ----------
    n
        Number of items.
    before
        Pairs ``(a, b)``: item a stands somewhere before item b.
    fixed
        Items that have a given place, ``{position: item}``.
    together
        Groups of items that stand side by side, in any order; groups have no item in
        common. Beside groups, positions can be fixed at both ends only.
    counts
        Instead of ``n``: how many there are of each thing. A value is then an array in
        which thing k occurs ``counts[k]`` times, as in a job shop, where it names the
        job whose next operation is started. ``before``, ``fixed`` and ``together``
        are about things then: each copy of a comes before each copy of b, and all
        copies of a group stand side by side.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> Permutation(4).contains([2, 0, 3, 1])
    True
    >>> Permutation(4).distance([0, 1, 2, 3], [1, 0, 2, 3])
    1.0
    >>> schedule = Permutation(4, before=[(0, 2)], fixed={3: 1})
    >>> schedule.contains([0, 3, 2, 1]), schedule.contains([2, 3, 0, 1])
    (True, False)
    >>> Permutation(counts=[2, 1]).contains([0, 1, 0])
    True
    """

    def __init__(
        self,
        n: int | None = None,
        *,
        before: Any = None,
        fixed: Any = None,
        together: Any = None,
        counts: Any = None,
    ) -> None:
        if (n is None) == (counts is None):
            raise InputError(
                "Permutation needs either n, the number of items, or counts, how many "
                f"there are of each thing, got n = {n!r} and counts = {counts!r}."
            )
        self._copies = None if counts is None else Copies(counts)
        self.n: int
        if self._copies is None:
            self.n = things = require_whole("n", n, least=1)
        else:
            self.n, things = self._copies.total, len(self._copies.counts)
        what = "item" if counts is None else "thing"
        self.before: list[tuple[int, int]] = read_pairs("before", before, things, what)
        self.fixed: dict[int, int] = read_fixed("fixed", fixed, things, self.n, what)
        self.together: list[list[int]] = read_groups("together", together, things, what)
        if self.n > MAX_ITEMS:
            raise InputError(
                f"a permutation may have up to {MAX_ITEMS:,} items, got {self.n:,}; "
                "order groups of items, or solve parts one after the other."
            )
        self._rules = self._make_rules()

    @property
    def counts(self) -> list[int] | None:
        """How many there are of each thing; None if each item is one of its kind."""
        return None if self._copies is None else self._copies.counts

    def _make_rules(self) -> tuple[tuple[int, list[int]], ...]:
        """What is demanded, as numbers; nothing if any order will do."""
        _refuse_common(self.together)
        names = [f"item {a}" for a in range(self.n)]
        alone = list(range(self.n))
        demands = Demands(names, self.before, self.fixed, self.together, alone)
        if self._copies is not None:
            demands = self._copies.demands(self.before, self.fixed, self.together)
        if not (demands.before or demands.fixed or demands.together):
            return ()
        return ((ORDER, order_numbers(demands)),)

    def segments(self) -> list[Segment]:
        """One segment of n positions with n actions each."""
        return [Segment(PERMUTATION, [self.n] * self.n, rules=self._rules)]

    def decode(self, codes: Codes) -> Value:
        """Return a copy of the order."""
        return codes.copy() if self._copies is None else self._copies.things[codes]

    def encode(self, value: Value) -> Codes:
        """Check that ``value`` names each item once and keeps what is demanded."""
        codes = integer_vector("a permutation", value, self.n)
        if self._copies is not None:
            codes = self._copies.numbered(codes)
        elif not np.array_equal(np.sort(codes), np.arange(self.n)):
            raise InputError(
                f"a permutation of {self.n} items names each of 0 to {self.n - 1} "
                f"once, got {codes.tolist()}."
            )
        if self._rules:
            self._require_kept(np.asarray(value))
        return codes

    def _require_kept(self, value: Integers) -> None:
        """Check an order against what is demanded, one demand after the other."""
        last = {int(a): place for place, a in enumerate(value)}
        first = {int(a): self.n - 1 - p for p, a in enumerate(value[::-1])}
        broken = [f"{a} before {b}" for a, b in self.before if last[a] > first[b]]
        broken += [f"{a} at {p}" for p, a in self.fixed.items() if value[p] != a]
        for group in self.together:
            inside = np.isin(value, group)
            width = max(last[a] for a in group) - min(first[a] for a in group) + 1
            if inside.sum() != width:
                broken.append(f"{group} together")
        if broken:
            raise InputError(
                f"a value of {self!r} has {', '.join(broken[:3])}, "
                f"got {value.tolist()}."
            )

    def describe(self) -> dict[str, Any]:
        """Kind and size, and what is demanded."""
        size: dict[str, Any] = (
            {"n": self.n} if self.counts is None else {"counts": self.counts}
        )
        demands = {
            "before": [list(pair) for pair in self.before],
            "fixed": [list(pair) for pair in self.fixed.items()],
            "together": self.together,
        }
        given = {name: value for name, value in demands.items() if value}
        return {"space": "permutation", **size, **given}

    def __repr__(self) -> str:
        size = self.n if self.counts is None else f"counts={self.counts}"
        demands = {
            "before": self.before,
            "fixed": self.fixed,
            "together": self.together,
        }
        given = [f"{name}={value!r}" for name, value in demands.items() if value]
        return f"Permutation({', '.join([str(size), *given])})"


def _refuse_common(together: list[list[int]]) -> None:
    """Groups have nothing in common."""
    seen: set[int] = set()
    for group in together:
        if not group or seen & set(group):
            raise InputError(
                "together: groups are not empty and have nothing in common, got "
                f"{together}."
            )
        seen |= set(group)
