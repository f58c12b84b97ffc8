"""Explore: the change of one position that is least known.

Only where nothing is permuted; exploring steps of permutations are blind ones
(:mod:`divlearn.methods.dl.kernels.arms.walk`), compared by their uncertainty.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.cells import code_in, row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_repaired, other_action, stays_same
from divlearn.methods.dl.kernels.models.hidden import weight_of
from divlearn.methods.dl.kernels.models.quadratic.singles import (
    change_variance,
    explore_values,
    was_right,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import is_free

#: Changes that are tried where a repair undoes some, and others that go with each.
ATTEMPTS, MOST_TRIED = 8, 4
#: Share of the prior variance below which a change is known.
SURE = 1e-6


@lean_kernel
def pays_to_explore(state: DifferenceState) -> bool:
    """Whether it is time to explore.

    One step after the other as long as sums over positions explain everything, since
    nothing else makes the tables exact; later every second time.
    """
    control = state.control[0]
    if control.observed >= control.exploration or control.use_uncertainty == 0:
        return False
    return bool(control.proposed % 2 == 0 or was_right(state.values.singles))


@lean_kernel
def explore_change(state: DifferenceState, source: Codes, x: Codes) -> bool:
    """Write ``source`` with its least known change into ``x``; False for none.

    Where a repair would change more than that, another position is changed as well, of
    which enough is known: what is learned is then about the first one alone.
    """
    singles, layout, rng = state.values.singles, state.layout, state.rng
    for _ in range(ATTEMPTS if is_repaired(state) else 1):
        if not explore_values(singles, layout, rng, source, x):
            return False
        if stays_same(state, x) or _make_room(state, source, x):
            return is_new(state, x, False)
    return False


@lean_kernel
def _make_room(state: DifferenceState, source: Codes, x: Codes) -> bool:
    """Change a known position of ``x`` as well, so that a repair leaves it alone."""
    singles, layout, hidden = state.values.singles, state.layout, state.hidden
    if hidden.mean.shape[0] == 0:
        return False
    n, tried = x.shape[0], 0
    first = below(state.rng, n)
    for k in range(n):
        i = (first + k) % n
        if x[i] != source[i] or not is_free(layout, x, i):
            continue
        code, place = x[i], layout.places[i]
        old, row = row_of(layout, i, code), other_action(state, x, i)
        before, after = old - place.offset, row - place.offset
        if weight_of(hidden, row) >= weight_of(hidden, old):
            continue
        if change_variance(singles, layout, i, before, after) > SURE:
            continue
        x[i] = code_in(layout, i, after, code)
        if stays_same(state, x):
            return True
        x[i] = code
        tried += 1
        if tried == MOST_TRIED:
            break
    return False
