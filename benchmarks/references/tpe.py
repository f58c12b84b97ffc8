"""The tree-structured Parzen estimator of Optuna, for several objectives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.references.common import Clock, Evaluator, Front, need
from divlearn.errors import InputError
from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET


def front(problem: Any, budget: int, seed: int = 0, joint: bool = False) -> Front:
    """Run Optuna's ``TPESampler``, with its default settings unless ``joint``.

    Parameters
    ----------
    problem
        A problem without permutations and without subsets of limited size, neither of
        which the sampler knows.
    budget
        Evaluations.
    seed
        Seed of the sampler.
    joint
        Whether positions are sampled together, Optuna's ``multivariate``.

    Returns
    -------
    The non-dominated solutions of all that was evaluated.
    """
    optuna = need("optuna")
    layout = problem.space.layout
    _require_independent_positions(problem)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        directions=["minimize"] * problem.num_objectives,
        sampler=_sampler(optuna, problem, seed, joint),
    )
    evaluator = Evaluator(problem)
    ordered = layout.segments.kind[layout.places.segment] == ORDINAL

    def evaluate(trial: Any) -> tuple[float, ...]:
        codes = np.empty(len(ordered), np.int64)
        for i, arity in enumerate(layout.places.arity):
            name, last = f"x{i}", int(arity) - 1
            if ordered[i]:
                codes[i] = trial.suggest_int(name, 0, last)
            else:
                codes[i] = trial.suggest_categorical(name, list(range(last + 1)))
        objectives, constraints = evaluator(codes)
        trial.set_user_attr("constraints", constraints.tolist())
        return tuple(objectives)

    clock = Clock()
    study.optimize(evaluate, n_trials=budget)
    return Front(evaluator.front(), len(evaluator.outputs), clock.read())


def _sampler(optuna: Any, problem: Any, seed: int, joint: bool) -> Any:
    """Make the sampler, which is told of constraints where there are any."""
    options: dict[str, Any] = {"multivariate": True} if joint else {}
    if problem.num_constraints:
        options["constraints_func"] = lambda trial: trial.user_attrs["constraints"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.samplers.TPESampler(seed=seed, **options)


def _require_independent_positions(problem: Any) -> None:
    """Refuse what cannot be said position by position."""
    for segment in problem.space.layout.segments:
        length = segment.stop - segment.start
        limited = segment.least > 0 or segment.most < length
        if segment.kind == PERMUTATION or (segment.kind == SUBSET and limited):
            raise InputError(
                "optuna-tpe knows no permutations and no subsets of limited size, got "
                f"{problem.space!r}; use nsga2."
            )
