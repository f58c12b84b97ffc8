"""``status``: what a study waits for, for whoever asks and tells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.result import Result
from divlearn.result.tally import KNOWN
from divlearn.study.reader import StudyReader, front_of
from divlearn.study.summarize import measures_of
from divlearn.study.trial import ABANDONED, Trial
from divlearn.study.trials import unanswered
from divlearn.workers.base import RUNNING

#: What to do next: ask, tell what is pending first, or nothing more.
ASK, TELL, DONE = "ask", "tell", "done"


@dataclass(frozen=True, eq=False)
class Status:
    """What a study waits for.

    Attributes
    ----------
    path, problem, method, seed, ordered, lag
        Which study.
    objectives, constraints, extras
        Names of objectives with their senses, of constraints and of extra metrics.
    values
        Names of what is told of a candidate, in their order.
    counts
        Trials by state.
    evaluations, budget
        Outcomes so far, those of known designs aside, and how many are to be made; None
        for no end.
    pending
        Candidates that were asked for and have no outcome.
    waits_for
        Those of them that must be told before anything else is asked for.
    enqueued
        Designs that are handed out before the search chooses any.
    front_size, hypervolume
        Of the front; the latter if the problem has a reference point, else None.
    next
        ``"ask"``, ``"tell"`` or ``"done"``.
    holder
        Process and host that have the study open, or None.
    """

    path: str
    problem: str
    method: str
    seed: int
    ordered: bool
    lag: int
    objectives: dict[str, str]
    constraints: list[str]
    extras: list[str]
    values: list[str]
    counts: dict[str, int]
    evaluations: int
    budget: int | None
    pending: list[Trial]
    waits_for: list[int]
    enqueued: int
    front_size: int
    hypervolume: float | None
    next: str
    holder: str | None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        pending = [
            {"id": t.number, "x": t.x, "asked": t.asked, "source": t.source}
            for t in self.pending
        ]
        plain = {k: v for k, v in vars(self).items() if k != "path"}
        return {"study": self.path, **plain, "pending": pending}


def status(path: str | Path) -> Status:
    """Say what a study waits for, even while another process has it open.

    Examples
    --------
    >>> import divlearn as dl, tempfile, pathlib
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hand.db")
    ...     with dl.Study(problem, path) as study:
    ...         _ = study.ask(2)
    ...     seen = status(path)
    >>> len(seen.pending), seen.values, seen.next
    (2, ['up', 'down'], 'ask')
    """
    with StudyReader(path) as reader:
        notes, trials = reader.notes, reader.trials()
        counts, front = reader.counts(), front_of(trials, reader)
        left = [trial for trial in trials if trial.ended is None]
        pending = unanswered(left, bool(notes.get("noise")))
        waits_for = _waits_for(notes, trials, pending)
        made = len([t for t in trials if t.state not in (KNOWN, ABANDONED)])
        target, enqueued = notes.get("target"), reader.enqueued
        more = target is None or made < target
        return Status(
            path=str(path),
            problem=notes["name"],
            method=notes["method"],
            seed=notes["seed"],
            ordered=notes["ordered"],
            lag=notes["lag"],
            objectives=reader.objectives,
            constraints=list(reader.constraints),
            extras=list(notes.get("extras") or []),
            values=_names(reader),
            counts=counts,
            evaluations=made - counts.get(RUNNING, 0),
            budget=target,
            pending=pending,
            waits_for=waits_for if more else [],
            enqueued=enqueued,
            front_size=len(front),
            hypervolume=measures_of(front)[0],
            next=_next(more, pending, waits_for),
            holder=reader.holder,
        )


def _names(reader: StudyReader) -> list[str]:
    """What is told of a candidate."""
    try:
        return list(reader.problem().reports)
    except InputError:  # only Python has the problem
        return [*reader.objectives, *reader.constraints]


def _waits_for(
    notes: dict[str, Any], trials: list[Trial], pending: list[Trial]
) -> list[int]:
    """Numbers that must be told before the next candidate is chosen."""
    if not notes["ordered"]:
        return []
    last_known = max((t.number for t in trials if t.kind == KNOWN), default=-1)
    needed = max(len(trials) - notes["lag"], last_known)
    return [trial.number for trial in pending if trial.number <= needed]


def _next(more: bool, pending: list[Trial], waits_for: list[int]) -> str:
    """What to do next."""
    if more:
        return TELL if waits_for else ASK
    return TELL if pending else DONE


def front_rows(front: Result) -> list[dict[str, Any]]:
    """Every solution of a front as plain data: number, design and values by name."""
    names, limits = list(front.objectives), list(front.constraints)
    numbers = front.trials or []
    sources = front.sources or [None] * len(front)
    return [
        {
            "id": numbers[row] if numbers else None,
            "x": front.X[row],
            "values": dict(zip(names, front.F[row].tolist(), strict=True)),
            "constraints": dict(zip(limits, front.G[row].tolist(), strict=True)),
            "extras": {name: column[row] for name, column in front.extras.items()},
            "source": sources[row],
        }
        for row in range(len(front))
    ]
