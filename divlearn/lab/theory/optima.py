"""The least weighted cost of any solution, where it can be known for certain."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.basics.typing import Floats, Integers
from divlearn.lab.theory.samples import Scale
from divlearn.lab.theory.toys import AdditiveToy
from divlearn.problems import TSP, Knapsack, Problem, exact_front


def least_cost(problem: Problem, scale: Scale) -> float:
    """The least :meth:`Scale.cost` of any solution, exactly.

    The toy has its own formula. Of a knapsack with two values the whole front is known
    by dynamic programming, and one of its points is best under any weights. Of a tour
    with symmetric distances an integer program is solved, see :func:`shortest_tour`.
    """
    if isinstance(problem, AdditiveToy):
        return float(scale.cost(np.array([[-problem.best_value()]]))[0])
    if isinstance(problem, Knapsack) and problem.num_objectives == 2:
        _, values = exact_front(problem)
        return float(scale.cost(values * problem.sign).min())
    if isinstance(problem, TSP) and problem.symmetric:
        lengths = np.tensordot(scale.slopes, problem.distances, axes=1)
        tour = shortest_tour(lengths)
        return float(scale.cost(problem.evaluate(tour)[None])[0])
    raise InputError(
        "an exact optimum is known for AdditiveToy, Knapsack with two values and one "
        f"capacity, and TSP with symmetric distances, got {problem.name!r}."
    )


def shortest_tour(lengths: Floats) -> Integers:
    """Find a shortest closed tour by an integer program, and prove it.

    First every city only has to have two ways. As long as the ways make several
    rings, each ring is asked to have two ways out, and the program is solved again.

    Parameters
    ----------
    lengths
        Symmetric matrix, shape (n, n), n >= 3.

    Returns
    -------
    The cities in order, from city 0; shape (n,).

    Examples
    --------
    >>> corners = np.array([[0, 0], [1, 1], [0, 1], [1, 0]])
    >>> shortest_tour(np.linalg.norm(corners[:, None] - corners, axis=2))
    array([0, 2, 1, 3])
    """
    optimize: Any = need("scipy.optimize")
    n = len(lengths)
    i, j = np.triu_indices(n, 1)
    touches = np.array([(i == city) | (j == city) for city in range(n)], float)
    rows, least = [touches], [np.full(n, 2.0)]
    most = [np.full(n, 2.0)]
    while True:
        limits = optimize.LinearConstraint(
            np.concatenate(rows), np.concatenate(least), np.concatenate(most)
        )
        solved = optimize.milp(
            lengths[i, j],
            integrality=np.ones(len(i)),
            bounds=optimize.Bounds(0.0, 1.0),
            constraints=limits,
            options={"mip_rel_gap": 0.0},
        )
        used = solved.x > 0.5
        rings = rings_of(n, i[used], j[used])
        if len(rings) == 1:
            return rings[0]
        leaves = [np.isin(i, ring) != np.isin(j, ring) for ring in rings]
        rows.append(np.array(leaves, float))
        least.append(np.full(len(rings), 2.0))
        most.append(np.full(len(rings), np.inf))


def rings_of(n: int, i: Integers, j: Integers) -> list[Integers]:
    """Follow ways between cities, two at each, from ring to ring.

    Examples
    --------
    >>> rings_of(3, np.array([0, 0, 1]), np.array([1, 2, 2]))
    [array([0, 1, 2])]
    """
    ways: list[list[int]] = [[] for _ in range(n)]
    for a, b in zip(i.tolist(), j.tolist(), strict=True):
        ways[a].append(b)
        ways[b].append(a)
    left, rings = set(range(n)), []
    while left:
        ring = [min(left)]
        while ring[-1] in left:
            left.remove(ring[-1])
            onward = [city for city in ways[ring[-1]] if city in left]
            ring += onward[:1]
        rings.append(np.array(ring))
    return rings
