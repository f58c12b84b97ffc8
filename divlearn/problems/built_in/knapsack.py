"""Choosing items under a capacity, with several values to maximise.

With n items, m values and c weights each, the table has m + c + 1 columns and n + 1
rows:

- 0 .. n - 1: an item's values, its weights, and in the last column the number of the
  item that holds this place when all are ordered by efficiency, the best first;
- n: m in column 0, the capacities in columns m .. m + c - 1, and in the last column
  1 if a repair also fills what room is left, else 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats, Value
from divlearn.kernels.jit import kernel
from divlearn.kernels.random import below, seed_words
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import (
    MAX_DISTANCE_SIZE,
    between_points,
    read_numbers,
)
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import interpolate
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.spaces import Binary

REPAIRS = ("none", "random-drop", "efficiency")


class Knapsack(BuiltIn):
    """Choose items of large value whose weights stay within the capacity.

    Every item has m values and c weights. Objective k, ``value k``, is the sum of the
    k-th values of the chosen items, to be maximised; there is one capacity for each
    weight. Without a repair every capacity is a constraint, ``load k``, whose raw
    value is load - capacity. With a repair every candidate is made to fit before it is
    evaluated, and there are no constraints.

    Parameters
    ----------
    weights
        Array of shape (n,), or (n, c) for several constraints; not negative.
    values
        Array of shape (n, m); not negative.
    capacity
        One positive number, or c of them.
    repair
        What happens to a choice that does not fit: None or ``"none"`` leaves it as it
        is; ``"random-drop"`` drops chosen items at random until the rest fits;
        ``"efficiency"`` drops those of least efficiency first. An item's efficiency
        is its mean value divided by its mean share of the capacities. The same choice
        is always repaired in the same way.
    fill
        Whether a repair then adds items that still fit, the most efficient first.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    weights, values, capacity
        Arrays of shape (n, c), (n, m) and (c,).
    repair_rule, fill
        What happens to a choice that does not fit, and whether a repair fills.
    efficiency
        Mean value divided by mean share of the capacities, shape (n,).

    Examples
    --------
    >>> from divlearn.problems import Knapsack
    >>> problem = Knapsack([2, 3, 4], [[5, 1], [1, 5], [3, 3]], capacity=6)
    >>> problem.evaluate([True, True, False])  # values, then load - capacity
    array([ 6.,  6., -1.])
    >>> repaired = Knapsack([2, 3, 4], [[5, 1], [1, 5], [3, 3]], 6, repair="efficiency")
    >>> repaired.repair_codes(repaired.space.encode([True, True, True]))
    array([1, 1, 0])
    """

    repair_rule: str
    fill: bool

    fields: ClassVar[Fields] = Fields(
        ("weights", "values", "capacity"), ("repair", "fill")
    )

    def __init__(
        self,
        weights: Any,
        values: Any,
        capacity: Any,
        *,
        repair: str | None = None,
        fill: bool = False,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        repairs = {
            "none": None,
            "random-drop": random_drop,
            "efficiency": efficiency_drop,
        }
        repair = "none" if repair is None else repair
        chosen = repairs[require_one_of("repair", repair, REPAIRS)]
        _check_fill(fill, repair)
        self.repair_rule, self.fill = repair, bool(fill)
        self._read(weights, values, capacity)
        (n, m), c = self.values.shape, len(self.capacity)
        super().__init__(
            Binary(n),
            None,
            {f"value {k + 1}": "max" for k in range(m)},
            constraints=[f"load {k + 1}" for k in range(c)] if chosen is None else (),
            reference=reference,
            ideal=ideal,
            name=name or f"knapsack-{n}",
            compiled=Compiled(knapsack_values, self._table(fill), chosen),
            distance=_item_distance(self.values, self.weights),
        )

    def _read(self, weights: Any, values: Any, capacity: Any) -> None:
        """Check the instance."""
        text = "an array of shape (n, m): a row of values per item"
        self.values: Floats = read_numbers(
            "values", values, ("n", "m"), text, least=0.0
        )
        n = len(self.values)
        text = f"an array of shape ({n},) or ({n}, c): as many items as values has"
        columns = (n,) if np.ndim(weights) < 2 else (n, "c")
        read = read_numbers("weights", weights, columns, text, least=0.0)
        self.weights: Floats = read.reshape(n, -1)
        c = self.weights.shape[1]
        text = "one number" if c == 1 else f"{c} numbers, one per column of weights"
        count = () if np.ndim(capacity) == 0 and c == 1 else (c,)
        self.capacity: Floats = read_numbers("capacity", capacity, count, text).reshape(
            c
        )
        if self.capacity.min() <= 0.0:
            raise InputError(f"capacity must be positive, got {capacity!r}.")
        share = (self.weights / self.capacity).mean(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            efficiency = self.values.mean(axis=1) / share
        # An item without weight always fits and is dropped last.
        self.efficiency: Floats = np.where(share > 0.0, efficiency, np.inf)

    def _table(self, fill: bool) -> Floats:
        """Lay out the instance as the objective reads it."""
        (n, m), c = self.values.shape, len(self.capacity)
        table = np.zeros((n + 1, m + c + 1))
        table[:n, :m] = self.values
        table[:n, m:-1] = self.weights
        table[:n, -1] = np.argsort(-self.efficiency, kind="stable")
        table[n, 0] = m
        table[n, m:-1] = self.capacity
        table[n, -1] = bool(fill)
        return table

    @property
    def drawing(self) -> Drawing:
        """All items, and how full the knapsack is."""
        return drawings.Choice(
            self.values, self.weights, self.capacity, list(self.objectives)
        )

    def greedy_table(self) -> Floats:
        """Lay out the table for a repair that drops and fills greedily."""
        return self._table(True)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {
            "weights": self.weights,
            "values": self.values,
            "capacity": self.capacity,
            "repair": self.repair_rule,
            "fill": self.fill,
        }

    def load(self, x: Value) -> Floats:
        """Weigh the chosen items: one load per constraint, shape (c,)."""
        return self.weights[self.space.encode(x) == 1].sum(axis=0)  # type: ignore[no-any-return]


def _check_fill(fill: object, repair: str) -> None:
    """Refuse anything but True or False, and filling without a repair."""
    if not isinstance(fill, (bool, np.bool_)):
        raise InputError(f"fill must be True or False, got {fill!r}.")
    if fill and repair == "none":
        raise InputError(
            "fill=True needs a repair that fills, 'efficiency' or 'random-drop', "
            "got repair=None."
        )


def _item_distance(values: Floats, weights: Floats) -> Floats | None:
    """How different items are in values and weights, each scaled to its largest."""
    if len(values) > MAX_DISTANCE_SIZE:
        return None
    features = np.hstack([values, weights])
    largest = features.max(axis=0)
    return between_points(features / np.where(largest > 0.0, largest, 1.0))


_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HASH_SHIFT = np.uint64(29)

#: Share of the capacity by which sums of the same weights may differ from rounding.
ROUNDING = 1e-9


@kernel
def knapsack_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write the m values of choice ``x`` and, where ``y`` has room, load - capacity."""
    n = x.shape[0]
    m = int(table[n, 0])
    for k in range(y.shape[0]):
        y[k] = _total(x, table, k)
        if k >= m:
            y[k] -= table[n, k]


