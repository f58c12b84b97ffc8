"""From what a simulator prints to objective and constraint values."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from typing import Any, Self

from divlearn.basics.errors import AnswerError, DivlearnError, InvalidDesign
from divlearn.problems.answers import difference
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

    @classmethod
    def named(cls, name: str, bound: float) -> Self:
        """The limit of a constraint that :attr:`name` named.

        Examples
        --------
        >>> Limit.named("area_max", 4.0)
        Limit(metric='area', bound=4.0, upper=True)
        """
        metric, _, side = name.rpartition("_")
        return cls(metric, bound, side == "max")

    def excess(self, value: float) -> float:
        """How far beyond the limit a value is; not above 0 where it is kept."""
        return value - self.bound if self.upper else self.bound - value


@dataclass(frozen=True)
class Metrics:
    """Which metrics a simulator reports, and what they are for.

    Attributes
    ----------
    objectives
        Names with their senses.
    limits
        What constraints are made of.
    others
        Names of metrics that are kept, and play no part in the search.

    Examples
    --------
    >>> metrics = Metrics({"time": "min"}, (Limit("area", 4.0, upper=True),))
    >>> metrics.read(b'{"time": 2, "area": 3.5}', "standard output")
    {'time': 2.0, 'area_max': -0.5, 'area': 3.5}
    """

    objectives: dict[str, str]
    limits: tuple[Limit, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All metrics that are needed."""
        return tuple(
            dict.fromkeys((*self.objectives, *(m.metric for m in self.limits)))
        )

    @property
    def extras(self) -> tuple[str, ...]:
        """What is kept beside: metrics with limits as reported, and others."""
        kept = dict.fromkeys((*self.names, *self.others))
        return tuple(name for name in kept if name not in self.objectives)

    def read(self, content: bytes, source: str) -> dict[str, Any]:
        """Return objectives, constraints and the rest by name, or say what is wrong."""
        answer = self._parse(content, source)
        infeasible, error = answer.pop(INFEASIBLE, None), answer.pop(ERROR, None)
        if infeasible:
            raise InvalidDesign(_words(infeasible, "the simulator calls it infeasible"))
        if error:
            raise SimulatorFailure(
                f"the simulator reports: {_words(error, 'an error')}"
            )
        self._require_keys(answer, source)
        values = {name: _number(name, answer[name]) for name in self.names}
        limits = {m.name: m.excess(values[m.metric]) for m in self.limits}
        objectives = {name: values[name] for name in self.objectives}
        extras = {n: values.get(n, answer.get(n)) for n in self.extras}
        return objectives | limits | extras

    def _require_keys(self, answer: dict[str, Any], source: str) -> None:
        """Refuse metrics that are missing or not declared."""
        missing = [name for name in self.names if name not in answer]
        known = {*self.names, *self.others}
        other = [name for name in answer if name not in known]
        if not missing and not other:
            return
        if not answer:
            words = f"{source} has no metrics: {', '.join(self.names)} are missing"
        else:
            words = difference(source, missing, other)
        names = json.dumps([*self.others, *other])
        advice = f"; extras = {names} in the TOML file keeps them" if other else ""
        raise AnswerError(f"{words}{advice}")

    def _parse(self, content: bytes, source: str) -> dict[str, Any]:
        """Read a JSON object: all of the text, or else its last line."""
        text = content.decode("utf-8", "replace").strip()
        kind: type[Exception] = SimulatorFailure
        for part in (text, text.rpartition("\n")[2]):
            try:
                answer = json.loads(part, object_pairs_hook=_without_repeats)
            except (ValueError, RecursionError):
                continue
            if isinstance(answer, dict):
                return answer
            kind = AnswerError  # it speaks JSON, but says something else
        example = ", ".join(f'"{name}": 1.0' for name in self.names)
        got = f"ends in {text[-200:]!r}" if text else "is empty"
        raise kind(
            f"{source} must end with the metrics as a JSON object, such as "
            f"{{{example}}}, but {got}."
        )


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one with a name twice does not say which value is meant."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise AnswerError(
                f"the simulator prints {name!r} twice in one object; each metric must "
                "have one value."
            )
    return dict(pairs)


def _words(said: Any, otherwise: str) -> str:
    """What a simulator says of a failure; it may say true and no more."""
    return otherwise if said is True else str(said)


def _number(name: str, value: Any) -> float:
    """One metric."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise SimulatorFailure(f"the metric {name!r} must be a number, got {value!r}.")
    if not abs(value) <= sys.float_info.max:  # also of numbers of any length
        raise SimulatorFailure(
            f"the metric {name!r} must be a finite number, got {value!r}; a design "
            f'that has none is reported as {{"{INFEASIBLE}": "why"}}.'
        )
    return float(value)


def read_metrics(document: Table) -> Metrics:
    """Read ``[objectives]``, ``[constraints]`` and ``extras``."""
    table = document.table("objectives")
    _require_metric_names(table)
    if not table.content:
        raise table.fail("", f"[objectives] must name at least one; {HELP}.")
    objectives = {name: table.choice(name, SENSES, "") for name in table.content}
    limits = document.table("constraints", {})
    _require_metric_names(limits)
    found = [limit for name in limits.content for limit in _limits(limits, name)]
    return Metrics(objectives, tuple(found), _others(document, objectives))


def _others(document: Table, objectives: dict[str, str]) -> tuple[str, ...]:
    """Read the names of metrics that are to be kept."""
    names = document.content.get("extras", [])
    if not isinstance(names, list) or not all(isinstance(n, str) and n for n in names):
        raise document.fail(
            "extras",
            'extras must be a list of names of metrics, such as ["noise_db"], which '
            f"are kept beside objectives and constraints; got {names!r}.",
        )
    for name in names:
        if name in objectives or name in (INFEASIBLE, ERROR):
            raise document.fail(
                "extras", f"extras must name other metrics, got {name!r}."
            )
    return tuple(dict.fromkeys(names))


def _require_metric_names(table: Table) -> None:
    """Refuse names that mean something else."""
    table.require_names()
    for name in (INFEASIBLE, ERROR):
        if name in table:
            raise table.fail(
                name, f"{name!r} in {table} cannot be a metric: it reports a failure."
            )


def _limits(limits: Table, name: str) -> list[Limit]:
    """Read the limits of one metric."""
    if not isinstance(limits.content[name], dict):
        raise limits.fail(
            name,
            f"{name} in {limits} must have min or max, such as {{max = 10.0}}; got "
            f"{limits.content[name]!r}.",
        )
    table = limits.table(name)
    table.require_keys(("min", "max"))
    if not table.content:
        raise table.fail("", f"{table} must have min or max, such as {{max = 10.0}}.")
    bounds = [(table.number(key, -math.inf), key == "max") for key in ("min", "max")]
    return [Limit(table.path[-1], b, upper) for b, upper in bounds if b is not None]
