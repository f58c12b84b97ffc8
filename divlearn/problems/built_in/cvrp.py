"""Vehicle routes that are short in total and fair in length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats, Value
from divlearn.problems import drawings
from divlearn.problems.built_in import cvrp_decoders as decoders
from divlearn.problems.built_in.arrays import (
    between_points,
    both_directions,
    read_capacity,
    read_numbers,
)
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import interpolate
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.spaces import Binary, Composite, Integer, Permutation, Space

DECODERS = ("cap-split", "greedy", "flags")

#: Limits are wider by this than the routes they come from, because the same route
#: driven the other way may round to another length.
ROUNDING = 1e-9


class CVRP(BuiltIn):
    """Serve customers from a depot with vehicles of limited capacity.

    The objectives are ``total length`` of all routes and the length of the ``longest
    route``, both minimised. Every customer is visited once, no route carries more
    than the capacity, and the number of vehicles is free.

    Parameters
    ----------
    depot
        Place of the depot, shape (2,); may be None if ``distances`` are given.
    customers
        Places of the n customers, shape (n, 2); may be None as well.
    demands
        What each customer needs, shape (n,); not negative.
    capacity
        What a vehicle carries, a positive number.
    distances
        Instead of straight lines between places: array of shape (n + 1, n + 1),
        ``distances[i][j]`` is the way from i to j, where 0 is the depot and i > 0 is
        customer i - 1; not negative, and not necessarily symmetric.
    decoder
        How a solution becomes routes.

        ``"cap-split"``: an order of all customers and a level for the longest allowed
        route, ``{"order": ..., "limit": ...}``; the order is cut where the total
        length is least under that limit (Bellman).

        ``"greedy"``: an order; a new route begins when a customer does not fit.

        ``"flags"``: an order and a flag for each place in it, ``{"order": ...,
        "starts": ...}``; a new route begins at each flag and when a customer does not
        fit.
    levels
        Number of limits for the cap split. The last one is no limit; the others lie
        evenly between the round trip to the farthest customer, which some route has
        to make, and the longest route of a nearest-neighbour plan without limit.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    depot, customers, demands, capacity, distances, decoder, levels
        The instance; depot and customers, or distances, are None if not given.
    limits
        Longest allowed route at each level of the cap split, shape (levels,).

    Examples
    --------
    >>> from divlearn.problems import CVRP
    >>> places = [[1, 0], [2, 0], [0, 1]]
    >>> problem = CVRP([0, 0], places, demands=[1, 1, 1], capacity=2, decoder="greedy")
    >>> problem.routes([2, 0, 1])
    [[2, 0], [1]]
    >>> problem.evaluate([0, 1, 2])  # two routes, of lengths 4 and 2
    array([6., 4.])
    """

    fields: ClassVar[Fields] = Fields(
        ("depot", "customers", "demands", "capacity", "distances"),
        ("decoder", "levels"),
    )

    def __init__(
        self,
        depot: Any,
        customers: Any,
        demands: Any,
        capacity: float,
        *,
        distances: Any = None,
        decoder: str = "cap-split",
        levels: int = 64,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.decoder: str = require_one_of("decoder", decoder, DECODERS)
        self.levels: int = require_whole("levels", levels, least=2, most=10_000)
        self.depot: Floats | None = None
        self.customers: Floats | None = None
        self.distances: Floats | None = None
        if distances is None or depot is not None or customers is not None:
            self._read_places(depot, customers)
        if distances is not None:
            self._read_distances(distances)
        self._read_demands(demands, capacity)
        n = len(self.demands)
        self.limits: Floats = self._choose_limits()
        objective, self._mark_starts = {
            "cap-split": (decoders.split_routes, decoders.split_starts),
            "greedy": (decoders.greedy_routes, decoders.greedy_starts),
            "flags": (decoders.flagged_routes, decoders.flagged_starts),
        }[self.decoder]
        super().__init__(
            self._space(),
            None,
            ["total length", "longest route"],
            reference=reference,
            ideal=ideal,
            name=name or f"cvrp-{n}",
            compiled=Compiled(objective, self._table()),
            distance=both_directions(self._ways[:n, :n]),
        )

    def _read_places(self, depot: Any, customers: Any) -> None:
        """Check where depot and customers are; the depot comes last in ``_ways``."""
        text = "an array of shape (n, 2): a place per customer"
        self.customers = read_numbers("customers", customers, ("n", 2), text)
        self.depot = read_numbers("depot", depot, (2,), "a place, two numbers")
        self._ways = between_points(np.vstack([self.customers, self.depot]))

    def _read_distances(self, distances: Any) -> None:
        """Check the distances, which take precedence over places."""
        size = ("n", "n") if self.customers is None else self._ways.shape
        text = "an array of shape (n + 1, n + 1): the depot, then n customers"
        read = read_numbers("distances", distances, size, text, least=0.0)
        if len(read) < 2:
            raise InputError(f"distances must be {text}, got shape {read.shape}.")
        last = np.roll(np.arange(len(read)), -1)
        self._ways, self.distances = read[np.ix_(last, last)], read

    def _read_demands(self, demands: Any, capacity: float) -> None:
        """Check demands and capacity."""
        n = len(self._ways) - 1
        text = f"an array of shape ({n},): a number per customer"
        self.demands: Floats = read_numbers("demands", demands, (n,), text, least=0.0)
        self.capacity: float = read_capacity(capacity)
        if self.demands.max() > self.capacity:
            most = int(self.demands.argmax())
            raise InputError(
                "every customer must fit into a vehicle, got "
                f"demands[{most}] = {self.demands[most]:g} with a capacity of "
                f"{self.capacity:g}; raise the capacity or divide the customer."
            )

    def _space(self) -> Space:
        """Return the space of solutions."""
        order = Permutation(len(self.demands))
        if self.decoder == "greedy":
            return order
        if self.decoder == "flags":
            return Composite(order=order, starts=Binary(len(self.demands)))
        return Composite(order=order, limit=Integer(0, self.levels - 1))

    def _choose_limits(self) -> Floats:
        """Spread the limits of the cap split over the lengths that matter."""
        least = (self._ways[-1] + self._ways[:, -1]).max()
        nearby = _longest_nearby_route(self._ways, self.demands, self.capacity)
        steps = np.linspace(least, max(least, nearby), self.levels - 1)
        return np.append(steps * (1.0 + ROUNDING), np.inf)

    def _table(self) -> Floats:
        """Lay out the instance as the decoders read it."""
        n = len(self.demands)
        rows = -(-len(self.limits) // (n + 2))
        table = np.zeros((n + 2 + rows, n + 2))
        table[: n + 1, : n + 1] = self._ways
        table[:n, n + 1] = self.demands
        table[n + 1, 0] = self.capacity
        table[n + 2 :].reshape(-1)[: len(self.limits)] = self.limits
        return table

    @property
    def drawing(self) -> Drawing | None:
        """The routes on a map; None if nobody said where customers are."""
        if self.depot is None or self.customers is None:
            return None
        split, flags = self.decoder == "cap-split", self.decoder == "flags"
        return drawings.Routes(
            self.depot,
            self.customers,
            self.demands,
            self.capacity,
            order="order" if split or flags else None,
            starts="starts" if flags else None,
            limit="limit" if split else None,
            limits=self.limits if split else None,
            distances=self.distances,
        )

    def routes(self, x: Value) -> list[list[int]]:
        """Decode a solution: the customers of each route in the order of visits."""
        codes = self.space.encode(x)
        n = len(self.demands)
        cuts = np.flatnonzero(self.route_starts(codes))[1:]
        return [route.tolist() for route in np.split(codes[:n], cuts)]

    def route_starts(self, codes: Codes) -> Codes:
        """Mark where in the order of a solution's codes a route begins, shape (n,)."""
        assert self.compiled is not None
        starts = np.empty(len(self.demands), np.int64)
        self._mark_starts(codes, self.compiled.table, starts)
        return starts

    def canonical(self, x: Value) -> Value:
        """Return the same routes with all flags set, or under the lowest limit."""
        codes = self.space.encode(x)
        n = len(self.demands)
        if self.decoder == "flags":
            codes[n:] = self.route_starts(codes)
        elif self.decoder == "cap-split":
            longest = self.evaluate(x)[1]
            codes[n] = np.searchsorted(self.limits, longest)
        return self.space.decode(codes)


