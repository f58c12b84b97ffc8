"""Where a study is: state, speed, time left, failures and front."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from divlearn.metrics.hypervolume import MAX_OBJECTIVES
from divlearn.result import Result
from divlearn.result.tally import KNOWN
from divlearn.study.reader import StudyReader, front_of
from divlearn.study.trial import Trial
from divlearn.study.trials import failures_of

#: Number of latest outcomes that the present speed is measured by.
RECENT = 20


@dataclass(frozen=True, eq=False)
class Summary:
    """A study at one moment.

    Attributes
    ----------
    path, problem, method, seed
        Which study.
    state
        ``"running"`` if a process has it open, ``"done"`` if its last run was
        completed, otherwise ``"stopped"``.
    holder
        Process and host that have it open, or None.
    counts
        Candidates by state; ``known`` ones were added, at no cost.
    enqueued
        Designs that wait to be evaluated before others are chosen.
    evaluations, budget
        Outcomes so far, and the budget of the last run (None for none).
    seconds
        Time that the study has run.
    rate, recent
        Outcomes per hour over the last ``recent`` ones; pauses between runs do not
        count. None and 0 if there are too few.
    average
        Outcomes per hour over all the time that the study has run; None if none.
    seconds_left
        Estimate of the time to the budget; None if unknown.
    last_outcome
        When the last outcome came in, in seconds since 1970; None if none did.
    failures
        Number of failed designs by kind, with the last message of each.
    reasons
        Why designs have no values, the most frequent reasons first: dicts with
        ``kind``, ``message`` and ``count``.
    front
        The front.
    hypervolume, hypervolume_ratio
        Of the front, where the problem has a reference and an ideal point.
    stopped
        Why the last run ended; empty while it runs, or if it was cut off.
    origin
        How ``divlearn resume`` makes the problem again; None if Python has to.
    fork_of
        The study that it was forked from; None if it is no fork.
    """

    path: str
    problem: str
    method: str
    seed: int
    state: str
    holder: str | None
    counts: dict[str, int]
    evaluations: int
    budget: int | None
    seconds: float
    rate: float | None
    seconds_left: float | None
    last_outcome: float | None
    failures: dict[str, dict[str, Any]]
    front: Result
    hypervolume: float | None
    hypervolume_ratio: float | None
    origin: dict[str, Any] | None = None
    reasons: list[dict[str, Any]] = field(default_factory=list)
    stopped: str = ""
    recent: int = 0
    average: float | None = None
    enqueued: int = 0
    fork_of: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, the front as X, F and G."""
        plain = {k: v for k, v in vars(self).items() if k != "front"}
        return plain | {
            "objectives": self.front.objectives,
            "constraints": list(self.front.constraints),
            "F": self.front.F.tolist(),
            "G": self.front.G.tolist(),
            "X": list(self.front.X),
            "extras": self.front.extras,
            "trials": self.front.trials,
            "sources": self.front.sources,
        }


def summary(path: str | Path) -> Summary:
    """Say how a study is doing, even while it runs.

    Examples
    --------
    >>> import divlearn as dl, tempfile, pathlib
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "small.db")
    ...     with dl.Study(problem, path) as study:
    ...         _ = study.run(budget=5, workers=0)
    ...     seen = summary(path)
    >>> seen.state, seen.evaluations, seen.budget
    ('done', 5, 5)
    """
    with StudyReader(path) as reader:
        holder, trials = reader.holder, reader.trials()
        front, seconds = front_of(trials, reader), reader.seconds
        notes, counts, times = reader.notes, reader.counts(), reader.times()
        enqueued = reader.enqueued
    ended = [t for t in trials if t.ended is not None and t.state != KNOWN]
    done, budget = front.evaluations, notes.get("target")
    last = max((t.ended or 0.0 for t in ended), default=None)
    waited = 0.0 if holder is None or last is None else time.time() - last
    rate, recent = rate_of(times, waited)
    left = None
    if budget is not None and rate:
        left = max(0, budget - done) / rate
    volume, ratio = measures_of(front)
    return Summary(
        path=str(path),
        problem=notes["name"],
        method=notes["method"],
        seed=notes["seed"],
        state=state_of(holder, notes),
        holder=holder,
        counts=counts,
        evaluations=done,
        budget=budget,
        seconds=seconds,
        rate=None if rate is None else rate * 3600,
        seconds_left=left,
        last_outcome=last,
        failures=_failures(trials),
        front=front,
        hypervolume=volume,
        hypervolume_ratio=ratio,
        origin=notes.get("origin"),
        reasons=front.failures,
        stopped=notes.get("stopped") or "",
        recent=recent,
        average=3600 * done / seconds if seconds > 0 and done else None,
        enqueued=enqueued,
        fork_of=(notes.get("fork") or {}).get("of"),
    )


def state_of(holder: str | None, notes: dict[str, Any]) -> str:
    """Whether it runs, came to its end, or was cut off."""
    if holder is not None:
        return "running"
    ended = notes.get("stopped")
    cut_off = not ended or ended == "interrupted" or notes.get("gave_up")
    return "stopped" if cut_off else "done"


def rate_of(times: list[float], waited: float) -> tuple[float | None, int]:
    """Outcomes per second over the last ones, and how many these are.

    Parameters
    ----------
    times
        Seconds that the study had run at each outcome.
    waited
        Seconds since the last outcome, if the study runs; they count when the next
        one is overdue.

    Examples
    --------
    >>> rate_of([1.0, 3.0, 5.0], waited=1.0), rate_of([1.0, 3.0, 5.0], waited=16.0)
    ((0.5, 2), (0.1, 2))
    """
    last = sorted(times)[-RECENT - 1 :]
    count = len(last) - 1
    if count < 2:
        return None, 0
    span = last[-1] - last[0]
    if waited > span / count:
        span += waited
    return (count / span, count) if span > 0 else (None, 0)


def _failures(trials: list[Trial]) -> dict[str, dict[str, Any]]:
    """Number and last message by kind."""
    kinds: dict[str, dict[str, Any]] = {}
    for failure in failures_of(trials):
        kind = kinds.setdefault(failure.kind, {"designs": 0})
        kind["designs"] += 1
        kind["message"] = failure.message
    return kinds


def measures_of(front: Result) -> tuple[float | None, float | None]:
    """Hypervolume and its ratio, where there are points to compare with."""
    if front.reference is None or len(front.objectives) > MAX_OBJECTIVES:
        return None, None
    volume = front.hypervolume(front.reference)
    if front.ideal is None:
        return volume, None
    ratio = front.hypervolume(front.reference, front.ideal)
    return volume, None if math.isnan(ratio) else ratio
