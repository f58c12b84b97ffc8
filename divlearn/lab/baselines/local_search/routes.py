"""Vehicle routes for Pareto local search: customers moved, stretches reversed."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Codes, Floats
from divlearn.lab.baselines.route_codes import codes_of
from divlearn.lab.kernels.local_search.front import Front, Scan
from divlearn.lab.kernels.local_search.routes import (
    Routes,
    describe,
    scan_routes,
)
from divlearn.problems.built_in.cvrp import CVRP
from divlearn.problems.built_in.cvrp_decoders import measure_routes

#: Share of the customers that a kick removes from their routes.
MOVED = 0.15


class RouteMoves:
    """Moves of routes: an order of the customers, and marks where a route begins.

    Parameters
    ----------
    problem
        A CVRP whose decoder can be told where a route begins.
    """

    def __init__(self, problem: CVRP) -> None:
        assert problem.compiled is not None
        self.problem = problem
        self.table = problem.compiled.table
        self.count = n = len(problem.demands)
        self.ways = self.table[: n + 1, : n + 1]
        self.length = 2 * n
        self.routes = Routes(
            np.zeros(n, np.int64),
            np.zeros(n + 1, np.int64),
            np.zeros(n),
            np.zeros(n),
            np.zeros(n),
            np.zeros(4, np.int64),
        )
        self.decodes = problem.decoder == "cap-split"
        first = self.start(np.ones(2), np.random.default_rng(0))
        self.first: Codes | None = first
        values = self.evaluate(self.decoded(self.codes(first)))
        self.units = np.where(values > 0.0, values, 1.0)

    def start(self, weights: Floats, rng: np.random.Generator) -> Codes:
        """Start each route at a random customer and go to the nearest that fits."""
        demands, capacity = self.problem.demands, self.problem.capacity
        open_ways = self.ways[:, : self.count].copy()
        plan: list[list[int]] = []
        left = set(range(self.count))
        room = 0.0
        while left:
            fitting = [c for c in left if demands[c] <= room]
            if fitting:
                ways = open_ways[plan[-1][-1], fitting]
                customer = fitting[int(ways.argmin())]
            else:
                customer = int(rng.choice(sorted(left)))
                plan.append([])
                room = capacity
            plan[-1].append(customer)
            room -= demands[customer]
            left.remove(customer)
        return _marked(plan)

    def kick(self, x: Codes, weights: Floats, rng: np.random.Generator) -> Codes:
        """Remove customers near a random one, and put each where it costs least."""
        around = self.ways[int(rng.integers(self.count)), : self.count]
        count = min(self.count, 2 + int(MOVED * self.count))
        moved = rng.permutation(np.argsort(around, kind="stable")[:count])
        cuts = np.flatnonzero(x[self.count :])[1:]
        plan = [route.tolist() for route in np.split(x[: self.count], cuts)]
        plan = [[c for c in route if c not in moved] for route in plan]
        plan = [route for route in plan if route]
        for customer in moved.tolist():
            self._insert(plan, customer)
        return _marked(plan)

    def _insert(self, plan: list[list[int]], customer: int) -> None:
        """Put a customer where the total grows least, perhaps on a new route."""
        n, ways, demands = self.count, self.ways, self.problem.demands
        room = self.problem.capacity - demands[customer]
        least, where = ways[n, customer] + ways[customer, n], (len(plan), 0)
        for number, route in enumerate(plan):
            if demands[route].sum() > room:
                continue
            stops = np.array([n, *route, n])
            more = ways[stops[:-1], customer] + ways[customer, stops[1:]]
            more -= ways[stops[:-1], stops[1:]]
            if more.min() < least:
                least, where = more.min(), (number, int(more.argmin()))
        if where[0] == len(plan):
            plan.append([])
        plan[where[0]].insert(where[1], customer)

    def evaluate(self, x: Codes) -> Floats:
        """Total length and longest route."""
        y = np.empty(2)
        measure_routes(x, self.table, x[self.count :], y)
        return y

    def begin(self, scan: Scan, rng: np.random.Generator) -> None:
        """Begin with a random customer."""
        scan.place[:] = rng.integers(self.count), 0, 0, 0
        describe(scan.x, self.table, self.routes)

    def scan(self, front: Front, scan: Scan, limit: int) -> int:
        """Make the remaining moves."""
        return scan_routes(front, scan, self.table, self.routes, limit)

    def codes(self, x: Codes) -> Codes:
        """Write routes for the decoder of the problem."""
        cuts = np.flatnonzero(x[self.count :])[1:]
        return codes_of(self.problem, np.split(x[: self.count], cuts))

    def decoded(self, codes: Codes) -> Codes:
        """Return the order with marks where the decoder begins a route."""
        starts = self.problem.route_starts(codes)
        return np.concatenate([codes[: self.count], starts])


def _marked(plan: list[list[int]]) -> Codes:
    """Write routes as an order with a mark where a route begins."""
    starts = [place == 0 for route in plan for place in range(len(route))]
    order = [customer for route in plan for customer in route]
    return np.array([*order, *starts], np.int64)