@kernel
def random_drop(x: Codes, table: Floats) -> None:
    """Drop items drawn at random until the rest fits; the draw depends on ``x``."""
    if not choice_fits(x, table):
        words = np.empty(4, np.uint64)
        seed_words(words, hash_choice(x))
        chosen = np.empty(x.shape[0], np.int64)
        left = 0
        for j in range(x.shape[0]):
            if x[j] == 1:
                chosen[left] = j
                left += 1
        while not choice_fits(x, table):
            place = below(words, left)
            x[chosen[place]] = 0
            left -= 1
            chosen[place] = chosen[left]
    _fill(x, table)


@kernel
def efficiency_drop(x: Codes, table: Floats) -> None:
    """Drop the chosen items of least efficiency until the rest fits."""
    fits = choice_fits(x, table)
    place = x.shape[0]
    while not fits:
        place -= 1
        item = int(table[place, table.shape[1] - 1])
        if x[item] == 1:
            x[item] = 0
            fits = choice_fits(x, table)
    _fill(x, table)


@kernel
def _fill(x: Codes, table: Floats) -> None:
    """Add what fits, the most efficient first, if the table asks for it."""
    n = x.shape[0]
    last = table.shape[1] - 1
    if table[n, last] == 0.0:
        return
    room = np.empty(last - int(table[n, 0]))
    _measure_room(x, table, room)
    for place in range(n):
        item = int(table[place, last])
        if x[item] == 0 and _may_fit(table, item, room):
            x[item] = 1
            if choice_fits(x, table):
                _measure_room(x, table, room)
            else:
                x[item] = 0


