"""What a search by ``DL`` did and what its tables hold, by name.

The names are stable, for programs; ``result.explain()`` says them in words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.methods.dl.checking import DIFFERED, is_noisy
from divlearn.methods.dl.kernels.arms.bandit import ARMS, REPEAT
from divlearn.methods.dl.kernels.models.additive import LEAST_VARIANCE
from divlearn.methods.dl.kernels.models.hidden import HIDDEN_STAGES
from divlearn.methods.dl.kernels.models.linkage import IDLE, LINKAGE_STAGES
from divlearn.methods.dl.kernels.models.pairing.model import (
    IN_USE,
    MODE_NAMES,
    SAMPLING,
)
from divlearn.methods.dl.kernels.models.positions import positions_are_exact
from divlearn.methods.dl.kernels.models.quadratic.values import (
    Values,
    describes_space,
    has_pairs,
    is_exact,
    uses_pairs,
)
from divlearn.methods.dl.kernels.models.routes.model import (
    IN_USE as ROUTES_IN_USE,
)
from divlearn.methods.dl.kernels.models.routes.model import (
    NO_MODEL,
    PHASE_NAMES,
    WAITING,
)
from divlearn.methods.dl.kernels.search.gaps import LEVELS
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.matters import what_matters
from divlearn.methods.dl.method import DL, ENCODINGS
from divlearn.methods.dl.tables import tables_of
from divlearn.methods.report import nothing_feasible
from divlearn.problems import Problem
from divlearn.spaces.names import position_names

#: What is said about noise that the problem did not declare.
NONE_FOUND = "none found: a solution that was measured twice has the same values"
FOUND = "found: a solution that was measured twice has different values"


def learned(state: DifferenceState, problem: Problem, method: DL) -> dict[str, Any]:
    """Collect what a result tells about a search by differences."""
    encodings = _encoding_names(state, method)
    pairs = zip(ARMS, state.arms, strict=True)
    tried = [(arm.name, record) for arm, record in pairs if record.tries]
    total = sum(float(arm.gain) for _, arm in tried) or 1.0
    found = [(name, arm) for name, arm in tried if name != ARMS[REPEAT].name]
    collected: dict[str, Any] = {
        "tables": tables_of(state, problem),
        "evaluations_by_kind": {name: int(arm.tries) for name, arm in tried},
        "entered_front": {name: float(arm.entered / arm.tries) for name, arm in found},
        "share_of_gain": {name: float(arm.gain / total) for name, arm in found},
        **_measured_again(state, problem),
        "what_matters": what_matters(state, problem),
        **_tables(state, problem, encodings),
    }
    if describes_space(state.values):
        collected |= _planned(state) | _hidden(state) | _linked(state, problem)
        return collected | nothing_feasible(state, problem)
    if state.control[0].fitted < 1.0:
        collected["geometry_error"] = float(state.control[0].fitted)
    collected |= _pairs(state, problem) | _routes(state, problem)
    collected |= _certainty(state) | _planned(state)
    return collected | nothing_feasible(state, problem)


def gauges(state: DifferenceState, problem: Problem, method: DL) -> dict[str, Any]:
    """Where a search stands: errors of encodings by output, and tries of arms."""
    encodings = _encoding_names(state, method)
    rows = [
        _explained(state, j, name, encodings) for j, name in enumerate(problem.outputs)
    ]
    errors = {
        row.pop("output"): {k: round(q, 6) for k, q in row.items() if k != "by"}
        for row in rows
        if row is not None
    }
    pairs = zip(ARMS, state.arms, strict=True)
    tried = [(arm.name, record) for arm, record in pairs if record.tries]
    return {
        "errors": errors,
        "tries": {name: int(record.tries) for name, record in tried},
        "entered": {name: int(record.entered) for name, record in tried},
    }


def _hidden(state: DifferenceState) -> dict[str, Any]:
    """What was found out about what a repair leaves alone."""
    record = state.hidden.record[0]
    if not len(state.hidden.mean):
        return {}
    return {
        "hidden_constraint": {
            "is": HIDDEN_STAGES[int(record.stage)],
            "questions": int(record.asked),
            "predicted": round(float(record.right), 3),
        }
    }


def _linked(state: DifferenceState, problem: Problem) -> dict[str, Any]:
    """Which positions were found to belong together."""
    linkage, record = state.linkage, state.linkage.record[0]
    if record.stage == IDLE or not len(linkage.order):
        return {}
    known: dict[str, Any] = {
        "is": LINKAGE_STAGES[int(record.stage)],
        "questions": int(record.questions),
    }
    if record.groups:
        names, starts = position_names(problem.space), linkage.starts
        groups = [
            sorted(linkage.members[starts[g] : starts[g + 1]].tolist())
            for g in range(int(record.groups))
        ]
        known["groups"] = [[names[i] for i in group] for group in groups]
    return {"linkage": known}


def _tables(
    state: DifferenceState, problem: Problem, encodings: list[str]
) -> dict[str, Any]:
    """How well the tables predict; nothing as long as they know nothing."""
    rows = [
        _explained(state, j, name, encodings) for j, name in enumerate(problem.outputs)
    ]
    if all(row is None for row in rows):
        return {}
    known: dict[str, Any] = {
        "explained_by": [
            row or {"output": name, "by": "nothing yet"}
            for name, row in zip(problem.outputs, rows, strict=True)
        ]
    }
    if state.control[0].logged:
        history = _history(state, problem)
        known["unexplained_history"] = history
    return known


def _measured_again(state: DifferenceState, problem: Problem) -> dict[str, Any]:
    """How often solutions of a noisy problem were measured, and how they varied."""
    control, repeats = state.control[0], state.repeats
    tries = int(state.arms[REPEAT].tries)
    if not is_noisy(state):
        return {"noise": NONE_FOUND} if tries else {}
    found = {"noise": FOUND} if control.checked == DIFFERED else {}
    counts = repeats.counts[state.archive.order[: int(control.archive_size)]]
    known: dict[str, Any] = {**found, "repeated_measurements": tries}
    if len(counts):
        limits = {"least": int(counts.min()), "most": int(counts.max())}
        known["measurements_per_member"] = limits
    if control.noted:
        known["measurement_std"] = {
            name: float(np.sqrt(square / control.noted))
            for name, square in zip(problem.outputs, repeats.squares, strict=True)
        }
    return known


def _history(state: DifferenceState, problem: Problem) -> dict[str, dict[str, float]]:
    """How q of every output fell, by evaluations."""
    rows = state.log[: int(state.control[0].logged)]
    return {
        f"{int(row[0]):,}": {
            name: round(float(q), 4)
            for name, q in zip(problem.outputs, row[1:], strict=True)
        }
        for row in rows
    }


def _encoding_names(state: DifferenceState, method: DL) -> list[str]:
    """Names of the encodings in use, those of a user's own after the others."""
    own = [encoding.name for encoding in method.custom_encodings]
    names = [*ENCODINGS, *own]
    return [names[e] for e in state.tables.encodings]


