"""Enumeration of the solutions of an additive table that may lie below a corner.

A plan is an archive of predicted points. For given weights, subsets of cheap
replacements (:mod:`divlearn.methods.dl.kernels.search.relaxation`) are visited in
growing bounds on what they lose, and what nothing planned dominates is added.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.archive import (
    Archive,
    has_tree,
    insert_predicted,
    new_archive,
)
from divlearn.kernels.cells import middle_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.tree_search import covers
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.front import ask_sooner, first_larger
from divlearn.methods.dl.kernels.search.relaxation import (
    HUGE,
    Relaxation,
    list_replacements,
    new_relaxation,
    solve_relaxation,
)
from divlearn.methods.dl.kernels.search.rows import Rows, new_rows
from divlearn.methods.dl.kernels.variation import is_limited

#: Subsets visited per gap at the first level, and how many times as many at the next.
FIRST_LEVEL, NEXT_LEVEL = 1_000, 10
#: Most replacements in one solution.
DEPTH = 40
#: By how much the allowed loss grows, from that of this replacement on.
GROWTH, FIRST = 1.5, 5
#: Least growth, and what finding the prices costs, in subsets visited.
LEAST_GROWTH, COST_OF_PRICES = 1e-12, 20
#: Most numbers in the solutions of a plan, and fewest and most solutions.
MAX_NUMBERS, MIN_SLOTS, MAX_SLOTS = 2_000_000, 64, 4_096

PLAN = np.dtype(
    [
        ("ready", "i8"),  # 1: the plan is about the present tables
        ("points", "i8"),  # how many are planned
        ("waiting", "i8"),  # 1: some may wait to be evaluated
        ("level", "i8"),  # how thoroughly gaps are searched, from 1
        ("first_level", "i8"),  # level at which the first end was searched
        ("last_level", "i8"),  # and the last end
        ("idle", "i8"),  # directions in a row without a new point
        ("calls", "i8"),  # candidates asked for
        ("work", "i8"),  # subsets visited so far
        ("found", "i8"),  # points that the last enumeration added
        ("cut", "i8"),  # 1: it stopped early
        ("again", "i8"),  # candidates asked for when it may begin anew
        ("mistakes", "i8"),  # those about what is left alone when the plan began
    ]
)


@viewed
class Plan(NamedTuple):
    """Predicted front, and scratch of its enumeration."""

    control: Records  # (1,) of PLAN
    archive: Archive  # predicted points
    waiting: Integers  # (slots,) 1 where a point waits to be evaluated
    level: Integers  # (slots,) level at which the gap after a point was searched
    promise: Floats  # (slots,) by how much all that do not wait miss a point (m != 2)
    relax: Relaxation
    scale: Floats  # (p,) usual difference of each output
    corner: Floats  # (p,) outputs that a point of interest does not exceed
    span: Floats  # (3,) first objective around a gap; 1 if the gap is the last end
    used: Integers  # (n,) 1 where a position has its replacement
    following: Integers  # (D,) next replacement to try at each depth
    chosen: Integers  # (D,) replacement of each depth
    loss: Floats  # (D,) loss so far
    outputs: Floats  # (D, p) outputs so far
    x: Codes  # (n,) a solution
    rows: Rows  # the constraints, if they are many


def new_plan(
    layout: Layout, num_objectives: int, num_constraints: int, num_clauses: int = 0
) -> Plan:
    """Make an empty plan; limits of subsets become further constraints.

    ``num_clauses`` hidden rows may take the place of a single constraint.
    """
    n, num_actions = len(layout.places), int(layout.places.arity.sum())
    limited = sum(is_limited(segment) for segment in layout.segments)
    p = num_objectives + num_constraints + 2 * limited
    slots = max(MIN_SLOTS, min(MAX_SLOTS, MAX_NUMBERS // max(1, n)))
    return Plan(
        np.zeros(1, PLAN).view(np.recarray),
        new_archive(slots, n, num_objectives, p - num_objectives),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots),
        new_relaxation(layout, num_objectives, p),
        np.zeros(p),
        np.zeros(p),
        np.zeros(3),
        np.zeros(n, np.int64),
        np.zeros(DEPTH + 1, np.int64),
        np.zeros(DEPTH + 1, np.int64),
        np.zeros(DEPTH + 1),
        np.zeros((DEPTH + 1, p)),
        np.zeros(n, np.int64),
        new_rows(
            layout,
            max(p - num_objectives, num_clauses),
            max((p - num_objectives) * num_actions, num_clauses * n),
        ),
    )


@lean_kernel
def is_full(plan: Plan) -> bool:
    """Whether there is no room for another point."""
    return bool(plan.control[0].points + 1 >= plan.archive.order.shape[0])


@lean_kernel
def add_point(plan: Plan, depth: int, waiting: int) -> bool:
    """Add ``plan.x`` with the outputs at ``depth`` if nothing planned is as good."""
    control, archive = plan.control[0], plan.archive
    size = control.points
    if is_full(plan):
        return False
    slot = archive.order[size]
    size = insert_predicted(archive, size, plan.x, plan.outputs[depth])
    if size < 0:
        return False
    control.points = size
    plan.waiting[slot], plan.level[slot] = waiting, 0
    if waiting == 1 and archive.keys.shape[1] != 2:
        plan.promise[slot] = HUGE
        for s in range(size):
            if plan.waiting[archive.order[s]] == 0:
                lower_promise(plan, slot, archive.order[s])
    return True


@lean_kernel
def lower_promise(plan: Plan, slot: int, known: int) -> None:
    """Let a point promise no more than by how much a ``known`` one misses it."""
    keys, missed = plan.archive.keys, -HUGE
    for k in range(keys.shape[1]):
        scale = plan.scale[k] if plan.scale[k] > 0.0 else 1.0
        missed = max(missed, (keys[known, k] - keys[slot, k]) / scale)
    plan.promise[slot] = min(plan.promise[slot], missed)


@lean_kernel
def enumerate_below_corner(plan: Plan, layout: Layout) -> bool:
    """Visit solutions by growing bounds until points are found or none is left.

    The weights stand in ``plan.relax``, the corner in ``plan.corner``. How many points
    were found is then in ``plan.control``.

    Returns
    -------
    Whether nothing below the corner is left.
    """
    control, relax = plan.control[0], plan.relax
    limit = -solve_relaxation(relax, layout)
    control.found, control.cut = 0, 0
    control.work += COST_OF_PRICES
    for k in range(relax.weights.shape[0]):
        if plan.corner[k] < HUGE:
            limit += relax.weights[k] * plan.corner[k]
        else:
            limit += relax.weights[k] * (relax.outputs[k] + plan.scale[k])
    if limit < 0.0:
        return True
    count = list_replacements(relax, layout, limit)
    whole = count >= 0
    count = abs(count)
    allowed = relax.loss[min(count - 1, FIRST)] if count > 0 else limit
    most = FIRST_LEVEL * NEXT_LEVEL ** (control.level - 1)
    while True:
        last = not allowed < limit  # also where units are so large that it is no number
        _enumerate(plan, layout, count, min(allowed, limit), limit, most)
        if control.cut == 1 or last or control.found > 0:
            return bool(last and whole and control.cut == 0)
        allowed = GROWTH * allowed + LEAST_GROWTH * limit


@lean_kernel
def _enumerate(
    plan: Plan,
    layout: Layout,
    count: int,
    allowed: float,
    limit: float,
    most: int,
) -> None:
    """Visit all subsets of replacements that lose at most ``allowed``.

    Depth first, replacements in order of loss, so that the first one that loses too
    much ends a branch. A branch also ends when no further replacements can bring an
    output below its corner: a constraint, and above the first level an objective.
    """
    control, relax = plan.control[0], plan.relax
    loss, following = plan.loss, plan.following
    for k in range(relax.outputs.shape[0]):
        plan.outputs[0, k] = relax.outputs[k]
    loss[0], following[0], depth, nodes, control.cut = 0.0, 0, 0, 1, 0
    if _fits(plan):
        _consider(plan, layout, 0, limit)
    while depth >= 0:
        r = following[depth]
        if r >= count or loss[depth] + relax.loss[r] > allowed or nodes >= most:
            if nodes >= most:
                control.cut = 1
            if depth > 0:
                plan.used[relax.position[plan.chosen[depth]]] = 0
            depth -= 1
            continue
        following[depth] = r + 1
        if plan.used[relax.position[r]] == 1:
            continue
        nodes += 1
        child, lost = depth + 1, loss[depth] + relax.loss[r]
        more = _num_further(relax, count, r + 1, allowed - lost)
        inside, reachable = _replace(plan, depth, r, more)
        loss[child], plan.chosen[child] = lost, r
        if inside:
            _consider(plan, layout, child, limit)
        if reachable and more > 0 and child < DEPTH:
            plan.used[relax.position[r]] = 1
            following[child] = r + 1
            depth = child
    control.work += nodes


@lean_kernel
def _replace(plan: Plan, depth: int, r: int, more: int) -> tuple[bool, bool]:
    """Write the outputs one deeper, after replacement ``r``.

    Returns
    -------
    Whether they keep all constraints, and whether up to ``more`` further replacements
    can bring every output below its corner.
    """
    relax, m, boxed = plan.relax, plan.relax.weights.shape[0], plan.control[0].level > 1
    inside, reachable = True, True
    for k in range(relax.outputs.shape[0]):
        value = plan.outputs[depth, k] + relax.change[r, k]
        plan.outputs[depth + 1, k] = value
        if value > plan.corner[k] and (boxed or k >= m):
            # Points outside the gap are welcome, but not looked for.
            inside = inside and k < m
            if value + more * relax.least[r + 1, k] > plan.corner[k]:
                reachable = False
    return inside, reachable


@lean_kernel
def _num_further(relax: Relaxation, count: int, r: int, room: float) -> int:
    """How many replacements from ``r`` on may lose ``room`` in total, at most."""
    if r >= count or relax.loss[r] > room:
        return 0
    if relax.loss[r] * (count - r) <= room:
        return count - r
    return int(room / relax.loss[r])


@lean_kernel
def _fits(plan: Plan) -> bool:
    """Whether the best solution under the prices keeps all constraints."""
    for k in range(plan.relax.weights.shape[0], plan.corner.shape[0]):
        if plan.outputs[0, k] > plan.corner[k]:
            return False
    return True


@lean_kernel
def _consider(plan: Plan, layout: Layout, depth: int, limit: float) -> None:
    """Add a feasible solution to the plan if nothing in it is as good."""
    relax, outputs = plan.relax, plan.outputs[depth]
    m, total = relax.weights.shape[0], plan.loss[depth]
    for j in range(relax.price.shape[0]):
        total -= relax.price[j] * outputs[m + j]
    if total > limit or is_dominated(plan, outputs):
        return
    for i in range(plan.x.shape[0]):
        plan.x[i] = middle_of(layout, i, relax.best[i] - layout.places[i].offset)
    for d in range(1, depth + 1):
        i = relax.position[plan.chosen[d]]
        action = relax.action[plan.chosen[d]] - layout.places[i].offset
        plan.x[i] = middle_of(layout, i, action)
    if add_point(plan, depth, 1):
        plan.control[0].found += 1
        plan.control[0].waiting = 1


@lean_kernel
def is_dominated(plan: Plan, y: Floats) -> bool:
    """Whether something planned is as good as ``y``."""
    archive, keys, size = plan.archive, plan.archive.keys, plan.control[0].points
    if keys.shape[1] == 2:
        rank = first_larger(archive, size, y[0])
        return bool(rank > 0 and keys[archive.order[rank - 1], 1] <= y[1])
    if has_tree(archive, size):
        return covers(archive.tree, y)
    for s in range(size):
        slot, worse = archive.order[s], True
        for k in range(keys.shape[1]):
            if y[k] < keys[slot, k]:
                worse = False
                break
        if worse:
            ask_sooner(archive, 0, s)
            return True
    return False
