"""Search inside the model of routes: nothing is evaluated but what it finds."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.front import best_member, gain
from divlearn.methods.dl.kernels.models.routes.cutting import cut_order, longest_route
from divlearn.methods.dl.kernels.models.routes.model import Routes
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes
from divlearn.methods.dl.kernels.weights import draw_weights

#: Weight vectors tried for one candidate, solutions looked at under each, and how often
#: these double after failures.
NUM_WEIGHTS, LOOKS, MOST_DOUBLED = 3, 300, 3
#: Most that a step may lead away from the best solution of a walk, as a share of its
#: cost; it falls to nothing until the end.
MOST_WORSE = 0.01
#: Every other walk believes that a route may load more, by at most this: loads that are
#: thought too heavy are found out in no other way.
MORE_ROOM = 0.15
#: One step in so many changes the knob, by at most so much; one in so many is double.
KNOB_STEP, FARTHEST, DOUBLE = 10, 3, 4
#: Longest stretch that is taken along, as a share of one over this of all items, and
#: the longest short one.
LONG_SHARE, SHORT = 4, 3


@lean_kernel
def search_routes(state: DifferenceState, x: Codes) -> int:
    """Write what the model leads a member to; return the member's slot, -1 for none."""
    control, weights = state.control[0], state.weights[OF_TABLES]
    record = state.routes.record[0]
    control.table_tries = 0
    for _ in range(NUM_WEIGHTS):
        draw_weights(state, OF_TABLES)
        slot = best_member(state.archive, control.archive_size, weights)
        looks = LOOKS << min(MOST_DOUBLED, record.failures)
        room = 1.0 + max(0.0, MORE_ROOM * (2.0 * uniform(state.rng) - 1.0))
        _walk_from(state, slot, room, looks)
        write_codes(state.routes, state.routes.best, x)
        if is_new(state, x, False) and _promises(state, room):
            record.failures = 0
            return int(slot)
    record.failures += 1
    return -1


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
def predict_routes(routes: Routes, x: Codes, room: float, outputs: Floats) -> None:
    """Write both outputs that the model expects where a route may load ``room``."""
    n, total = routes.loads.shape[0], routes.record[0].total
    limit, previous = float(routes.limits[x[n]]), routes.previous
    outputs[total] = cut_order(
        x, routes.ways, routes.loads, room, limit, routes.cheapest, previous
    )
    outputs[1 - total] = longest_route(x, routes.ways, previous)


@lean_kernel
def _promises(state: DifferenceState, room: float) -> bool:
    """Whether what the walk led to is expected to add something to the front."""
    routes, size = state.routes, state.control[0].archive_size
    predict_routes(routes, routes.best, room, state.outputs)
    return bool(gain(state.archive, size, state.outputs, state.low, state.high) > 0.0)


@lean_kernel
def _walk_from(state: DifferenceState, slot: int, room: float, looks: int) -> None:
    """Walk from a member, never far from the best so far, which stays in ``best``.

    How far is drawn anew for each walk, and shrinks on the way.
    """
    routes, rng, y = state.routes, state.rng, state.outputs
    weights, trial = state.weights[OF_TABLES], routes.trial
    read_codes(routes, state.archive.solutions[slot], routes.walker)
    copy_codes(routes.walker, routes.best)
    predict_routes(routes, routes.walker, room, y)
    least = weights[0] * y[0] + weights[1] * y[1]
    slack = MOST_WORSE * least * uniform(rng)
    for look in range(looks):
        copy_codes(routes.walker, trial)
        _step(routes, trial, rng)
        predict_routes(routes, trial, room, y)
        cost = weights[0] * y[0] + weights[1] * y[1]
        if cost > least + slack * (1.0 - look / looks):
            continue
        copy_codes(trial, routes.walker)
        if cost < least:
            least = cost
            copy_codes(trial, routes.best)


@lean_kernel
def _step(routes: Routes, x: Codes, rng: Words) -> None:
    """Change the knob a little, or move items once or twice."""
    n = routes.loads.shape[0]
    if below(rng, KNOB_STEP) == 0:
        step = 1 + below(rng, FARTHEST)
        level = x[n] + (step if below(rng, 2) == 0 else -step)
        x[n] = min(max(0, level), routes.limits.shape[0] - 1)
        return
    move_near(routes.near, x, routes.place, rng)
    if below(rng, DOUBLE) == 0:
        move_near(routes.near, x, routes.place, rng)


@lean_kernel
def move_near(near: Integers, x: Codes, place: Integers, rng: Words) -> None:
    """Bring an item and one near it together, by one of four moves.

    A stretch between them is reversed; up to three items, or a longer stretch, are
    taken there, perhaps turned round; or the one takes the place beside the other.
    """
    n = near.shape[0]
    for i in range(n):
        place[x[i]] = i
    a = below(rng, n)
    i, j, move = place[a], place[near[a, below(rng, near.shape[1])]], below(rng, 4)
    side = below(rng, 2)
    if move == 0:
        if i < j:
            _reverse(x, i + 1, j)
        else:
            _reverse(x, j, i - 1)
    elif move == 1:
        k = i + 1 - 2 * side
        if 0 <= k < n:
            x[k], x[j] = x[j], x[k]
    else:
        longest = SHORT if move == 2 else max(1, n // LONG_SHARE)
        last = min(n, j + 1 + below(rng, longest)) - 1
        if i < j:
            _bring(x, i + side, j, last, rng)
        elif i > last:
            _bring_on(x, j, last, i - side, rng)


@lean_kernel
def _bring(x: Codes, to: int, first: int, last: int, rng: Words) -> None:
    """Take the stretch from ``first`` to ``last`` back to place ``to``."""
    if below(rng, 2) == 0:
        _reverse(x, first, last)
    _reverse(x, to, first - 1)
    _reverse(x, to, last)


@lean_kernel
def _bring_on(x: Codes, first: int, last: int, to: int, rng: Words) -> None:
    """Take the stretch from ``first`` to ``last`` on, so that it ends at ``to``."""
    if below(rng, 2) == 0:
        _reverse(x, first, last)
    _reverse(x, last + 1, to)
    _reverse(x, first, to)


@lean_kernel
def _reverse(x: Codes, i: int, j: int) -> None:
    """Reverse ``x[i : j + 1]``."""
    while i < j:
        x[i], x[j] = x[j], x[i]
        i += 1
        j -= 1
