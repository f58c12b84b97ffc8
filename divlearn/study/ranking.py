"""In which order many known designs are learned: the best last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.metrics.dominance import non_dominated
from divlearn.problems import Problem

#: Designs that are learned as they come: models that remember the latest few hundred
#: remember all of them.
FEW = 200

T = TypeVar("T")


def best_last(problem: Problem, designs: Sequence[T], outputs: Floats) -> list[T]:
    """Put many designs in an order in which a model forgets the worst first.

    Parameters
    ----------
    problem
        The problem.
    designs
        The designs, k of them; up to :data:`FEW` stay in their order.
    outputs
        Objectives in the user's senses, then constraints, shape (k, m + c).

    Returns
    -------
    Those that break constraints, then those that others dominate, then the front; each
    group from worst to best by its mean rank over all objectives.
    """
    if len(designs) <= FEW:
        return list(designs)
    m = problem.num_objectives
    objectives = outputs[:, :m] * problem.sign
    excess = np.maximum(outputs[:, m:], 0.0).sum(axis=1)
    group = np.zeros(len(designs))
    feasible = np.flatnonzero(excess == 0.0)
    group[feasible] = 1 + non_dominated(objectives[feasible])
    ranks = objectives.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    order = np.lexsort((-ranks.mean(axis=1), -excess, group))
    return [designs[i] for i in order]
