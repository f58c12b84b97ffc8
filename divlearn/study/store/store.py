"""``Store``: a study's file, in which every line is safe as soon as it is written."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from divlearn.errors import StoreError
from divlearn.lock import Lock, open_alone
from divlearn.sqlite import MAX_STATE, room_for_state
from divlearn.study.store import schema
from divlearn.study.store.rescue import Watch, copy_elsewhere, let_go
from divlearn.study.store.rows import (
    ABANDONED,
    OK,
    Asked,
    Attempt,
    Outcome,
    Revision,
    asked_from,
    asked_row,
    attempt_from,
    attempt_row,
    from_text,
    outcome_from,
    outcome_row,
    revision_from,
    revision_row,
    to_text,
)
from divlearn.study.store.schema import (
    ATTEMPTS,
    CANDIDATES,
    NOTES,
    OUTCOMES,
    REVISIONS,
)
from divlearn.study.store.table import Row, Table

T = TypeVar("T")

#: Columns of a state that its digest is made of.
_STATE = "asked, taken, stamp, content"

#: How long SQLite waits at the end of a transaction: for the disk, or not.
SYNCHRONOUS = {True: "FULL", False: "NORMAL"}


class Store:
    """The file of one study.

    Parameters
    ----------
    path
        SQLite file; made where it does not exist, unless ``read_only``.
    read_only
        Whether to look only, which another process that writes does not disturb.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Store(Path(folder, "chip.db")) as store:
    ...         store.note(seed=3)
    ...         store.notes()
    {'seed': 3}
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock: Lock | None = None
        self._shape: tuple[int, int] | None = None
        self._elsewhere = ""
        if read_only:
            self._connection = schema.open_to_read(self.path)
            return
        self._lock = Lock(
            self.path,
            advice="wait until it is done, end that process, or name another file",
        )
        self._connection = open_alone(
            self._lock,
            schema.STUDY.make,
            schema.open_to_write,
            "the study",
            "choose a file in a directory that you may write to",
        )
        try:
            self._require_whole_rows()
        except BaseException:
            self.close()
            raise
        ((last,),) = self._all("SELECT MAX(sequence) FROM outcomes")
        self._last_sequence = last or 0
        self._watch = Watch(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write it."""
        with suppress(sqlite3.Error):  # of a full disk: the log is read next time
            self._connection.close()
        if self._lock is not None:
            self._lock.__exit__()

    def expect(self, num_objectives: int, num_constraints: int) -> None:
        """Refuse outcomes of another number of values from now on."""
        self._shape = (num_objectives, num_constraints)

    # --- what the study is

    def note(self, **values: Any) -> None:
        """Keep values by name, as JSON."""
        rows = [NOTES.write((key, to_text(value))) for key, value in values.items()]
        with self._transaction(durable=True):
            self._connection.executemany(
                NOTES.insert.replace("INSERT", "INSERT OR REPLACE"), rows
            )

    def notes(self) -> dict[str, Any]:
        """All values by name."""

        def read(row: Row) -> tuple[str, Any]:
            return row[0], from_text(row[1])

        return dict(self._rows(NOTES, read, "ORDER BY key"))

    # --- candidates

    def add_candidates(self, candidates: Iterable[Asked]) -> None:
        """Keep candidates before they are run.

        They survive the end of the process. A power cut may take the last of them
        away again: they are then asked again, and nothing was lost.
        """
        rows = [CANDIDATES.write(asked_row(asked)) for asked in candidates]
        with self._transaction(durable=False):
            self._connection.executemany(CANDIDATES.insert, rows)

    def candidates(self, start: int = 0) -> Iterator[Asked]:
        """Candidates from a number on."""
        rest = "WHERE number >= ? ORDER BY number"
        return self._rows(CANDIDATES, asked_from, rest, start)

    def open_candidates(self) -> list[Asked]:
        """Candidates without an outcome."""
        rest = "WHERE number NOT IN (SELECT number FROM outcomes) ORDER BY number"
        return list(self._rows(CANDIDATES, asked_from, rest))

    def designs(self, state: str | None = None) -> Iterator[tuple[bytes, int]]:
        """Codes and numbers of candidates in a state, or of all but abandoned ones."""
        where = "NOT IN" if state is None else "IN"
        return self._each(
            f"SELECT codes, number FROM candidates WHERE number {where} "
            "(SELECT number FROM outcomes WHERE state = ?) ORDER BY number",
            state or ABANDONED,
        )

    def num_candidates(self) -> int:
        """Number of candidates asked."""
        ((count,),) = self._all("SELECT COUNT(*) FROM candidates")
        return int(count)

    # --- what became of them

    def add_outcomes(
        self,
        attempts: Sequence[Attempt],
        outcomes: Sequence[Outcome],
        num_objectives: int,
        durable: bool = True,
    ) -> None:
        """Keep what is known by now; when this returns it survives a power cut.

        What can be worked out again need not be ``durable`` at once.
        """
        first = self._last_sequence + 1
        rows = [
            OUTCOMES.write(outcome_row(sequence, outcome, num_objectives))
            for sequence, outcome in enumerate(outcomes, first)
        ]
        tried = [ATTEMPTS.write(attempt_row(attempt)) for attempt in attempts]
        with self._transaction(durable):
            self._connection.executemany(ATTEMPTS.insert, tried)
            self._connection.executemany(OUTCOMES.insert, rows)
        self._last_sequence += len(rows)

    def revise(
        self,
        attempts: Sequence[Attempt],
        outcomes: Sequence[Outcome],
        revisions: Sequence[Revision],
        num_objectives: int,
    ) -> None:
        """Put outcomes in the place of failures; the attempts that failed stay."""
        places = {
            outcome.number: self._all(
                "SELECT sequence FROM outcomes WHERE number = ?", outcome.number
            )[0][0]
            for outcome in outcomes
        }
        rows = [
            OUTCOMES.write(outcome_row(places[o.number], o, num_objectives))
            for o in outcomes
        ]
        tried = [ATTEMPTS.write(attempt_row(attempt)) for attempt in attempts]
        revised = [REVISIONS.write(revision_row(r)) for r in revisions]
        with self._transaction(durable=True):
            self._connection.executemany(ATTEMPTS.insert, tried)
            self._connection.executemany(
                OUTCOMES.insert.replace("INSERT", "INSERT OR REPLACE"), rows
            )
            self._connection.executemany(REVISIONS.insert, revised)

    def revisions(self) -> list[Revision]:
        """Failures that have values after all, in the order of learning."""
        return list(self._rows(REVISIONS, revision_from, "ORDER BY batch, number"))

    def outcomes(self, start: int = 0, ordered: bool = True) -> Iterator[Outcome]:
        """Outcomes by number from ``start`` on, or after so many as they came in."""
        rest = "WHERE number >= ? ORDER BY number"
        if not ordered:
            rest = "ORDER BY sequence LIMIT -1 OFFSET ?"
        read = partial(outcome_from, shape=self._shape)
        return self._rows(OUTCOMES, read, rest, start)

    def outcome(self, number: int) -> Outcome | None:
        """The outcome of one candidate, if there is one."""
        read = partial(outcome_from, shape=self._shape)
        found = list(self._rows(OUTCOMES, read, "WHERE number = ?", number))
        return found[0] if found else None

    def attempts(self, open_only: bool = False) -> Iterator[Attempt]:
        """All attempts, or those of candidates without an outcome."""
        where = "WHERE number NOT IN (SELECT number FROM outcomes)" * open_only
        outputs = None if self._shape is None else sum(self._shape)
        read = partial(attempt_from, num_outputs=outputs)
        rest = f"{where} ORDER BY number, replicate, attempt"
        return self._rows(ATTEMPTS, read, rest)

    def endings(self) -> list[tuple[str, str, int]]:
        """State, message and number of outcomes without values, but for abandoned."""
        return self._all(
            "SELECT state, message, COUNT(*) FROM outcomes WHERE attempts > 0 AND "
            "state NOT IN (?, ?) GROUP BY state, message ORDER BY MAX(number)",
            *(OK, ABANDONED),
        )

    def num_reused(self) -> int:
        """Number of outcomes that were answered from the file."""
        ((count,),) = self._all(
            "SELECT COUNT(*) FROM outcomes WHERE attempts = 0 AND state != ?", ABANDONED
        )
        return int(count)

    def sequences(self) -> list[int]:
        """Numbers of outcomes in the order in which they came in."""
        rows = self._all("SELECT sequence FROM outcomes ORDER BY sequence")
        return [sequence for (sequence,) in rows]

    def damages(self) -> Iterator[str]:
        """Say of every row that was changed by others which one it is."""
        for table in schema.SEALED:
            text = f"SELECT {table.selected} FROM {table.name}"
            for row in self._each(text):
                try:
                    table.read(row)
                except ValueError as error:
                    yield f"{table.place(row)}: {error}"
        yield from self._damages_of_checkpoint()

    def _damages_of_checkpoint(self) -> Iterator[str]:
        """Say whether the state was changed."""
        with room_for_state(self._connection):
            rows = self._all(f"SELECT {_STATE}, digest FROM checkpoint")
        for *state, digest in rows:
            if _digest(*state) != digest:
                yield "table checkpoint: the state does not agree with its digest"

    def counts(self) -> dict[str, int]:
        """Number of outcomes by state."""
        rows = self._all("SELECT state, COUNT(*) FROM outcomes GROUP BY state")
        return dict(rows)

    def seconds(self) -> float:
        """Seconds that the study had run at its last outcome."""
        ((seconds,),) = self._all("SELECT MAX(at) FROM outcomes")
        return float(seconds or 0.0)

    # --- a state of the optimizer

    def write_checkpoint(
        self, asked: int, taken: int, stamp: str, content: bytes
    ) -> None:
        """Keep a state in place of the one before."""
        if len(content) > MAX_STATE - 1_000:  # it would never be read
            return
        state = (asked, taken, stamp, content)
        with room_for_state(self._connection), self._transaction(durable=False):
            self._connection.execute(
                f"INSERT OR REPLACE INTO checkpoint (one, {_STATE}, digest) "
                "VALUES (1, ?, ?, ?, ?, ?)",
                (*state, _digest(*state)),
            )

    def checkpoint(self, stamp: str) -> tuple[int, int, bytes] | None:
        """Candidates asked, outcomes taken in and state, if it is of the same code."""
        text = f"SELECT {_STATE}, digest FROM checkpoint WHERE stamp = ?"
        with room_for_state(self._connection):
            rows = self._all(text, stamp)
        for asked, taken, _, content, digest in rows:
            if _digest(asked, taken, stamp, content) == digest:
                return asked, taken, content
        return None

    # --- how SQLite is used

    @contextmanager
    def _transaction(self, durable: bool) -> Iterator[None]:
        """Write all or nothing; with ``durable`` wait for the disk.

        If the file is not there any more, all that is known is written beside it.
        """
        if not self._elsewhere and (change := self._watch.change()):
            self._move_elsewhere(change)
            with self._write(durable=True):
                yield
        elif not self._elsewhere:
            with self._write(durable):
                yield
        if self._elsewhere:
            raise StoreError(self._elsewhere)

    @contextmanager
    def _write(self, durable: bool) -> Iterator[None]:
        """Write all or nothing."""
        with schema.explained(self.path):
            self._connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS[durable]}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _move_elsewhere(self, change: str) -> None:
        """Go on in a copy; for good, since nobody would look for it there."""
        copied, place = copy_elsewhere(self._connection, self.path)
        let_go(self._connection)
        self._connection = copied
        self._elsewhere = (
            f"the study {str(self.path)!r} {change} while it was open. All that is "
            f"known, the last outcomes included, is in {str(place)!r}, a whole study: "
            "rename it and run the same lines again, or open it under this name."
        )

    def _require_whole_rows(self) -> None:
        """Check every row before anything follows from it."""
        for table in schema.SEALED:
            for _ in self._rows(table, _as_it_is, ""):
                pass

    def _rows(
        self, table: Table, read: Callable[[Row], T], rest: str, *values: Any
    ) -> Iterator[T]:
        """Rows of a table, checked and read, one at a time."""
        text = f"SELECT {table.selected} FROM {table.name} {rest}"
        for row in self._each(text, *values):
            yield self._read(table, read, row)

    def _read(self, table: Table, read: Callable[[Row], T], row: Row) -> T:
        """Read a row, or say in words what was never written there."""
        try:
            return read(table.read(row))
        except (TypeError, ValueError, OverflowError) as error:
            place = table.place(row)
            raise schema.damaged(self.path, f"{place}: {error}") from None

    def _all(self, text: str, *values: Any) -> list[Any]:
        """All rows of a question."""
        with schema.explained(self.path):
            return self._connection.execute(text, values).fetchall()

    def _each(self, text: str, *values: Any) -> Iterator[Any]:
        """Rows of a question, one at a time."""
        with schema.explained(self.path):
            # A loop: "yield from" would close the cursor after its connection.
            for row in self._connection.execute(text, values):  # noqa: UP028
                yield row


def _as_it_is(row: Row) -> Row:
    """A row that needs to be checked only."""
    return row


def _digest(asked: Any, taken: Any, stamp: Any, content: Any) -> str:
    """By which damage is seen; "" for what is no state."""
    if not isinstance(content, bytes) or (type(asked), type(taken)) != (int, int):
        return ""
    head = ascii((asked, taken, stamp)).encode("ascii")
    return hashlib.sha256(head + content).hexdigest()
