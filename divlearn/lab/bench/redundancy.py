"""How many evaluations inside subproblems an iteration makes for each position."""

from __future__ import annotations

import math

from divlearn.lab.bench.cases import problem_of
from divlearn.lab.bench.rows import Run
from divlearn.lab.bench.suite import changed_settings
from divlearn.methods.budget import SCHEDULE
from divlearn.methods.names import method_for
from divlearn.methods.paper.method import DivideAndLearn


def redundancy(run: Run) -> float:
    """The paper's R = sum_i evals_i / n, of a run that ended with its schedule.

    The paper calls it "the ratio of total subproblem evaluations to problem size" and
    leaves open over what time evaluations are counted. Here it is one iteration, the
    mean of all: refinements / (n W T).

    Returns
    -------
    NaN for other methods and other limits.
    """
    from divlearn.methods.paper.rules import completed

    method = method_for(changed_settings(run.task.contender))
    if not isinstance(method, DivideAndLearn) or run.task.budget != SCHEDULE:
        return math.nan
    problem = problem_of(run.task.case, run.task.instance)
    full, weights = completed(method, problem, None)
    assert full.iterations is not None
    iterations = len(weights) * full.iterations
    return float(run.tally["refined"]) / (problem.space.num_positions * iterations)
