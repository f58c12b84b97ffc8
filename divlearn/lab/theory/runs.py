"""Runs of the paper's method under one weight vector, beside what is best for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.lab.theory.growth import marks
from divlearn.lab.theory.instances import theory_instance
from divlearn.lab.theory.optima import least_cost
from divlearn.lab.theory.samples import Scale, sampled_scale
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.methods.paper.rules import completed, num_subproblems
from divlearn.optimizer import Optimizer
from divlearn.problems import Problem
from divlearn.result.trace import Trace


@dataclass(frozen=True)
class Instance:
    """A problem under one weight vector whose optimum is known.

    Attributes
    ----------
    problem, scale
        The problem, and how its objectives become one cost.
    best
        The least cost of any solution.
    """

    problem: Problem
    scale: Scale
    best: float

    @property
    def range(self) -> float:
        """B: what the worst of random solutions costs more than the best of all."""
        return 1.0 - self.best


def known_instance(
    problem: Problem, weights: Sequence[float] | None = None, sample: int = 500
) -> Instance:
    """Find the optimum of a problem under weights, by default all the same.

    Bounds of the scale come from ``sample`` random solutions.
    """
    m = problem.num_objectives
    given = np.full(m, 1.0 / m) if weights is None else np.array(weights, np.float64)
    scale = sampled_scale(problem, given, sample)
    return Instance(problem, scale, least_cost(problem, scale))


@cache
def named_instance(name: str, first: float | None = None) -> Instance:
    """An instance by name, whose optimum is found once in a process.

    Parameters
    ----------
    name
        One of :mod:`divlearn.lab.theory.instances`.
    first
        Weight of the first of two objectives; None weighs all the same.
    """
    weights = None if first is None else (first, 1.0 - first)
    return known_instance(theory_instance(name), weights)


def traced(
    method: DivideAndLearn, instance: Instance, iterations: int, seed: int
) -> Trace:
    """Run a method for so many iterations on the weight of an instance.

    Returns
    -------
    Its trace, a row per iteration.
    """
    single = method.replace(
        weights=[instance.scale.weights.tolist()],
        iterations=iterations,
        trace=method.trace or True,
    )
    full, _ = completed(single, instance.problem, None)
    steps = full.refinement.steps
    assert steps is not None
    most = max(1, steps * num_subproblems(full.decomposition, instance.problem)) + 1
    budget = full.initial + iterations * most
    columns = trace_of(single, instance.problem, budget, seed).columns
    return Trace({name: rows[:iterations] for name, rows in columns.items()})


def trace_of(
    method: DivideAndLearn, problem: Problem, evaluations: int, seed: int
) -> Trace:
    """Trace of a run of so many evaluations."""
    optimizer = Optimizer(problem, method, seed, budget=evaluations)
    optimizer.run(evaluations)
    trace = optimizer.result().trace
    assert trace is not None
    return trace


def regret_of(trace: Trace, instance: Instance) -> Floats:
    """What the solution of each iteration costs more than the best, shape (T,).

    As a share of the range of costs, so that the worst of random solutions has 1.
    """
    problem = instance.problem
    values = np.column_stack([trace[f"objective_{j}"] for j in problem.objectives])
    costs = instance.scale.cost(values * problem.sign)
    return np.asarray((costs - instance.best) / instance.range)


def cumulated(
    method: DivideAndLearn, instance: Instance, iterations: int, seeds: int
) -> tuple[Integers, Floats]:
    """Cumulative regret of runs with seeds 0, 1, ...

    Returns
    -------
    Numbers of rounds, shape (k,), and the regret until then, shape (seeds, k).
    """
    rounds = marks(iterations)
    sums = [
        np.cumsum(regret_of(traced(method, instance, iterations, seed), instance))
        for seed in range(seeds)
    ]
    return rounds, np.array(sums)[:, rounds - 1]