def _longest_nearby_route(ways: Floats, demands: Floats, capacity: float) -> float:
    """Longest route if each vehicle drives on to the nearest customer while it can.

    It returns to the depot, the last row of ``ways``, when that customer does not fit.
    """
    n = len(demands)
    open_ways = ways[:, :n].copy()
    place, load, length, longest = n, 0.0, 0.0, 0.0
    for _ in range(n):
        customer = int(open_ways[place].argmin())
        if load + demands[customer] > capacity:
            longest = max(longest, length + ways[place, n])
            place, load, length = n, 0.0, 0.0
            customer = int(open_ways[n].argmin())
        load += demands[customer]
        length += ways[place, customer]
        open_ways[:, customer] = np.inf
        place = customer
    return float(max(longest, length + ways[place, n]))


#: Size and number at the paper's sizes.
REFERENCE = ((20, 30.0), (50, 45.0), (100, 80.0))
CAPACITIES = ((20, 30.0), (50, 40.0), (100, 50.0))
LONGEST = 4.0


def _routes(
    rng: np.random.Generator,
    n: int,
    name: str,
    depot: str = "middle",
    **options: Any,
) -> BuiltIn:
    """Make a vehicle routing problem with the depot in the middle, or anywhere."""
    require_one_of("depot", depot, ("middle", "drawn"))
    sizes, capacities = zip(*CAPACITIES, strict=True)
    customers, demands = rng.random((n, 2)), rng.integers(1, 10, n)
    return CVRP(
        (0.5, 0.5) if depot == "middle" else rng.random(2),
        customers,
        demands,
        round(float(np.interp(n, sizes, capacities))),
        reference=[interpolate(n, REFERENCE), LONGEST],
        ideal=[0.0, 0.0],
        name=name,
        **options,
    )


FAMILIES = {"bicvrp": Family(_routes, options=("decoder", "levels", "depot"))}
