"""How evaluations ended: counts, and the most frequent reasons for failures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

OK = "ok"
INFEASIBLE = "infeasible"
FAILED = "failed"
TIMED_OUT = "timed out"
REUSED = "reused"
#: Designs whose values came from elsewhere.
KNOWN = "known"
#: How evaluations end, in the order in which they are reported.
ENDS = (OK, INFEASIBLE, FAILED, TIMED_OUT)

#: Reasons that are kept: the most frequent ones.
MOST_REASONS = 10
# Parts of messages that differ from one design to the next.
_PATH = re.compile(r"[^\s'\"]*[/\\][^\s'\"]*")
_NUMBER = re.compile(r"[-+]?\d[\d_.,]*(?:e[-+]?\d+)?", re.IGNORECASE)


def kind_of(message: str) -> str:
    """What messages of one kind have in common: no paths, no numbers.

    Examples
    --------
    >>> kind_of("exit code 3; its files are in runs/000007-0") == kind_of(
    ...     "exit code 3; its files are in runs/000008-0"
    ... )
    True
    """
    return _NUMBER.sub("0", _PATH.sub("/", message))


class Tally:
    """Counts evaluations that gave no values, by how they ended and their message.

    Examples
    --------
    >>> tally = Tally()
    >>> for number in range(3):
    ...     tally.note("failed", f"no licence for job {number}")
    >>> tally.note("timed out", "took longer than 60 s")
    >>> tally.counts
    {'failed': 3, 'timed out': 1}
    >>> [(r["kind"], r["count"], r["message"]) for r in tally.reasons()][0]
    ('failed', 3, 'no licence for job 2')
    """

    def __init__(self, noted: Iterable[tuple[str, str, int]] = ()) -> None:
        self._reasons: dict[tuple[str, str], dict[str, Any]] = {}
        for state, message, count in noted:
            self.note(state, message, count)

    def note(self, state: str, message: str = "", count: int = 1) -> None:
        """Count evaluations that ended this way; the last message of a kind is kept."""
        key = state, kind_of(message)
        reason = self._reasons.setdefault(key, {"kind": state, "count": 0})
        reason["message"] = message
        reason["count"] += count

    @property
    def counts(self) -> dict[str, int]:
        """Number of evaluations by how they ended."""
        counts: dict[str, int] = {}
        for reason in self._reasons.values():
            counts[reason["kind"]] = counts.get(reason["kind"], 0) + reason["count"]
        return {state: counts[state] for state in ENDS if state in counts}

    def reasons(self, most: int = MOST_REASONS) -> list[dict[str, Any]]:
        """Kind, message and count, the most frequent first."""
        every = sorted(self._reasons.values(), key=lambda reason: -reason["count"])
        return [dict(reason) for reason in every[:most]]
