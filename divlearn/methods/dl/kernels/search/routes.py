"""Search inside the model of routes: nothing is evaluated but what it finds."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.front import is_covered, measure_front
from divlearn.methods.dl.kernels.models.routes.cutting import cut_order, longest_route
from divlearn.methods.dl.kernels.models.routes.fleet import anneal_fleet, read_fleet
from divlearn.methods.dl.kernels.models.routes.model import (
    ROUNDING,
    Routes,
    limit_of,
)
from divlearn.methods.dl.kernels.state import DifferenceState

#: Values of the knob tried for one candidate, changes looked at per item under each,
#: and how often these double after failures.
NUM_LEVELS, LOOKS, MOST_DOUBLED = 2, 400, 3
#: Multiples of it leave no large gap between 0 and 1.
GOLDEN = 0.6180339887498949
#: What a change may usually cost, by the usual way between two items: at first, drawn
#: between two shares for each search, and in the end.
HOTTEST, WARM, COLD = 0.5, 0.1, 0.01
#: Every other search believes that a route may load more, mostly a little and at most
#: this: loads that are thought too heavy are found out in no other way. One in so many
#: believes that a limit is wider than was seen.
MORE_ROOM, WIDER = 0.15, 4


@lean_kernel
def search_routes(state: DifferenceState, x: Codes) -> int:
    """Write what the model leads a member to; return the member's slot, -1 for none."""
    control, routes = state.control[0], state.routes
    record = routes.record[0]
    measure_front(state.archive, control.archive_size, state.low, state.high)
    for _ in range(NUM_LEVELS):
        level = _draw_level(state)
        limit = _believed_limit(state, level)
        room = 1.0 + MORE_ROOM * max(0.0, 2.0 * uniform(state.rng) - 1.0) ** 3
        slot = _shortest_member(state, level)
        read_codes(routes, state.archive.solutions[slot], routes.best)
        routes.best[routes.loads.shape[0]] = level
        _anneal(state, room, limit, LOOKS << min(MOST_DOUBLED, record.failures))
        write_codes(routes, routes.best, x)
        if is_new(state, x, False) and _promises(state, room, limit):
            record.failures = 0
            return slot
    record.failures += 1
    return -1


@lean_kernel
def _draw_level(state: DifferenceState) -> int:
    """Choose any value of the knob, or draw a member's.

    Any by turns, and far from those before, so that none is left out for long. A
    member's is the tightest that allows it, or the next one, which does not.
    """
    routes, size = state.routes, num_levels(state.routes)
    if below(state.rng, 2) == 0:
        routes.record[0].turns += 1
        turn = GOLDEN * routes.record[0].turns
        return int(size * (turn - math.floor(turn)))
    way = routes.record[0].tighter
    rank = below(state.rng, state.control[0].archive_size)
    longest = state.archive.keys[state.archive.order[rank], 1 - routes.record[0].total]
    level = 0 if way > 0 else size - 1
    while 0 <= level + way < size and limit_of(routes, level) < longest:
        level += way
    tighter = level - way * below(state.rng, 2)
    return tighter if 0 <= tighter < size else level


@lean_kernel
def num_levels(routes: Routes) -> int:
    """How many values the knob has."""
    return int(routes.limits.shape[0])


@lean_kernel
def _believed_limit(state: DifferenceState, level: int) -> float:
    """Longest route at a value of the knob: as seen, or up to what the next allows."""
    routes = state.routes
    limit, wider = limit_of(routes, level), level + routes.record[0].tighter
    if below(state.rng, WIDER) == 0 and 0 <= wider < num_levels(routes):
        limit += uniform(state.rng) * max(0.0, limit_of(routes, wider) - limit)
    return limit


@lean_kernel
def _shortest_member(state: DifferenceState, level: int) -> int:
    """Slot of the member of least total whose routes a value of the knob allows."""
    total, limit = state.routes.record[0].total, limit_of(state.routes, level)
    keys, order = state.archive.keys, state.archive.order
    best, least = -1, 0.0
    for rank in range(state.control[0].archive_size):
        slot = int(order[rank])
        allowed = keys[slot, 1 - total] <= limit
        cost = keys[slot, total]
        if not allowed:  # the one whose longest route is shortest, if all are such
            cost = state.high[total] + keys[slot, 1 - total]
        if best < 0 or cost < least:
            best, least = slot, cost
    return best


@lean_kernel
def _anneal(state: DifferenceState, room: float, limit: float, looks: int) -> None:
    """Shorten the routes of ``best`` inside the model."""
    routes, n = state.routes, state.routes.loads.shape[0]
    best, previous = routes.best, routes.previous
    cheapest = routes.cheapest
    cut_order(best, routes.ways, routes.loads, room, limit, -1, 0, cheapest, previous)
    way = read_fleet(routes.fleet, best, previous, routes.ways) / n
    hot = way * WARM * (HOTTEST / WARM) ** uniform(state.rng)
    anneal_fleet(
        routes.fleet,
        routes.ways,
        routes.loads,
        routes.near,
        room,
        limit,
        looks * n,
        hot,
        way * COLD,
        state.rng,
        best,
    )


@lean_kernel
def read_codes(routes: Routes, x: Codes, into: Codes) -> None:
    """Write a solution of the space with its order first and its knob last."""
    n, knob = routes.loads.shape[0], routes.record[0].knob
    first = 1 if knob == 0 else 0
    for i in range(n):
        into[i] = x[first + i]
    into[n] = x[knob]


@lean_kernel
def write_codes(routes: Routes, solution: Codes, x: Codes) -> None:
    """Write a solution of the model as the space has it."""
    n, knob = routes.loads.shape[0], routes.record[0].knob
    first = 1 if knob == 0 else 0
    for i in range(n):
        x[first + i] = solution[i]
    x[knob] = solution[n]


@lean_kernel
def predict_routes(
    routes: Routes, x: Codes, room: float, limit: float, outputs: Floats
) -> None:
    """Write both outputs that the model expects of routes of this room and limit."""
    total, previous, loads = routes.record[0].total, routes.previous, routes.loads
    outputs[total] = cut_order(
        x, routes.ways, loads, room, limit, -1, 0, routes.cheapest, previous
    )
    outputs[1 - total] = longest_route(x, routes.ways, previous)


@lean_kernel
def _promises(state: DifferenceState, room: float, limit: float) -> bool:
    """Whether what was found is expected to be new to the front, but for rounding.

    It may lie far beyond all members.
    """
    routes, size = state.routes, state.control[0].archive_size
    predict_routes(routes, routes.best, room, limit, state.outputs)
    for j in range(state.low.shape[0]):
        state.delta[j] = ROUNDING * abs(state.outputs[j])
    return not is_covered(state.archive, size, state.outputs, state.delta)
