"""Planning under hidden rows: covers of the clauses that are known.

Where the objectives are sums that are known, and a count of violated rows is not, the
front is planned as if the clauses that are known were all there are
(:mod:`divlearn.methods.dl.kernels.models.clauses`). What is planned is feasible, and
then as good as it gets, or it violates a clause that was not known, and shows it.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.cells import row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.scale import tamed
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.memory import find_parent
from divlearn.methods.dl.kernels.models.clauses import (
    Clauses,
    forget_clauses,
    good_bits,
    has_bit,
    learn_kept,
    learn_violated,
    meets,
    note_direction,
    num_bits,
    same_bits,
)
from divlearn.methods.dl.kernels.models.counted import (
    GIVEN_UP,
    IDLE,
    begin_pairs,
    is_asking,
    take_count,
)
from divlearn.methods.dl.kernels.models.quadratic.values import is_known_sum
from divlearn.methods.dl.kernels.search.enumeration import add_point
from divlearn.methods.dl.kernels.search.planning import next_waiting, plan_by_walks
from divlearn.methods.dl.kernels.search.questions import (
    ask_about_clauses,
    ask_about_pairs,
    ask_about_puzzles,
)
from divlearn.methods.dl.kernels.search.rows import Rows
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes

#: What makes a plan ready for hidden rows, beside 0 and 1.
HIDDEN = 2
#: Bits whose good value must have been seen before others are taken to be like them.
FEW_SEEN = 3
#: One candidate out of so many is left to others.
SPARED = 4
#: Which of them is rather a question.
ASKED = 1


@lean_kernel
def plan_hidden(state: DifferenceState, y: Codes) -> bool:
    """Write a planned solution or a question into ``y``; False if there is none."""
    if not may_plan_hidden(state):
        return False
    control = state.plan.control[0]
    settle_good(state)
    control.calls += 1
    turn = control.calls % SPARED
    if turn == 0:
        return False
    if state.clauses.control[0].stage == IDLE:
        begin_pairs(state.clauses)
    if is_asking(state.clauses):
        if ask_about_pairs(state, y):
            return True
        if is_asking(state.clauses):  # others go on while an answer is under way
            return False
        control.ready = 0
    if ask_about_puzzles(state, y):
        return True
    if turn == ASKED and ask_about_clauses(state, y):
        return True
    return _plan_cover(state, y) or ask_about_clauses(state, y)


@lean_kernel
def may_plan_hidden(state: DifferenceState) -> bool:
    """Whether objectives are known sums, and the constraint may be a count."""
    if state.clauses.good.shape[0] == 0 or state.clauses.control[0].on == 0:
        return False
    if state.control[0].archive_size == 0:
        return False
    for k in range(state.low.shape[0]):
        if not is_known_sum(state.values, k):
            return False
    for a in range(state.values.singles.sure.shape[0]):
        if state.values.singles.sure[a] > 0.0:
            return False
    return True


@lean_kernel
def settle_good(state: DifferenceState) -> None:
    """Say which values are good: those that were seen to be, else what costs more."""
    clauses, mean, changed = state.clauses, state.values.singles.mean, False
    for i in range(clauses.good.shape[0]):
        good, first = clauses.seen[i], state.layout.places[i].offset
        if good < 0:
            more = 0.0
            for k in range(state.low.shape[0]):
                scale = state.values.outputs[k].square ** 0.5
                if scale > 0.0:
                    more += (mean[first + 1, k] - mean[first, k]) / scale
            good = 1 if more > 0.0 else 0
        if good != clauses.good[i]:
            clauses.good[i], changed = good, True
    if changed:
        forget_clauses(clauses)
        if clauses.control[0].stage != GIVEN_UP:
            clauses.control[0].stage = IDLE
        state.plan.control[0].ready = 0


@lean_kernel
def propose_good(state: DifferenceState, x: Codes) -> bool:
    """Write the solution of good bits only; all have the value that was seen so far."""
    clauses, ones, zeros = state.clauses, 0, 0
    if clauses.control[0].on == 0:
        return False
    for i in range(x.shape[0]):
        ones += clauses.seen[i] == 1
        zeros += clauses.seen[i] == 0
    usual = 1 if ones > zeros else 0
    seen = ones + zeros
    if seen < FEW_SEEN or (seen < x.shape[0] and min(ones, zeros) > 0):
        return False
    for i in range(x.shape[0]):
        x[i] = clauses.seen[i] if clauses.seen[i] >= 0 else usual
    return is_new(state, x, False)


@lean_kernel
def learn_count(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Learn what the count of a solution says about hidden rows."""
    clauses, count = state.clauses, float(state.outputs[state.low.shape[0]])
    if clauses.control[0].on == 0:
        return
    if count < 0.0 or count != int(count):
        clauses.control[0].on = 0
        return
    _learn_direction(state, x, ticket, count)
    if clauses.good[0] < 0:
        return
    good_bits(clauses.good, x, clauses.here)
    if is_asking(clauses):
        if clauses.control[0].asking == 1 and same_bits(clauses.here, clauses.question):
            take_count(clauses, int(count))
        return
    if count == 0.0:
        learn_kept(clauses, clauses.here)
        return
    if state.plan.control[0].ready == HIDDEN and _keeps_known(clauses):
        state.plan.control[0].ready = 0  # a planned point was wrong
    learn_violated(clauses, clauses.here, int(count))


