"""The loop of ``dl``: propose a candidate, observe its answer.

``propose`` writes a candidate and its ticket: the arm that made it
(:mod:`divlearn.methods.dl.kernels.arms.bandit` says which one is next) and the number
of its parent. ``observe`` takes the answer to any ticket, in any order, late or never:
it puts the candidate into the archive, credits the arm with what that gained, and
learns the difference from the parent (:mod:`divlearn.methods.dl.kernels.learning`).
What depends on the space is called by its address
(:mod:`divlearn.methods.dl.kernels.parts`).
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import sample
from divlearn.kernels.scale import tame
from divlearn.kernels.structure import settle
from divlearn.methods.dl.kernels.answers import (
    drift,
    enter_archive,
    log_quality,
    mark_proposed,
    new_parent,
    read_answer,
    step_on,
)
from divlearn.methods.dl.kernels.arms.bandit import (
    ADDED,
    EXPLORE,
    GP,
    REPEAT,
    SAMPLE,
    WALK,
    credit,
)
from divlearn.methods.dl.kernels.memory import find_parent
from divlearn.methods.dl.kernels.models.quadratic.values import describes_space
from divlearn.methods.dl.kernels.parts import (
    LEARN,
    NO_PART,
    PROPOSE,
    PROPOSE_REPEAT,
    WEIGH,
    call_part,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import write_corner

#: Solutions that broad steps begin with: the first values, the last ones.
NUM_CORNERS = 2


@lean_kernel
def has_room(state: DifferenceState) -> bool:
    """Whether the archive and the solutions seen can take one more candidate.

    A candidate leaves two hashes, and two more if it is repaired.
    """
    control = state.control[0]
    if control.archive_size >= state.archive.order.shape[0]:
        return False
    return bool(2 * (control.num_seen + 4) <= state.seen.shape[0])


@lean_kernel
def propose(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    control = state.control[0]
    control.proposed += 1
    control.questions = control.num_questions
    if state.parts[PROPOSE_REPEAT] != NO_PART:
        call_part(state.parts[PROPOSE_REPEAT], state, x, ticket)
        if ticket[0] >= 0:
            return
    chosen = describes_space(state.values)
    known = control.observed if chosen else control.archive_size
    # What was known before spares as many random solutions.
    begun = control.proposed + state.arms[ADDED].tries
    if begun <= control.num_initial or known == 0:
        if control.broad == 1 and control.proposed <= NUM_CORNERS:
            write_corner(state.layout, control.proposed == NUM_CORNERS, x)
        else:
            sample(state.layout, state.rng, x)
        ticket[0], ticket[1] = SAMPLE, control.last_sample
    else:
        call_part(state.parts[PROPOSE], state, x, ticket)
    settle(state.layout, x, state.rng)
    mark_proposed(state, x)


@lean_kernel
def observe(state: DifferenceState, x: Codes, answer: Floats, ticket: Integers) -> bool:
    """Take in the answer to a candidate.

    Parameters
    ----------
    state
        Its archive must have a free slot, and its set of seen solutions two.
    x
        Codes as they were evaluated, shape (n,).
    answer
        Objectives in the user's senses, then constraints, shape (m + c,).
    ticket
        What ``propose`` wrote with the candidate.

    Returns
    -------
    Whether ``x`` entered the archive.
    """
    control, y, arm = state.control[0], state.outputs, ticket[0]
    control.observed += 1
    if arm == ADDED or (arm == SAMPLE and control.broad == 1):
        # It has no parent, but what came before teaches as much.
        ticket[1] = control.last_sample
    read_answer(state, answer)
    mark_proposed(state, x)
    if state.parts[WEIGH] != NO_PART:
        call_part(state.parts[WEIGH], state, x, ticket)
        gained = control.gained
    else:
        gained = enter_archive(state, x, y)
        if gained < 0.0:
            drift(state, x, y)
        credit(state, arm, gained)
    tame(y, y)  # from here on all is learning
    if arm != REPEAT:
        row = find_parent(state.parents, ticket[1])
        call_part(state.parts[LEARN], state, x, ticket)
        if control.observed >= control.next_log:
            log_quality(state)
        if arm in (SAMPLE, ADDED, GP):
            control.last_sample = new_parent(state, x, y)
        elif arm in (WALK, EXPLORE) and ticket[1] == control.walk_parent and row >= 0:
            step_on(state, x, y, row)
    return bool(gained >= 0.0)
