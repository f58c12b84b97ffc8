"""Search inside the tables: a candidate that is predicted to be better."""

from __future__ import annotations

from divlearn.kernels.dl.cycles import (
    Aim,
    kick_promises,
    list_useful,
    price_pairs,
    try_neighbours,
)
from divlearn.kernels.dl.front import aim_at
from divlearn.kernels.dl.memory import hash_solution, is_seen
from divlearn.kernels.dl.orders import cut_order, improve_order, price_orders
from divlearn.kernels.dl.outlook import Outlook
from divlearn.kernels.dl.state import Place
from divlearn.kernels.dl.tables import predict_step
from divlearn.kernels.dl.tours import (
    aligned,
    choose_near,
    cut_tour,
    improve,
    set_tour,
)
from divlearn.kernels.dl.walk import perturb, predicted_gain
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.typing import Codes, Floats

#: Random neighbours that are compared by their predicted gain.
NUM_SCREENED = 24
#: Members whose neighbours are looked at for one candidate.
NUM_MEMBERS = 8
#: Kicks of a member that may lead to something not dominated.
MEMBER_KICKS = 30


@lean_kernel
def improve_cycle(
    at: Place, weights: Floats, kicks: int, source: Codes, x: Codes
) -> float:
    """Improve the longest permutation of ``source`` as a cycle into ``x``."""
    state = at[0]
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
    at: Place,
    weights: Floats,
    kicks: int,
    limit: int,
    source: Codes,
    x: Codes,
) -> float:
    """Improve the longest permutation of ``source`` as an order into ``x``."""
    state = at[0]
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
def update_lists(at: Place) -> None:
    """List near items anew."""
    state = at[0]
    tour = cut_tour(state.tour, state.near.shape[0])
    base = state.layout.places[state.control[0].first].offset
    list_useful(
        state.tables, tour, base, state.low, state.high, state.delta, state.near
    )


@lean_kernel
def neighbour_of_member(at: Place, slot: int, x: Codes, kicked: bool) -> bool:
    """A neighbour of a member that as a cycle promises something new and unseen."""
    state = at[0]
    size, first = state.control[0].archive_size, state.control[0].first
    n, base = state.near.shape[0], state.layout.places[first].offset
    tour = cut_tour(state.tour, n)
    source, y = state.archive.solutions[slot], state.archive.outputs[slot]
    outlook = Outlook(
        state.archive, size, state.low, state.high, y, state.delta, state.outputs
    )
    for i in range(x.shape[0]):
        x[i] = source[i]
    if kicked:
        price_pairs(state.tables, tour.cost, state.weights[1], base)
        choose_near(tour, state.near)
        set_tour(tour, source, first)
        if kick_promises(outlook, state.tables, base, tour, MEMBER_KICKS, state.words):
            aligned(tour, source, first, x)
            return not is_seen(state.seen, hash_solution(state.layout, x, True))
        return False
    weights = state.weights[1]
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
def screen(at: Place, slot: int, x: Codes) -> bool:
    """The one of several random neighbours of a member with most predicted gain."""
    state = at[0]
    control = state.control[0]
    source, y = state.archive.solutions[slot], state.archive.outputs[slot]
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
        for i in range(x.shape[0]):
            state.trial[i] = source[i]
        perturb(
            state.layout,
            state.trial,
            control.window,
            1 + below(state.words, 2),
            state.shares,
            state.words,
            state.subset,
            state.scratch,
        )
        predict_step(
            state.tables, state.layout, state.changes, source, state.trial, state.delta
        )
        value = predicted_gain(outlook)
        if value > largest and not is_seen(
            state.seen, hash_solution(state.layout, state.trial, False)
        ):
            largest = value
            for i in range(x.shape[0]):
                x[i] = state.trial[i]
    return largest > 0.0
