"""What candidates and answers leave behind: parents, differences, the archive, q."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.archive import has_tree, insert
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.scale import tame, total_excess
from divlearn.kernels.structure import settle
from divlearn.methods.dl.kernels.asking import become_repaired
from divlearn.methods.dl.kernels.front import first_larger, gain, measure_front
from divlearn.methods.dl.kernels.memory import (
    find_parent,
    hash_solution,
    is_seen,
    mark_seen,
    remember_difference,
    remember_parent,
)
from divlearn.methods.dl.kernels.models.additive import quality
from divlearn.methods.dl.kernels.models.quadratic.values import (
    describes_space,
    unexplained,
)
from divlearn.methods.dl.kernels.state import OF_WALK, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: Evaluations until q is noted again: so many, and one more for so many before.
NOTED_AFTER, NOTED_SHARE = 10, 3
#: By how much blind steps of long solutions become longer after one that helped, and
#: shorter after one that did not; and their most moves.
LONGER, SHORTER, LONGEST_STRIDE = 1.5, 0.9, 1_000.0


# --- what was proposed


@lean_kernel
def is_new(state: DifferenceState, x: Codes, as_cycle: bool) -> bool:
    """Settle and repair ``x``; whether it was never proposed, nor the same cycle."""
    settle(state.layout, x, state.rng)
    if not become_repaired(state, x):
        return False
    return not is_seen(state.seen, hash_solution(state.layout, x, as_cycle))


@lean_kernel
def mark_proposed(state: DifferenceState, x: Codes) -> None:
    """Remember that ``x`` was proposed, also as a cycle."""
    control = state.control[0]
    if mark_seen(state.seen, hash_solution(state.layout, x, False)):
        control.num_seen += 1
    if state.near.shape[0] == 0:
        return
    if mark_seen(state.seen, hash_solution(state.layout, x, True)):
        control.num_seen += 1


@lean_kernel
def read_answer(state: DifferenceState, answer: Floats) -> None:
    """Write an answer into ``outputs``, objectives minimised."""
    for j in range(answer.shape[0]):
        state.outputs[j] = answer[j]
    for j in range(state.objectives.shape[0]):
        state.outputs[j] *= state.objectives[j].sign


# --- parents, and differences from them


@lean_kernel
def new_parent(state: DifferenceState, x: Codes, y: Floats) -> int:
    """Let candidates be made from ``x`` with outputs ``y``; return its number."""
    control = state.control[0]
    control.last_parent += 1
    remember_parent(state.parents, control.last_parent, x, y)
    return int(control.last_parent)


@lean_kernel
def adopt(state: DifferenceState, slot: int) -> int:
    """Make a member of the archive a parent; return its number."""
    tame(state.archive.outputs[slot], state.told)
    return new_parent(state, state.archive.solutions[slot], state.told)


@lean_kernel
def adopt_least_violating(state: DifferenceState) -> int:
    """Make the solution of least violation a parent; return its number."""
    return new_parent(state, state.least_violating, state.least_outputs)


@lean_kernel
def take_difference(state: DifferenceState, x: Codes, ticket: Integers) -> int:
    """Put the difference of a candidate and its parent into the ring.

    Parameters
    ----------
    state
        The state, with the candidate's outputs.
    x, ticket
        The candidate.

    Returns
    -------
    Row of the ring, -1 if the parent is forgotten.
    """
    control, ring = state.control[0], state.ring
    row = find_parent(state.parents, ticket[1])
    if row < 0:
        return -1
    place = control.differences % ring.deltas.shape[0]
    parent, before = state.parents.solutions[row], state.parents.outputs[row]
    remember_difference(ring, place, parent, before, x, state.outputs)
    control.differences += 1
    return int(place)


@lean_kernel
def step_on(state: DifferenceState, x: Codes, y: Floats, row: int) -> None:
    """Let the walk go to ``x`` if that is no worse than its parent in ``row``.

    Steps to one as good cross plateaus, but the walk's patience does not wait for them.
    """
    control, before = state.control[0], state.parents.outputs[row]
    change = _compare(y, before, state.weights[OF_WALK], state.low)
    # One step in five should succeed: the most that is gained per step.
    stride = control.stride * (LONGER if change < 0.0 else SHORTER)
    control.stride = min(max(1.0, stride), LONGEST_STRIDE)
    if change <= 0.0:
        control.walk_parent = new_parent(state, x, y)
    if change < 0.0:
        control.walk_failures = 0


@lean_kernel
def _compare(y: Floats, than: Floats, weights: Floats, low: Floats) -> float:
    """Change of the violation from ``than`` to ``y``, or of the cost if that is zero.

    Negative is better.
    """
    excess, cost = 0.0, 0.0
    for j in range(y.shape[0]):
        if j < low.shape[0]:
            cost += weights[j] * (y[j] - than[j])
        else:
            excess += max(0.0, y[j]) - max(0.0, than[j])
    return excess if excess != 0.0 else cost


# --- the archive


@lean_kernel
def enter_archive(state: DifferenceState, x: Codes, y: Floats) -> float:
    """Put ``x`` with outputs ``y``, as they were measured, into the archive.

    Returns
    -------
    Its gain, negative if it did not enter.
    """
    control, m, told = state.control[0], state.low.shape[0], state.told
    tame(y, told)
    excess = total_excess(y, m)
    if excess < control.least_violation:
        control.least_violation = excess
        copy_codes(x, state.least_violating)
        for j in range(y.shape[0]):
            state.least_outputs[j] = told[j]
    if excess > 0.0:
        return -1.0
    for j in range(m):
        objective = state.objectives[j]
        objective.low = min(objective.low, told[j])
        objective.high = max(objective.high, told[j])
    gained = _gain_of(state, told)
    slot = state.archive.order[control.archive_size]
    size = insert(state.archive, control.archive_size, x, y)
    if size < 0:
        return -1.0
    control.archive_size = size
    state.open[slot] = 0
    return gained


@lean_kernel
def drift(state: DifferenceState, x: Codes, y: Floats) -> None:
    """Let ``x``, just turned away, replace a member with the very same outputs.

    So the front wanders over its plateaus, where orders have many: each of their
    solutions has other neighbours. Outputs are compared as they were measured.
    """
    control, archive = state.control[0], state.archive
    size, m = control.archive_size, state.low.shape[0]
    if control.use_plateaus == 0 or has_tree(archive, size):
        return
    first, last = 0, size
    if m == 2:
        newcomer = archive.order[size]  # its key is there, though it did not enter
        last = first_larger(archive, size, archive.keys[newcomer, 0])
        first = max(0, last - 1)
    for rank in range(first, last):
        slot, same = archive.order[rank], True
        for j in range(y.shape[0]):
            same = same and archive.outputs[slot, j] == y[j]
        if same:
            copy_codes(x, archive.solutions[slot])
            return


@lean_kernel
def _gain_of(state: DifferenceState, y: Floats) -> float:
    """What ``y`` adds to the front, at most its box; 1 where the front has no box."""
    size = state.control[0].archive_size
    if not _has_box(state):
        measure_front(state.archive, size, state.low, state.high)
    if not _has_box(state):
        return 1.0
    return min(1.0, gain(state.archive, size, y, state.low, state.high))


@lean_kernel
def _has_box(state: DifferenceState) -> bool:
    """Whether the front was measured and differs in every objective."""
    wide = True
    for j in range(state.low.shape[0]):
        wide = wide and state.low[j] < state.high[j]
    return bool(wide)


# --- how well the tables predict


@lean_kernel
def log_quality(state: DifferenceState) -> None:
    """Note how much of every output is unexplained by now."""
    control, values = state.control[0], state.values
    control.next_log += NOTED_AFTER + control.next_log // NOTED_SHARE
    if control.logged == state.log.shape[0]:
        return
    row = state.log[control.logged]
    row[0] = control.observed
    for j in range(row.shape[0] - 1):
        if describes_space(values):
            row[1 + j] = unexplained(values, j)
        else:
            row[1 + j] = quality(state.tables, state.tables.chosen[j], j)
    control.logged += 1
