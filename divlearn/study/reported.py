"""What a pool reports, checked: pools of others may say anything."""

from __future__ import annotations

import math

from divlearn.basics.errors import EvaluationError
from divlearn.problems import Problem
from divlearn.workers.base import FAILED, OK, Attempt


def require_numbers(attempt: Attempt, problem: Problem) -> None:
    """Fail an evaluation whose outputs are not a result, whoever reported it."""
    if attempt.state != OK or _are_usual(attempt.outputs, len(problem.outputs)):
        return
    try:
        numbers = problem.read_outputs(attempt.outputs, attempt.x)
        attempt.outputs = tuple(numbers.tolist())
    except EvaluationError as error:
        attempt.end(FAILED, message=str(error))


def _are_usual(outputs: tuple[float, ...] | None, number: int) -> bool:
    """Whether outputs are what our own workers report."""
    return (
        outputs is not None
        and len(outputs) == number
        and {*map(type, outputs)} <= {float}
        and all(map(math.isfinite, outputs))
    )