def _explained(
    state: DifferenceState, j: int, name: str, encodings: list[str]
) -> dict[str, Any] | None:
    """How well each encoding predicts the differences of one output; None if none."""
    if describes_space(state.values):
        return _explained_by_values(state.values, j, name)
    tables = state.tables
    if tables.size[j] <= 0.0:
        return None
    shares = tables.error[:, j] / tables.size[j]
    return {
        "output": name,
        "by": encodings[int(tables.chosen[j])],
        **{e: float(q) for e, q in zip(encodings, shares, strict=True)},
    }


def _explained_by_values(values: Values, j: int, name: str) -> dict[str, Any] | None:
    """How well single values and pairs of values predict one output."""
    output, pairs = values.outputs[j], has_pairs(values)
    by = "pairs of values" if uses_pairs(values, j) else "values"
    if output.square <= 0.0:
        return None
    shares = {"values": float(output.error / output.square)}
    if pairs:
        shares["pairs of values"] = float(output.pair_error / output.square)
    return {"output": name, "by": by, **shares}


def _planned(state: DifferenceState) -> dict[str, Any]:
    """Whether all that is known was right, and the front that was planned then."""
    plan, known = state.plan.control[0], dict[str, Any]()
    if describes_space(state.values):
        exact, name = is_exact(state.values), "values_are_exact"
    else:
        exact, name = positions_are_exact(state), "positions_are_exact"
    if exact:
        known[name] = True
    if exact and plan.ready:
        size = int(plan.points)
        waiting = state.plan.waiting[state.plan.archive.order[:size]]
        known["planned_front"] = {
            "points": size,
            "not_yet_evaluated": int(waiting.sum()),
            "complete": bool(plan.level > LEVELS),
        }
    return known


def _pairs(state: DifferenceState, problem: Problem) -> dict[str, Any]:
    """What the model of pairs of positions and pairs of items explains."""
    record = state.pairing.record[0]
    if record.phase == SAMPLING:
        return {"pairing_samples": int(record.sampled)}
    if record.phase != IN_USE:
        return {}
    return {
        "pairing_fitted_to": int(record.stored),
        "pairing_shared": MODE_NAMES[record.mode],
        "pairing_error": {
            name: float(error)
            for name, error in zip(problem.outputs, state.pairing.errors, strict=False)
        },
    }


def _routes(state: DifferenceState, problem: Problem) -> dict[str, Any]:
    """What was found out about orders that are cut into routes."""
    record = state.routes.record[0]
    if record.phase in (WAITING, NO_MODEL) and not record.handed:
        return {}
    known: dict[str, Any] = {
        "is": PHASE_NAMES[int(record.phase)],
        "samples": int(record.stored),
    }
    if record.phase == ROUTES_IN_USE:
        known["all routes"] = problem.outputs[int(record.total)]
        known["longest route"] = problem.outputs[1 - int(record.total)]
        known["error"] = float(record.error)
    return {"routes": known}


def _certainty(state: DifferenceState) -> dict[str, Any]:
    """How many actions the table in use knows for certain."""
    variance = state.tables.variance[int(state.tables.chosen[0])]
    return {
        "actions_tried": int((variance < 1.0).sum()),
        "actions_certain": int((variance <= LEAST_VARIANCE).sum()),
    }
