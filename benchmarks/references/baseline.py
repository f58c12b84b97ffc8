"""Baselines of divlearn, as references."""

from __future__ import annotations

from typing import Any

import divlearn as dl
from benchmarks.references.common import Clock, Front
from divlearn.baselines import baseline


def front(
    problem: Any, method: str, budget: int | None = None, seed: int = 0, **options: Any
) -> Front:
    """Solve a problem by a baseline.

    Parameters
    ----------
    problem
        One that the method can treat.
    method
        Name of a baseline, such as ``"ws-lkh"``.
    budget
        Number of evaluations; None for methods that come to an end by themselves.
    seed
        The same seed gives the same front.
    options
        Options of the baseline.

    Returns
    -------
    The front; what counts as an evaluation is said in ``docs/baselines.md``.
    """
    chosen = baseline(method).replace(**options)
    dl.solve(problem, budget=1, method=chosen)  # compile
    clock = Clock()
    result = dl.solve(problem, budget, method=chosen, seed=seed)
    return Front(result.F, result.evaluations, clock.read())
