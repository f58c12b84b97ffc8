"""Populations: NSGA-II and MOEA/D, with the operators of each space."""

from __future__ import annotations

import math

from divlearn.lab.baselines.moead import MOEAD
from divlearn.lab.baselines.nsga2 import (
    MANY,
    NSGA2,
    SURVIVALS,
    crossover_for,
    population_for,
)
from divlearn.lab.bench.operations.counts import (
    DIVISION,
    RANDOM,
    Count,
    Counts,
    Work,
    draw,
    evaluation,
    kept,
    multiply_adds,
    weighing,
)
from divlearn.methods.paper.scalarization import simplex_lattice
from divlearn.problems import CVRP, Knapsack, Problem
from divlearn.spaces.base import PERMUTATION

#: How often a child of a knapsack is weighed until it fits and is full: 9.5 to 11.4
#: times for 50 to 200 items.
WEIGHINGS = 10.0
#: Exclusive or, product and shift per code, to know what was made before. (A digest
#: that nobody can forge, as is used, takes more.)
HASHED = Count(additions=3, multiplications=1)
#: Probability that MOEA/D takes parents and places from the neighbours.
NEAR = 0.9


def nsga2(problem: Problem, method: NSGA2, work: Work) -> Counts:
    """N random solutions, then N children and a selection among 2 N per generation."""
    m = problem.num_objectives
    size = population_for(method.population, work.budget)
    children = max(0, work.evaluations - size)
    rate = crossover_for(method.crossover, problem)
    # Ranks by four keys are sorted once per generation of N; two draws per parent.
    parent = Count(2 * RANDOM, comparisons=4 * math.log2(size) + 1, copies=1)
    return {
        "draws": min(size, work.evaluations) * draw(problem),
        "parents": children * parent,
        "crossover": rate * children * cross(problem, method.special),
        "mutation": children * mutate(problem),
        "repair": children * repair(problem),
        **kept(problem, work),
        "sorting": (children / size) * sort(2 * size, m),
        "survival": (children / size) * _survival(method, 2 * size, m),
    }


def moead(problem: Problem, method: MOEAD, work: Work) -> Counts:
    """A random solution per weight vector, then child after child.

    A child is scalarized by the weights of its T neighbours, now and then of all N, as
    are the solutions there, which it replaces where it is better.
    """
    m = problem.num_objectives
    wanted = population_for(method.population, work.budget)
    size = len(simplex_lattice(m, wanted))
    children = max(0, work.evaluations - size)
    rate = crossover_for(method.crossover, problem)
    near = min(method.neighbours, size)
    asked = NEAR * near + (1 - NEAR) * size
    scalar = m * Count(additions=2, multiplications=1 + DIVISION)
    one = 2 * scalar + Count(RANDOM, comparisons=3, copies=3)
    return {
        "draws": min(size, work.evaluations) * draw(problem),
        "parents": children * Count(additions=4 * RANDOM),
        # Of two children that a crossover makes, one is kept.
        "crossover": rate * children * (2 * cross(problem, method.special)),
        "mutation": children * mutate(problem),
        "repair": children * repair(problem),
        **kept(problem, work),
        "neighbours": children * (asked * one),
    }


def cross(problem: Problem, special: bool) -> Count:
    """One child of two parents.

    Order crossover marks a stretch, finds what is outside of it by two sorts of marks
    and copies six times; the routes of a parent are found by decoding it, and moved to
    the front. Other positions come from either parent, one draw for two children.
    """
    orders, others = positions(problem)
    child = orders * Count(comparisons=6, copies=8)
    if special and isinstance(problem, CVRP):
        child += evaluation(problem) + orders * Count(comparisons=2, copies=4)
    return child + others * Count(RANDOM / 2, comparisons=1, copies=3)


def mutate(problem: Problem) -> Count:
    """Turn a stretch of an order around; draw for every other position."""
    orders, others = positions(problem)
    turned = orders * Count(additions=1, comparisons=3, copies=4)
    return turned + others * Count(RANDOM, comparisons=2, copies=2)


def repair(problem: Problem) -> Count:
    """Weigh a knapsack again and again; see whether the child was made before."""
    seen = problem.space.num_positions * HASHED
    return seen + (
        WEIGHINGS * weighing(problem) if isinstance(problem, Knapsack) else Count()
    )


def positions(problem: Problem) -> tuple[int, int]:
    """Positions that belong to permutations, and the others."""
    lengths = {True: 0, False: 0}
    for kind, arities, *_ in problem.space.segments():
        lengths[kind == PERMUTATION] += len(arities)
    return lengths[True], lengths[False]


def sort(count: int, m: int) -> Count:
    """Sort points by dominance, shape (count, m).

    Two objectives: sorted by one, then a binary search for the front of each. More:
    every pair is compared in m objectives, as in the paper on NSGA-II.
    """
    if m == 2:
        return count * math.log2(count) * Count(comparisons=3, copies=1)
    return count * (count - 1) / 2 * Count(comparisons=m)


def _survival(method: NSGA2, count: int, m: int) -> Count:
    """Choose half of the points: by crowding, or by N reference directions.

    Crowding sorts by each objective and back, and sums two gaps. A distance from a
    direction takes two sums of m products and a root.
    """
    if (method.survival or SURVIVALS[m >= MANY]) == "crowding":
        sorts = Count(comparisons=2 * math.log2(count))
        return count * m * (sorts + Count(3, 2 * DIVISION, copies=4))
    one = multiply_adds(2 * m) + Count(comparisons=1, exponentials=1)
    directions = len(simplex_lattice(m, count // 2))
    return count * (directions * one)
