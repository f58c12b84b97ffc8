"""Answers of workers in any language: what a file in ``done/`` may say."""

from __future__ import annotations

import math
from typing import Any

from divlearn.basics.errors import AnswerError, EvaluationError
from divlearn.problems import Problem
from divlearn.workers.base import (
    FAILED,
    INFEASIBLE,
    LOST,
    OK,
    STATES,
    TIMED_OUT,
    WRONG_SHAPE,
    Attempt,
)

#: What an answer without values may be.
_WITHOUT = (INFEASIBLE, FAILED, TIMED_OUT, LOST, WRONG_SHAPE)
_KEYS = ("values", "state", "message", "seconds", "worker")


def write_answer(attempt: Attempt, problem: Problem) -> dict[str, Any]:
    """What a worker in Python says of how an evaluation ended."""
    said: dict[str, Any] = {"state": attempt.state, "seconds": attempt.seconds}
    if attempt.outputs is not None:
        names = (*problem.outputs, *(attempt.extras or {}))
        numbers = (*attempt.outputs, *(attempt.extras or {}).values())
        said["values"] = dict(zip(names, numbers, strict=True))
    if attempt.message:
        said["message"] = attempt.message
    return {**said, "worker": attempt.worker}


def read_answer(attempt: Attempt, said: Any, problem: Problem) -> Attempt:
    """Say of an evaluation how it ended; raises ValueError if that is no answer.

    Parameters
    ----------
    attempt
        The evaluation.
    said
        ``{"values": {"cost": 3.5, ...}}``, or only what is in ``values``; or
        ``{"state": "failed", "message": "why"}``; with ``seconds`` and ``worker`` if
        they are known. A simulator's ``{"infeasible": "why"}`` and ``{"error":
        "why"}`` are understood as well.
    problem
        What names it has to have.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(dl.Integer(1, 8), pow, ["cost"])
    >>> read_answer(Attempt(0, 0, 0, 4, None), {"cost": 3}, problem).outputs
    (3.0,)
    >>> read_answer(Attempt(0, 0, 0, 4, None), {"error": "no licence"}, problem).state
    'failed'
    """
    if isinstance(said, list):
        said = {"values": said}
    if not isinstance(said, dict):
        raise ValueError("it is no JSON object")
    if not {"values", "state"} & said.keys():
        said = _as_simulators_say(said)
    if unknown := [name for name in said if name not in _KEYS]:
        raise ValueError(f"it has the unknown key {unknown[0]!r}")
    attempt.by(str(said.get("worker", ""))[:200], _seconds(said.get("seconds", 0.0)))
    state, message = said.get("state", OK), str(said.get("message", ""))
    if state not in STATES:
        raise ValueError(f"it has the unknown state {state!r}")
    if state in _WITHOUT:
        return attempt.end(state, message=message)
    return _with_values(attempt, said.get("values"), problem)


def _as_simulators_say(said: dict[str, Any]) -> dict[str, Any]:
    """Metrics as a simulator prints them, or why there are none."""
    for name, state in (("infeasible", INFEASIBLE), ("error", FAILED)):
        if said.get(name):
            words = said[name]
            return {"state": state, "message": "" if words is True else str(words)}
    return {"values": said}


def _with_values(attempt: Attempt, values: Any, problem: Problem) -> Attempt:
    """Read the values as those of an objective in Python are read."""
    try:
        if isinstance(values, dict):
            values = problem.completed(values)
        numbers = problem.read_outputs(values, attempt.x)
        extras = problem.read_extras(values, attempt.x)
    except AnswerError as error:
        return attempt.end(WRONG_SHAPE, message=str(error))
    except (EvaluationError, TypeError) as error:
        return attempt.end(FAILED, message=str(error))
    return attempt.end(OK, tuple(numbers.tolist()), extras=extras or None)


def _seconds(said: Any) -> float:
    """How long it took, as far as that is a number."""
    good = isinstance(said, (int, float)) and not isinstance(said, bool)
    return float(said) if good and math.isfinite(said) and said >= 0 else 0.0
