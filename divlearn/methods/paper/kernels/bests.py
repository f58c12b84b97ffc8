"""The best solution of a visit and of each weight: line 9 and 10 of the main loop."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels import archive as _archive
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.paper.kernels.scalarization import better, violation
from divlearn.methods.paper.kernels.state import SearchState


@lean_kernel
def note_visit(state: SearchState, y: Floats) -> None:
    """Note outputs ``y`` that are the best since the current weight was begun."""
    control = state.control[0]
    known = control.visit_known == 1
    if known and not better(state, control.weight, y, state.visit_best):
        return
    for j in range(y.shape[0]):
        state.visit_best[j] = y[j]
    control.visit_known = 1
    control.improved = 1


@lean_kernel
def note_best(state: SearchState, x: Codes, y: Floats, answer: Floats, w: int) -> bool:
    """Keep ``x`` if it is the best solution of weight ``w``.

    Parameters
    ----------
    state
        Its archive is made anew of the best solutions, if they change.
    x, y
        Codes, shape (n,), and tamed outputs with minimised objectives, shape (m + c,).
    answer
        Outputs as they were told.
    w
        The weight that ``x`` was made for.

    Returns
    -------
    Whether ``x`` is the best of this weight now, and feasible.
    """
    bests = state.bests
    if bests.known[w] == 1 and not better(state, w, y, bests.outputs[w]):
        return False
    for i in range(x.shape[0]):
        bests.solutions[w, i] = x[i]
    for j in range(y.shape[0]):
        bests.outputs[w, j] = y[j]
        bests.measured[w, j] = answer[j]
    for j in range(state.objectives.shape[0]):
        bests.measured[w, j] *= state.objectives[j].sign
    bests.known[w] = 1
    _collect(state)
    return bool(violation(state, y) == 0.0)


@lean_kernel
def _collect(state: SearchState) -> None:
    """Fill the archive with the feasible best solutions, and nothing else."""
    control, bests = state.control[0], state.bests
    control.archive_size = 0
    for w in range(bests.known.shape[0]):
        if bests.known[w] == 1 and violation(state, bests.outputs[w]) == 0.0:
            measured = bests.measured[w]
            size = _archive.insert(
                state.archive, control.archive_size, bests.solutions[w], measured
            )
            if size >= 0:
                control.archive_size = size
