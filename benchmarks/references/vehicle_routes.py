"""Vehicle routes by PyVRP: the least total length under limits on every route."""

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
from divlearn.errors import InputError
from divlearn.problems import CVRP

#: Lengths become whole numbers, as PyVRP wants them.
SCALE = 1e4
#: Iterations of PyVRP over all limits, by customers: about 1, 5 and 6 CPU seconds.
ITERATIONS = ((20, 7_500), (50, 14_000), (100, 13_000))


def front(
    problem: Any, num_limits: int = 30, iterations: int | None = None, seed: int = 0
) -> Front:
    """Minimise the total length below each of several limits on the longest route.

    The first run has no limit. The others have limits that lie evenly between the
    round trip to the farthest customer, which some route has to make, and the longest
    route of the first run.

    Parameters
    ----------
    problem
        A CVRP, whatever its decoder.
    num_limits
        Number of limits, the first run among them.
    iterations
        Iterations of PyVRP over all limits; chosen by the number of customers if None.
    seed
        Seed of PyVRP.

    Returns
    -------
    The front, with one evaluation per limit: PyVRP sees the whole instance.
    """
    pyvrp = need("pyvrp")
    require_problem(problem, CVRP, "pyvrp")
    clock = Clock()
    ways = _ways(problem)
    data = _data(pyvrp, problem, ways)
    if iterations is None:
        sizes, numbers = zip(*ITERATIONS, strict=True)
        iterations = int(np.interp(len(problem.demands), sizes, numbers))
    steps = max(1, iterations // num_limits)
    found = [_shortest(pyvrp, data, ways, np.inf, steps, seed)]
    assert found[0] is not None, "without a limit every customer has a route"
    least = (ways[0] + ways[:, 0]).max()
    for limit in np.linspace(least, found[0][1], num_limits)[:-1]:
        found.append(_shortest(pyvrp, data, ways, limit, steps, seed))
    points = [point for point in found if point is not None]
    return Front(best_of(problem, points), len(found), clock.read())


def _ways(problem: Any) -> np.ndarray:
    """Distances with the depot first, shape (n + 1, n + 1)."""
    if problem.distances is not None:
        return problem.distances
    places = np.vstack([problem.depot, problem.customers])
    return np.linalg.norm(places[:, None] - places, axis=2)


def _data(pyvrp: Any, problem: Any, ways: np.ndarray) -> Any:
    """Write the instance down for PyVRP, with a vehicle for every customer."""
    if not np.array_equal(problem.demands, np.rint(problem.demands)):
        raise InputError(
            "pyvrp needs demands that are whole numbers, got "
            f"{problem.demands!r}; scale them."
        )
    model = pyvrp.Model()
    places = [model.add_location(0, 0) for _ in ways]
    model.add_depot(places[0])
    for place, demand in zip(places[1:], problem.demands, strict=True):
        model.add_client(place, delivery=int(demand))
    model.add_vehicle_type(len(problem.demands), capacity=int(problem.capacity))
    for i, start in enumerate(places):
        for j, stop in enumerate(places):
            if i != j:
                model.add_edge(start, stop, round(SCALE * ways[i, j]))
    return model.data()


def _shortest(
    pyvrp: Any, data: Any, ways: np.ndarray, limit: float, steps: int, seed: int
) -> tuple[float, float] | None:
    """Total length and longest route of the best plan found; None if there is none."""
    if np.isfinite(limit):
        (kind,) = data.vehicle_types()
        most = round(SCALE * limit) + 1  # both legs of a round trip are rounded
        data = data.replace(vehicle_types=[kind.replace(max_distance=most)])
    stop = pyvrp.stop.MaxIterations(steps)
    answer = pyvrp.solve(data, stop, seed, collect_stats=False, display=False)
    if not answer.is_feasible():
        return None
    lengths = [_length(ways, route) for route in answer.best.routes()]
    return sum(lengths), max(lengths)


def _length(ways: np.ndarray, route: Any) -> float:
    """Length of a route, not rounded."""
    visits = [stop.idx + 1 for stop in route if stop.is_client()]
    return float(ways[[0, *visits], [*visits, 0]].sum())
