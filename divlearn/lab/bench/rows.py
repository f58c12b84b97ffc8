"""Runs and exact fronts as rows of a store, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from divlearn.basics.plugins import is_reference
from divlearn.lab.bench import schema
from divlearn.lab.bench.record import OK, Outcome
from divlearn.lab.bench.task import Case, Contender, ReferenceTask, Task


@dataclass(frozen=True)
class Run:
    """A run in a store, without its arrays.

    Attributes
    ----------
    key, task
        Which run it is.
    state, message
        ``"ok"``, or ``"failed"`` with the reason.
    evaluations, seconds, cpu_seconds, hypervolume, front_size
        As in :class:`divlearn.lab.bench.record.Outcome`.
    tally, versions, date
        Evaluations by kind and other work, what ran, and when, in UTC.
    """

    key: str
    task: Task
    state: str
    message: str
    evaluations: int
    seconds: float
    cpu_seconds: float
    overhead: float
    hypervolume: float | None
    front_size: int
    tally: dict[str, Any]
    versions: dict[str, str]
    date: str

    @property
    def ok(self) -> bool:
        """Whether the run was finished."""
        return self.state == OK


def run_row(task: Task, outcome: Outcome) -> dict[str, Any]:
    """Columns of a run."""
    return {
        "key": task.key,
        "problem": task.case.name,
        "problem_label": task.case.label,
        "options": _json(task.case.options),
        "files": json.dumps(task.case.files),
        "digest": task.case.digest,
        "instance": task.instance,
        "method": task.contender.method,
        "method_label": task.contender.label,
        "settings": _json(task.contender.settings),
        "budget": task.budget,
        "seconds_limit": task.seconds,
        "seed": task.seed,
        "initial": task.initial,
        "snapshots": task.snapshots,
        "state": outcome.state,
        "message": outcome.message,
        "details": outcome.details,
        "evaluations": outcome.evaluations,
        "stopped": outcome.stopped,
        "seconds": outcome.seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "overhead": outcome.overhead,
        "hypervolume": outcome.hypervolume,
        "front_size": outcome.front_size,
        "front": outcome.front,
        "solutions": outcome.solutions,
        "form": outcome.form,
        "history": outcome.history,
        "tally": _json(outcome.tally),
        "versions": _json(outcome.versions),
        "date": _now(),
    }


def front_row(task: ReferenceTask, outcome: Outcome) -> dict[str, Any]:
    """Columns of an exact front."""
    return {
        "key": task.key,
        "problem": task.case.name,
        "options": _json(task.case.options),
        "instance": task.instance,
        "state": outcome.state,
        "message": outcome.message,
        "seconds": outcome.seconds,
        "hypervolume": outcome.hypervolume,
        "front": outcome.front,
        "date": _now(),
    }


def run_from(row: tuple[Any, ...]) -> Run:
    """Make a run of its columns."""
    c = dict(zip(schema.PLAIN_COLUMNS, row, strict=True))
    task = Task(
        Case(
            c["problem"],
            json.loads(c["options"]),
            c["problem_label"],
            tuple(json.loads(c["files"])),
            # What only a file names is not imported, not even to hash it.
            c["digest"] or (c["problem"] if is_reference(c["problem"]) else ""),
        ),
        c["instance"],
        Contender(c["method"], json.loads(c["settings"]), c["method_label"]),
        c["seed"],
        c["budget"],
        c["seconds_limit"],
        initial=c["initial"],
        snapshots=c["snapshots"],
    )
    return Run(
        key=c["key"],
        task=task,
        state=c["state"],
        message=c["message"],
        evaluations=c["evaluations"],
        seconds=c["seconds"],
        cpu_seconds=c["cpu_seconds"],
        overhead=c["overhead"],
        hypervolume=c["hypervolume"],
        front_size=c["front_size"],
        tally=json.loads(c["tally"]),
        versions=json.loads(c["versions"]),
        date=c["date"],
    )


def _json(data: Mapping[str, Any]) -> str:
    """Write plain data, the same text for the same data."""
    if not data:
        return "{}"
    return json.dumps(dict(data), sort_keys=True)


def _now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
