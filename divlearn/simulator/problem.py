"""Problems whose values are metrics by name, told or reported by a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from divlearn.basics.errors import AnswerError, EvaluationError, InputError
from divlearn.basics.typing import Value
from divlearn.problems import Problem
from divlearn.simulator.command import Command
from divlearn.simulator.lines import Lines
from divlearn.simulator.metrics import Metrics, SimulatorFailure
from divlearn.simulator.program import Program
from divlearn.spaces import Space
from divlearn.workers.base import OutOfTime


class ReportedProblem(Problem):
    """A problem whose values are metrics by name, some of them with limits.

    Parameters
    ----------
    space
        What a design is.
    metrics
        What is reported of a design.
    evaluate
        Who reports; None if that is done elsewhere, and told.
    options
        As of :class:`divlearn.Problem`: ``noise``, ``reference``, ``ideal``, ``name``,
        ``units``; a limit has the unit of its metric.

    Examples
    --------
    >>> from divlearn import Integer
    >>> from divlearn.simulator.metrics import Limit
    >>> metrics = Metrics({"time": "min"}, (Limit("area", 4.0, upper=True),))
    >>> ReportedProblem(Integer(1, 9), metrics).reported([2.0, 3.5])
    {'time': 2.0, 'area': 3.5, 'area_max': -0.5}
    """

    def __init__(
        self, space: Space, metrics: Metrics, evaluate: Any = None, **options: Any
    ) -> None:
        units = dict(options.pop("units", None) or {})
        by_limit = {
            limit.name: units[limit.metric]
            for limit in metrics.limits
            if limit.metric in units
        }
        super().__init__(
            space,
            _nobody if evaluate is None else evaluate,
            metrics.objectives,
            constraints=[limit.name for limit in metrics.limits],
            extras=metrics.extras,
            units=by_limit | units,
            **options,
        )
        self.metrics = metrics
        self.measured: tuple[str, ...] = tuple(limit.metric for limit in metrics.limits)

    def completed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by name that a table has, with how far they are beyond limits."""
        excesses = {
            limit.name: limit.excess(values[limit.metric])
            for limit in self.metrics.limits
            if limit.metric in values and limit.name not in values
        }
        return {**values, **excesses}

    @property
    def reports(self) -> tuple[str, ...]:
        """Names of objectives and of other metrics that have limits."""
        return self.metrics.names

    def reported(self, values: Any) -> Any:
        """Metrics that somebody reports, by name, or objectives and limited ones."""
        if not isinstance(values, Mapping):
            values = dict(zip(self.reports, self._listed(values), strict=True))
        try:
            return self.completed(values)
        except TypeError:
            wrong = (n for n in self.measured if not isinstance(values.get(n), Real))
            name = next(wrong, self.measured[0])
            raise InputError(
                f"{name} must be a number, got {values.get(name)!r}; raise "
                "InvalidDesign if it has none."
            ) from None

    def _listed(self, values: Any) -> list[Any]:
        """Values without names, as many as there are metrics."""
        if isinstance(values, (Sequence, np.ndarray)) and not isinstance(values, str):
            listed = list(values)
        else:
            listed = [values]
        names = self.reports
        if len(listed) != len(names):
            raise InputError(
                f"values must be {len(names)} numbers ({', '.join(names)}), got "
                f"{len(listed)}: {values!r}."
            )
        return listed

    def describe(self) -> dict[str, Any]:
        """Say what this problem is; the limits are part of it."""
        limits = {limit.name: limit.bound for limit in self.metrics.limits}
        return {**super().describe(), "limits": limits}


def _nobody(x: Value) -> Any:
    """Stand for whoever evaluates elsewhere."""
    raise InputError(
        "nobody here evaluates this problem: ask for designs and tell their values, or "
        "say in its TOML file by [evaluate] which program evaluates."
    )


class SimulatorProblem(ReportedProblem):
    """A problem whose evaluations are runs of an external program.

    Parameters
    ----------
    space
        What a design is.
    program
        What evaluates it.
    metrics
        What the program reports.
    options
        As of :class:`divlearn.Problem`: ``noise``, ``reference``, ``ideal``, ``name``,
        ``units``.
    """

    def __init__(
        self, space: Space, program: Program, metrics: Metrics, **options: Any
    ) -> None:
        speaks_lines = program.protocol == "lines"
        evaluate = (Lines if speaks_lines else Command)(program, metrics)
        super().__init__(space, metrics, evaluate, **options)
        self.program = program

    def _answer(self, x: Value) -> Any:
        """What the program reports, by name."""
        try:
            return self._function(x)
        except AnswerError as error:
            raise AnswerError(str(error), x) from None
        except SimulatorFailure as error:
            raise EvaluationError(str(error), x) from None
        except OutOfTime as error:
            raise EvaluationError(str(error), x) from error
