"""Small budgets: the similarity expert proposes as long as evaluations are few."""

from __future__ import annotations

from divlearn.kernels.dl.arms import KERNEL
from divlearn.kernels.dl.memory import hash_solution, mark_seen
from divlearn.kernels.dl.similarity import propose_similar, take_point
from divlearn.kernels.dl.state import DifferenceState
from divlearn.kernels.jit import lean_kernel
from divlearn.typing import Codes, Floats, Integers


def is_small(state: DifferenceState) -> bool:
    """Whether the similarity expert makes the next candidate."""
    control = state.control[0]
    return bool(control.proposed < control.kernel_points)


@lean_kernel
def propose_small(state: DifferenceState, x: Codes, ticket: Integers) -> bool:
    """Let the similarity expert propose; False if it finds nothing unseen."""
    control = state.control[0]
    size = control.archive_size
    if not propose_similar(
        state.similarity, state.layout, state.archive, size, state.words, x
    ):
        return False
    control.proposed += 1
    if mark_seen(state.seen, hash_solution(state.layout, x, False)):
        control.num_seen += 1
    ticket[0], ticket[1] = KERNEL, control.last_sample
    return True


@lean_kernel
def take_answer(state: DifferenceState, x: Codes, answer: Floats) -> None:
    """Show an answer to the similarity expert, objectives minimised."""
    y = state.outputs
    for j in range(y.shape[0]):
        y[j] = answer[j]
    for j in range(state.objectives.shape[0]):
        y[j] *= state.objectives[j].sign
    take_point(state.similarity, state.layout, x, y)
