"""Tours by weighted sums: one run of LKH for each weight vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.references.common import (
    Clock,
    Front,
    best_of,
    need,
    require_problem,
)
from divlearn.problems import TSP
from divlearn.scalarization import simplex_lattice

LICENCE = " Its licence and that of LKH inside it allow non-commercial use only."

#: Distances become whole numbers, as LKH wants them; of unit squares with six digits.
SCALE = 1e6


def front(problem: Any, num_weights: int = 101, runs: int = 1) -> Front:
    """Solve the weighted sum of all distance matrices for each weight vector.

    Parameters
    ----------
    problem
        A TSP with at least 3 cities.
    num_weights
        Least number of weight vectors: 101 gives 101 for two objectives and 105 for
        three.
    runs
        Runs of LKH for each weight vector.

    Returns
    -------
    The front, with one evaluation per weight vector: LKH sees the whole instance, so
    evaluations say nothing about its work.
    """
    clock = Clock()
    found = [problem.evaluate(tour) for tour in tours(problem, num_weights, runs)]
    return Front(best_of(problem, found), len(found), clock.read())


def tours(problem: Any, num_weights: int = 101, runs: int = 1) -> np.ndarray:
    """Return the tour found for each weight vector, shape (W, n)."""
    elkai = need("elkai", LICENCE)
    require_problem(problem, TSP, "ws-lkh")
    found = []
    for weights in simplex_lattice(problem.num_objectives, num_weights):
        distances = np.tensordot(weights, problem.distances, axes=1)
        whole = np.rint(SCALE * distances).astype(np.int64)
        closed = elkai.DistanceMatrix(whole.tolist()).solve_tsp(runs=runs)
        found.append(closed[:-1])
    return np.array(found)
