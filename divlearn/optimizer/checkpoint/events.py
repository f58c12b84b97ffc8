"""What a baseline was asked and told, as a file may tell it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.methods.others.base import ELSEWHERE
from divlearn.methods.others.search import (
    ADDED,
    ASKED,
    FAILED,
    OBSERVED,
    PROPOSED,
    OtherSearch,
)
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import Scope, require

#: Candidates proposed that nobody told about or waits for: those of calls of ``ask``
#: that an error in the problem ended.
MOST_LOST = 10_000


def check(scope: Scope) -> None:
    """Check that every event is possible where it is, and complete."""
    events, arrays = scope.arrays["events"], scope.arrays
    kinds, numbers = events[:, 0], events[:, 1]
    known = ((kinds >= PROPOSED) & (kinds <= FAILED)).all()
    require(bool(known), "events must be of a known kind")
    told = kinds != PROPOSED
    observed = int((kinds == OBSERVED).sum())
    right = len(arrays["codes"]) == told.sum() and len(arrays["outputs"]) == observed
    require(right, "events must be as many as codes and outputs")
    finite = np.isfinite(arrays["outputs"]).all()
    require(bool(finite), "outputs must be finite")
    asked = numbers[~told]
    most = len(events) + scope.waiting + MOST_LOST
    enough = ((asked > 0) & (asked <= most)).all()
    require(bool(enough), f"events must propose from 1 to {most} candidates each")
    require_members("codes", arrays["codes"], scope.layout)
    _require_numbers(kinds, numbers, scope.waiting)


def _require_numbers(kinds: NDArray[Any], numbers: NDArray[Any], waiting: int) -> None:
    """What is told was proposed before, and not told before, or is from elsewhere."""
    proposed = np.cumsum(np.where(kinds == PROPOSED, numbers, 0))
    total = int(proposed[-1]) if len(proposed) else 0
    told = (kinds != PROPOSED) & ~((kinds == OBSERVED) & (numbers == ELSEWHERE))
    named = numbers[told]
    before = ((named >= 0) & (named < proposed[told])).all()
    once = len(np.unique(named)) == len(named)
    require(bool(before and once), "events must tell of candidates once")
    lost = total - len(named) - waiting
    require(lost <= MOST_LOST, "events must tell what was proposed")


def require_tickets(state: OtherSearch, tickets: Any) -> None:
    """What is under way was enqueued, or proposed and not told."""
    tickets = tickets[tickets[:, 0] != ADDED]
    kinds, numbers = tickets[:, 0], tickets[:, 1]
    proposed = int(state.control[0].proposed)
    right = (kinds == ASKED).all() and ((numbers >= 0) & (numbers < proposed)).all()
    events = state.saved()["events"]
    told = events[events[:, 0] != PROPOSED, 1]
    right = bool(right) and not np.isin(numbers, told).any()
    require(right, "pending.tickets must be of candidates that were proposed")
