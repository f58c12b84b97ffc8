"""``Store``: finished runs in an SQLite file, each one safe as soon as it is done."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from divlearn.basics.lock import Lock, open_alone
from divlearn.basics.paths import file_path
from divlearn.basics.typing import Floats
from divlearn.errors import StoreError
from divlearn.lab.bench import schema
from divlearn.lab.bench.record import (
    OK,
    Outcome,
    unpack,
    unpack_history,
    unpack_solutions,
)
from divlearn.lab.bench.rows import Run, front_row, run_from, run_row
from divlearn.lab.bench.task import Job, ReferenceTask, Task
from divlearn.problems import Problem


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
    >>> from divlearn.lab.bench import Case, Contender
    >>> task = Task(Case("bitsp-20"), 0, Contender("uniform"), seed=0, budget=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store(Path(folder, "bench.db")) as store:
    ...         store.write(task, Outcome("failed", "no licence"))
    ...         [(run.task.case.name, run.message) for run in store.runs()]
    [('bitsp-20', 'no licence')]
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = file_path("store", path)
        self._lock: Lock | None = None
        if read_only:
            self._connection = schema.open_to_read(self.path)
            return
        self._lock = Lock(
            self.path,
            "another benchmark",
            "wait until it is done, or choose another --out or --store",
        )
        self._connection = open_alone(
            self._lock,
            schema.BENCH.make,
            schema.open_to_write,
            "the store",
            "choose another --out or --store",
        )

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
            table, row = "fronts", front_row(job, outcome)
        else:
            table, row = "runs", run_row(job, outcome)
        marks = ", ".join("?" * len(row))
        with self._guarded():
            self._connection.execute("BEGIN")
            with self._connection:  # the run and its measures, or neither
                self._connection.execute(
                    f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) "
                    f"VALUES ({marks})",
                    list(row.values()),
                )
                for name, value in outcome.measures.items():
                    self._insert_measure(job.key, name, value)

    def write_measure(self, key: str, name: str, value: float | None) -> None:
        """Keep a measure of a finished run, so that it is computed once."""
        with self._guarded():
            self._insert_measure(key, name, value)

    def _insert_measure(self, key: str, name: str, value: float | None) -> None:
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
                return [run_from(row) for row in rows]
            wanted = dict.fromkeys(keys)
            found = {row[0]: row for row in rows if row[0] in wanted}
        return [run_from(found[key]) for key in wanted if key in found]

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
