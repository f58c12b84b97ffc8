"""Vehicle routes by PyVRP: the smallest total length under limits on every route."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.basics.typing import Floats
from divlearn.lab.baselines.route_codes import Routes, codes_of
from divlearn.lab.baselines.weights import spread_weights
from divlearn.methods.others.base import Ledger, WholeSolver
from divlearn.problems.built_in.cvrp import CVRP

#: Lengths and demands become whole numbers, which PyVRP needs: this is the longest
#: distance, and the capacity unless all demands are whole.
LONGEST, FULL = 20_000, 1_000_000
#: Iterations of PyVRP over all limits, by customers: about 1, 5 and 6 CPU seconds.
ITERATIONS = ((20, 7_500), (50, 14_000), (100, 13_000))


@dataclass(frozen=True)
class RouteLimits(WholeSolver):
    """Shortest plans by PyVRP under each of several limits on the longest route.

    The first call has no limit. The others have limits that are evenly spaced between
    the round trip to the farthest customer, which some route has to make, and the
    longest route of the first call.

    Every limit is one call of PyVRP. If it finds a plan, the plan is written as a
    solution of the problem and evaluated, which is one evaluation; what PyVRP examines
    inside is not counted. With a budget below the number of limits, a spread-out
    selection is used.

    N. Wouda, L. Lan, W. Kool, "PyVRP: a high-performance VRP solver package", INFORMS
    Journal on Computing 36 (2024).

    Parameters
    ----------
    num_limits
        Number of limits, including the call without one.
    iterations
        Iterations of PyVRP over all limits; if None, chosen by the number of customers.

    Examples
    --------
    >>> from divlearn.lab.baselines.route_limits import RouteLimits
    >>> RouteLimits(num_limits=10).iterations is None
    True
    """

    name: ClassVar[str] = "pyvrp"

    num_limits: int = 30
    iterations: int | None = None

    def __post_init__(self) -> None:
        require_whole("num_limits", self.num_limits, least=1)
        if self.iterations is not None:
            require_whole("iterations", self.iterations, least=1)

    def require(self, problem: Any) -> None:
        """Refuse all but routes whose decoder can be told where a route begins."""
        if not isinstance(problem, CVRP) or problem.decoder == "greedy":
            raise InputError(
                f"{self.name} handles CVRP problems with decoder 'cap-split' or "
                "'flags', such as bicvrp-20 or VRPLIB files, got "
                f"{getattr(problem, 'name', problem)!r}; use dl or nsga2."
            )
        need("pyvrp")

    def solve(self, problem: Any, ledger: Ledger, seed: int) -> None:
        """Plan without a limit, then under one limit after another."""
        ways = _ways(problem)
        planner = _Planner(problem, ways, self._steps(problem), seed)
        longest = _plan(problem, ledger, planner, np.inf)
        least = _farthest(ways)
        if not np.isfinite(longest):
            return
        limits = np.linspace(least, longest, self.num_limits)[:-1]
        for place in _spread_order(len(limits)):
            _plan(problem, ledger, planner, float(limits[place]))

    def _steps(self, problem: CVRP) -> int:
        """Iterations under each limit."""
        total = self.iterations
        if total is None:
            sizes, numbers = zip(*ITERATIONS, strict=True)
            total = int(np.interp(len(problem.demands), sizes, numbers))
        return max(1, total // self.num_limits)


class _Planner:
    """An instance as PyVRP reads it, and the settings of each call."""

    def __init__(self, problem: CVRP, ways: Floats, steps: int, seed: int) -> None:
        self.pyvrp = need("pyvrp")
        self.scale = LONGEST / (ways.max() or 1.0)
        self.data = _write(self.pyvrp, problem, np.rint(self.scale * ways))
        self.steps = steps
        self.seed = seed % 2**32

    def plan(self, limit: float) -> Routes | None:
        """Return short routes under the limit; None if none were found."""
        data = self.data
        if np.isfinite(limit):
            (kind,) = data.vehicle_types()
            most = round(self.scale * limit) + 1  # both legs of a round trip round
            data = data.replace(vehicle_types=[kind.replace(max_distance=most)])
        stop = self.pyvrp.stop.MaxIterations(self.steps)
        answer = self.pyvrp.solve(
            data, stop, self.seed, collect_stats=False, display=False
        )
        if not answer.is_feasible():
            return None
        return [
            [stop.idx for stop in route if stop.is_client()]
            for route in answer.best.routes()
        ]


def _plan(problem: CVRP, ledger: Ledger, planner: _Planner, limit: float) -> float:
    """Make and evaluate a plan under the limit; return its longest route."""
    if ledger.left < 1:
        return np.inf
    ledger.call_solver("PyVRP")
    routes = planner.plan(limit)
    if routes is None:
        return np.inf
    return float(ledger.evaluate(codes_of(problem, routes))[1])


def _write(pyvrp: Any, problem: CVRP, ways: Floats) -> Any:
    """Write the instance for PyVRP, with a vehicle for every customer."""
    demands, capacity = problem.demands, problem.capacity
    if not np.array_equal(demands, np.rint(demands)):
        demands, capacity = np.ceil(demands * (FULL / capacity)), FULL
    model = pyvrp.Model()
    places = [model.add_location(0, 0) for _ in ways]
    model.add_depot(places[0])
    for place, demand in zip(places[1:], demands, strict=True):
        model.add_client(place, delivery=int(demand))
    model.add_vehicle_type(len(demands), capacity=int(capacity))
    for i, start in enumerate(places):
        for j, stop in enumerate(places):
            if i != j:
                model.add_edge(start, stop, int(ways[i, j]))
    return model.data()


def _ways(problem: CVRP) -> Floats:
    """Distances with the depot first, shape (n + 1, n + 1)."""
    if problem.distances is not None:
        return problem.distances
    assert problem.depot is not None
    assert problem.customers is not None
    places = np.vstack([problem.depot, problem.customers])
    distances: Floats = np.linalg.norm(places[:, None] - places, axis=2)
    return distances


def _farthest(ways: Floats) -> float:
    """Length of the round trip to the farthest customer, by the shortest ways.

    Distances from files may be shorter with a stop in between.
    """
    shortest = ways.copy()
    for stop in range(len(ways)):
        shortest = np.minimum(shortest, shortest[:, [stop]] + shortest[stop])
    return float((shortest[0] + shortest[:, 0]).max())


def _spread_order(count: int) -> list[int]:
    """Order 0 .. count - 1 so that every initial part is spread out."""
    if count < 2:
        return list(range(count))
    shares = spread_weights(2, count)[:, 0]
    return [round(share * (count - 1)) for share in shares]
