"""What a search by experts did, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.methods.paper.kernels.state import TALLY_NAMES, SearchState
from divlearn.methods.report import nothing_feasible
from divlearn.problems import Problem


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
    }
    return collected | nothing_feasible(state, problem)
