"""``Tallies``: what outcomes cost, who made them, and why some have no values."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

import numpy as np

from divlearn.basics.text import one_screen
from divlearn.basics.typing import Integers
from divlearn.result.tally import KNOWN, REUSED, kind_of
from divlearn.study.store.glance import Ended
from divlearn.study.summarize import RECENT
from divlearn.study.trial import ABANDONED
from divlearn.workers.base import OK

#: Reasons, designs per reason, and workers that are kept; the rest is counted.
MOST_REASONS, MOST_DESIGNS, MOST_WORKERS = 100, 12, 200
OTHER, OTHERS = "other messages", "others"


class Tallies:
    """Counts over outcomes in the order in which they came.

    Attributes
    ----------
    counts
        Outcomes by state, and those that were answered from the file.
    evaluations
        Outcomes that cost an evaluation of the budget.
    seconds
        Time of evaluations by state.
    at
        Seconds that the study had run at each of the last outcomes.
    last
        When the last outcome came in, in seconds since 1970; None if none did.
    failed
        Places of the outcomes that a later run may revise.
    """

    evaluations: int
    reused: int

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        self.evaluations, self.reused = 0, 0
        self.at: deque[float] = deque(maxlen=RECENT + 1)
        self.run_seconds: float = 0.0
        self.last: float | None = None
        self.failed: dict[int, str] = {}
        self._reasons: dict[tuple[str, str], dict[str, Any]] = {}
        self._workers: dict[str, dict[str, Any]] = {}

    def add(self, ended: Ended) -> None:
        """Count outcomes."""
        states = np.array(ended.state)
        for state, count in Counter(ended.state).items():
            self.counts[state] = self.counts.get(state, 0) + count
        self.run_seconds = max(self.run_seconds, float(ended.at.max()))
        came = states != KNOWN
        if came.any():
            self.last = max(self.last or 0.0, float(ended.ended[came].max()))
        cost = came & (states != ABANDONED)
        self.evaluations += int(cost.sum())
        self.at.extend(ended.at[cost][-RECENT - 1 :].tolist())
        made = cost & (ended.attempts > 0)
        self.reused += int((cost & ~made).sum())
        for state in set(states[made].tolist()):
            spent = float(ended.seconds[made & (states == state)].sum())
            self.seconds[state] = self.seconds.get(state, 0.0) + spent
        self._credit(ended, np.flatnonzero(made), states)
        for i in np.flatnonzero(cost & (states != OK)).tolist():
            self._note(ended, i, ended.state[i])

    def _credit(self, ended: Ended, rows: Integers, states: Any) -> None:
        """Count who made which outcomes."""
        names = np.array(ended.worker)[rows]
        for name in dict.fromkeys(names.tolist()):
            mine = rows[names == name]
            known = name in self._workers or len(self._workers) < MOST_WORKERS
            worker = self._workers.setdefault(name if known else OTHERS, _nobody(name))
            worker["evaluations"] += len(mine)
            worker["seconds"] += float(ended.seconds[mine].sum())
            worker["failed"] += int((states[mine] != OK).sum())
            worker["last"] = float(ended.ended[mine[-1]])
            worker["number"] = int(ended.number[mine[-1]])

    def _note(self, ended: Ended, i: int, state: str) -> None:
        """Remember why one outcome has no values."""
        self.failed[int(ended.sequence[i])] = state
        if ended.attempts[i] == 0:
            return
        key = state, kind_of(ended.message[i])
        if key not in self._reasons and len(self._reasons) >= MOST_REASONS:
            key = state, OTHER
        reason = self._reasons.setdefault(
            key, {"kind": state, "count": 0, "numbers": []}
        )
        reason["count"] += 1
        reason["message"] = OTHER if key[1] == OTHER else one_screen(ended.message[i])
        reason["numbers"] = [*reason["numbers"], int(ended.number[i])][-MOST_DESIGNS:]

    def by_state(self) -> dict[str, int]:
        """Outcomes by state, with those answered from the file."""
        reused = {REUSED: self.reused} if self.reused else {}
        return {**self.counts, **reused}

    def reasons(self) -> list[dict[str, Any]]:
        """Why outcomes have no values, the most frequent reasons first."""
        return sorted(self._reasons.values(), key=lambda one: -one["count"])

    def workers(self) -> list[dict[str, Any]]:
        """Who evaluated, and how much, by name."""
        return sorted(self._workers.values(), key=lambda one: one["name"])


def _nobody(name: str) -> dict[str, Any]:
    """A worker who has done nothing yet."""
    return {"name": name, "evaluations": 0, "seconds": 0.0, "failed": 0}
