"""Knapsacks from text files with a line per item."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.files.text import Row, TextFile

#: A line with its numbers.
Line = tuple[Row, list[float]]

AN_ITEM = "an item, its values and its weight"


class Plan(NamedTuple):
    """What the lines before the items say."""

    num_items: int
    num_values: int
    num_weights: int
    capacity: list[float]
    #: Index of the first item's line.
    first: int
    #: Whether an item's weights come before its values.
    weights_first: bool

    @property
    def item(self) -> str:
        """An item's line in words."""
        weights = f"{self.num_weights} weight{'s' * (self.num_weights > 1)}"
        values = f"{self.num_values} value{'s' * (self.num_values > 1)}"
        parts = (weights, values) if self.weights_first else (values, weights)
        return f"an item, {parts[0]} and {parts[1]}"


def read_items(file: TextFile, lines: list[Line], layout: str) -> dict[str, Any]:
    """Return the arguments of a Knapsack."""
    plan = _with_counts if layout in ("n m c", "n m") else _with_capacity
    return _read_items(file, lines, plan(file, lines, layout))


def _with_counts(file: TextFile, lines: list[Line], layout: str) -> Plan:
    """Read how many values and weights there are, and then the capacities."""
    row, header = lines[0]
    counts = [read_count(file, row, number) for number in header]
    n, m, c = counts if layout == "n m c" else (*counts, 1)
    what = "the capacity" if c == 1 else f"{c} capacities"
    return Plan(n, m, c, _take(file, lines, 1, c, what), first=2, weights_first=True)


def _with_capacity(file: TextFile, lines: list[Line], layout: str) -> Plan:
    """Read the capacity on the first or second line; the first item shows the rest."""
    header = _take(file, lines, 0, None, "the number of items")
    n = read_count(file, lines[0][0], header[0])
    capacity, first = header[1:], 1
    if layout == "n, capacity":
        capacity, first = _take(file, lines, 1, 1, "the capacity"), 2
    elif len(header) != 2:
        raise file.wrong_count(*lines[0], "the number of items and the capacity")
    item = _take(file, lines, first, None, AN_ITEM)
    if len(item) < 2:
        raise file.wrong_count(*lines[first], AN_ITEM)
    return Plan(n, len(item) - 1, 1, capacity, first, weights_first=False)


def _read_items(file: TextFile, lines: list[Line], plan: Plan) -> dict[str, Any]:
    """Read the items."""
    n, found = plan.num_items, lines[plan.first :]
    if len(found) < n:
        raise file.too_few(file.last, f"{n} items", len(found))
    if len(found) > n:
        expected = f"the end of the file after {n} items"
        raise file.error(found[n][0].line, expected, "another line")
    width = plan.num_values + plan.num_weights
    items = np.array([_take(file, found, i, width, plan.item) for i in range(n)])
    split = plan.num_weights if plan.weights_first else plan.num_values
    left, right = items[:, :split], items[:, split:]
    weights, values = (left, right) if plan.weights_first else (right, left)
    row = lines[plan.first - 1][0]
    return put_together(file, row, values, weights, np.array(plan.capacity))


def _take(
    file: TextFile, lines: list[Line], place: int, count: int | None, what: str
) -> list[float]:
    """Return the numbers of a line, which must have this many."""
    if place >= len(lines):
        raise file.error_at_end(what)
    row, numbers = lines[place]
    if count is not None and len(numbers) != count:
        raise file.wrong_count(row, numbers, what)
    return numbers


def put_together(
    file: TextFile, row: Row, values: Floats, weights: Floats, capacity: Floats
) -> dict[str, Any]:
    """Return the arguments of a Knapsack; ``row`` is where the capacities are."""
    if capacity.min() <= 0.0:
        raise file.error(row.line, "capacities above 0", f"{capacity.min():g}")
    return {"weights": weights, "values": values, "capacity": capacity}


def read_count(
    file: TextFile, row: Row, number: float, what: str = "a number of items"
) -> int:
    """Check a number that counts something."""
    return file.whole(row, number, what, least=1)
