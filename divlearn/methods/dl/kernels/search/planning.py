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
from divlearn.kernels.scale import tamed
from divlearn.methods.dl.kernels.answers import is_new
from divlearn.methods.dl.kernels.models.quadratic.values import Values, is_exact
from divlearn.methods.dl.kernels.search.enumeration import (
    Plan,
    add_point,
    enumerate_below_corner,
    is_full,
    lower_promise,
)
from divlearn.methods.dl.kernels.search.relaxation import HUGE
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes, is_limited

#: Subsets visited per proposal, and on average at the last level of thoroughness.
WORK, PACE = 50_000, 50
LEVELS = 3
#: Directions without a new point after which a level ends, beyond two objectives, and
#: subsets visited on average per proposal while points wait.
PATIENCE, PACE_OF_DIRECTIONS = 50, 500
#: Weight of the other objective at the ends of a front.
END = 1e-3
#: Rounding errors that a constraint may have.
TOLERANCE = 1e-12
#: Level of a gap that holds nothing more.
CLOSED = 99


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
        control.ready = 0
        return False
    if control.ready == 0:
        _start(state)
    control.calls += 1
    if plan.relax.weights.shape[0] != 2:
        _plan_direction(plan, layout, state.weights[OF_TABLES])
        return _next_waiting(state, y)
    start = control.work
    while control.level <= LEVELS:
        limit = start + WORK if control.level < LEVELS else PACE * control.calls
        if control.work >= limit:
            break
        _plan_gap(plan, layout)
    return _next_waiting(state, y)


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
    """Begin with what was evaluated."""
    plan, values, archive = state.plan, state.values, state.archive
    control, relax, mean = plan.control[0], plan.relax, values.singles.mean
    num, p = mean.shape[1], plan.scale.shape[0]
    for a in range(mean.shape[0]):
        for k in range(p):
            relax.table[a, k] = mean[a, k] if k < num else 0.0
    for k in range(p):
        plan.scale[k] = values.outputs[k].square ** 0.5 if k < num else 1.0
    _add_limits(plan, state.layout, num)
    _set_base(plan, state.layout, archive, num)
    control.ready, control.level, control.points, control.idle = 1, 1, 0, 0
    control.first_level, control.last_level, control.waiting = 0, 0, 0
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
def _set_base(plan: Plan, layout: Layout, archive: Archive, num: int) -> None:
    """Let the first member of the archive have its true outputs."""
    member, relax = archive.order[0], plan.relax
    for k in range(num):
        relax.base[k] = tamed(archive.outputs[member, k])
        for i in range(plan.x.shape[0]):
            action = row_of(layout, i, archive.solutions[member, i])
            relax.base[k] -= relax.table[action, k]


@lean_kernel
def _next_waiting(state: DifferenceState, y: Codes) -> bool:
    """Hand out the waiting point that promises most."""
    plan = state.plan
    control, archive = plan.control[0], plan.archive
    while control.waiting == 1:
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
        if is_new(state, y, False):
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
def _plan_gap(plan: Plan, layout: Layout) -> None:
    """Search the widest gap of a front of two objectives, or end the level."""
    control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
    gap = _widest_gap(plan)
    if gap == -2:
        control.level += 1
        return
    _aim(plan, gap)
    last = gap == control.points - 1
    low = keys[archive.order[max(gap, 0)], 0]
    high = keys[archive.order[min(gap + 1, control.points - 1)], 0]
    closed = enumerate_below_corner(plan, layout)
    if not closed and control.found > 0:
        return
    level = CLOSED if closed else control.level
    if gap == -1:
        control.first_level = level
    elif last:
        control.last_level = level
    else:
        for s in range(control.points - 1):
            slot, after = archive.order[s], archive.order[s + 1]
            if keys[slot, 0] >= low and keys[after, 0] <= high:
                plan.level[slot] = max(plan.level[slot], level)


@lean_kernel
def _widest_gap(plan: Plan) -> int:
    """Point before the widest gap that is open: -1 the first end, -2 none."""
    control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
    if control.first_level < control.level:
        return -1
    if control.last_level < control.level:
        return int(control.points - 1)
    gap, widest = -2, -1.0
    for s in range(control.points - 1):
        slot, after = archive.order[s], archive.order[s + 1]
        if plan.level[slot] < control.level:
            area = (keys[after, 0] - keys[slot, 0]) * (keys[slot, 1] - keys[after, 1])
            if area > widest:
                gap, widest = s, area
    return gap


@lean_kernel
def _aim(plan: Plan, gap: int) -> None:
    """Set weights normal to a gap, and the corner that its points stay below."""
    control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
    weights, corner = plan.relax.weights, plan.corner
    first, last = archive.order[0], archive.order[control.points - 1]
    wide = keys[last, 0] - keys[first, 0]
    high = keys[first, 1] - keys[last, 1]
    if control.points == 1:
        wide, high = max(plan.scale[0], TOLERANCE), max(plan.scale[1], TOLERANCE)
    if gap == -1:
        weights[0], weights[1] = (1.0 - END) / wide, END / high
        corner[0], corner[1] = keys[first, 0], HUGE
    elif gap == control.points - 1:
        weights[0], weights[1] = END / wide, (1.0 - END) / high
        corner[0], corner[1] = HUGE, keys[last, 1]
    else:
        before, after = archive.order[gap], archive.order[gap + 1]
        across = (keys[after, 0] - keys[before, 0]) / wide
        down = (keys[before, 1] - keys[after, 1]) / high
        weights[0] = down / (across + down) / wide
        weights[1] = across / (across + down) / high
        corner[0], corner[1] = keys[after, 0], keys[before, 1]
    for k in range(2, corner.shape[0]):
        corner[k] = TOLERANCE * plan.scale[k]


@lean_kernel
def _plan_direction(plan: Plan, layout: Layout, weights: Floats) -> None:
    """Search under given weights, for any number of objectives, if it is time to."""
    control, m = plan.control[0], plan.relax.weights.shape[0]
    ahead = control.waiting == 1 and control.work > PACE_OF_DIRECTIONS * control.calls
    if control.level > LEVELS or is_full(plan) or ahead:
        return
    for k in range(plan.corner.shape[0]):
        plan.corner[k] = HUGE if k < m else TOLERANCE * plan.scale[k]
        if k < m:
            plan.relax.weights[k] = weights[k]
    closed = enumerate_below_corner(plan, layout)
    control.idle = 0 if control.found > 0 else control.idle + 1
    if control.idle > PATIENCE or (closed and m == 1):
        control.level += 1
        control.idle = 0
