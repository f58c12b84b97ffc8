"""Fronts of linear assignment: exact with two costs, best known with more.

With two costs, first all corners of the convex hull, by SciPy's assignment solver;
then, between two corners, every assignment that may lie below the points found. An
assignment differs from the best one by cycles of agents that hand on their tasks,
and its loss is the sum over the cycles. So all cycles are visited whose loss, with the
shortest way to close them, stays within the limit: nothing is left out. With more
costs, Pareto local search from many weighted sums: exchanges of two tasks and cycles
of three, until nothing new is found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.references.common import (
    Clock,
    Front,
    best_of,
    need,
    require_problem,
)
from divlearn.basics.errors import InputError
from divlearn.problems import LinearAssignment

#: What assignments may lose at first, as a part of what they may at most, and how that
#: grows.
FIRST, GROWTH = 64.0, 1.4
#: Room for so many points.
MOST = 100_000
#: Weight vectors of a local search: all with whole parts of this sum.
PARTS = 30
#: Weight of the other cost at the ends of a front.
END = 1e-6
#: Sums closer than this are equal: costs are not whole numbers everywhere.
ROUNDING = 1e-9


def front(problem: Any, exact: bool) -> Front:
    """All points of two sums, or what a Pareto local search finds of any number.

    Parameters
    ----------
    problem
        A linear assignment.
    exact
        Which of the two. Neighbours of a local search count as evaluations.
    """
    name = "exact-assignment" if exact else "pls-assignment"
    require_problem(problem, LinearAssignment, name)
    if exact and problem.num_objectives != 2:
        raise InputError(
            f"exact-assignment needs two costs, got {problem.name!r} with "
            f"{problem.num_objectives}; use pls-assignment."
        )
    _found(problem.costs[:, :3, :3], exact)  # compile
    clock = Clock()
    points, tried = _found(problem.costs, exact)
    return Front(best_of(problem, points), tried, clock.read())


def _found(costs: np.ndarray, exact: bool) -> tuple[np.ndarray, int]:
    """Points, and how many neighbours were tried."""
    if exact:
        return exact_points(costs), 0
    return improve(costs, weighted(costs, PARTS), MOST)


# --- two costs


def exact_points(costs: np.ndarray) -> np.ndarray:
    """All non-dominated points of ``costs``, shape (2, n, n); shape (k, 2)."""
    corners = supported(costs)
    found = [costs[:, np.arange(len(x)), x].sum(axis=1) for x in corners]
    points = [found[-1][None]]
    for x, one, two in zip(corners, found, found[1:], strict=False):
        weights = np.array([one[1] - two[1], two[0] - one[0]])
        points.append(between(costs, x, weights, one, two))
    return np.concatenate(points)


def supported(costs: np.ndarray) -> list[np.ndarray]:
    """Assignments at the corners of the convex hull, by increasing first cost."""
    solve = need("scipy.optimize").linear_sum_assignment
    rows = np.arange(costs.shape[1])

    def best(first: float, second: float) -> np.ndarray:
        return solve(first * costs[0] + second * costs[1])[1]

    def corners(x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        one, two = (costs[:, rows, z].sum(axis=1) for z in (x, y))
        weights = one[1] - two[1], two[0] - one[0]
        z = best(*weights)
        if weights @ (costs[:, rows, z].sum(axis=1) - one) >= -ROUNDING * (
            weights @ one
        ):
            return []
        return [*corners(x, z), z, *corners(z, y)]

    x, y = best(1.0, END), best(END, 1.0)
    if (costs[:, rows, x].sum(axis=1) == costs[:, rows, y].sum(axis=1)).all():
        return [x]
    return [x, *corners(x, y), y]


def between(
    costs: np.ndarray, x: np.ndarray, weights: np.ndarray, one: Any, two: Any
) -> np.ndarray:
    """Points from ``one``, which belongs to ``x``, up to ``two`` without the latter."""
    n = len(x)
    handed = costs[:, :, x]  # what agent i has to pay for the task of agent j
    handed = np.ascontiguousarray(handed - handed[:, np.arange(n), np.arange(n), None])
    change = np.tensordot(weights, handed, 1)
    potential = ways(change)[:, 0]
    loss = np.maximum(0.0, change + potential[None, :] - potential[:, None])
    points = np.empty((MOST, 2))
    points[:2] = one, two
    size = _between(loss, ways(loss), np.argsort(loss, axis=1), handed, weights, points)
    return points[: size - 1]


def ways(change: np.ndarray) -> np.ndarray:
    """Shortest ways between all agents, shape (n, n); there is no negative cycle."""
    ways = change.copy()
    for k in range(len(ways)):
        ways = np.minimum(ways, ways[:, k, None] + ways[None, k])
    return ways


@njit(cache=True)
def _between(loss, back, near, handed, weights, points):
    """Visit all assignments that may lie below the points; return their number."""
    n = loss.shape[0]
    taken, start = np.zeros(n, np.bool_), points[0].copy()
    limit, size = np.zeros(2), np.full(1, 2)
    limit[1] = np.inf
    _lower(points, size, weights, start, limit)
    allowed = limit[0] / FIRST
    while True:  # near ones first: what they find lowers the limit
        limit[1] = allowed
        limit[0] = min(limit[0], allowed)
        for s in range(n):
            taken[s] = True
            _extend(
                s,
                s,
                0.0,
                0.0,
                0.0,
                loss,
                back,
                near,
                handed,
                weights,
                taken,
                start,
                points,
                size,
                limit,
            )
            taken[s] = False
        limit[1] = np.inf
        _lower(points, size, weights, start, limit)
        if allowed >= limit[0]:
            return size[0]
        allowed *= GROWTH


@njit(cache=True)
def _extend(
    c,
    s,
    lost,
    one,
    two,
    loss,
    back,
    near,
    handed,
    weights,
    taken,
    start,
    points,
    size,
    limit,
):
    """Let agent ``c`` of the cycle that began at ``s`` take another's task."""
    n = loss.shape[0]
    for k in range(n):
        j = near[c, k]
        total = lost + loss[c, j]
        if total > limit[0]:
            break
        if j == c or j < s:
            continue
        first, second = one + handed[0, c, j], two + handed[1, c, j]
        if j == s:
            _insert(points, size, weights, start, limit, first, second)
            for t in range(s + 1, n):
                if not taken[t]:
                    taken[t] = True
                    _extend(
                        t,
                        t,
                        total,
                        first,
                        second,
                        loss,
                        back,
                        near,
                        handed,
                        weights,
                        taken,
                        start,
                        points,
                        size,
                        limit,
                    )
                    taken[t] = False
        elif not taken[j] and total + back[j, s] <= limit[0]:
            taken[j] = True
            _extend(
                j,
                s,
                total,
                first,
                second,
                loss,
                back,
                near,
                handed,
                weights,
                taken,
                start,
                points,
                size,
                limit,
            )
            taken[j] = False


