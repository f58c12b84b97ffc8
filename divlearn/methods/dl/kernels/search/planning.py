"""Planning a whole front inside tables that are exact.

Where every output is a sum over positions, and the sums have been learned, the front
can be found before it is evaluated: gap by gap, each under the weights normal to it
(:mod:`divlearn.methods.dl.kernels.search.enumeration`). A gap that was enumerated to
the end holds nothing more. Evaluations are spent only on planned points, those that
promise most first.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.archive import Archive
from divlearn.kernels.cells import row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.random import below, uniform
from divlearn.kernels.scale import tamed
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.asking import is_left_alone, is_repaired, may_ask
from divlearn.methods.dl.kernels.front import best_member
from divlearn.methods.dl.kernels.models.hidden import (
    Hidden,
    constant_of,
    is_trusted,
    weight_of,
)
from divlearn.methods.dl.kernels.models.quadratic.values import Values, is_exact
from divlearn.methods.dl.kernels.search.enumeration import (
    Plan,
    add_point,
    enumerate_below_corner,
    is_full,
    lower_promise,
)
from divlearn.methods.dl.kernels.search.gaps import (
    CLOSED,
    NO_GAP,
    aim,
    aim_at_gap,
    aim_at_weights,
    has_time,
    note_direction,
    note_gap,
)
from divlearn.methods.dl.kernels.search.relaxation import HUGE
from divlearn.methods.dl.kernels.search.row_walks import walk_under_rows
from divlearn.methods.dl.kernels.search.rows import FEW, list_rows
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes, is_limited

#: Walks under many rows in a row that find nothing before they are made more and more
#: rarely, and the longest rest between them.
FRUITLESS, LONGEST_REST = 12, 63
#: Area of an end that a walk may extend, by the front's box.
END_SHARE = 0.05
#: Candidates until a plan begins anew if its constraints have changed: at least, and
#: one for so many before.
AGAIN_AFTER, AGAIN_SHARE = 10, 3


@lean_kernel
def plan_values(state: DifferenceState, y: Codes) -> bool:
    """Write a solution into ``y`` that is planned and was never evaluated.

    With other than two objectives the weights of the tables say where to plan next.

    Returns
    -------
    False if the tables are not exact, or the plan is finished and evaluated.
    """
    plan, layout, control = state.plan, state.layout, state.plan.control[0]
    empty = state.control[0].archive_size == 0
    if empty or not is_exact(state.values) or _has_permutation(layout):
        if control.ready == 1:
            control.ready = 0
        return False
    wiser = control.mistakes < state.hidden.record[0].mistakes
    if wiser and control.waiting == 0 and control.calls >= control.again:
        control.ready = 0  # more is known of what is left alone
    if control.ready != 1:
        _start(state)
    control.calls += 1
    if _has_many(plan):
        if plan.rows.used[0] == 0:  # it was loaded from a file
            list_rows(plan.rows, plan.relax)
        plan_by_walks(state, plan.relax.price)
        return next_waiting(state, y)
    if plan.relax.weights.shape[0] != 2:
        if aim_at_weights(plan, state.weights[OF_TABLES]):
            note_direction(plan, enumerate_below_corner(plan, layout))
        return next_waiting(state, y)
    start = control.work
    while has_time(plan, start):
        gap = aim_at_gap(plan)
        if gap > NO_GAP:
            note_gap(plan, gap, enumerate_below_corner(plan, layout))
    return next_waiting(state, y)


@lean_kernel
def is_planning(plan: Plan, values: Values) -> bool:
    """Whether the front is planned, or was; not beyond the room for more objectives."""
    planned = plan.relax.weights.shape[0] == 2 or plan.control[0].waiting == 1
    return is_exact(values) and (planned or not is_full(plan))


@lean_kernel
def _has_permutation(layout: Layout) -> bool:
    """Whether there is something that the tables do not describe."""
    count = 0
    for segment in layout.segments:
        count += segment.kind == PERMUTATION
    return count > 0


@lean_kernel
def _start(state: DifferenceState) -> None:
    """Begin with the tables of values."""
    plan, values = state.plan, state.values
    relax, mean = plan.relax, values.singles.mean
    num, p = mean.shape[1], plan.scale.shape[0]
    for a in range(mean.shape[0]):
        for k in range(p):
            relax.table[a, k] = mean[a, k] if k < num else 0.0
    for k in range(p):
        plan.scale[k] = values.outputs[k].square ** 0.5 if k < num else 1.0
    _add_limits(plan, state.layout, num)
    if is_trusted(state.hidden):
        _add_hidden(plan, state.hidden)
    start_plan(state, num)


@lean_kernel
def start_plan(state: DifferenceState, num: int) -> None:
    """Begin with what was evaluated, the tables and scales of ``num`` outputs given."""
    plan, archive = state.plan, state.archive
    control, p = plan.control[0], plan.scale.shape[0]
    _set_base(plan, state.layout, archive, num)
    control.ready, control.level, control.points, control.idle = 1, 1, 0, 0
    control.first_level, control.last_level, control.waiting = 0, 0, 0
    if _has_many(plan):
        list_rows(plan.rows, plan.relax)
    control.mistakes = state.hidden.record[0].mistakes
    control.again = control.calls + max(AGAIN_AFTER, control.calls // AGAIN_SHARE)
    for s in range(state.control[0].archive_size):
        member = archive.order[s]
        copy_codes(archive.solutions[member], plan.x)
        for k in range(p):
            plan.outputs[0, k] = tamed(archive.outputs[member, k]) if k < num else 0.0
        add_point(plan, 0, 0)


@lean_kernel
def _add_limits(plan: Plan, layout: Layout, num: int) -> None:
    """Let the sizes of limited subsets be constraints: number of ones and limits."""
    column, relax = num, plan.relax
    for segment in layout.segments:
        if is_limited(segment):
            for i in range(segment.start, segment.stop):
                relax.table[layout.places[i].offset + 1, column] = 1.0
                relax.table[layout.places[i].offset + 1, column + 1] = -1.0
            relax.base[column] = -float(segment.most)
            relax.base[column + 1] = float(segment.least)
            column += 2


@lean_kernel
def _add_hidden(plan: Plan, hidden: Hidden) -> None:
    """Let the last constraint be what a repair leaves alone."""
    relax, last, largest = plan.relax, plan.relax.base.shape[0] - 1, 0.0
    for f in range(hidden.mean.shape[0]):
        largest = max(largest, abs(hidden.mean[f]))
    if largest == 0.0:
        return
    for a in range(relax.table.shape[0]):
        relax.table[a, last] = weight_of(hidden, a) / largest
    relax.base[last] = constant_of(hidden) / largest


@lean_kernel
def _set_base(plan: Plan, layout: Layout, archive: Archive, num: int) -> None:
    """Let the first member of the archive have its true outputs."""
    member, relax = archive.order[0], plan.relax
    for k in range(num):
        relax.base[k] = tamed(archive.outputs[member, k])
        for i in range(plan.x.shape[0]):
            action = row_of(layout, i, archive.solutions[member, i])
            relax.base[k] -= relax.table[action, k]


@lean_kernel
def next_waiting(state: DifferenceState, y: Codes) -> bool:
    """Hand out the waiting point that promises most."""
    plan = state.plan
    control, archive = plan.control[0], plan.archive
    while control.waiting == 1 and (may_ask(state) or not is_repaired(state)):
        best, most = -1, -HUGE
        for s in range(control.points):
            slot = archive.order[s]
            if plan.waiting[slot] == 1:
                promise = _promise(plan, s)
                if promise > most:
                    best, most = slot, promise
        if best < 0:
            control.waiting = 0
            return False
        plan.waiting[best] = 0
        if archive.keys.shape[1] != 2:
            for s in range(control.points):
                if plan.waiting[archive.order[s]] == 1:
                    lower_promise(plan, archive.order[s], best)
        copy_codes(archive.solutions[best], y)
        if is_left_alone(state, y) and is_new(state, y, False):
            return True
    return False


@lean_kernel
def _promise(plan: Plan, s: int) -> float:
    """What point number ``s`` adds to those that do not wait: the ends come first."""
    archive, keys, last = plan.archive, plan.archive.keys, plan.control[0].points - 1
    if keys.shape[1] != 2:
        return float(plan.promise[archive.order[s]])
    if s in (0, last):
        return HUGE
    slot, left, right = archive.order[s], s - 1, s + 1
    while left > 0 and plan.waiting[archive.order[left]] == 1:
        left -= 1
    while right < last and plan.waiting[archive.order[right]] == 1:
        right += 1
    width = keys[archive.order[right], 0] - keys[slot, 0]
    return float(width * (keys[archive.order[left], 1] - keys[slot, 1]))


@lean_kernel
def _has_many(plan: Plan) -> bool:
    """Whether constraints are too many to be enumerated under."""
    return bool(plan.scale.shape[0] - plan.relax.weights.shape[0] > FEW)


@lean_kernel
def plan_by_walks(state: DifferenceState, price: Floats) -> None:
    """Walk under the rows of the plan, a gap at a time, as long as it is time to.

    ``price`` are prices of the rows, which are improved.
    """
    plan, layout, rng = state.plan, state.layout, state.rng
    control = plan.control[0]
    rest = min(LONGEST_REST, control.idle // FRUITLESS)
    if control.calls % (1 + rest) != 0:
        return
    while not is_full(plan):
        if plan.relax.weights.shape[0] == 2:
            slot = _aim_somewhere(plan, uniform(rng), below(rng, 2))
        else:
            slot = _aim_along(plan, state.weights[OF_TABLES])
        walk_under_rows(plan, layout, rng, slot, price)
        control.idle = 0 if control.found > 0 else control.idle + 1
        found = control.waiting == 1 or control.idle >= FRUITLESS
        if found or plan.relax.weights.shape[0] != 2:
            break


@lean_kernel
def _aim_along(plan: Plan, weights: Floats) -> int:
    """Take given weights; return the planned point that is best under them."""
    for k in range(plan.relax.weights.shape[0]):
        plan.relax.weights[k] = weights[k]
    return best_member(plan.archive, plan.control[0].points, plan.relax.weights)


@lean_kernel
def _aim_somewhere(plan: Plan, u: float, side: int) -> int:
    """Draw a gap by its area and how rarely it was searched; set weights normal to it.

    Returns
    -------
    The planned point on one ``side`` of it.
    """
    control, archive = plan.control[0], plan.archive
    last, total = control.points - 1, 0.0
    for gap in range(-1, last + 1):
        total += _merit(plan, gap)
    left, found = u * total, -1
    for gap in range(-1, last + 1):
        left -= _merit(plan, gap)
        found = gap
        if left <= 0.0:
            break
    aim(plan, found)
    if found == -1:
        control.first_level = min(CLOSED, control.first_level + 1)
        return int(archive.order[0])
    slot = archive.order[found]
    if found == last:
        control.last_level = min(CLOSED, control.last_level + 1)
        return int(slot)
    plan.level[slot] = min(CLOSED, plan.level[slot] + 1)
    return int(archive.order[found + side])


@lean_kernel
def _merit(plan: Plan, gap: int) -> float:
    """How much a gap deserves to be searched: its area, less if it often was."""
    control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
    first, last = archive.order[0], archive.order[control.points - 1]
    box = (keys[last, 0] - keys[first, 0]) * (keys[first, 1] - keys[last, 1])
    end = END_SHARE * box if box > 0.0 else 1.0
    if gap == -1:
        return float(end / (1.0 + control.first_level))
    if gap == control.points - 1:
        return float(end / (1.0 + control.last_level))
    slot, after = archive.order[gap], archive.order[gap + 1]
    area = (keys[after, 0] - keys[slot, 0]) * (keys[slot, 1] - keys[after, 1])
    return float(area / (1.0 + plan.level[slot]))
