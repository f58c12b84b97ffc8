"""A broad step: every position takes the value that sums over positions recommend.

Where positions are more than evaluations, a table learned one value at a time knows
nothing of most of them. Differences between solutions that differ nearly everywhere
tell a little of all of them, and a little of all is worth more (``docs/method.md``).
What is known that way is only good for many changes at once.
"""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.cells import code_in, row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.search.relaxation import solve_relaxation
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState

#: Share of the positions that may change: at least. It differs from step to step, so
#: that steps from the same member tell different things.
LEAST_SHARE = 0.2


@lean_kernel
def step_broadly(
    state: DifferenceState, source: Codes, outputs: Floats, x: Codes
) -> bool:
    """Write ``source``, changed where the table recommends it, into ``x``.

    Parameters
    ----------
    state
        State; its weights of the tables are those of the objectives.
    source, outputs
        A solution, shape (n,), and its outputs, shape (m + c,). Constraints that it
        violates are to be kept afterwards, by what the table predicts.
    x
        Result, shape (n,).

    Returns
    -------
    Whether it differs from all that was proposed.
    """
    relax, layout = state.inside.relax, state.layout
    _begin_at(state, source, outputs)
    for k in range(relax.weights.shape[0]):
        relax.weights[k] = state.weights[OF_TABLES, k]
    for j in range(relax.price.shape[0]):
        relax.price[j] = 0.0  # what was before must not matter
    solve_relaxation(relax, layout)
    for i in range(x.shape[0]):
        own, best = row_of(layout, i, source[i]), relax.best[i]
        x[i] = source[i]
        if relax.cost[best] < relax.cost[own]:
            x[i] = code_in(layout, i, best - layout.places[i].offset, source[i])
    return is_new(state, x, False)


@lean_kernel
def mend_broadly(
    state: DifferenceState, source: Codes, outputs: Floats, x: Codes
) -> bool:
    """Write ``source``, changed until no violation is predicted any more, into ``x``.

    Positions are changed from a random one on, each to the value that violates least,
    with constraints in units of their usual change. For the rest see
    :func:`step_broadly`.
    """
    relax, layout, n = state.inside.relax, state.layout, x.shape[0]
    _begin_at(state, source, outputs)
    first = below(state.rng, n)
    for k in range(n):
        i = (first + k) % n
        x[i], place = source[i], layout.places[i]
        best, least = -1, 0.0
        for a in range(place.offset, place.offset + place.arity):
            change = _change_of_violation(state, a)
            if change < least:
                best, least = a, change
        if best < 0:
            continue
        x[i] = code_in(layout, i, best - place.offset, source[i])
        for j in range(outputs.shape[0]):
            relax.base[j] += relax.table[best, j]
    return is_new(state, x, False)


@lean_kernel
def _change_of_violation(state: DifferenceState, a: int) -> float:
    """By how much action ``a`` changes the violation that is predicted so far."""
    relax, total = state.inside.relax, 0.0
    for j in range(state.low.shape[0], relax.table.shape[1]):
        before, square = relax.base[j], state.values.outputs[j].square
        change = max(0.0, before + relax.table[a, j]) - max(0.0, before)
        total += change / math.sqrt(square) if square > 0.0 else change
    return total


@lean_kernel
def _begin_at(state: DifferenceState, source: Codes, outputs: Floats) -> None:
    """Write what changes of some random positions do; of others, that they do nothing.

    A change that does nothing is not made.
    """
    for k in range(outputs.shape[0]):
        state.inside.relax.base[k] = outputs[k]
    table, mean = state.inside.relax.table, state.values.singles.mean
    share = LEAST_SHARE + (1.0 - LEAST_SHARE) * uniform(state.rng)
    for i in range(source.shape[0]):
        place, own = state.layout.places[i], row_of(state.layout, i, source[i])
        moves = 1.0 if uniform(state.rng) < share else 0.0
        for a in range(place.offset, place.offset + place.arity):
            for k in range(table.shape[1]):
                table[a, k] = moves * (mean[a, k] - mean[own, k])
