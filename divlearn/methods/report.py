"""What all methods tell alike about a search."""

from __future__ import annotations

from typing import Any

from divlearn.problems import Problem


def nothing_feasible(state: Any, problem: Problem) -> dict[str, Any]:
    """The solution of the least violation, where none is feasible."""
    control = state.control[0]
    if control.archive_size or not control.observed:
        return {}
    return {
        "least_violation": {
            "sum_of_violations": float(control.least_violation),
            "x": str(problem.space.decode(state.least_violating)),
        }
    }