@njit(cache=True)
def _insert(points, size, weights, start, limit, first, second):
    """Add a change of the start to the sorted points unless one is as good."""
    first, second = start[0] + first, start[1] + second
    count = size[0]
    place = 0
    while place < count and points[place, 0] <= first + ROUNDING:
        place += 1
    if place == count or (place > 0 and points[place - 1, 1] <= second + ROUNDING):
        return
    low, high = place, place
    while low > 0 and points[low - 1, 0] >= first - ROUNDING:
        low -= 1
    while high < count and points[high, 1] >= second - ROUNDING:
        high += 1
    kept = points[high:count].copy()
    points[low, 0], points[low, 1] = first, second
    points[low + 1 : low + 1 + kept.shape[0]] = kept
    size[0] = low + 1 + kept.shape[0]
    _lower(points, size, weights, start, limit)


@njit(cache=True)
def _lower(points, size, weights, start, limit):
    """Set the limit: what the worst corner between two points loses."""
    most = 0.0
    for k in range(size[0] - 1):
        loss = weights[0] * (points[k + 1, 0] - start[0])
        loss += weights[1] * (points[k, 1] - start[1])
        most = max(most, loss)
    limit[0] = min(limit[1], most * (1.0 - ROUNDING))


# --- more costs


def weighted(costs: np.ndarray, parts: int) -> np.ndarray:
    """Assignments of least weighted sums, shape (k, n)."""
    solve = need("scipy.optimize").linear_sum_assignment
    m = len(costs)
    grid = np.stack(np.meshgrid(*[np.arange(parts + 1)] * m), -1).reshape(-1, m)
    weights = grid[grid.sum(axis=1) == parts] / parts + END
    return np.array([solve(np.tensordot(w, costs, 1))[1] for w in weights])


