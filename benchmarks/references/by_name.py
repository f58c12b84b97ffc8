"""Methods that divlearn runs by their name: random, nsga2, optuna-tpe and others."""

from __future__ import annotations

from typing import Any

from benchmarks.references.common import Clock, Front, best_of
from divlearn import solve
from divlearn.methods.names import method_for
from divlearn.methods.others.base import WholeSolver


def front(
    problem: Any,
    budget: int | None = None,
    seed: int = 0,
    method: str = "random",
    **options: Any,
) -> Front:
    """Run a baseline and keep its front.

    Parameters
    ----------
    problem
        Any problem of divlearn.
    budget
        Evaluations; None for methods that come to an end by themselves.
    seed
        Seed of the run.
    method
        Name of the baseline.
    options
        Those of its options that are not the usual ones.

    Returns
    -------
    The non-dominated solutions of all that was evaluated; under noise those that
    seemed to be, judged without it.
    """
    chosen = method_for(method).replace(**options)
    if isinstance(chosen, WholeSolver):
        solve(problem, 3, method=chosen)  # compile
    clock = Clock()
    result = solve(problem, budget, method=chosen, seed=seed)
    seconds = clock.read()
    points = result.F
    if hasattr(problem, "noise_free"):
        exact = problem.noise_free(result.X)[:, : problem.num_objectives]
        points = best_of(problem, exact)
    return Front(points, result.evaluations, seconds)
