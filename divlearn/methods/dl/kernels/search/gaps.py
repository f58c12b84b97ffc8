"""Where a plan searches next: the widest gap of a front, or a given direction.

A gap is searched under the weights normal to it, for what lies below its corner, more
thoroughly at each level; one that was enumerated to the end is closed.
"""

from __future__ import annotations

from divlearn.basics.typing import Floats
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.search.enumeration import Plan, is_full
from divlearn.methods.dl.kernels.search.relaxation import HUGE

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
#: Level of a gap that holds nothing more, and no gap that is open.
CLOSED, NO_GAP = 99, -2


@lean_kernel
def has_time(plan: Plan, start: int) -> bool:
    """Whether to search another gap, where ``start`` was done before this proposal."""
    control = plan.control[0]
    limit = start + WORK if control.level < LEVELS else PACE * control.calls
    return bool(control.level <= LEVELS and control.work < limit)


@lean_kernel
def aim_at_gap(plan: Plan) -> int:
    """Aim at the widest gap of a front of two objectives, or end the level."""
    gap = _widest_gap(plan)
    if gap == NO_GAP:
        plan.control[0].level += 1
    else:
        aim(plan, gap)
        control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
        plan.span[0] = keys[archive.order[max(gap, 0)], 0]
        plan.span[1] = keys[archive.order[min(gap + 1, control.points - 1)], 0]
        plan.span[2] = 1.0 if gap == control.points - 1 else 0.0
    return gap


@lean_kernel
def note_gap(plan: Plan, gap: int, closed: bool) -> None:
    """Remember how thoroughly ``gap`` was searched, if nothing was found in it."""
    control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
    if not closed and control.found > 0:
        return
    level = CLOSED if closed else control.level
    if gap == -1:
        control.first_level = level
    elif plan.span[2] == 1.0:
        control.last_level = level
    else:
        for s in range(control.points - 1):
            slot, after = archive.order[s], archive.order[s + 1]
            if keys[slot, 0] >= plan.span[0] and keys[after, 0] <= plan.span[1]:
                plan.level[slot] = max(plan.level[slot], level)


@lean_kernel
def _widest_gap(plan: Plan) -> int:
    """Point before the widest gap that is open: -1 the first end, NO_GAP."""
    control, archive, keys = plan.control[0], plan.archive, plan.archive.keys
    if control.first_level < control.level:
        return -1
    if control.last_level < control.level:
        return int(control.points - 1)
    gap, widest = NO_GAP, -1.0
    for s in range(control.points - 1):
        slot, after = archive.order[s], archive.order[s + 1]
        if plan.level[slot] < control.level:
            area = (keys[after, 0] - keys[slot, 0]) * (keys[slot, 1] - keys[after, 1])
            if area > widest:
                gap, widest = s, area
    return gap


@lean_kernel
def aim(plan: Plan, gap: int) -> None:
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
def aim_at_weights(plan: Plan, weights: Floats) -> bool:
    """Aim in a direction, for any number of objectives; False if it is not time to."""
    control, m = plan.control[0], plan.relax.weights.shape[0]
    ahead = control.waiting == 1 and control.work > PACE_OF_DIRECTIONS * control.calls
    if control.level > LEVELS or is_full(plan) or ahead:
        return False
    for k in range(plan.corner.shape[0]):
        plan.corner[k] = HUGE if k < m else TOLERANCE * plan.scale[k]
        if k < m:
            plan.relax.weights[k] = weights[k]
    return True


@lean_kernel
def note_direction(plan: Plan, closed: bool) -> None:
    """End the level after too many directions without a new point."""
    control, m = plan.control[0], plan.relax.weights.shape[0]
    control.idle = 0 if control.found > 0 else control.idle + 1
    if control.idle > PATIENCE or (closed and m == 1):
        control.level += 1
        control.idle = 0
