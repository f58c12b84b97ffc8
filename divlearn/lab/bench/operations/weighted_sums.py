"""Weighted sums: LKH or 2-opt for tours, dynamic programs for knapsacks."""

from __future__ import annotations

import math

from divlearn.lab.baselines.weighted_knapsack import WeightedKnapsack
from divlearn.lab.baselines.weighted_lkh import WeightedLKH
from divlearn.lab.baselines.weighted_two_opt import WeightedTwoOpt
from divlearn.lab.baselines.weights import spread_weights
from divlearn.lab.bench.operations.counts import (
    RANDOM,
    Count,
    Counts,
    Work,
    kept,
    multiply_adds,
)
from divlearn.problems import TSP, Knapsack

#: LKH's ascent: fewest steps of its first period; steps of all periods, each half as
#: long as the one before; and most ways per city that its spanning trees look at.
LEAST_PERIOD, PERIODS, ASCENT_WAYS = 100, 2.0, 50
#: Operations for each city in each of n trials. LKH does not tell what its search looks
#: at, so this is inferred from its time at 1.2e9 operations a second, the rate of
#: compiled methods here: 4,800 for 50 and 4,900 for 100 cities (1,800 for 20).
TRIAL = Count(additions=2_000, comparisons=1_500, copies=1_000)


def lkh(problem: TSP, method: WeightedLKH, work: Work) -> Counts:
    """One call of LKH per evaluation: an ascent, then trials.

    The ascent moves prices of cities by the degrees of n in a least spanning tree, and
    takes n^2 operations a step. Each of the n trials of a run begins with a tour and
    exchanges up to five of its edges at a time. An asymmetric matrix is doubled. What a
    trial costs is an estimate, see :data:`TRIAL`; all else follows from the algorithm.
    """
    n, m = problem.space.num_positions, problem.num_objectives
    cities = n if problem.symmetric else 2 * n
    calls = work.evaluations
    return {
        "weighted matrices": calls * (multiply_adds(m * n * n) + n * n * WHOLE),
        "ascent": calls * _ascent(cities),
        "trials": (calls * method.runs * cities * cities) * TRIAL,
        **kept(problem, work),
    }


#: Scaled, rounded and renamed: what LKH reads of one distance.
WHOLE = Count(additions=1, multiplications=1, copies=2)


def _ascent(cities: int) -> Count:
    """Steps of a subgradient: a tree over the nearest ways, and new prices."""
    steps = PERIODS * max(cities / 2, LEAST_PERIOD)
    ways = cities * min(cities - 1, ASCENT_WAYS)
    tree = ways * Count(additions=3, comparisons=2)
    tree += cities * math.log2(cities + 1) * Count(comparisons=2, copies=2)
    return steps * (tree + cities * Count(additions=3, multiplications=2))


def two_opt(problem: TSP, method: WeightedTwoOpt, work: Work) -> Counts:
    """Every evaluation is a neighbour, of which only the difference is computed.

    A descent begins with a weighted matrix and a random tour. One neighbour in n is
    an improvement: 1.1 of n were, for 20 and for 50 cities. It turns a third of the
    tour around and sums up anew how much longer every way back is.
    """
    n, m = problem.space.num_positions, problem.num_objectives
    descents = _descents(problem, method, work.evaluations)
    # Four distances, whose places in the matrix are computed, and two sums of ways.
    difference = Count(additions=4 + 5 + 2, multiplications=4)
    counters = Count(additions=3, comparisons=5)
    improvement = (n / 3) * Count(additions=1, comparisons=1, copies=1)
    improvement += n * Count(additions=4, multiplications=2, copies=1)
    begin = multiply_adds(m * n * n) + n * Count(additions=RANDOM, copies=2)
    ended = Work(round(descents), work.budget, work.front_size)
    return {
        "weighted matrices": descents * begin,
        "neighbours": work.evaluations * (difference + counters),
        "improvements": (work.evaluations / n) * improvement,
        **kept(problem, ended),
    }


def _descents(problem: TSP, method: WeightedTwoOpt, evaluations: int) -> float:
    """One for each weight vector and start, as far as the evaluations go.

    Each tries all n (n - 3) / 2 neighbours at least once.
    """
    n = problem.space.num_positions
    planned = len(spread_weights(problem.num_objectives, method.num_weights))
    return min(planned * method.starts, max(1.0, evaluations / (n * (n - 3) / 2)))


def dynamic_program(problem: Knapsack, method: WeightedKnapsack, work: Work) -> Counts:
    """One program per evaluation: every item at every load that leaves room for it.

    There is one sum, two comparisons (which is larger; the larger one) and two copies
    each, and one more copy at every load for the bit that says what was taken.
    """
    n, m = problem.values.shape
    loads, capacity = method.whole_units(problem)
    fitting = loads[loads <= capacity]
    places = float((capacity + 1 - fitting).sum())
    bits = float(len(fitting) * (capacity + 1))
    program = places * Count(additions=1, comparisons=2, copies=2)
    program += bits * Count(copies=1)
    return {
        "weighted values": work.evaluations * multiply_adds(n * m),
        "dynamic programs": work.evaluations * program,
        **kept(problem, work),
    }
