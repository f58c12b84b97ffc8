"""What tables of values, and plans made of them, may hold."""

from __future__ import annotations

from divlearn.methods.dl.kernels.models.clauses import DEEPEST, NUM_TESTS, Clauses
from divlearn.methods.dl.kernels.models.counted import GIVEN_UP as PAIRS_GIVEN_UP
from divlearn.methods.dl.kernels.models.counted import JOINING
from divlearn.methods.dl.kernels.models.hidden import GIVEN_UP
from divlearn.methods.dl.kernels.search.enumeration import PLAN
from divlearn.methods.dl.kernels.search.gaps import CLOSED, LEVELS
from divlearn.methods.dl.kernels.search.hidden import HIDDEN
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.optimizer.checkpoint.front import require_front
from divlearn.optimizer.checkpoint.rules import (
    ANY,
    COUNT,
    FLAG,
    POSITIVE,
    SAME,
    Number,
    Table,
    Whole,
    require,
)

_GAP = Whole(0, CLOSED)

VALUES_TABLE: Table = {
    "values.singles.mean": ANY,
    "values.singles.variance": POSITIVE,
    "values.singles.noise": POSITIVE,
    "values.singles.sure": Number(0.0, 1.0),
    "values.singles.doubt": Number(0.0, 1.0),
    "values.pairs.mean": ANY,
    "values.pairs.product": ANY,
    "values.pairs.feature": SAME,
    "values.pairs.level": SAME,
    "values.pairs.prior": SAME,
    "values.outputs": {
        "square": POSITIVE,
        "error": POSITIVE,
        "pair_error": POSITIVE,
        "seen": Number(0.0, finite=True),
        "right": Number(0.0, finite=True),
    },
    "values.streak": COUNT,
    "clauses.control": {
        "on": FLAG,
        "known": Whole(0, lambda s: s.length("clauses.price")),
        "puzzles": COUNT,
        "failures": COUNT,
        "stage": Whole(0, PAIRS_GIVEN_UP),
        "most": SAME,
        "step": Whole(0, NUM_TESTS - 1),
        "first": COUNT,
        "width": Whole(1),
        "cells": Whole(0, DEEPEST // 2),
        "asking": FLAG,
        "asked_at": COUNT,
        "begun": COUNT,
    },
    "clauses.seen": Whole(-1, 1),
    "clauses.good": Whole(-1, 1),
    "clauses.members": ANY,
    "clauses.others": ANY,
    "clauses.anchor": ANY,
    "clauses.group": ANY,
    "clauses.price": POSITIVE,
    "clauses.puzzles": ANY,
    "clauses.counts": COUNT,
    "clauses.tries": COUNT,
    "clauses.cells": Whole(-1),
    "clauses.sums": COUNT,
    "clauses.question": ANY,
    "hidden.record": {
        "stage": Whole(0, GIVEN_UP),
        "asked": COUNT,
        "mistakes": COUNT,
        "right": Number(0.0, finite=True),
    },
    "hidden.mean": Number(finite=True),
    "hidden.covariance": Number(finite=True),
    "plan.control": {
        **dict.fromkeys(PLAN.names or (), COUNT),
        "ready": Whole(0, HIDDEN),
        "waiting": FLAG,
        "cut": FLAG,
        "points": Whole(0, lambda s: s.length("plan.archive.order") - 1),
        "level": Whole(0, LEVELS + 1),
        "first_level": _GAP,
        "last_level": _GAP,
    },
    "plan.archive.solutions": COUNT,
    "plan.archive.outputs": ANY,
    "plan.archive.keys": ANY,
    "plan.archive.order": COUNT,
    "plan.waiting": FLAG,
    "plan.level": _GAP,
    "plan.promise": ANY,
    "plan.relax.table": ANY,
    "plan.relax.base": ANY,
    "plan.relax.weights": ANY,
    "plan.relax.price": POSITIVE,
    "plan.relax.cost": ANY,
    "plan.scale": POSITIVE,
}


def require_plan(state: DifferenceState) -> None:
    """Planned points are solutions, and a plan that is in use has begun."""
    control = state.plan.control[0]
    layout, points = state.layout, int(control.points)
    require_front("plan.archive", state.plan.archive, points, layout, False)
    begun = control.ready == 0 or (control.level > 0 and points > 0)
    require(bool(begun), "plan.control must be that of a plan that has begun")
    calls = control.calls <= state.control[0].proposed
    require(bool(calls), "plan.control.calls must be candidates asked for")
    _require_cells(state.clauses)


def _require_cells(clauses: Clauses) -> None:
    """Pairs of runs of bits lie one after the other, and one is asked about."""
    control, n = clauses.control[0], len(clauses.good)
    a, a_stop, b, b_stop, _ = clauses.cells[: int(control.cells)].T
    right = (a < a_stop) & (a_stop <= b) & (b < b_stop) & (b_stop <= n)
    require(bool(right.all()), "clauses.cells must be runs of bits")
    missing = control.stage == JOINING and control.asking == 1 and control.cells == 0
    require(not missing, "clauses.cells must hold what is asked about")
