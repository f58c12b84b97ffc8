"""What overlaps, prices and clipping do over time, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.lab.theory.dual import dual_gaps
from divlearn.lab.theory.growth import marks
from divlearn.lab.theory.instances import CHOICES
from divlearn.lab.theory.regrets import expert_alone, whole_method
from divlearn.lab.theory.runs import named_instance, traced
from divlearn.lab.theory.toys import AdditiveToy, random_toy
from divlearn.methods.paper.cover import overlaps
from divlearn.methods.paper.experts import EXP3
from divlearn.result.trace import Trace

#: o_0 of the paper's small problems, and the decays that are compared.
FIRST_OVERLAP, DECAYS = 6, (0.1, 0.5, 1.0)
#: Columns that are shown as they are.
SHOWN = ("disagreement", "overlap_variance", "price_mean", "price_max", "shared")


def coordination_of(name: str, iterations: int, seeds: int) -> dict[str, Any]:
    """Sums and values of the coordination of paper-ucb with constant windows.

    Without decay and neighbourhoods the same positions are shared throughout, so that
    the path of their prices can be followed.
    """
    instance = named_instance(name)
    method = whole_method("paper-ucb").replace(
        trace="full",
        **{"decomposition.decay": 0.0, "decomposition.neighbourhoods": 0},
    )
    traces = [traced(method, instance, iterations, seed) for seed in range(seeds)]
    rounds = marks(iterations)
    return {
        "instance": name,
        "rounds": rounds.tolist(),
        "violation": _at(np.cumsum([t["violation"] for t in traces], axis=1), rounds),
        "path": _at(np.array([price_path(t) for t in traces]), rounds),
        "values": {
            column: _at(np.array([t[column] for t in traces]), rounds)
            for column in SHOWN
        },
        "needed": [needed_factor(t) for t in traces],
        "allowed": [
            needed_factor(t) * float(t["overlap_variance"].mean()) for t in traces
        ],
        "relation": [relation(t) for t in traces],
    }


def _at(rows: Floats, rounds: Integers) -> list[list[float]]:
    """Values at some rounds, shape (runs, k), as lists."""
    values: list[list[float]] = np.asarray(rows, np.float64)[:, rounds - 1].tolist()
    return values


def price_path(trace: Trace) -> Floats:
    """Length of the path of all prices until each iteration, shape (T,).

    No violation is negative, so prices only rise, and the path is the rise of their
    sum.
    """
    totals = trace["price_mean"] * trace["shared"]
    return np.cumsum(np.abs(np.diff(totals, prepend=totals[0])))


def needed_factor(trace: Trace) -> float:
    """c_0: the least factor with disagreement <= c_0 variance in every iteration."""
    known = trace["overlap_variance"] > 0.0
    ratio = trace["disagreement"][known] / trace["overlap_variance"][known]
    return float(ratio.max(initial=0.0))


def relation(trace: Trace) -> float:
    """Correlation of ranks of disagreement and variance over the iterations.

    The lemma says that the one bounds the other: they should fall together.
    """
    columns = [trace["disagreement"], trace["overlap_variance"]]
    if any(np.ptp(column) == 0.0 for column in columns):
        return 0.0
    return float(np.corrcoef(mean_ranks(columns[0]), mean_ranks(columns[1]))[0, 1])


def mean_ranks(values: Floats) -> Floats:
    """Places in ascending order, equal values at the mean of theirs.

    Examples
    --------
    >>> mean_ranks(np.array([5.0, 1.0, 5.0]))
    array([1.5, 0. , 1.5])
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts + 1) / 2)[which])


def overlap_sums(iterations: int) -> dict[str, Any]:
    """Sums of o_t for some decays: of the formula, whole numbers as it has them."""
    rounds = marks(iterations)
    return {
        "rounds": rounds.tolist(),
        "sums": {
            f"{decay:g}": np.cumsum(overlaps(FIRST_OVERLAP, decay, iterations))[
                rounds - 1
            ].tolist()
            for decay in DECAYS
        },
    }


def clip_sums(rate: float, iterations: int, seeds: int) -> dict[str, Any]:
    """Sums of what clipping took from the estimates of EXP3 alone on the toy.

    The rate is that of the lemma, for an update by exp(eta r).
    """
    instance = named_instance(CHOICES)
    method = expert_alone(EXP3(), rate * instance.problem.space.num_positions)
    traces = [traced(method, instance, iterations, seed) for seed in range(seeds)]
    rounds = marks(iterations)
    return {
        "rounds": rounds.tolist(),
        "bias": _at(np.cumsum([t["clip_bias"] for t in traces], axis=1), rounds),
        "clips": _at(np.cumsum([t["clips"] for t in traces], axis=1), rounds),
    }


def dual_sums(iterations: int, seeds: int) -> dict[str, Any]:
    """Sums of the dual gap of paper-ucb on the toy, overlap constant."""
    toy: AdditiveToy = random_toy(20, 10)
    method = whole_method("paper-ucb").replace(**{"decomposition.decay": 0.0})
    gaps = [dual_gaps(toy, method, iterations, seed) for seed in range(seeds)]
    rounds = marks(iterations)
    return {
        "rounds": rounds.tolist(),
        "sums": _at(np.cumsum(gaps, axis=1), rounds),
    }