@lean_kernel
def _learn_direction(
    state: DifferenceState, x: Codes, ticket: Integers, count: float
) -> None:
    """Learn which value of a bit is good, if it is the only one that changed."""
    row = find_parent(state.parents, ticket[1])
    if row < 0:
        return
    parent, differing, spot = state.parents.solutions[row], 0, -1
    for i in range(x.shape[0]):
        if x[i] != parent[i]:
            differing += 1
            spot = i
    before = state.parents.outputs[row, state.low.shape[0]]
    if differing == 1 and count != before:
        better = x[spot] if count < before else parent[spot]
        note_direction(state.clauses, spot, better)


@lean_kernel
def _plan_cover(state: DifferenceState, y: Codes) -> bool:
    """Write the best planned solution that keeps all known clauses."""
    plan, clauses, control = state.plan, state.clauses, state.plan.control[0]
    if clauses.control[0].known == 0:
        return False
    if control.ready != HIDDEN:
        _start(state)
    _list_clauses(state, plan.rows)
    plan_by_walks(state, clauses.price)
    while next_waiting(state, y):
        good_bits(clauses.good, y, clauses.here)
        if _keeps_known(clauses):
            return True
    return False


@lean_kernel
def _keeps_known(clauses: Clauses) -> bool:
    """Whether all clauses that have known members have one in ``here``."""
    for r in range(clauses.control[0].known):
        members = clauses.members[r]
        if not meets(clauses.here, members) and num_bits(members) > 0:
            return False
    return True


@lean_kernel
def _start(state: DifferenceState) -> None:
    """Begin with what was evaluated."""
    plan, archive, m = state.plan, state.archive, state.low.shape[0]
    control, relax, mean = plan.control[0], plan.relax, state.values.singles.mean
    for k in range(plan.scale.shape[0]):
        relax.base[k] = 0.0
        plan.scale[k] = state.values.outputs[k].square ** 0.5 if k < m else 1.0
        for a in range(mean.shape[0]):
            relax.table[a, k] = mean[a, k] if k < m else 0.0
    for k in range(m):
        relax.base[k] = tamed(archive.outputs[archive.order[0], k])
        for i in range(plan.x.shape[0]):
            action = row_of(state.layout, i, archive.solutions[archive.order[0], i])
            relax.base[k] -= relax.table[action, k]
    control.ready, control.level, control.points, control.idle = HIDDEN, 1, 0, 0
    control.first_level, control.last_level, control.waiting = 0, 0, 0
    for s in range(state.control[0].archive_size):
        member = archive.order[s]
        copy_codes(archive.solutions[member], plan.x)
        for k in range(plan.scale.shape[0]):
            plan.outputs[0, k] = tamed(archive.outputs[member, k]) if k < m else 0.0
        add_point(plan, 0, 0)


@lean_kernel
def _list_clauses(state: DifferenceState, rows: Rows) -> None:
    """List clauses as rows: one of the members, or of the group that has one."""
    clauses, layout, count = state.clauses, state.layout, 0
    known = clauses.control[0].known
    rows.used[0] = known
    for r in range(known):
        rows.base[r], rows.size[r] = 1.0, 1.0
    for i in range(layout.places.shape[0]):
        for value in range(2):
            rows.first[layout.places[i].offset + value] = count
            if value != clauses.good[i]:
                continue
            for r in range(known):
                members = clauses.members[r]
                if num_bits(members) == 0:
                    members = clauses.group[r]
                if has_bit(members, i):
                    rows.row[count], rows.entry[count] = r, -1.0
                    count += 1
    rows.first[rows.first.shape[0] - 1] = count
