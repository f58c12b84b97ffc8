"""A knapsack in which some pairs of items are worth more together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.errors import InputError
from divlearn.problems.arrays import read_numbers
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Binary


class SynergyKnapsack(BuiltIn):
    """Choose items within a capacity, where pairs of them earn a bonus.

    Objective k, ``value k``, is the sum of the k-th values of the chosen items and of
    the k-th bonuses of the pairs of which both items are chosen, to be maximised.
    The constraint ``load`` is the raw value load - capacity.

    Parameters
    ----------
    weights
        Array of shape (n,); not negative.
    values
        Array of shape (n, m).
    capacity
        A positive number.
    pairs
        Array of shape (p, 2): the items of each pair.
    bonuses
        Array of shape (p, m); negative if items disturb each other.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    weights, values, capacity, pairs, bonuses
        The instance.

    Examples
    --------
    >>> from divlearn.problems import SynergyKnapsack
    >>> problem = SynergyKnapsack([1, 2, 2], [[1], [1], [3]], 3, [[0, 1]], [[5]])
    >>> problem.evaluate([True, True, False])  # value with bonus, load - capacity
    array([7., 0.])
    >>> problem.evaluate([False, True, True])
    array([4., 1.])
    """

    def __init__(
        self,
        weights: Any,
        values: Any,
        capacity: float,
        pairs: Any,
        bonuses: Any,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        from divlearn.kernels.objectives.synergy import values_and_load

        text = "an array of shape (n, m): a row of values per item"
        self.values = read_numbers("values", values, (None, None), text)
        n, m = self.values.shape
        text = f"an array of shape ({n},): a weight for each row of values"
        self.weights = read_numbers("weights", weights, (n,), text, least=0.0)
        self.capacity = float(read_numbers("capacity", capacity, (), "one number"))
        if self.capacity <= 0.0:
            raise InputError(f"capacity must be positive, got {capacity!r}.")
        self._read_pairs(pairs, bonuses)
        super().__init__(
            Binary(n),
            None,
            {f"value {k + 1}": "max" for k in range(m)},
            constraints=["load"],
            reference=reference,
            ideal=ideal,
            name=name or f"synergy-knapsack-{n}",
            compiled=Compiled(values_and_load, self._table()),
        )

    def _read_pairs(self, pairs: Any, bonuses: Any) -> None:
        """Check which items belong together and what they earn."""
        n, m = self.values.shape
        text = "an array of shape (p, 2): two items per pair"
        self.pairs = read_numbers("pairs", pairs, (None, 2), text)
        first, second = self.pairs.T
        known = np.isin(self.pairs, np.arange(n)).all(axis=1) & (first != second)
        if not known.all():
            row = int(np.argmin(known))
            raise InputError(
                f"pairs must hold two different items, 0 to {n - 1}, "
                f"got pairs[{row}] = {self.pairs[row].tolist()}."
            )
        text = f"an array of shape ({len(self.pairs)}, {m}): per pair, one per value"
        self.bonuses = read_numbers("bonuses", bonuses, (len(self.pairs), m), text)

    def _table(self) -> Floats:
        """Lay out the table for :mod:`divlearn.kernels.objectives.synergy`."""
        (n, m), p = self.values.shape, len(self.pairs)
        table = np.zeros((n + 1 + p, m + 2))
        table[:n, :m] = self.values
        table[:n, m] = self.weights
        table[n, 0] = self.capacity
        table[n + 1 :, :m] = self.bonuses
        table[n + 1 :, m:] = self.pairs
        return table

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {
            "weights": self.weights,
            "values": self.values,
            "capacity": self.capacity,
            "pairs": self.pairs,
            "bonuses": self.bonuses,
        }
