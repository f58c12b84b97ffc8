"""What all methods tell alike about a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
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


def shares_of(
    weights: Floats, names: Sequence[str], parts: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Weights as ``shares`` that add up to 1, by name, the largest first.

    ``parts`` says what names belong to, for those that are not parts themselves. Both
    are empty if all weights are 0.

    Examples
    --------
    >>> shares_of(np.array([1.0, 3.0]), ["on[0]", "width"], ["on", "width"])
    {'shares': {'width': 0.75, 'on[0]': 0.25}, 'parts': {'on[0]': 'on'}}
    """
    total = float(weights.sum())
    if not 0.0 < total < np.inf:
        return {"shares": {}, "parts": {}}
    order = [i for i in np.argsort(-weights, kind="stable") if weights[i] > 0.0]
    return {
        "shares": {names[i]: float(weights[i] / total) for i in order},
        "parts": {names[i]: parts[i] for i in order if names[i] != parts[i]},
    }
