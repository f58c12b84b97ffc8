"""Whether a predicted change of a member would be worth an evaluation.

The outputs of the member stand in ``state.told``, the predicted difference in
``state.delta``; ``state.outputs`` is scratch.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.asking import is_repaired
from divlearn.methods.dl.kernels.front import gain, is_covered
from divlearn.methods.dl.kernels.models.additive import predict_step
from divlearn.methods.dl.kernels.state import DifferenceState

#: Predicted gains below this share of the front's box are rounding.
LEAST_GAIN = 1e-9


@lean_kernel
def _is_feasible(state: DifferenceState) -> bool:
    """Write the predicted outputs; False if they violate a constraint."""
    m, y = state.low.shape[0], state.outputs
    for j in range(y.shape[0]):
        y[j] = state.told[j] + state.delta[j]
        if j >= m and y[j] > 0.0:
            return False
    return True


@lean_kernel
def promises(state: DifferenceState) -> bool:
    """Whether ``delta`` leads to something feasible that no member covers."""
    m, delta, better = state.low.shape[0], state.delta, False
    for j in range(m):
        if delta[j] < 0.0:
            better = True
    if not better or not _is_feasible(state):
        return False
    for j in range(m):
        delta[j] = LEAST_GAIN * (state.high[j] - state.low[j])
    size = state.control[0].archive_size
    return not is_covered(state.archive, size, state.outputs, delta)


@lean_kernel
def promises_repaired(state: DifferenceState, source: Codes, x: Codes) -> bool:
    """Whether what a repair has made of a candidate still promises something.

    Parameters
    ----------
    state
        The state; the outputs of the member stand in ``told``.
    source, x
        The member and the candidate, shape (n,).
    """
    if not is_repaired(state):
        return True
    predict_step(state.tables, state.layout, state.changes, source, x, state.delta)
    return promises(state)


@lean_kernel
def predicted_gain(state: DifferenceState) -> float:
    """What a solution with the predicted difference would add to the front."""
    if not _is_feasible(state):
        return 0.0
    size = state.control[0].archive_size
    return gain(state.archive, size, state.outputs, state.low, state.high)
