"""Prices inside the pair model: what it changes to exchange two items of an order.

What every item would cost at every position is kept as sums, and what follows from
them for all exchanges as a table, so that a price is three numbers of it. An exchange
that is made changes both by products of two vectors, as in robust tabu search
(Taillard, 1991); the few rows of the table that products do not reach are made anew.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.pairing.model import (
    ITEMS_SHARED,
    LANES,
    NOTHING_SHARED,
)
from divlearn.methods.dl.kernels.state import DifferenceState


@lean_kernel
def set_prices(state: DifferenceState, x: Codes, together: bool) -> int:
    """Write flows and routes under the model's weights, and their sums at ``x``.

    Parameters
    ----------
    state
        State, whose pair model has ``weights``; its flows, routes and sums are written.
    x
        Solution.
    together
        Weighted sum of all objectives; else each objective by itself.

    Returns
    -------
    The number of pairs of matrices that say it: one where a matrix is shared.
    """
    pairing = state.pairing
    m, n, mode = pairing.items.shape[0], x.shape[0], pairing.record[0].mode
    terms = 1 if together and mode != NOTHING_SHARED else m
    for k in range(m):
        flow, route, t = pairing.weights[k] * pairing.scales[k], 1.0, k
        if terms == 1:
            t = 0
            if mode != ITEMS_SHARED:
                flow, route = route, flow
        for i in range(n):
            for j in range(n):
                a = flow * pairing.positions[k, i, j]
                b = route * pairing.items[k, i, j]
                if k == t:
                    pairing.flows[t, i, j], pairing.routes[t, i, j] = a, b
                elif mode == ITEMS_SHARED:  # the shared matrix counts once
                    pairing.flows[t, i, j] += a
                else:
                    pairing.routes[t, i, j] += b
    for t in range(terms):
        _set_sums(pairing.flows[t], pairing.routes[t], x, pairing.sums[t])
    return int(terms)


@lean_kernel
def _set_sums(flows: Floats, routes: Floats, x: Codes, sums: Floats) -> None:
    """Write what every item would cost at every position, all others being in place.

    ``sums[a, i]`` is the sum over positions k of ``routes[a, x_k] * flows[k, i]``.
    """
    for a in range(x.shape[0]):
        target = sums[a]
        for i in range(x.shape[0]):
            target[i] = 0.0
        for k in range(x.shape[0]):
            factor, flow = routes[a, x[k]], flows[k]
            for i in range(x.shape[0]):
                target[i] += factor * flow[i]


@lean_kernel
def price_swap(
    state: DifferenceState, x: Codes, first: int, stop: int, i: int, j: int
) -> float:
    """What it changes to exchange the items at positions ``i`` and ``j``, by the sums.

    It is the sum over positions k of (flows[i, k] - flows[j, k]) (routes[x_j, x_k] -
    routes[x_i, x_k]), whose four products are in ``sums``, for the pairs of matrices
    from ``first`` to ``stop``.
    """
    pairing, a, b, total = state.pairing, x[i], x[j], 0.0
    for t in range(first, stop):
        one, two = pairing.sums[t, a], pairing.sums[t, b]
        # What i and j have to do with one another stays as it is.
        both = 2.0 * pairing.flows[t, i, j] * pairing.routes[t, a, b]
        total += (two[i] - one[i]) - (two[j] - one[j]) + both
    return total


# --- the table of all exchanges


@lean_kernel
def set_table(state: DifferenceState, x: Codes, terms: int) -> None:
    """Write the table of all exchanges in ``x``, whose sums are there; bans are lifted.

    The price of an exchange of positions i and j is ``crossed[i, j] - own[i] -
    own[j]``: each item where the other is, less each where it is.
    """
    pairing, n = state.pairing, x.shape[0]
    for i in range(n):
        crossed, banned, until = pairing.crossed[i], pairing.banned[i], pairing.until[i]
        for j in range(crossed.shape[0]):
            crossed[j] = banned[j] = math.inf
        for j in range(n):
            banned[j] = until[j] = 0.0
    for i in range(n):
        _set_row(state, x, terms, i)
    _set_own(state, x, terms)


@lean_kernel
def _set_row(state: DifferenceState, x: Codes, terms: int, i: int) -> None:
    """Write row and column ``i`` of the table, and until when they are banned."""
    pairing, a = state.pairing, x[i]
    for j in range(x.shape[0]):
        b, price = x[j], 0.0
        for t in range(terms):
            price += pairing.sums[t, a, j] + pairing.sums[t, b, i]
            price += 2.0 * pairing.flows[t, i, j] * pairing.routes[t, a, b]
        until = min(pairing.until[a, j], pairing.until[b, i])
        pairing.crossed[i, j] = pairing.crossed[j, i] = price
        pairing.banned[i, j] = pairing.banned[j, i] = until
    pairing.banned[i, i] = math.inf


@lean_kernel
def _set_own(state: DifferenceState, x: Codes, terms: int) -> None:
    """Write what items cost where they are."""
    pairing = state.pairing
    for i in range(x.shape[0]):
        total = 0.0
        for t in range(terms):
            total += pairing.sums[t, x[i], i]
        pairing.own[i] = total


@lean_kernel
def columns_of(row: int) -> int:
    """So many columns of a row of the table are used; beyond them are other rows'."""
    return (row // LANES + 1) * LANES


@lean_kernel
def best_swap(state: DifferenceState, n: int, now: float, wished: float) -> int:
    """The exchange of least price that is not banned ``now``, or below ``wished``.

    Returns
    -------
    ``i * n + j``, or -1 if all are banned.
    """
    pairing = state.pairing
    own, least = pairing.own, pairing.least
    for j in range(least.shape[0]):
        least[j] = math.inf
    # Two rows at once, which loads what is least half as often.
    for i in range(0, n, 2):
        _lower(pairing.crossed, pairing.banned, own, i, n, now, wished, least)
    found, price = -1, math.inf
    for j in range(n):
        if least[j] < price:
            found, price = j, least[j]
    if found < 0:
        return -1
    for i in range(n):
        if found < columns_of(i):
            here = pairing.crossed[i, found] - own[i] - own[found]
            allowed = pairing.banned[i, found] <= now or here < wished
            if here == price and allowed:
                return i * n + found
    return -1


@lean_kernel
def _lower(
    crossed: Floats,
    banned: Floats,
    own: Floats,
    row: int,
    n: int,
    now: float,
    wished: float,
    least: Floats,
) -> None:
    """Lower the least price of every column to those in two rows of the table."""
    other = min(row + 1, n - 1)
    one, until, mine = crossed[row], banned[row], own[row]
    two, later, its = crossed[other], banned[other], own[other]
    for j in range(columns_of(other)):
        p = one[j] - mine - own[j]
        q = two[j] - its - own[j]
        p = p if (until[j] <= now) | (p < wished) else math.inf
        q = q if (later[j] <= now) | (q < wished) else math.inf
        p = p if p < q else q
        least[j] = p if p < least[j] else least[j]


# --- an exchange


@lean_kernel
def make_swap(state: DifferenceState, x: Codes, terms: int, i: int, j: int) -> None:
    """Exchange two items in ``x``, and bring sums and table up to date in O(n^2)."""
    pairing, n = state.pairing, x.shape[0]
    flow, route = pairing.flow_step, pairing.route_step
    a, b = x[i], x[j]
    for t in range(terms):
        here, there = pairing.flows[t, j], pairing.flows[t, i]
        old, new = pairing.routes[t, a], pairing.routes[t, b]
        for k in range(n):
            flow[k] = there[k] - here[k]
            route[k] = new[x[k]] - old[x[k]]
        for c in range(n):
            target, factor = pairing.sums[t, c], new[c] - old[c]
            for k in range(flow.shape[0]):  # beyond n all is 0
                target[k] += factor * flow[k]
        for r in range(n):
            target, one, other = pairing.crossed[r], route[r], flow[r]
            for k in range(columns_of(r)):
                target[k] += one * flow[k] + other * route[k]
    x[i], x[j] = b, a
    _set_row(state, x, terms, i)
    _set_row(state, x, terms, j)
    _set_own(state, x, terms)
