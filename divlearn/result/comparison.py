"""``Comparison`` and ``TradeOff``: what differs between solutions, and what it buys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from divlearn.basics.text import printable
from divlearn.basics.units import measured, unit_of
from divlearn.basics.wrapping import aligned, columns, wrapped


@dataclass(frozen=True)
class Comparison:
    """What differs between solutions of a front.

    ``print`` shows a table with a column per solution.

    Attributes
    ----------
    rows
        Numbers of the solutions in the front.
    design
        Values of the variables that differ, by name, one per solution; None where a
        solution does not have one.
    outcome
        Objectives, constraints and extra metrics by name, one per solution.
    labels
        Names with their units by name, for the table.
    """

    rows: tuple[int, ...]
    design: Mapping[str, tuple[Any, ...]]
    outcome: Mapping[str, tuple[Any, ...]]
    labels: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "rows": list(self.rows),
            "design": {name: list(values) for name, values in self.design.items()},
            "outcome": {name: list(values) for name, values in self.outcome.items()},
        }

    def __str__(self) -> str:
        lines = [["solution", *map(str, self.rows)]]
        for values in (self.outcome, self.design):
            for name, row in values.items():
                lines.append([self.labels.get(name, name), *map(_shown, row)])
        if not self.design:
            lines.append(["the designs are the same", *[""] * len(self.rows)])
        return "\n".join(map(printable, aligned(lines)))


@dataclass(frozen=True)
class TradeOff:
    """A step from one solution of a front to another: what it gains and what it costs.

    Attributes
    ----------
    start, end
        Numbers of the solutions in the front.
    gains, losses
        By how much objectives get better and worse, by name; positive numbers.
    rate
        The price: the largest loss per unit of the largest gain, both as shares of
        the front's range; below 1 the step gains more than it costs.
    units
        Units by name.
    """

    start: int
    end: int
    gains: Mapping[str, float]
    losses: Mapping[str, float]
    rate: float
    units: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        gained, lost = self._said(self.gains), self._said(self.losses)
        return f"{self.start} to {self.end}: better {gained}; worse {lost}"

    def _said(self, changes: Mapping[str, float]) -> str:
        """By how much objectives change, in words."""
        amounts = {
            n: measured(f"{v:.4g}", unit_of(self.units, n)) for n, v in changes.items()
        }
        return ", ".join(f"{name} by {by}" for name, by in amounts.items())


class TradeOffs(list[TradeOff]):
    """Steps along a front; a list that prints as lines, the cheapest marked."""

    def __str__(self) -> str:
        if not self:
            return "fewer than two solutions: nothing to trade"
        best = min(self, key=lambda step: step.rate)
        lines = [f"{step}{'  (cheapest)' if step is best else ''}" for step in self]
        return wrapped("\n".join(map(printable, lines)), columns())


def _shown(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
