"""From what a simulator prints to objective and constraint values."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from typing import Any

from divlearn.errors import DivlearnError, InvalidDesign
from divlearn.problems.arguments import SENSES
from divlearn.simulator.document import HELP, Table

#: What a simulator may say instead of metrics.
INFEASIBLE, ERROR = "infeasible", "error"


class SimulatorFailure(DivlearnError):
    """A simulator did not do what it should."""


@dataclass(frozen=True)
class Limit:
    """A metric that must stay below ``most`` or above ``least``."""

    metric: str
    bound: float
    upper: bool

    @property
    def name(self) -> str:
        """Name of the constraint: ``area_max`` for the greatest area."""
        return f"{self.metric}_{'max' if self.upper else 'min'}"

    def excess(self, value: float) -> float:
        """How far beyond the limit a value is; not above 0 where it is kept."""
        return value - self.bound if self.upper else self.bound - value


@dataclass(frozen=True)
class Metrics:
    """Which metrics a simulator reports, and what they are for.

    Examples
    --------
    >>> metrics = Metrics({"time": "min"}, (Limit("area", 4.0, upper=True),))
    >>> metrics.read(b'{"time": 2, "area": 3.5}', "standard output")
    [2.0, -0.5]
    """

    objectives: dict[str, str]
    limits: tuple[Limit, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All metrics that are needed."""
        return tuple(
            dict.fromkeys((*self.objectives, *(m.metric for m in self.limits)))
        )

    def read(self, content: bytes, source: str) -> list[float]:
        """Return objective values, then constraint values, or say what is wrong."""
        answer = self._parse(content, source)
        if INFEASIBLE in answer:
            raise InvalidDesign(str(answer[INFEASIBLE]))
        if ERROR in answer:
            raise SimulatorFailure(f"the simulator reports: {answer[ERROR]}")
        values = {name: self._number(name, answer, source) for name in self.names}
        return [values[name] for name in self.objectives] + [
            limit.excess(values[limit.metric]) for limit in self.limits
        ]

    def _parse(self, content: bytes, source: str) -> dict[str, Any]:
        """Read a JSON object: all of the text, or else its last line."""
        text = content.decode("utf-8", "replace").strip()
        for part in (text, text.rpartition("\n")[2]):
            try:
                answer = json.loads(part)
            except (ValueError, RecursionError):
                continue
            if isinstance(answer, dict):
                return answer
        example = ", ".join(f'"{name}": 1.0' for name in self.names)
        got = f"ends in {text[-200:]!r}" if text else "is empty"
        raise SimulatorFailure(
            f"{source} must end with the metrics as a JSON object, such as "
            f"{{{example}}}, but {got}."
        )

    def _number(self, name: str, answer: dict[str, Any], source: str) -> float:
        """Return one metric."""
        if name not in answer:
            raise SimulatorFailure(
                f"the metric {name!r} is missing in {source}, which has "
                f"{', '.join(map(str, answer)) or 'none'}."
            )
        value = answer[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise SimulatorFailure(
                f"the metric {name!r} must be a number, got {value!r}."
            )
        if not abs(value) <= sys.float_info.max:  # also of numbers of any length
            raise SimulatorFailure(
                f"the metric {name!r} must be a finite number, got {value!r}; a design "
                f'that has none is reported as {{"{INFEASIBLE}": "why"}}.'
            )
        return float(value)


def read_metrics(document: Table) -> Metrics:
    """Read ``[objectives]`` and ``[constraints]``."""
    table = document.table("objectives")
    _require_metric_names(table)
    if not table.content:
        raise table.fail("", f"[objectives] must name at least one; {HELP}.")
    objectives = {name: table.choice(name, SENSES, "") for name in table.content}
    limits = document.table("constraints", {})
    _require_metric_names(limits)
    found = [limit for name in limits.content for limit in _limits(limits.table(name))]
    return Metrics(objectives, tuple(found))


def _require_metric_names(table: Table) -> None:
    """Refuse names that mean something else."""
    table.require_names()
    for name in (INFEASIBLE, ERROR):
        if name in table:
            raise table.fail(
                name, f"{name!r} in {table} cannot be a metric: it reports a failure."
            )


def _limits(table: Table) -> list[Limit]:
    """Read the limits of one metric."""
    table.require_keys(("min", "max"))
    if not table.content:
        raise table.fail("", f"{table} must have min or max, such as {{max = 10.0}}.")
    bounds = [(table.number(key, -math.inf), key == "max") for key in ("min", "max")]
    return [Limit(table.path[-1], b, upper) for b, upper in bounds if b is not None]
