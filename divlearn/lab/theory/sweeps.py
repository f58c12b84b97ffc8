"""Regret over values of one option: the rate of EXP3, and the number of windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.lab.theory.bounds import best_count
from divlearn.lab.theory.instances import ACTIONS, CHOICES
from divlearn.lab.theory.regrets import expert_alone, whole_method
from divlearn.lab.theory.runs import (
    Instance,
    named_instance,
    regret_of,
    trace_of,
    traced,
)
from divlearn.methods.paper.cover import window_cover
from divlearn.methods.paper.experts import EXP3, Learning
from divlearn.methods.paper.method import DivideAndLearn

#: Rates of EXP3 beside that of the theory, as the theory has them: for an update by
#: exp(eta r). Algorithm 4 divides by n = 20, so that its 0.5 is 0.025 here.
RATES = (0.0025, 0.025, 0.25, 2.5)
#: Overlap of all windows of a sweep over their number.
OVERLAP = 3


def rate_sweep(iterations: int, seeds: int) -> dict[str, Any]:
    """Mean regret of EXP3 alone on the toy, for some learning rates."""
    instance = named_instance(CHOICES)
    n = instance.problem.space.num_positions
    theory = Learning(learning_rate="theory").rates(np.full(n, ACTIONS), iterations)
    rates = (float(theory[0] / n), *RATES)
    found = []
    for rate in rates:
        method = expert_alone(EXP3(), "theory" if rate == rates[0] else n * rate)
        runs = [
            regret_of(traced(method, instance, iterations, seed), instance)
            for seed in range(seeds)
        ]
        found.append(np.mean(runs, axis=1).tolist())
    return {"theory": rates[0], "rates": list(rates), "regret": found}


def sizes_of(n: int) -> list[int]:
    """Sizes of windows from the whole down to the least with this overlap.

    Examples
    --------
    >>> sizes_of(20)
    [20, 12, 9, 7, 6, 5, 4]
    """
    wanted = (1, 2, 3, 5, 8, 12, 17)
    sizes = [OVERLAP + -(-(n - OVERLAP) // count) for count in wanted]
    return list(dict.fromkeys(size for size in sizes if size > OVERLAP))


def count_sweep(
    name: str, evaluations: int, seeds: int, spread: float
) -> dict[str, Any]:
    """Mean regret over a run of paper-ucb for some numbers of windows.

    All runs have the same number of evaluations. The regret of an iteration counts by
    the evaluations that it took.

    Parameters
    ----------
    name
        The instance.
    evaluations, seeds
        Of each run, and how many of these.
    spread
        R_max, for the number of windows that the rule recommends.
    """
    instance = named_instance(name)
    n = instance.problem.space.num_positions
    counts, found = [], []
    for size in sizes_of(n):
        cover = window_cover(n, size, min(OVERLAP, size - 1))
        method = whole_method("paper-ucb").replace(
            **{
                "decomposition.size": size,
                "decomposition.overlap": OVERLAP,
                "decomposition.decay": 0.0,
                "decomposition.neighbourhoods": 0,
            }
        )
        runs = [
            mean_regret(method, instance, evaluations, seed) for seed in range(seeds)
        ]
        counts.append(cover.num_subproblems)
        found.append(runs)
    return {
        "instance": name,
        "counts": counts,
        "regret": found,
        "K*": best_count(n, OVERLAP, spread),
        "K* with R_max = 1": best_count(n, OVERLAP, 1.0),
    }


def mean_regret(
    method: DivideAndLearn, instance: Instance, evaluations: int, seed: int
) -> float:
    """Regret of the solution at hand, on average over the evaluations of a run."""
    single = method.replace(weights=[instance.scale.weights.tolist()], trace=True)
    trace = trace_of(single, instance.problem, evaluations, seed)
    taken = np.diff(trace["evaluations"], prepend=0)
    return float(np.average(regret_of(trace, instance), weights=taken))
