"""Bayesian optimization by noisy expected hypervolume improvement, with BoTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.references.common import Clock, Evaluator, Front
from divlearn.baselines import baseline


def front(problem: Any, budget: int, seed: int = 0) -> Front:
    """Run the baseline ``qnehvi`` with its usual options.

    Parameters
    ----------
    problem
        Any problem.
    budget
        Evaluations.
    seed
        Seed of the run.

    Returns
    -------
    The non-dominated solutions of all that was evaluated.
    """
    method: Any = baseline("qnehvi")
    proposer = method.start(problem, budget, seed)
    evaluator = Evaluator(problem)
    clock = Clock()
    for number in range(budget):
        (row,) = proposer.propose(1, np.array([number]))
        outputs = np.concatenate(evaluator(row))
        proposer.observe(number, evaluator.codes[-1], outputs)
    return Front(evaluator.front(), len(evaluator.outputs), clock.read())
