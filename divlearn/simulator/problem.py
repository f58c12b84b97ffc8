"""``SimulatorProblem``: a problem that another program evaluates."""

from __future__ import annotations

from typing import Any

from divlearn.basics.typing import Value
from divlearn.errors import AnswerError, EvaluationError
from divlearn.problems import Problem
from divlearn.simulator.command import Command
from divlearn.simulator.lines import Lines
from divlearn.simulator.metrics import Metrics, SimulatorFailure
from divlearn.simulator.program import Program
from divlearn.spaces import Space
from divlearn.workers.base import OutOfTime


class SimulatorProblem(Problem):
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
        ``units``; a limit has the unit of its metric.
    """

    def __init__(
        self, space: Space, program: Program, metrics: Metrics, **options: Any
    ) -> None:
        speaks_lines = program.protocol == "lines"
        units = dict(options.pop("units", None) or {})
        by_limit = {
            m.name: units[m.metric] for m in metrics.limits if m.metric in units
        }
        super().__init__(
            space,
            (Lines if speaks_lines else Command)(program, metrics),
            metrics.objectives,
            constraints=[limit.name for limit in metrics.limits],
            extras=metrics.extras,
            units=by_limit | units,
            **options,
        )
        self.program = program
        self.metrics = metrics
        self.measured = tuple(limit.metric for limit in metrics.limits)

    def completed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Values by name that a table has, with how far they are beyond limits."""
        excesses = {
            limit.name: limit.excess(values[limit.metric])
            for limit in self.metrics.limits
            if limit.metric in values and limit.name not in values
        }
        return {**values, **excesses}

    def describe(self) -> dict[str, Any]:
        """Say what this problem is; the limits are part of it."""
        limits = {limit.name: limit.bound for limit in self.metrics.limits}
        return {**super().describe(), "limits": limits}

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
