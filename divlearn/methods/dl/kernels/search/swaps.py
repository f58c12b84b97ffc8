"""Search inside the pair model: exchanges of two items, priced in O(1).

What items would cost at positions is kept as a matrix of sums. An exchange that is made
changes it by a product of two vectors, as in robust tabu search (Taillard, 1991); many
more exchanges are priced than made.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.front import gain_above
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.pairing.model import (
    ITEMS_SHARED,
    NOTHING_SHARED,
)
from divlearn.methods.dl.kernels.models.pairing.products import sum_of_pairs
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Least number of exchanges of a kick; the most is a quarter of the items more.
LEAST_KICKED = 2
#: Changes below this share of the front's box are rounding.
LEAST_CHANGE = 1e-9
#: Looks at a position, per position, after which a descent goes round in circles: where
#: weights differ by many powers of ten, a change may be rounding all the same.
MOST_ROUNDS = 1_000


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
        _set_sums(pairing.flows[t], pairing.routes[t], x, pairing.sums[0, t])
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
    """What it changes to exchange the items at positions ``i`` and ``j``.

    It is the sum over positions k of (flows[i, k] - flows[j, k]) (routes[x_j, x_k] -
    routes[x_i, x_k]), whose four products are in ``sums``, for the pairs of matrices
    from ``first`` to ``stop``.
    """
    pairing, a, b, total = state.pairing, x[i], x[j], 0.0
    for t in range(first, stop):
        one, two = pairing.sums[0, t, a], pairing.sums[0, t, b]
        # What i and j have to do with one another stays as it is.
        both = 2.0 * pairing.flows[t, i, j] * pairing.routes[t, a, b]
        total += (two[i] - one[i]) - (two[j] - one[j]) + both
    return total


@lean_kernel
def make_swap(state: DifferenceState, x: Codes, terms: int, i: int, j: int) -> None:
    """Exchange two items in ``x``, and bring the sums up to date in O(n^2)."""
    pairing, n, step = state.pairing, x.shape[0], state.pairing.step
    a, b = x[i], x[j]
    x[i], x[j] = b, a
    for t in range(terms):
        flow, other = pairing.flows[t, i], pairing.flows[t, j]
        for k in range(n):
            step[k] = flow[k] - other[k]
        here, there = pairing.routes[t, a], pairing.routes[t, b]
        for c in range(n):
            target, factor = pairing.sums[0, t, c], there[c] - here[c]
            for k in range(step.shape[0]):  # beyond n all is 0
                target[k] += factor * step[k]


@lean_kernel
def _copy_sums(state: DifferenceState, terms: int, source: int, target: int) -> None:
    """Copy the present sums (0) to the kept ones (1), or back."""
    n, sums = state.trial.shape[0], state.pairing.sums
    for t in range(terms):
        for a in range(n):
            old, new = sums[source, t, a], sums[target, t, a]
            for i in range(n):
                new[i] = old[i]


@lean_kernel
def _first_better(
    state: DifferenceState, x: Codes, terms: int, i: int, first: int
) -> int:
    """The first position from ``first`` on to exchange with ``i``; n for none.

    The same as ``price_swap`` for all of them, faster.
    """
    pairing, n = state.pairing, x.shape[0]
    prices, a = pairing.work[0, 1], x[i]
    for t in range(terms):
        sums, flow, route = (
            pairing.sums[0, t],
            pairing.flows[t, i],
            pairing.routes[t, a],
        )
        one, here = sums[a], sums[a, i]
        for j in range(first, n):
            b = x[j]
            price = (sums[b, i] - here) - (sums[b, j] - one[j])
            price += 2.0 * flow[j] * route[b]
            prices[j] = price if t == 0 else prices[j] + price
    for j in range(first, n):
        if prices[j] < -LEAST_CHANGE and j != i:
            return j
    return int(n)


@lean_kernel
def descend(state: DifferenceState, x: Codes, terms: int) -> float:
    """Exchange items until none at an active position has a better place.

    The second row of the model's ``kept`` is 1 for active positions; both positions of
    an exchange become active, and none is in the end. Returns the sum of changes.
    """
    n, change, active = x.shape[0], 0.0, state.pairing.kept[1]
    i, since, looks = 0, 0, 0
    while since < n and looks < MOST_ROUNDS * n:
        since += 1
        looks += 1
        if active[i] == 1:
            active[i] = 0
            j = _first_better(state, x, terms, i, 0)
            while j < n:
                change += state.pairing.work[0, 1, j]
                make_swap(state, x, terms, i, j)
                active[i] = active[j] = 1
                since = 0
                j = _first_better(state, x, terms, i, j + 1)
        i = i + 1 if i + 1 < n else 0
    return change


@lean_kernel
def set_starts(state: DifferenceState, slot: int) -> None:
    """Note what a member has for values, and what the model says of it."""
    pairing, source = state.pairing, state.archive.solutions[slot]
    tame(state.archive.outputs[slot], state.told)
    for k in range(pairing.scales.shape[0]):
        pairing.starts[k] = sum_of_pairs(source, pairing.positions[k], pairing.items[k])


@lean_kernel
def promised_gain(state: DifferenceState, x: Codes, most: float) -> float:
    """What ``x`` would add to the front, by its difference to the noted member.

    0 if it was seen or that is not above ``most``.
    """
    pairing = state.pairing
    for k in range(pairing.scales.shape[0]):
        total = sum_of_pairs(x, pairing.positions[k], pairing.items[k])
        total -= pairing.starts[k]
        state.outputs[k] = state.told[k] + pairing.scales[k] * total
    size = state.control[0].archive_size
    value = gain_above(state.archive, size, state.outputs, state.low, state.high, most)
    if value <= max(most, LEAST_CHANGE):
        return 0.0
    seen = is_seen(state.seen, hash_solution(state.layout, x, False))
    return 0.0 if seen else value


@lean_kernel
def improve_swaps(state: DifferenceState, slot: int, x: Codes, kicks: int) -> bool:
    """Search from a member under the model's weights by exchanges and kicks.

    Writes the best unseen solution under the weights into ``x`` if that is better than
    the member, else the local optimum on the way that the front gains most from;
    False for neither.
    """
    n, trial, rng = x.shape[0], state.trial, state.rng
    best, largest, total = state.pairing.kept[0], 0.0, 0.0
    active = state.pairing.kept[1]
    for i in range(n):
        trial[i] = best[i] = state.archive.solutions[slot, i]
        active[i] = 1
    terms = set_prices(state, trial, True)
    set_starts(state, slot)
    for kick in range(kicks + 1):
        change = 0.0
        kicked = LEAST_KICKED + below(rng, n // 4 + 1) if kick > 0 else 0
        for _ in range(kicked):
            i, j = below(rng, n), below(rng, n)
            if i != j:
                change += price_swap(state, trial, 0, terms, i, j)
                make_swap(state, trial, terms, i, j)
                active[i] = active[j] = 1
        change += descend(state, trial, terms)
        value = promised_gain(state, trial, largest)
        if value > largest:
            largest = value
            copy_codes(trial, x)
        if change <= 0.0:
            total += change
            copy_codes(trial, best)
            _copy_sums(state, terms, 0, 1)
        else:
            copy_codes(best, trial)
            _copy_sums(state, terms, 1, 0)
    seen = is_seen(state.seen, hash_solution(state.layout, best, False))
    if total < -LEAST_CHANGE and not seen:
        copy_codes(best, x)
        return True
    return largest > 0.0


@lean_kernel
def best_neighbour(state: DifferenceState, slot: int, x: Codes) -> bool:
    """Write the unseen exchange in a member that promises most gain; False for none."""
    size, y = state.control[0].archive_size, state.told
    weights = state.pairing.weights
    tame(state.archive.outputs[slot], y)
    copy_codes(state.archive.solutions[slot], x)
    for k in range(weights.shape[0]):
        weights[k] = 1.0
    set_prices(state, x, False)
    largest, first, second = LEAST_CHANGE, 0, 0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            for k in range(weights.shape[0]):
                state.outputs[k] = y[k] + price_swap(state, x, k, k + 1, i, j)
            value = gain_above(
                state.archive, size, state.outputs, state.low, state.high, largest
            )
            if value > largest:
                x[i], x[j] = x[j], x[i]
                if not is_seen(state.seen, hash_solution(state.layout, x, False)):
                    largest, first, second = value, i, j
                x[i], x[j] = x[j], x[i]
    x[first], x[second] = x[second], x[first]
    return first != second
