"""Routes as codes that a decoder of the problem understands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.problems.built_in.cvrp import CVRP

#: Customers of each route, in the order of visits.
Routes = Sequence[Sequence[int] | Codes]


def codes_of(problem: CVRP, routes: Routes) -> Codes:
    """Write routes as codes that the problem decodes into the same or shorter routes.

    The cap split gets the lowest level that allows all routes. It cuts the order again
    if that makes the total shorter. The greedy decoder cannot be told where a route
    begins.

    Examples
    --------
    >>> from divlearn.problems import CVRP
    >>> places = [[1, 0], [2, 0], [0, 1]]
    >>> problem = CVRP([0, 0], places, demands=[1, 1, 1], capacity=2)
    >>> problem.routes(problem.space.decode(codes_of(problem, [[2], [0, 1]])))
    [[2], [0, 1]]
    """
    order = np.concatenate([np.array(route, np.int64) for route in routes])
    if problem.decoder == "greedy":
        return order
    if problem.decoder == "flags":
        starts = np.zeros(len(order), np.int64)
        starts[np.cumsum([0, *map(len, routes[:-1])])] = 1
        return np.concatenate([order, starts])
    assert problem.compiled is not None
    depot, ways = len(order), problem.compiled.table
    tours = [np.array([depot, *route, depot]) for route in routes]
    # Added up one by one, as the decoder does, so that both agree about a limit.
    longest = max(sum(ways[tour[:-1], tour[1:]].tolist()) for tour in tours)
    return np.append(order, np.searchsorted(problem.limits, longest))
