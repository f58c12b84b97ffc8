"""Candidates where positions are more than evaluations: broad steps and blind ones."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import uniform
from divlearn.kernels.scale import tame
from divlearn.methods.dl.kernels.answers import adopt, adopt_least_violating
from divlearn.methods.dl.kernels.arms.bandit import (
    LEAST_BLIND,
    LEAST_SHARE,
    NUM_TRIALS,
    TABLES,
    WALK,
    share_of,
)
from divlearn.methods.dl.kernels.arms.walk import step_from, step_or_cross
from divlearn.methods.dl.kernels.front import best_member
from divlearn.methods.dl.kernels.search.broad import mend_broadly, step_broadly
from divlearn.methods.dl.kernels.state import OF_TABLES, DifferenceState
from divlearn.methods.dl.kernels.weights import draw_weights


@lean_kernel
def propose_broad(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next candidate into ``x``, shape (n,), and its ticket."""
    control, weights = state.control[0], state.weights[OF_TABLES]
    if control.archive_size == 0:
        source, ticket[1] = state.least_violating, adopt_least_violating(state)
        if mend_broadly(state, source, state.least_outputs, x):
            ticket[0] = TABLES
        else:
            ticket[0] = WALK
            step_from(state, source, x)
        return
    draw_weights(state, OF_TABLES)
    slot = int(best_member(state.archive, control.archive_size, weights))
    ticket[0], ticket[1] = WALK, adopt(state, slot)
    if _tables_are_next(state):
        tame(state.archive.outputs[slot], state.told)
        if step_broadly(state, state.archive.solutions[slot], state.told, x):
            ticket[0] = TABLES
            return
    step_or_cross(state, slot, x)


@lean_kernel
def _tables_are_next(state: DifferenceState) -> bool:
    """Whether the next step is a broad one: by what such steps gained of late."""
    arms, u = state.arms, uniform(state.rng)
    if u < state.control[0].blind_share:
        return False
    best = max(arms[TABLES].recent, arms[WALK].recent)
    if arms[TABLES].tries < NUM_TRIALS:
        return True
    broad = share_of(arms, TABLES, best, LEAST_SHARE)
    blind = share_of(arms, WALK, best, LEAST_BLIND)
    return bool(uniform(state.rng) * (broad + blind) < broad)
