"""The course of a search over time, as a result keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats

if TYPE_CHECKING:
    from divlearn.result import Result


def read_course(result: Result, kind: str) -> dict[str, Any]:
    """The course in a result, or an error that says how to get one."""
    course = result.learned.get("course")
    if not isinstance(course, dict) or not course.get("evaluations"):
        raise InputError(
            f"{kind!r} needs the course of a search by method 'dl', which this result "
            f"(method {result.method!r}) does not have; search with solve(problem, "
            "budget) or a study, which keeps it when its run ends."
        )
    return course


def column(numbers: Any) -> Floats:
    """A list of numbers, NaN where there are none."""
    return np.array([np.nan if v is None else v for v in numbers], np.float64)
