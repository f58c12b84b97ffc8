"""Explore: the change of one position that is least known.

Only where nothing is permuted; exploring steps of permutations are blind ones
(:mod:`divlearn.methods.dl.kernels.arms.walk`), compared by their uncertainty.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.models.quadratic.singles import (
    explore_values,
    was_right,
)
from divlearn.methods.dl.kernels.state import DifferenceState


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
    """Write ``source`` with its least known change into ``x``; False for none."""
    singles = state.values.singles
    if not explore_values(singles, state.layout, state.rng, source, x):
        return False
    return is_new(state, x, False)
