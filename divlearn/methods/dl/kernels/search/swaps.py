"""Search inside the pair model: a walk along the best exchanges of two items.

It is robust tabu search (Taillard, 1991): always the best exchange, be it better or
worse, but for exchanges that bring both items back to where they were of late.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.front import gain_above
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.search.swap_prices import (
    best_swap,
    make_swap,
    price_swap,
    set_prices,
    set_table,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Steps for which an item is banned from where it was: at least, and more per item.
LEAST_BAN, MORE_BAN = 4, 0.3
#: Changes below this share of the front's box are rounding.
LEAST_CHANGE = 1e-9


@lean_kernel
def promised_gain(state: DifferenceState, x: Codes, most: float) -> float:
    """What ``x`` would add to the front, by the values that the model reached.

    0 if it was seen or that is not above ``most``.
    """
    size, reached = state.control[0].archive_size, state.pairing.reached
    value = gain_above(state.archive, size, reached, state.low, state.high, most)
    if value <= max(most, LEAST_CHANGE):
        return 0.0
    seen = is_seen(state.seen, hash_solution(state.layout, x, False))
    return 0.0 if seen else value


@lean_kernel
def note_change(state: DifferenceState, x: Codes, i: int, j: int) -> float:
    """Add to the values reached what an exchange in ``x`` changes, in O(n).

    Returns
    -------
    By how much their weighted sum changes.
    """
    pairing, n, a, b, total = state.pairing, x.shape[0], x[i], x[j], 0.0
    for k in range(pairing.scales.shape[0]):
        here, there = pairing.positions[k, j], pairing.positions[k, i]
        old, new = pairing.items[k, a], pairing.items[k, b]
        # What i and j have to do with one another stays as it is.
        change, other = 2.0 * there[j] * new[a], 0.0
        for p in range(n // 2):  # two sums, since an addition waits for the last one
            q = n - 1 - p
            change += (there[p] - here[p]) * (new[x[p]] - old[x[p]])
            other += (there[q] - here[q]) * (new[x[q]] - old[x[q]])
        if n % 2 == 1:
            p = n // 2
            change += (there[p] - here[p]) * (new[x[p]] - old[x[p]])
        change = pairing.scales[k] * (change + other)
        pairing.reached[k] += change
        total += pairing.weights[k] * change
    return total


@lean_kernel
def _ban(state: DifferenceState, x: Codes, now: int, i: int, j: int) -> None:
    """Ban the items at two positions from going back there for a while."""
    n, until = x.shape[0], state.pairing.until
    least, more = now + 1 + LEAST_BAN, int(MORE_BAN * n) + 1
    until[x[i], i] = least + below(state.rng, more)
    until[x[j], j] = least + below(state.rng, more)


@lean_kernel
def improve_swaps(state: DifferenceState, slot: int, x: Codes, steps: int) -> bool:
    """Walk from a member under the model's weights for so many steps.

    Writes the best unseen solution under the weights into ``x`` if that is better than
    the member, else the local optimum on the way that the front gains most from;
    False for neither.
    """
    n, trial, pairing = x.shape[0], state.trial, state.pairing
    best, largest, total, least, falling = pairing.kept[0], 0.0, 0.0, 0.0, False
    copy_codes(state.archive.solutions[slot], trial)
    copy_codes(trial, best)
    tame(state.archive.outputs[slot], pairing.reached)
    terms = set_prices(state, trial, True)
    set_table(state, trial, terms)
    for now in range(steps):
        found = best_swap(state, n, float(now), least - total - LEAST_CHANGE)
        if found < 0:
            break
        i, j = found // n, found % n
        price = pairing.crossed[i, j] - pairing.own[i] - pairing.own[j]
        if falling and price >= 0.0:
            value = promised_gain(state, trial, largest)
            if value > largest:
                largest = value
                copy_codes(trial, x)
        falling = price < 0.0
        total += note_change(state, trial, i, j)
        _ban(state, trial, now, i, j)
        make_swap(state, trial, terms, i, j)
        if total < least - LEAST_CHANGE:
            least = total
            copy_codes(trial, best)
    seen = is_seen(state.seen, hash_solution(state.layout, best, False))
    if least < -LEAST_CHANGE and not seen:
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
