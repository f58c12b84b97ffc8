"""Search inside the tables: a candidate that is predicted to be better."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION
from divlearn.kernels.random import below
from divlearn.kernels.scale import tame, tamed
from divlearn.methods.dl.kernels.front import aim_at
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.additive import predict_step
from divlearn.methods.dl.kernels.models.encodings import THERMOMETER
from divlearn.methods.dl.kernels.moves import perturb
from divlearn.methods.dl.kernels.search.cycles import (
    Aim,
    kick_promises,
    list_useful,
    price_pairs,
    try_neighbours,
)
from divlearn.methods.dl.kernels.search.orders import (
    cut_order,
    improve_order,
    price_orders,
)
from divlearn.methods.dl.kernels.search.outlook import Outlook, predicted_gain
from divlearn.methods.dl.kernels.search.tours import (
    aligned,
    choose_near,
    cut_tour,
    improve,
    set_tour,
)
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes, is_limited

#: Random neighbours that are compared by their predicted gain.
NUM_SCREENED = 24
#: Kicks of a member that may lead to something not dominated.
MEMBER_KICKS = 30
#: Random steps looked at in tables whose structure is not known: per position, at most.
STEPS_PER_POSITION, MOST_STEPS = 8, 600
#: Moves of a kick there.
KICK_MOVES = 2
_LEAST_GAIN = 1e-10


@lean_kernel
def improve_cycle(
    state: DifferenceState, weights: Floats, kicks: int, source: Codes, x: Codes
) -> float:
    """Improve the longest permutation of ``source`` as a cycle into ``x``."""
    n, first = state.near.shape[0], state.control[0].first
    tour = cut_tour(state.tour, n)
    base = state.layout.places[first].offset
    price_pairs(state.tables, tour.cost, weights, base)
    choose_near(tour, state.near)
    set_tour(tour, source, first)
    found = improve(tour, kicks, state.words)
    aligned(tour, source, first, x)
    return found


@lean_kernel
def improve_sequence(
    state: DifferenceState,
    weights: Floats,
    kicks: int,
    limit: int,
    source: Codes,
    x: Codes,
) -> float:
    """Improve the longest permutation of ``source`` as an order into ``x``."""
    n, first = state.near.shape[0], state.control[0].first
    order = cut_order(state.order, n)
    price_orders(state.tables, order, weights, state.layout.places[first].offset)
    for i in range(n):
        order.items[i] = source[first + i]
    found = improve_order(order, kicks, limit, state.scratch, state.words)
    for i in range(n):
        x[first + i] = order.items[i]
    return found


@lean_kernel
def choose_values(state: DifferenceState, weights: Floats, x: Codes) -> float:
    """Give every position beside permutations its best value; return the gain.

    Subsets of limited size are left as they are. Tables must have a row for every
    action, and encodings must be built in.
    """
    total = 0.0
    for segment in state.layout.segments:
        if segment.kind == PERMUTATION or is_limited(segment):
            continue
        for i in range(segment.start, segment.stop):
            before = _value_cost(state, weights, segment.kind, i, x[i])
            least, best = before, x[i]
            for value in range(state.layout.places[i].arity):
                cost = _value_cost(state, weights, segment.kind, i, value)
                if cost < least:
                    least, best = cost, value
            total += before - least
            x[i] = best
    return total


@lean_kernel
def _value_cost(
    state: DifferenceState, weights: Floats, kind: int, i: int, value: int
) -> float:
    """What the chosen tables say of a value at position ``i``."""
    cost = 0.0
    tables, offset = state.tables, state.layout.places[i].offset
    for j in range(weights.shape[0]):
        if weights[j] == 0.0:
            continue
        e = tables.chosen[j]
        if kind == ORDINAL and tables.encodings[e] == THERMOMETER:
            for k in range(value):
                cost += weights[j] * tables.mean[e, offset + k, j]
        else:
            cost += weights[j] * tables.mean[e, offset + value, j]
    return cost


@lean_kernel
def improve_steps(
    state: DifferenceState, weights: Floats, kicks: int, limit: int, slot: int, x: Codes
) -> float:
    """Improve ``x``, a copy of member ``slot``, by steps that any tables recommend.

    Nothing is known of their encodings but what they predict, so steps are random ones;
    at most ``limit`` of them are made between kicks, none towards a violation.
    """
    walker = state.changes.child
    total = _descend_steps(state, weights, limit, slot, x)
    for _ in range(kicks):
        copy_codes(x, walker)
        perturb(state, walker, KICK_MOVES)
        gained = -_predicted_cost(state, x, walker, weights)
        gained += _descend_steps(state, weights, limit, slot, walker)
        if gained > _LEAST_GAIN:
            total += gained
            copy_codes(walker, x)
    return total


@lean_kernel
def _predicted_cost(
    state: DifferenceState, x: Codes, y: Codes, weights: Floats
) -> float:
    """Predict all differences from ``x`` to ``y``; return their weighted sum."""
    cost = 0.0
    predict_step(state.tables, state.layout, state.changes, x, y, state.delta)
    for j in range(weights.shape[0]):
        cost += weights[j] * state.delta[j]
    return cost


@lean_kernel
def _descend_steps(
    state: DifferenceState, weights: Floats, limit: int, slot: int, x: Codes
) -> float:
    """Make up to ``limit`` random steps that are predicted to help; return the gain."""
    m, total = state.low.shape[0], 0.0
    _predicted_cost(state, state.archive.solutions[slot], x, weights)
    for j in range(weights.shape[0]):
        state.outputs[j] = tamed(state.archive.outputs[slot, j]) + state.delta[j]
    for _ in range(min(MOST_STEPS, STEPS_PER_POSITION * x.shape[0])):
        copy_codes(x, state.trial)
        perturb(state, state.trial, 1)
        change = _predicted_cost(state, x, state.trial, weights)
        if change > -_LEAST_GAIN or _violates(state.outputs, state.delta, m):
            continue
        total -= change
        for j in range(weights.shape[0]):
            state.outputs[j] += state.delta[j]
        copy_codes(state.trial, x)
        limit -= 1
        if limit <= 0:
            break
    return total


@lean_kernel
def _violates(y: Floats, delta: Floats, m: int) -> bool:
    """Whether ``delta`` leads from ``y`` to more violation of a constraint."""
    found = False
    for j in range(m, y.shape[0]):
        found = found or (delta[j] > 0.0 and y[j] + delta[j] > 0.0)
    return found


@lean_kernel
def update_lists(state: DifferenceState) -> None:
    """List near items anew."""
    tour = cut_tour(state.tour, state.near.shape[0])
    base = state.layout.places[state.control[0].first].offset
    list_useful(
        state.tables, tour, base, state.low, state.high, state.delta, state.near
    )


@lean_kernel
def neighbour_of_member(
    state: DifferenceState, slot: int, x: Codes, kicked: bool
) -> bool:
    """A neighbour of a member that as a cycle promises something new and unseen."""
    size, first = state.control[0].archive_size, state.control[0].first
    n, base = state.near.shape[0], state.layout.places[first].offset
    tour = cut_tour(state.tour, n)
    source, y = state.archive.solutions[slot], state.told
    tame(state.archive.outputs[slot], y)
    outlook = Outlook(
        state.archive, size, state.low, state.high, y, state.delta, state.outputs
    )
    copy_codes(source, x)
    if kicked:
        price_pairs(state.tables, tour.cost, state.weights[OF_TABLES], base)
        choose_near(tour, state.near)
        set_tour(tour, source, first)
        if kick_promises(outlook, state.tables, base, tour, MEMBER_KICKS, state.words):
            aligned(tour, source, first, x)
            return not is_seen(state.seen, hash_solution(state.layout, x, True))
        return False
    weights = state.weights[OF_TABLES]
    slack = aim_at(state.archive, size, y, state.low, state.high, weights)
    aim = Aim(weights, slack)
    set_tour(tour, source, first)
    while state.open[slot] < n:
        number = 0
        while True:
            number = try_neighbours(
                outlook,
                aim,
                state.tables,
                state.near,
                base,
                tour,
                state.open[slot],
                number,
            )
            if number < 0:
                break
            aligned(tour, source, first, x)
            if not is_seen(state.seen, hash_solution(state.layout, x, True)):
                return True
            set_tour(tour, source, first)
        state.open[slot] += 1
    return False


@lean_kernel
def screen(state: DifferenceState, slot: int, x: Codes) -> bool:
    """The one of several random neighbours of a member with most predicted gain."""
    control = state.control[0]
    source, y = state.archive.solutions[slot], state.told
    tame(state.archive.outputs[slot], y)
    outlook = Outlook(
        state.archive,
        control.archive_size,
        state.low,
        state.high,
        y,
        state.delta,
        state.outputs,
    )
    largest = 0.0
    for _ in range(NUM_SCREENED):
        copy_codes(source, state.trial)
        perturb(state, state.trial, 1 + below(state.words, 2))
        predict_step(
            state.tables, state.layout, state.changes, source, state.trial, state.delta
        )
        value = predicted_gain(outlook)
        if value > largest and not is_seen(
            state.seen, hash_solution(state.layout, state.trial, False)
        ):
            largest = value
            copy_codes(state.trial, x)
    return largest > 0.0
