"""Pareto local search: neighbours by their differences, and a shared archive."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.lab.baselines.pareto_local_search import ParetoLocalSearch
from divlearn.lab.baselines.weights import spread_weights
from divlearn.lab.bench.operations.counts import (
    SCANNED,
    Count,
    Counts,
    Work,
    archive,
    evaluation,
    multiply_adds,
)
from divlearn.problems import CVRP, TSP, Knapsack

#: Share of the neighbours that improve or that no member covers: 0.8 to 2 % with two
#: objectives, 6 % with three, in the first 20,000 to 100,000, and less later on.
ENTERING = 0.01
#: Neighbourhoods that a scan goes through, as every improvement begins anew: 1.2 to 2.9
#: were measured, for tours, knapsacks and routes of all but the largest sizes.
TURNS = 2.0
#: Most cities in a row that are moved as they are where a tour is not symmetric.
LONGEST_MOVED = 3
#: Limits, counters and the next place of one move, before it is looked at.
LISTED = Count(additions=6, comparisons=7, copies=4)

Instance = TSP | Knapsack | CVRP


@dataclass(frozen=True)
class Neighbourhood:
    """How many moves a usual solution has.

    Attributes
    ----------
    listed
        All moves that a scan passes.
    weighed
        Those that change something, of which it is asked whether they fit.
    tried
        Those that fit: the neighbours, an evaluation each.
    """

    listed: float
    weighed: float
    tried: float


def pareto_local_search(
    problem: Instance, method: ParetoLocalSearch, work: Work
) -> Counts:
    """Every evaluation is a neighbour; what is passed over is counted with it.

    Components: moves that are listed and asked whether they fit; differences of m
    objectives and their weighted sum; the question whether a member covers it; what
    enters is built, evaluated in full and stored; regions choose and share members.
    Solutions to begin with and kicks are left out; they take little but interpreter
    time.
    """
    m, count = problem.num_objectives, work.evaluations
    around = neighbourhood(problem)
    turns = count / around.tried
    weighted_sum = multiply_adds(m) + Count(additions=1, comparisons=1)
    return {
        "moves": turns * (around.listed * LISTED + around.weighed * fitting(problem)),
        "differences": count * (difference(problem) + weighted_sum),
        "archive": count * covered(m, work.front_size),
        "entries": ENTERING * count * _entry(problem, work.front_size),
        "regions": turns / TURNS * _regions(problem, method, work.front_size),
    }


def neighbourhood(problem: Instance) -> Neighbourhood:
    """Count the moves of a tour, of a greedy choice, or of evenly loaded routes."""
    if isinstance(problem, TSP):
        return _of_tours(problem)
    if isinstance(problem, Knapsack):
        return _of_choices(problem)
    return _of_routes(problem)


def _of_tours(problem: TSP) -> Neighbourhood:
    """Stretches turned around; without symmetry also up to three cities moved."""
    n = problem.space.num_positions
    moves = n * (n - 3) / 2
    if not problem.symmetric:
        longest = min(LONGEST_MOVED, n - 2)
        moves += sum(n * (n - length - 1) for length in range(1, longest + 1))
    return Neighbourhood(moves, moves, moves)


def greedy_choice(problem: Knapsack) -> Codes:
    """Take what fits, the most efficient first, shape (n,)."""
    choice = np.zeros(len(problem.weights), np.int64)
    room = problem.capacity.copy()
    for item in np.argsort(-problem.efficiency, kind="stable"):
        if (problem.weights[item] <= room).all():
            choice[item] = 1
            room -= problem.weights[item]
    return choice


def _of_choices(problem: Knapsack) -> Neighbourhood:
    """One item or none out, one in; those of the greedy choice that fit."""
    n, c = problem.weights.shape
    chosen = greedy_choice(problem) == 1
    room = problem.capacity - problem.weights[chosen].sum(axis=0)
    freed = room + np.vstack([problem.weights[chosen], np.zeros((1, c))])
    fits = (problem.weights[~chosen] <= freed[:, None]).all(axis=2)
    return Neighbourhood(n * (n + 1), fits.size, max(1, int(fits.sum())))


def _of_routes(problem: CVRP) -> Neighbourhood:
    """A stretch turned around, or a customer moved behind another or to a new route.

    With as few routes R as can be, each holds n / R customers and has the same room
    left, for those customers that need no more than that.
    """
    n, routes = len(problem.demands), least_routes(problem)
    each = n / routes
    room = problem.capacity - problem.demands.sum() / routes
    elsewhere = n * (n - each + routes - 1)
    fit = float((problem.demands <= room).mean())
    tried = n * (each - 1) / 2 + fit * elsewhere + n
    listed = n * (n + routes + 1)
    return Neighbourhood(listed, listed, tried)


def least_routes(problem: CVRP) -> int:
    """Number of vehicles that can carry all demands, if these could be divided."""
    return max(1, math.ceil(float(problem.demands.sum()) / problem.capacity))


def fitting(problem: Instance) -> Count:
    """Whether a move changes something that fits: c capacities, or one load."""
    if isinstance(problem, TSP):
        return Count()
    if isinstance(problem, Knapsack):
        return len(problem.capacity) * Count(additions=1, comparisons=2)
    return Count(additions=2, comparisons=5)


def difference(problem: Instance) -> Count:
    """Objectives of a neighbour from those of the solution.

    Tours: four edges with their places in the table, per objective four distances and
    the ways back. Knapsacks: per objective one value less and one more. Routes: six
    distances with their places, the ends of both routes, and the longest of the rest.
    """
    m = problem.num_objectives
    if isinstance(problem, TSP):
        edges = Count(additions=6, multiplications=4, comparisons=3)
        return edges + m * Count(additions=6, copies=1)
    if isinstance(problem, Knapsack):
        return m * Count(additions=2, comparisons=1, copies=1)
    return Count(additions=20, multiplications=6, comparisons=18, copies=2)


def covered(m: int, front_size: float) -> Count:
    """Whether a member is as good: a binary search, or a scan of part of the front."""
    rounded = Count(additions=1, multiplications=1, comparisons=2)
    if m == 2:
        return 2 * rounded + Count(comparisons=4 * math.log2(front_size + 2))
    return SCANNED * m * front_size * rounded


def _entry(problem: Instance, front_size: float) -> Count:
    """Copy a solution, change a third of it, measure and store it.

    Routes are known here and only summed up, not decoded. Half of the archive's order
    moves up.
    """
    n, m = problem.space.num_positions, problem.num_objectives
    measured = evaluation(problem)
    if isinstance(problem, CVRP):
        measured = n * Count(additions=4, multiplications=2, comparisons=4, copies=2)
    stored = archive(m, front_size) + Count(copies=n + front_size / 2)
    return Count(copies=4 * n / 3) + measured + stored


def _regions(problem: Instance, method: ParetoLocalSearch, front_size: float) -> Count:
    """What surrounds one scan: the choice among F members, and a share of cooperation.

    A scan looks for its solution in the archive, F n comparisons of copies. After
    ``period`` scans of each region, all members are weighed by R regions, three times,
    and by the L weight vectors of the lattice, twice.
    """
    n, m = problem.space.num_positions, problem.num_objectives
    lattice = len(spread_weights(m, method.num_weights))
    choice = Count(comparisons=3 + n, copies=3 + n) + multiply_adds(m)
    sums = 3 * method.regions + 2 * lattice
    shared = sums * (multiply_adds(m) + Count(additions=1, comparisons=1))
    scans = method.regions * method.period
    return front_size * (choice + (1 / scans) * shared)
