"""Values that somebody else measured, read as if the objective had returned them."""

from __future__ import annotations

from typing import Any

from divlearn.basics.errors import EvaluationError, InputError
from divlearn.basics.typing import Extras, Floats, Value
from divlearn.problems.answers import NO_RETURN, NO_VALUE
from divlearn.problems.base import Problem

#: What to do with a design without values.
ENQUEUE = "enqueue a design that has no values"


def read_given(problem: Problem, x: Value, values: Any) -> tuple[Floats, Extras]:
    """Outputs and extra metrics of a known design; InputError says what is wrong."""
    try:
        return problem.read_outputs(values, x), problem.read_extras(values, x)
    except EvaluationError as error:
        said = str(error).replace(NO_RETURN, f"None; {ENQUEUE}")
        raise InputError(f"values: {said.replace(NO_VALUE, ENQUEUE)}") from None
