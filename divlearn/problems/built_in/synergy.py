"""A knapsack in which some pairs of items are worth more together.

With n items, m values each and p pairs, the table has m + 2 columns:

- 0 .. n - 1: an item's values, then its weight;
- n: the capacity in column 0;
- n + 1 .. n + p: the bonuses of a pair, then its two items.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import drawings
from divlearn.problems.built_in.arrays import read_capacity, read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import growing_reach, set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
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

    fields: ClassVar[Fields] = Fields(
        ("weights", "values", "capacity", "pairs", "bonuses")
    )

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
        text = "an array of shape (n, m): a row of values per item"
        self.values: Floats = read_numbers("values", values, ("n", "m"), text)
        n, m = self.values.shape
        text = f"an array of shape ({n},): a weight for each row of values"
        self.weights: Floats = read_numbers("weights", weights, (n,), text, least=0.0)
        self.capacity: float = read_capacity(capacity)
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
        self.pairs: Floats = read_numbers("pairs", pairs, ("p", 2), text)
        first, second = self.pairs.T
        known = np.isin(self.pairs, np.arange(n)).all(axis=1) & (first != second)
        if not known.all():
            row = int(np.argmin(known))
            raise InputError(
                f"pairs must hold two different items, 0 to {n - 1}, "
                f"got pairs[{row}] = {self.pairs[row].tolist()}."
            )
        text = f"an array of shape ({len(self.pairs)}, {m}): per pair, one per value"
        self.bonuses: Floats = read_numbers(
            "bonuses", bonuses, (len(self.pairs), m), text
        )

    def _table(self) -> Floats:
        """Lay out the instance as the objective reads it."""
        (n, m), p = self.values.shape, len(self.pairs)
        table = np.zeros((n + 1 + p, m + 2))
        table[:n, :m] = self.values
        table[:n, m] = self.weights
        table[n, 0] = self.capacity
        table[n + 1 :, :m] = self.bonuses
        table[n + 1 :, m:] = self.pairs
        return table

    @property
    def drawing(self) -> Drawing:
        """All items with their own values, and how full the knapsack is."""
        weights, names = self.weights[:, None], list(self.objectives)
        return drawings.Choice(self.values, weights, [self.capacity], names)


@kernel
def values_and_load(x: Codes, table: Floats, y: Floats) -> None:
    """Write the m values of choice ``x`` with its bonuses, then load - capacity."""
    n = x.shape[0]
    m = y.shape[0] - 1
    for k in range(m + 1):
        y[k] = 0.0
        for j in range(n):
            y[k] += x[j] * table[j, k]
    y[m] -= table[n, 0]
    for row in range(n + 1, table.shape[0]):
        if x[int(table[row, m])] == 1 and x[int(table[row, m + 1])] == 1:
            for k in range(m):
                y[k] += table[row, k]


#: Standard deviations, per root of N, from random choices to the ideal point.
REACH = 0.8


def _with_synergies(
    rng: np.random.Generator, n: int, name: str, pairs: int | None = None
) -> BuiltIn:
    """Make a knapsack whose bonuses are as large as its values."""
    most = n * (n - 1) // 2
    count = n if pairs is None else require_whole("pairs", pairs, 1, most)
    weights, values = rng.random(n), rng.random((n, 2))
    first, second = np.triu_indices(n, 1)
    drawn = np.sort(rng.choice(most, min(count, most), replace=False))
    problem = SynergyKnapsack(
        weights,
        values,
        n / 4.0,
        np.column_stack([first[drawn], second[drawn]]),
        rng.random((len(drawn), 2)),
        name=name,
    )
    return set_points(problem, growing_reach(n, REACH))


FAMILIES = {"synkp": Family(_with_synergies, 2, 2_000, options=("pairs",))}
