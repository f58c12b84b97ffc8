"""Choosing items under a capacity, with several values to maximise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.typing import Floats, Value
from divlearn.errors import InputError
from divlearn.problems.arrays import (
    MAX_DISTANCE_SIZE,
    between_points,
    read_numbers,
)
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
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
        from divlearn.kernels.objectives import knapsack as kernels

        repairs = {
            "none": None,
            "random-drop": kernels.random_drop,
            "efficiency": kernels.efficiency_drop,
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
            compiled=Compiled(kernels.knapsack_values, self._table(fill), chosen),
            distance=_item_distance(self.values, self.weights),
        )

    def _read(self, weights: Any, values: Any, capacity: Any) -> None:
        """Check the instance."""
        text = "an array of shape (n, m): a row of values per item"
        self.values = read_numbers("values", values, (None, None), text, least=0.0)
        n = len(self.values)
        text = f"an array of shape ({n},) or ({n}, c): as many items as values has"
        columns = (n,) if np.ndim(weights) < 2 else (n, None)
        read = read_numbers("weights", weights, columns, text, least=0.0)
        self.weights = read.reshape(n, -1)
        c = self.weights.shape[1]
        text = "one number" if c == 1 else f"{c} numbers, one per column of weights"
        count = () if np.ndim(capacity) == 0 and c == 1 else (c,)
        self.capacity = read_numbers("capacity", capacity, count, text).reshape(c)
        if self.capacity.min() <= 0.0:
            raise InputError(f"capacity must be positive, got {capacity!r}.")
        share = (self.weights / self.capacity).mean(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            efficiency = self.values.mean(axis=1) / share
        # An item without weight always fits and is dropped last.
        self.efficiency = np.where(share > 0.0, efficiency, np.inf)

    def _table(self, fill: bool) -> Floats:
        """Lay out the table for :mod:`divlearn.kernels.objectives.knapsack`."""
        (n, m), c = self.values.shape, len(self.capacity)
        table = np.zeros((n + 1, m + c + 1))
        table[:n, :m] = self.values
        table[:n, m:-1] = self.weights
        table[:n, -1] = np.argsort(-self.efficiency, kind="stable")
        table[n, 0] = m
        table[n, m:-1] = self.capacity
        table[n, -1] = bool(fill)
        return table

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
