"""From what is known about an old trial to objectives and constraints of today."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from divlearn.basics.text import one_line, said_by
from divlearn.basics.typing import Extras
from divlearn.problems import Problem
from divlearn.study.forking.changes import Changes, Unfit
from divlearn.study.forking.designs import require_known
from divlearn.study.trial import Numbers, Trial


class Recomputation:
    """Makes the outputs of a new problem of what a trial of an old one knows.

    What has the same name is the same. The limits of a simulator are applied anew to
    the metrics that were kept, and functions of the user's to all of them.

    Parameters
    ----------
    problem
        The new problem.
    changes
        What the user says about it.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(
    ...     dl.Integer(0, 9), len, {"cost": "min"}, constraints=["heat"]
    ... )
    >>> hot = Changes(recompute={"heat": lambda known: known["celsius"] - 90})
    >>> trial = Trial(0, f={"cost": 3.0}, g={}, extras={"celsius": 70.0})
    >>> Recomputation(problem, hot)(trial)
    ((3.0, -20.0), {'celsius': 70.0})
    """

    def __init__(self, problem: Problem, changes: Changes) -> None:
        self._problem, self._changes = problem, changes
        what = "an objective or a constraint of the new study"
        require_known("recompute", changes.recompute, problem.outputs, what)

    def __call__(self, trial: Trial) -> tuple[Numbers, Extras]:
        """Outputs, and everything else that is known; or raise Unfit."""
        metrics, names = self.metrics(trial), self._problem.outputs
        values = self._up_to_date(metrics)
        outputs = tuple(self._output(name, values, metrics) for name in names)
        return outputs, {k: v for k, v in metrics.items() if k not in names}

    def metrics(self, trial: Trial) -> dict[str, Any]:
        """All that is known about a trial, by the names of today."""
        known = {**(trial.f or {}), **(trial.g or {}), **(trial.extras or {})}
        return {self._changes.new_name(name): value for name, value in known.items()}

    def _up_to_date(self, metrics: dict[str, Any]) -> dict[str, Any]:
        """Metrics, with constraints that follow from them as the limits are today."""
        limited = self._problem.constraints if self._problem.measured else ()
        kept = {k: v for k, v in metrics.items() if k not in limited and _is_number(v)}
        return {**metrics, **dict.fromkeys(limited), **self._problem.completed(kept)}

    def _output(
        self, name: str, values: dict[str, Any], metrics: dict[str, Any]
    ) -> float:
        """One objective or constraint."""
        function = self._changes.recompute.get(name)
        if function is not None:
            return _number(name, _computed(name, function, metrics))
        if name not in values:
            raise Unfit(f"{name} was not measured")
        if values[name] is None:
            raise Unfit(f"the metric that {name} limits was not kept")
        return _number(name, values[name])


def _computed(name: str, function: Callable[..., Any], metrics: dict[str, Any]) -> Any:
    """What a function of the user's makes of metrics, which it may change."""
    try:
        return function(dict(metrics))
    except Exception as error:
        said = one_line(said_by(error), 60)
        raise Unfit(f"recompute[{name!r}] raised an error", said) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(name: str, value: Any) -> float:
    """A finite number."""
    try:
        number = math.nan if isinstance(value, (str, bool)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise Unfit(f"{name} is not a finite number", one_line(repr(value), 40))
    return number
