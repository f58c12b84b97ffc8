"""Chosen items: what is in a knapsack, and how full it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.typing import Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    read_array,
    read_chosen,
    read_names,
    set_fields,
)


@dataclass(frozen=True, eq=False)
class Choice(Drawing):
    """A design says which items are chosen: a flag per item, or a set of numbers.

    Parameters
    ----------
    values
        What items are worth, shape (n, m).
    weights
        What they take up, shape (n, c).
    capacity
        How much of it there is, shape (c,).
    value_names, weight_names
        What values and weights are called.
    items
        Names of the items, n of them; their numbers by default.
    part
        Name of the part of a design that is drawn; the whole design if None.

    Examples
    --------
    >>> from divlearn.problems.drawings import Choice
    >>> drawing = Choice([[5], [1], [3]], [[2], [3], [4]], [6])
    >>> drawing.sketch([True, False, True])["limits"]
    [{'name': 'load', 'used': 6.0, 'capacity': 6.0}]
    """

    kind: ClassVar[str] = "choice"

    values: Any
    weights: Any
    capacity: Any
    value_names: Any = None
    weight_names: Any = None
    items: Any = None
    part: str | None = None

    def __post_init__(self) -> None:
        values = read_array("values", self.values, ("n", "m"))
        n, m = values.shape
        weights = read_array("weights", self.weights, (n, "c"))
        c = weights.shape[1]
        loads = ["load"] if c == 1 else [f"load {k + 1}" for k in range(c)]
        worth = ["value"] if m == 1 else [f"value {k + 1}" for k in range(m)]
        set_fields(
            self,
            values=values,
            weights=weights,
            capacity=read_array("capacity", self.capacity, (c,)),
            value_names=read_names("value_names", self.value_names or worth, m),
            weight_names=read_names("weight_names", self.weight_names or loads, c),
            items=read_names("items", self.items, n),
        )

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return all items, which of them are chosen, and what they take up."""
        chosen = read_chosen(x, self.part, len(self.values))
        used = self.weights[chosen].sum(axis=0)
        limits = zip(self.weight_names, used, self.capacity, strict=True)
        columns = zip(
            labels(self.items, len(chosen)),
            chosen.tolist(),
            self.values.tolist(),
            self.weights.tolist(),
            strict=True,
        )
        names = ("label", "chosen", "values", "weights")
        return {
            "kind": self.kind,
            "items": [dict(zip(names, row, strict=True)) for row in columns],
            "values": list(self.value_names),
            "limits": [
                {"name": name, "used": float(load), "capacity": float(most)}
                for name, load, most in limits
            ],
            "note": "",
        }
