"""Planning a whole front of orders, where items at positions explain everything.

As fronts of values are (:mod:`divlearn.methods.dl.kernels.search.planning`): gap by gap
under its normal, or in drawn directions. The best order under weights is an assignment,
and what loses little against it are exchanges
(:mod:`divlearn.methods.dl.kernels.search.exchanges`).
"""

from __future__ import annotations

from divlearn.basics.typing import Codes
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.methods.dl.kernels.models.positions import positions_are_exact
from divlearn.methods.dl.kernels.search.exchanges import enumerate_orders
from divlearn.methods.dl.kernels.search.gaps import (
    NO_GAP,
    aim_at_gap,
    aim_at_weights,
    has_time,
    note_direction,
    note_gap,
)
from divlearn.methods.dl.kernels.search.matching import solve_assignment
from divlearn.methods.dl.kernels.search.planning import next_waiting, start_plan
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.variation import copy_codes
from divlearn.methods.dl.kernels.weights import draw_weights


@lean_kernel
def plan_orders(state: DifferenceState, y: Codes) -> bool:
    """Write an order into ``y`` that is planned and was never evaluated.

    Returns
    -------
    False if the tables are not exact, or the plan is finished and evaluated.
    """
    plan, matching, control = state.plan, state.matching, state.plan.control[0]
    if state.control[0].archive_size == 0 or not positions_are_exact(state):
        control.ready = 0
        return False
    if control.ready == 0:
        _start(state)
    control.calls += 1
    if plan.relax.weights.shape[0] != 2:
        draw_weights(state, OF_TABLES)
        if aim_at_weights(plan, state.weights[OF_TABLES]):
            note_direction(plan, enumerate_orders(plan, matching))
        return next_waiting(state, y)
    start = control.work
    while has_time(plan, start):
        gap = aim_at_gap(plan)
        if gap > NO_GAP:
            note_gap(plan, gap, enumerate_orders(plan, matching))
    return next_waiting(state, y)


@lean_kernel
def _start(state: DifferenceState) -> None:
    """Begin with the tables of positions."""
    plan, tables = state.plan, state.tables
    for j in range(plan.scale.shape[0]):
        plan.scale[j] = tables.size[j] ** 0.5
        mean = tables.mean[tables.chosen[j]]
        for a in range(mean.shape[0]):
            plan.relax.table[a, j] = mean[a, j]
    start_plan(state, plan.scale.shape[0])


@lean_kernel
def write_position_sample(state: DifferenceState, x: Codes) -> None:
    """Put items where they were least: the largest sum of random uncertainties."""
    matching, n, e = state.matching, x.shape[0], state.tables.chosen[0]
    for i in range(n):
        for a in range(n):
            unknown = state.tables.variance[e, i * n + a]
            matching.cost[i, a] = -unknown * (0.5 + uniform(state.rng))
    solve_assignment(matching)
    copy_codes(matching.item, x)