@kernel
def choice_fits(x: Codes, table: Floats) -> bool:
    """Whether no load is above its capacity, by the sums the objective reports.

    No repair decides by sums that were kept up to date instead, which round
    differently: so a repaired choice is feasible to the last bit.
    """
    n = x.shape[0]
    for k in range(int(table[n, 0]), table.shape[1] - 1):
        if _total(x, table, k) > table[n, k]:
            return False
    return True


@kernel
def _total(x: Codes, table: Floats, k: int) -> float:
    """Sum of column ``k`` over the chosen items."""
    total = 0.0
    for j in range(x.shape[0]):
        # A product and no branch: which items are chosen cannot be predicted.
        total += x[j] * table[j, k]
    return total


@kernel
def _measure_room(x: Codes, table: Floats, room: Floats) -> None:
    """Write what is left of each capacity."""
    n = x.shape[0]
    m = int(table[n, 0])
    for k in range(room.shape[0]):
        room[k] = table[n, m + k] - _total(x, table, m + k)


@kernel
def _may_fit(table: Floats, item: int, room: Floats) -> bool:
    """Whether ``item`` fits into ``room``, if only up to rounding."""
    n = table.shape[0] - 1
    m = int(table[n, 0])
    for k in range(room.shape[0]):
        if table[item, m + k] > room[k] + ROUNDING * table[n, m + k]:
            return False
    return True


@kernel
def hash_choice(x: Codes) -> np.uint64:
    """Mix all bits of a choice into one word."""
    word = np.uint64(x.shape[0])
    for j in range(x.shape[0]):
        word = (word ^ np.uint64(x[j])) * _HASH_FACTOR
        word = word ^ (word >> _HASH_SHIFT)
    return word


#: Size and number at the paper's sizes.
REFERENCE = ((50, 5.0), (100, 20.0), (200, 30.0))
IDEAL = ((50, 30.0), (100, 50.0), (200, 75.0))


def _plain(
    rng: np.random.Generator,
    n: int,
    name: str,
    repair: str | None = "random-drop",
    fill: bool = False,
) -> BuiltIn:
    """Make a knapsack with two values."""
    # The capacity stays at 25 for large n, and values then grow like the root of n.
    size, growth = min(n, 200), np.sqrt(max(n, 200) / 200.0)
    weights, values = rng.random(n), rng.random((n, 2))
    return Knapsack(
        weights,
        values,
        min(n / 4.0, 25.0),
        repair=repair,
        fill=fill,
        reference=[interpolate(size, REFERENCE) * growth] * 2,
        ideal=[interpolate(size, IDEAL) * growth] * 2,
        name=name,
    )


FAMILIES = {"bikp": Family(_plain, most=100_000, options=("repair", "fill"))}
