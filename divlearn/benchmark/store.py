"""``Store``: finished runs in an SQLite file, each one safe as soon as it is done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from divlearn.benchmark import schema
from divlearn.benchmark.lock import Lock
from divlearn.benchmark.record import (
    OK,
    Outcome,
    unpack,
    unpack_history,
    unpack_solutions,
)
from divlearn.benchmark.task import Case, Contender, Job, ReferenceTask, Task
from divlearn.errors import DivlearnError, InputError
from divlearn.problems import Problem
from divlearn.typing import Floats


class StoreError(DivlearnError):
    """The store could not be read or written; what it holds is as it was."""


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
        As in :class:`divlearn.benchmark.record.Outcome`.
    tally, versions, date
        Evaluations by kind, what ran, and when, in UTC.
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


class Store:
    """Runs by key, in a file that survives the end of the process at any moment.

    Parameters
    ----------
    path
        SQLite file; made where it does not exist, unless ``read_only``.
    read_only
        Whether to look only, which another process that writes does not disturb.

    Examples
    --------
    >>> import tempfile
    >>> task = Task(Case("bitsp-20"), 0, Contender("uniform"), seed=0, budget=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store(Path(folder, "bench.db")) as store:
    ...         store.write(task, Outcome("failed", "no licence"))
    ...         [(run.task.case.name, run.message) for run in store.runs()]
    [('bitsp-20', 'no licence')]
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock: Lock | None = None
        if read_only:
            self._connection = schema.open_to_read(self.path)
            return
        self._lock = Lock(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.__enter__()
        except OSError as error:
            raise InputError(
                f"the store {str(self.path)!r} cannot be written ({error.strerror}); "
                "choose another --out or --store."
            ) from None
        try:
            self._connection = schema.open_to_write(self.path)
        except BaseException:
            self._lock.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write it."""
        self._connection.close()
        if self._lock is not None:
            self._lock.__exit__()

    # --- writing

    def write(self, job: Job, outcome: Outcome) -> None:
        """Keep what came out of a job; it is safe when this returns."""
        if isinstance(job, ReferenceTask):
            table, row = "fronts", _front_row(job, outcome)
        else:
            table, row = "runs", _run_row(job, outcome)
        marks = ", ".join("?" * len(row))
        with self._guarded():
            self._connection.execute(
                f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})",
                list(row.values()),
            )

    def write_measure(self, key: str, name: str, value: float | None) -> None:
        """Keep a measure of a finished run, so that it is computed once."""
        with self._guarded():
            self._connection.execute(
                "INSERT OR REPLACE INTO measures VALUES (?, ?, ?)", (key, name, value)
            )

    def relabel(self, tasks: Iterable[Task]) -> None:
        """Call problems and methods of stored runs what a suite calls them now."""
        rows = [(t.case.label, t.contender.label, t.key) for t in tasks]
        with self._guarded():
            self._connection.execute("BEGIN")
            self._connection.executemany(
                "UPDATE runs SET problem_label = ?, method_label = ? WHERE key = ?",
                rows,
            )
            self._connection.execute("COMMIT")

    # --- reading

    def states(self) -> dict[str, str]:
        """State of every run and every exact front, by key."""
        text = "SELECT key, state FROM runs UNION ALL SELECT key, state FROM fronts"
        with self._guarded():
            return dict(self._connection.execute(text).fetchall())

    def runs(self, keys: Iterable[str] | None = None) -> list[Run]:
        """Return runs, in the order of ``keys``; all of them if None."""
        names = ", ".join(schema.PLAIN_COLUMNS)
        with self._guarded():
            rows = self._connection.execute(f"SELECT {names} FROM runs ORDER BY rowid")
            if keys is None:
                return [_run_from(row) for row in rows]
            wanted = dict.fromkeys(keys)
            found = {row[0]: row for row in rows if row[0] in wanted}
        return [_run_from(found[key]) for key in wanted if key in found]

    def front(self, key: str) -> Floats:
        """Objective values of a run's front, shape (k, m)."""
        return unpack(self._blobs("runs", key, "front")[0])

    def solutions(self, key: str, problem: Problem) -> list[Any]:
        """Solutions of a run's front, as the user declared them."""
        content, form = self._blobs("runs", key, "solutions, form")
        return unpack_solutions(content, form, problem)

    def history(self, key: str) -> dict[str, Floats]:
        """How a run progressed: name to numbers, shape (rows,) each."""
        return unpack_history(self._blobs("runs", key, "history")[0])

    def exact(self) -> dict[str, float]:
        """Hypervolume of every exact front that is known, by key."""
        text = "SELECT key, hypervolume FROM fronts WHERE state = ?"
        with self._guarded():
            return dict(self._connection.execute(text, (OK,)).fetchall())

    def exact_front(self, key: str) -> Floats | None:
        """Points of an exact front, shape (k, 2), if it is known."""
        with self._guarded():
            row = self._connection.execute(
                "SELECT front FROM fronts WHERE key = ? AND state = ?", (key, OK)
            ).fetchone()
        return None if row is None else unpack(row[0])

    def measures(self, name: str) -> dict[str, float | None]:
        """Values of a measure that are known, by the key of the run."""
        text = "SELECT key, value FROM measures WHERE name = ?"
        with self._guarded():
            return dict(self._connection.execute(text, (name,)).fetchall())

    def _blobs(self, table: str, key: str, columns: str) -> Any:
        """Return columns of one row."""
        with self._guarded():
            row = self._connection.execute(
                f"SELECT {columns} FROM {table} WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            raise StoreError(f"the store {str(self.path)!r} holds no run {key}.")
        return row

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Say in words what SQLite could not do."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"the store {str(self.path)!r} could not be used ({error}). Runs that "
                "it held before are as they were; if the disk is full make room, if "
                "the file is damaged move it away, and start again."
            ) from error


def _run_row(task: Task, outcome: Outcome) -> dict[str, Any]:
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


def _front_row(task: ReferenceTask, outcome: Outcome) -> dict[str, Any]:
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


def _run_from(row: tuple[Any, ...]) -> Run:
    """Make a run of its columns."""
    c = dict(zip(schema.PLAIN_COLUMNS, row, strict=True))
    task = Task(
        Case(
            c["problem"],
            json.loads(c["options"]),
            c["problem_label"],
            tuple(json.loads(c["files"])),
            c["digest"],
        ),
        c["instance"],
        Contender(c["method"], json.loads(c["settings"]), c["method_label"]),
        c["seed"],
        c["budget"],
        c["seconds_limit"],
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
    return json.dumps(dict(data), sort_keys=True)


def _now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
