"""Search inside the pair model: exchanges of two items, priced in O(n)."""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.front import gain_above
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.pairing.model import (
    ITEMS_SHARED,
    NOTHING_SHARED,
)
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
    """Write flows, and routes in the order of ``x``, under the model's weights.

    Parameters
    ----------
    state
        State, whose pair model has ``weights``; its flows and routes are written.
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
                b = route * pairing.items[k, x[i], x[j]]
                if k == t:
                    pairing.flows[t, i, j], pairing.routes[t, i, j] = a, b
                elif mode == ITEMS_SHARED:  # the shared matrix counts once
                    pairing.flows[t, i, j] += a
                else:
                    pairing.routes[t, i, j] += b
    return int(terms)


@lean_kernel
def price_swap(state: DifferenceState, first: int, stop: int, i: int, j: int) -> float:
    """What it changes to exchange the items at positions ``i`` and ``j``.

    The sum is over the pairs of matrices from ``first`` to ``stop``.
    """
    pairing = state.pairing
    n, total = pairing.flows.shape[1], 0.0
    for t in range(first, stop):
        a, b = pairing.flows[t, i], pairing.flows[t, j]
        c, d = pairing.routes[t, j], pairing.routes[t, i]
        # Two sums, since an addition waits for the one before it.
        even, odd = 0.0, 0.0
        if n % 2 == 1:
            even = (a[n - 1] - b[n - 1]) * (c[n - 1] - d[n - 1])
        for k in range(0, n - 1, 2):
            even += (a[k] - b[k]) * (c[k] - d[k])
            odd += (a[k + 1] - b[k + 1]) * (c[k + 1] - d[k + 1])
        # What i and j have to do with one another stays as it is.
        total += even + odd + 2.0 * a[j] * d[j]
    return total


@lean_kernel
def make_swap(state: DifferenceState, x: Codes, terms: int, i: int, j: int) -> None:
    """Exchange two items in ``x`` and in the routes."""
    x[i], x[j] = x[j], x[i]
    for t in range(terms):
        route = state.pairing.routes[t]
        for k in range(x.shape[0]):
            route[i, k], route[j, k] = route[j, k], route[i, k]
        for k in range(x.shape[0]):
            route[k, i], route[k, j] = route[k, j], route[k, i]


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
            for j in range(n):
                price = price_swap(state, 0, terms, i, j) if j != i else 0.0
                if price < -LEAST_CHANGE:
                    make_swap(state, x, terms, i, j)
                    change += price
                    active[i] = active[j] = 1
                    since = 0
        i = i + 1 if i + 1 < n else 0
    return change


@lean_kernel
def promised_gain(state: DifferenceState, slot: int, x: Codes, most: float) -> float:
    """What ``x`` would add to the front, by its difference to a member.

    0 if it was seen or that is not above ``most``.
    """
    pairing, n = state.pairing, x.shape[0]
    source, y = state.archive.solutions[slot], state.told
    tame(state.archive.outputs[slot], y)
    for k in range(pairing.scales.shape[0]):
        total = 0.0
        for i in range(n):
            flow = pairing.positions[k, i]
            here, there = pairing.items[k, x[i]], pairing.items[k, source[i]]
            for j in range(i + 1, n):
                total += flow[j] * (here[x[j]] - there[source[j]])
        state.outputs[k] = y[k] + pairing.scales[k] * total
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
    for kick in range(kicks + 1):
        change = 0.0
        kicked = LEAST_KICKED + below(rng, n // 4 + 1) if kick > 0 else 0
        for _ in range(kicked):
            i, j = below(rng, n), below(rng, n)
            if i != j:
                change += price_swap(state, 0, terms, i, j)
                make_swap(state, trial, terms, i, j)
                active[i] = active[j] = 1
        change += descend(state, trial, terms)
        value = promised_gain(state, slot, trial, largest)
        if value > largest:
            largest = value
            copy_codes(trial, x)
        if change <= 0.0:
            total += change
            copy_codes(trial, best)
            continue
        for i in range(n):
            if trial[i] != best[i]:
                for j in range(i + 1, n):
                    if trial[j] == best[i]:
                        make_swap(state, trial, terms, i, j)
                        break
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
                state.outputs[k] = y[k] + price_swap(state, k, k + 1, i, j)
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
