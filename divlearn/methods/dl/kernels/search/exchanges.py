"""All orders that lose little against the best one, where positions explain everything.

An order differs from the best one by cycles of places, each of which takes the item of
the next. What it loses is the sum of the losses of all takers. So cycles are followed
place by place as long as the loss so far, with the shortest way that closes the cycle,
stays within what is allowed; a cycle begins with its first place, and further cycles
begin later, so that no order is met twice. What nothing planned dominates is added to
the plan (:mod:`divlearn.methods.dl.kernels.search.enumeration`).
"""

from __future__ import annotations

import math

from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.search.enumeration import (
    FIRST_LEVEL,
    GROWTH,
    LEAST_GROWTH,
    NEXT_LEVEL,
    Plan,
    add_point,
    is_dominated,
)
from divlearn.methods.dl.kernels.search.matching import (
    Matching,
    list_losses,
    solve_assignment,
)
from divlearn.methods.dl.kernels.search.relaxation import HUGE

#: What is allowed at first, in losses of the cheapest cycle.
FIRST_CYCLES = 4.0
#: Items per cubic root of what an assignment costs, in orders visited.
COST_OF_MATCHING = 20
#: Outputs closer than this, in usual differences, are equal: tables are rounded.
ROUNDING = 1e-6


@lean_kernel
def enumerate_orders(plan: Plan, matching: Matching) -> bool:
    """Visit orders by growing losses until points are found or none is left.

    The weights stand in ``plan.relax``, the corner in ``plan.corner``. How many points
    were found is then in ``plan.control``.

    Returns
    -------
    Whether nothing below the corner is left.
    """
    control, n = plan.control[0], matching.item.shape[0]
    control.found, control.cut = 0, 0
    control.work += 1 + n * n * n // COST_OF_MATCHING
    _price(plan, matching)
    solve_assignment(matching)
    _begin(plan, matching)
    _consider(plan, matching, 0)
    limit = _limit(plan, matching)
    if limit < 0.0 or n < 2:
        return True
    list_losses(matching)
    allowed, most = math.inf, FIRST_LEVEL * NEXT_LEVEL ** (control.level - 1)
    for i in range(n):
        allowed = min(allowed, FIRST_CYCLES * matching.cheapest[i])
    while control.found == 0:
        last = not allowed < limit
        _visit(plan, matching, min(allowed, limit), most)
        if last or control.cut == 1:
            return bool(last and control.cut == 0)
        allowed = GROWTH * allowed + LEAST_GROWTH * limit
    return False


@lean_kernel
def _price(plan: Plan, matching: Matching) -> None:
    """Write the weighted cost of every item at every place."""
    relax, n = plan.relax, matching.item.shape[0]
    for i in range(n):
        for a in range(n):
            total = 0.0
            for k in range(relax.weights.shape[0]):
                total += relax.weights[k] * relax.table[i * n + a, k]
            matching.cost[i, a] = total


@lean_kernel
def _begin(plan: Plan, matching: Matching) -> None:
    """Begin with the best order: write its outputs at depth 0."""
    relax, n, outputs = plan.relax, matching.item.shape[0], matching.outputs
    for k in range(outputs.shape[1]):
        outputs[0, k] = relax.base[k]
        for i in range(n):
            outputs[0, k] += relax.table[i * n + matching.item[i], k]
        relax.outputs[k] = outputs[0, k]
    for i in range(n):
        matching.goes[i], matching.taken[i] = i, 0


@lean_kernel
def _limit(plan: Plan, matching: Matching) -> float:
    """How much a point below the corner may lose; where there is none, a usual step."""
    relax, limit = plan.relax, 0.0
    for k in range(relax.weights.shape[0]):
        room = plan.corner[k] - relax.outputs[k]
        if plan.corner[k] >= HUGE:
            room = plan.scale[k]
        limit += relax.weights[k] * room
    return limit


@lean_kernel
def _visit(plan: Plan, matching: Matching, allowed: float, most: int) -> None:
    """Visit all orders that lose at most ``allowed``, but no more than ``most``."""
    control, n = plan.control[0], matching.item.shape[0]
    matching.row[0], matching.lost[0], matching.following[0] = -1, 0.0, 0
    depth, nodes, control.cut = 0, 1, 0
    while depth >= 0:
        i, k = matching.row[depth], matching.following[depth]
        matching.following[depth] = k + 1
        if i < 0:  # a whole order: another cycle begins at place k
            if k >= n or nodes >= most:
                control.cut = 1 if k < n else control.cut
                depth -= 1
            elif matching.taken[k] == 0:
                nodes += _begin_cycle(matching, depth, k, allowed)
                depth += int(matching.row[depth + 1] == k)
            continue
        j = matching.near[i, k] if k < n else i
        lost = matching.lost[depth] + matching.loss[i, j]
        if k >= n or lost > allowed or nodes >= most:
            control.cut = 1 if nodes >= most else control.cut
            matching.goes[i], matching.taken[i] = i, 0
            depth -= 1
        elif _take(plan, matching, depth, j, lost, allowed):
            nodes += 1
            depth += 1
    control.work += nodes


@lean_kernel
def _begin_cycle(matching: Matching, depth: int, k: int, allowed: float) -> int:
    """Let place ``k`` need another item one deeper, if a cycle from it is allowed."""
    matching.row[depth + 1] = -1
    if matching.lost[depth] + matching.cheapest[k] > allowed:
        return 0
    _descend(matching, depth, k, k, matching.lost[depth])
    for output in range(matching.outputs.shape[1]):
        matching.outputs[depth + 1, output] = matching.outputs[depth, output]
    matching.taken[k] = 1
    return 1


@lean_kernel
def _descend(matching: Matching, depth: int, i: int, start: int, lost: float) -> None:
    """Write that place ``i`` needs an item one deeper, -1 for a whole order."""
    matching.row[depth + 1], matching.start[depth + 1] = i, start
    matching.lost[depth + 1] = lost
    matching.following[depth + 1] = 0 if i >= 0 else start + 1


@lean_kernel
def _take(
    plan: Plan, matching: Matching, depth: int, j: int, lost: float, allowed: float
) -> bool:
    """Let the open place take the item of ``j``, if the cycle may close after it."""
    i, start = matching.row[depth], matching.start[depth]
    closes = j == start and i != start
    if not closes:
        if j <= start or matching.taken[j] == 1:
            return False
        if lost + matching.back[j, start] > allowed:
            return False
    n, table = matching.item.shape[0], plan.relax.table
    new, old = i * n + matching.item[j], i * n + matching.item[i]
    for k in range(matching.outputs.shape[1]):
        change = table[new, k] - table[old, k]
        matching.outputs[depth + 1, k] = matching.outputs[depth, k] + change
    matching.goes[i] = j
    _descend(matching, depth, -1 if closes else j, start, lost)
    if closes:
        _consider(plan, matching, depth + 1)
    else:
        matching.taken[j] = 1
    return True


@lean_kernel
def _consider(plan: Plan, matching: Matching, depth: int) -> None:
    """Add the order at ``depth`` to the plan if nothing in it is as good."""
    outputs = plan.outputs[0]
    for k in range(outputs.shape[0]):
        outputs[k] = matching.outputs[depth, k] + ROUNDING * plan.scale[k]
    if is_dominated(plan, outputs):
        return
    for k in range(outputs.shape[0]):
        outputs[k] = matching.outputs[depth, k]
    for i in range(plan.x.shape[0]):
        plan.x[i] = matching.item[matching.goes[i]]
    if add_point(plan, 0, 1):
        plan.control[0].found += 1
        plan.control[0].waiting = 1
