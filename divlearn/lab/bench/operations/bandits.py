"""Random search, and bandits whose arms are whole solutions."""

from __future__ import annotations

from divlearn.lab.baselines.bandits import PureEXP3, PureThompson, PureUCB, usual_arms
from divlearn.lab.bench.operations.counts import (
    DIVISION,
    RANDOM,
    Count,
    Counts,
    Work,
    draw,
    kept,
)
from divlearn.methods.others.random import RandomSearch
from divlearn.problems import Problem


def random_search(problem: Problem, method: RandomSearch, work: Work) -> Counts:
    """A draw, an evaluation and a look into the archive each."""
    return {"draws": work.evaluations * draw(problem), **kept(problem, work)}


def pure_bandit(
    problem: Problem, method: PureUCB | PureThompson | PureEXP3, work: Work
) -> Counts:
    """All K arms get a score at every pull, and the highest is pulled.

    Whatever is repaired is repaired at every pull; the draws are those of K arms.
    """
    arms = method.arms or usual_arms(work.budget)
    n, m = problem.space.num_positions, problem.num_objectives
    # Means of m objectives, scaled, weighted and summed.
    reward = m * Count(additions=2, multiplications=1 + 2 * DIVISION)
    scores = {
        PureUCB: reward + Count(1, 1 + DIVISION, 2, exponentials=1),
        PureThompson: reward + Count(RANDOM + 2, 1 + DIVISION, 2, exponentials=2),
        # Chances and a Gumbel number: an exponential and three logarithms.
        PureEXP3: Count(RANDOM + 4, 2 + DIVISION, 2, exponentials=4),
    }
    choice = Count(comparisons=2, copies=1)
    return {
        "draws": arms * draw(problem),
        "scores": work.evaluations * (arms * (scores[type(method)] + choice)),
        "copies": work.evaluations * Count(copies=n),
        **kept(problem, work),
    }
