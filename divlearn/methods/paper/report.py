"""What a search by experts did, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.methods.paper.kernels.state import TALLY_NAMES, SearchState
from divlearn.methods.report import nothing_feasible, shares_of
from divlearn.problems import Problem
from divlearn.spaces.names import position_names, stretches


def learned(state: SearchState, problem: Problem) -> dict[str, Any]:
    """Collect what a result tells about a search by experts."""
    control = state.control[0]
    most_visited = np.maximum.reduceat(state.actions.visits, state.layout.places.offset)
    undecided = most_visited < 0.5 * control.updates
    collected: dict[str, Any] = {
        "evaluations_by_kind": {name: int(control[name]) for name in TALLY_NAMES},
        "updates_on_last_weight": int(control.updates),
        "positions_without_majority": int(undecided.sum()),
        "largest_dual_price": float(state.positions.dual.max()),
        "what_matters": _what_matters(state, problem),
    }
    return collected | nothing_feasible(state, problem)


def _what_matters(state: SearchState, problem: Problem) -> dict[str, dict[str, Any]]:
    """How much the mean reward varies with what was tried at every position.

    The table is about the reward of the last weight vector, so it says nothing about
    single objectives. It has no error of prediction either.
    """
    places, updates = state.layout.places, int(state.control[0].updates)
    if not updates:
        return {}
    variances = np.zeros(len(places))
    for i, place in enumerate(places):
        actions = state.actions[place.offset : place.offset + place.arity]
        tried = actions.value[actions.visits > 0.0]
        variances[i] = np.var(tried) if len(tried) else 0.0
    found = stretches(problem.space)
    parts = [stretch.part for stretch in found for _ in stretch.names]
    known = shares_of(variances, position_names(problem.space), parts)
    if not known["shares"]:
        return {}
    return {"reward": {"source": "table of values", "from": updates, **known}}
