"""``Store``: finished runs in an SQLite file, each one safe as soon as it is done."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.paths import file_path
from divlearn.basics.store import StoreFile
from divlearn.basics.typing import Floats
from divlearn.lab.bench import schema
from divlearn.lab.bench.record import (
    OK,
    Outcome,
    packed_series,
    unpack,
    unpack_history,
    unpack_series,
    unpack_solutions,
)
from divlearn.lab.bench.rows import Run, front_row, run_from, run_row
from divlearn.lab.bench.task import Job, ReferenceTask, Task
from divlearn.problems import Problem

MEASURE = "INSERT OR REPLACE INTO measures VALUES (?, ?, ?)"
SERIES = "INSERT OR REPLACE INTO series VALUES (?, ?, ?, ?)"


class Store(StoreFile):
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

    kinds = (schema.FIRST, schema.BENCH)
    words = schema.WORDS

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        super().__init__(file_path("store", path), read_only=read_only)

    def _prepare(self, connection: sqlite3.Connection, version: int) -> None:
        # A log beside the file takes each run with one write. Not waiting for the disk
        # is safe against the end of the process, whatever ends it; only a power cut
        # may cost the last runs, never the file.
        super()._prepare(connection, version)
        connection.execute("PRAGMA wal_autocheckpoint = 4000")  # waits for the disk
        if version == schema.FIRST.version:
            connection.executescript(schema.UPGRADE)

    def _require_readable(self, version: int) -> None:
        """Refuse the version of 0.1.0, which cannot be brought up to date here."""
        if version == schema.FIRST.version:
            raise InputError(
                f"the store {str(self.path)!r} has version 1 of the format, of "
                "divlearn 0.1.0. Nothing was changed; to bring it up to date, run the "
                "'divlearn bench' once more that wrote it."
            )

    # --- writing

    def write(self, job: Job, outcome: Outcome) -> None:
        """Keep what came out of a job; it is safe when this returns."""
        if isinstance(job, ReferenceTask):
            table, row = "fronts", front_row(job, outcome)
        else:
            table, row = "runs", run_row(job, outcome)
        marks = ", ".join("?" * len(row))
        statement = (
            f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})"
        )
        measures = [(job.key, *pair) for pair in outcome.measures.items()]
        series = [(job.key, *one) for one in packed_series(outcome.series)]
        # The run and all that belongs to it, or nothing.
        self._write(
            False,
            (statement, [list(row.values())]),
            (MEASURE, measures),
            (SERIES, series),
        )

    def write_measure(self, key: str, name: str, value: float | None) -> None:
        """Keep a measure of a finished run, so that it is computed once."""
        self._write(False, (MEASURE, [(key, name, value)]))

    def relabel(self, tasks: Iterable[Task]) -> None:
        """Call problems and methods of stored runs what a suite calls them now."""
        rows = [(t.case.label, t.contender.label, t.key) for t in tasks]
        text = "UPDATE runs SET problem_label = ?, method_label = ? WHERE key = ?"
        self._write(False, (text, rows))

    # --- reading

    def states(self) -> dict[str, str]:
        """State of every run and every exact front, by key."""
        text = "SELECT key, state FROM runs UNION ALL SELECT key, state FROM fronts"
        return dict(self._all(text))

    def runs(self, keys: Iterable[str] | None = None) -> list[Run]:
        """Return runs, in the order of ``keys``; all of them if None."""
        names = ", ".join(schema.PLAIN_COLUMNS)
        rows = self._each(f"SELECT {names} FROM runs ORDER BY rowid")
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

    def series(self, key: str, name: str) -> dict[str, Floats] | None:
        """Columns of a series of a run by name, shape (rows,) each; None without it."""
        text = "SELECT columns, content FROM series WHERE key = ? AND name = ?"
        rows = self._all(text, key, name)
        return unpack_series(*rows[0]) if rows else None

    def exact(self) -> dict[str, float]:
        """Hypervolume of every exact front that is known, by key."""
        return dict(
            self._all("SELECT key, hypervolume FROM fronts WHERE state = ?", OK)
        )

    def exact_front(self, key: str) -> Floats | None:
        """Points of an exact front, shape (k, 2), if it is known."""
        text = "SELECT front FROM fronts WHERE key = ? AND state = ?"
        rows = self._all(text, key, OK)
        return unpack(rows[0][0]) if rows else None

    def measures(self, name: str) -> dict[str, float | None]:
        """Values of a measure that are known, by the key of the run."""
        return dict(self._all("SELECT key, value FROM measures WHERE name = ?", name))

    def _blobs(self, table: str, key: str, columns: str) -> Any:
        """Return columns of one row."""
        rows = self._all(f"SELECT {columns} FROM {table} WHERE key = ?", key)
        if not rows:
            raise StoreError(f"the store {str(self.path)!r} holds no run {key}.")
        return rows[0]