def improve(costs: np.ndarray, starts: np.ndarray, most: int) -> tuple[Any, int]:
    """Points that no exchange of two and no cycle of three adds to."""
    table = np.ascontiguousarray(costs.transpose(1, 2, 0))
    points, tried = _improve(table, starts.astype(np.int64), most)
    if len(points) == most:
        raise InputError(f"the front has more than {most} points; raise MOST.")
    return points, tried


@njit(cache=True)
def _improve(table, starts, most):
    """Explore every assignment on the front once."""
    n, m = table.shape[0], table.shape[2]
    points, solutions = np.empty((most, m)), np.empty((most, n), np.int64)
    explored = np.zeros(most, np.bool_)
    x, y = np.empty(n, np.int64), np.zeros(m)
    size, tried = 0, 0
    for start in starts:
        y[:] = 0.0
        for i in range(n):
            y += table[i, start[i]]
        size = _enter(points, solutions, explored, size, start, y)
    open_left = True
    while open_left and size < most:
        open_left = False
        at = 0
        while at < size < most:
            if explored[at]:
                at += 1
                continue
            explored[at] = open_left = True
            x[:] = solutions[at]
            base = points[at].copy()
            for i in range(n):
                for j in range(i + 1, n):
                    tried += 1
                    size = _try(
                        table, points, solutions, explored, size, x, base, y, i, j, -1
                    )
                    for k in range(i + 1, n):
                        if k != j:
                            tried += 1
                            size = _try(
                                table,
                                points,
                                solutions,
                                explored,
                                size,
                                x,
                                base,
                                y,
                                i,
                                j,
                                k,
                            )
            at = 0
    return points[:size].copy(), tried


@njit(cache=True)
def _try(table, points, solutions, explored, size, x, base, y, i, j, k):
    """Let i take the task of j, and j that of i, or that of k, who takes that of i."""
    after = k if k >= 0 else i
    better = False
    for c in range(y.shape[0]):
        y[c] = base[c] + table[i, x[j], c] + table[j, x[after], c]
        y[c] -= table[i, x[i], c] + table[j, x[j], c]
        if k >= 0:
            y[c] += table[k, x[i], c] - table[k, x[k], c]
        better = better or y[c] < base[c] - ROUNDING
    if not better or size == points.shape[0]:
        return size
    a, b, c = x[i], x[j], x[after]
    x[after] = a
    x[i], x[j] = b, c
    size = _enter(points, solutions, explored, size, x, y)
    x[after] = c
    x[i], x[j] = a, b
    return size


@njit(cache=True)
def _enter(points, solutions, explored, size, x, y):
    """Add a solution unless one is as good, and drop those that it covers."""
    m = y.shape[0]
    for r in range(size):
        covered = True
        for c in range(m):
            if points[r, c] > y[c] + ROUNDING:
                covered = False
                break
        if covered:
            _swap(points, solutions, explored, r, r // 2)  # may turn the next away, too
            return size
    r = 0
    while r < size:
        covers = True
        for c in range(m):
            if points[r, c] < y[c] - ROUNDING:
                covers = False
                break
        if covers:
            size -= 1
            _swap(points, solutions, explored, r, size)
        else:
            r += 1
    points[size], solutions[size], explored[size] = y, x, False
    return size + 1


@njit(cache=True)
def _swap(points, solutions, explored, a, b):
    """Exchange two rows."""
    for c in range(points.shape[1]):
        points[a, c], points[b, c] = points[b, c], points[a, c]
    for i in range(solutions.shape[1]):
        solutions[a, i], solutions[b, i] = solutions[b, i], solutions[a, i]
    explored[a], explored[b] = explored[b], explored[a]
