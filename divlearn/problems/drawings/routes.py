"""Routes of vehicles from a depot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    read_array,
    read_names,
    read_order,
    set_fields,
)


@dataclass(frozen=True, eq=False)
class Routes(Drawing):
    """A design is an order of customers, cut into routes.

    A route ends where the next customer does not fit, and before every customer whose
    flag is set. With ``limits`` the order is cut where the total length is least and no
    route longer than the limit that the design names, as in
    :class:`divlearn.problems.CVRP`.

    Parameters
    ----------
    depot
        Its place, shape (2,).
    customers
        Their places, shape (n, 2).
    demands
        What each customer needs, shape (n,); 0 by default.
    capacity
        What a vehicle carries; no limit by default.
    order, starts, limit
        Names of the parts of a design: the order, or None if it is the whole design;
        a flag per place in the order; a number of a limit.
    limits
        Longest allowed routes; None for no limit.
    distances
        Ways between depot and customers, shape (n + 1, n + 1), the depot first;
        straight lines by default.
    names
        Names of the customers, n of them; their numbers by default.

    Examples
    --------
    >>> from divlearn.problems.drawings import Routes
    >>> drawing = Routes((0, 0), [(1, 0), (2, 0), (0, 1)], [1, 1, 1], capacity=2)
    >>> drawing.sketch([2, 0, 1])["panels"][0]["lines"]  # 0 is the depot
    [[0, 3, 1, 0], [0, 2, 0]]
    """

    kind: ClassVar[str] = "routes"

    depot: Any
    customers: Any
    demands: Any = None
    capacity: float | None = None
    order: str | None = None
    starts: str | None = None
    limit: str | None = None
    limits: Any = None
    distances: Any = None
    names: Any = None

    def __post_init__(self) -> None:
        customers = read_array("customers", self.customers, ("n", 2))
        n = len(customers)
        given = np.zeros(n) if self.demands is None else self.demands
        distances = self.distances
        if distances is not None:
            distances = read_array("distances", distances, (n + 1, n + 1))
        limits = self.limits
        if limits is not None:
            limits = np.array([math.inf if v is None else v for v in limits], float)
        set_fields(
            self,
            depot=read_array("depot", self.depot, (2,)),
            customers=customers,
            demands=read_array("demands", given, (n,)),
            names=read_names("names", self.names, n),
            distances=distances,
            limits=limits,
        )

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return the routes, point 0 being the depot."""
        routes = self._routes(x)
        points = [self.depot.tolist(), *self.customers.tolist()]
        lines = [[0, *(customer + 1 for customer in route), 0] for route in routes]
        return {
            "kind": self.kind,
            "labels": ["depot", *labels(self.names, len(self.customers))],
            "panels": [{"title": "", "points": points, "lines": lines}],
            "depot": 0,
            "loads": [float(self.demands[route].sum()) for route in routes],
            "capacity": self.capacity,
            "note": "",
        }

    def _routes(self, x: Value) -> list[list[int]]:
        """The customers of each route, in the order of visits."""
        order = read_order(x, self.order, len(self.customers), "customers")
        if self.limits is not None and self.limit is not None:
            cuts = self._shortest(order, float(self.limits[self._part(x, self.limit)]))
        else:
            flags = [] if self.starts is None else list(self._part(x, self.starts))
            cuts = self._when_full(order, flags)
        ends = [*cuts[1:], len(order)]
        return [order[i:j] for i, j in zip(cuts, ends, strict=True) if j > i]

    @staticmethod
    def _part(x: Value, name: str) -> Any:
        """A part of a design."""
        if not isinstance(x, dict) or name not in x:
            raise InputError(f"a design must have a part {name!r} to be drawn.")
        return x[name]

    def _when_full(self, order: list[int], flags: Sequence[Any]) -> list[int]:
        """Where routes begin: at flags, and where a customer does not fit."""
        most = math.inf if self.capacity is None else self.capacity
        cuts, load = [0], 0.0
        for i, customer in enumerate(order):
            load += self.demands[customer]
            if i and (load > most or (len(flags) > i and bool(flags[i]))):
                cuts.append(i)
                load = float(self.demands[customer])
        return cuts

    def _shortest(self, order: list[int], limit: float) -> list[int]:
        """Where routes begin if their total length is least (Bellman)."""
        n, ways = len(order), self._ways()
        most = math.inf if self.capacity is None else self.capacity
        cheapest, previous = [0.0] + [math.inf] * n, [0] * (n + 1)
        for i in range(n):
            place, load, way = 0, 0.0, 0.0
            for j in range(i, n):
                here = order[j] + 1
                load, way = load + self.demands[here - 1], way + ways[place, here]
                if load > most or way > limit:
                    break
                length = way + ways[here, 0]
                if length <= limit and cheapest[i] + length < cheapest[j + 1]:
                    cheapest[j + 1], previous[j + 1] = cheapest[i] + length, i
                place = here
        cuts = [n]
        while cuts[-1] > 0:
            cuts.append(previous[cuts[-1]])
        return cuts[:0:-1]

    def _ways(self) -> Any:
        """Distances, the depot first, shape (n + 1, n + 1)."""
        if self.distances is not None:
            return self.distances
        points = np.vstack([self.depot, self.customers])
        return np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))
