"""``Store``: a study's file, in which every line is safe as soon as it is written."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from divlearn.lock import Lock, open_alone
from divlearn.study.store import schema
from divlearn.study.store.rows import (
    ABANDONED,
    Asked,
    Attempt,
    Outcome,
    numbers_from,
    numbers_to_text,
    to_text,
)

_OUTCOME = (
    "number, state, objectives, constraints, spread, replicates, attempts, seconds, "
    "worker, message, at, ended"
)
_ATTEMPT = "number, replicate, attempt, state, outputs, seconds, worker, message, ended"

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
        if read_only:
            self._connection = schema.open_to_read(self.path)
            return
        self._lock = Lock(
            self.path,
            advice="wait until it is done, end that process, or name another file",
        )
        self._connection = open_alone(
            self._lock,
            schema.open_to_write,
            "the study",
            "choose a file in a directory that you may write to",
        )

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

    # --- what the study is

    def note(self, **values: Any) -> None:
        """Keep values by name, as JSON."""
        rows = [(key, to_text(value)) for key, value in values.items()]
        with self._transaction(durable=True):
            self._connection.executemany(
                "INSERT OR REPLACE INTO study VALUES (?, ?)", rows
            )

    def notes(self) -> dict[str, Any]:
        """All values by name."""
        rows = self._all("SELECT key, value FROM study ORDER BY key")
        with self._legible():
            return {key: json.loads(value) for key, value in rows}

    # --- candidates

    def add_candidates(self, candidates: Iterable[Asked]) -> None:
        """Keep candidates before they are run.

        They survive the end of the process. A power cut may take the last of them
        away again: they are then asked again, and nothing was lost.
        """
        rows = [(c.number, c.known, c.codes, c.x, c.asked) for c in candidates]
        with self._transaction(durable=False):
            self._connection.executemany(
                "INSERT INTO candidates VALUES (?, ?, ?, ?, ?)", rows
            )

    def candidates(self, start: int = 0) -> Iterator[Asked]:
        """Candidates from a number on."""
        text = "SELECT * FROM candidates WHERE number >= ? ORDER BY number"
        return (Asked(*row) for row in self._each(text, start))

    def open_candidates(self) -> list[Asked]:
        """Candidates without an outcome."""
        rows = self._all(
            "SELECT * FROM candidates WHERE number NOT IN "
            "(SELECT number FROM outcomes) ORDER BY number"
        )
        return [Asked(*row) for row in rows]

    def designs(self) -> Iterator[tuple[bytes, int]]:
        """Codes and numbers of all candidates that were not abandoned."""
        return self._each(
            "SELECT codes, number FROM candidates WHERE number NOT IN "
            "(SELECT number FROM outcomes WHERE state = ?) ORDER BY number",
            ABANDONED,
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
        with self._transaction(durable):
            self._connection.executemany(
                f"INSERT INTO attempts ({_ATTEMPT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [_attempt_row(attempt) for attempt in attempts],
            )
            self._connection.executemany(
                f"INSERT INTO outcomes ({_OUTCOME}) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [_outcome_row(outcome, num_objectives) for outcome in outcomes],
            )

    def outcomes(self, start: int = 0, ordered: bool = True) -> Iterator[Outcome]:
        """Outcomes by number from ``start`` on, or after so many as they came in."""
        rest = "WHERE number >= ? ORDER BY number"
        if not ordered:
            rest = "ORDER BY sequence LIMIT -1 OFFSET ?"
        rows = self._each(f"SELECT {_OUTCOME} FROM outcomes {rest}", start)
        with self._legible():
            yield from map(_outcome_from, rows)

    def outcome(self, number: int) -> Outcome | None:
        """The outcome of one candidate, if there is one."""
        rows = self._all(f"SELECT {_OUTCOME} FROM outcomes WHERE number = ?", number)
        with self._legible():
            return _outcome_from(rows[0]) if rows else None

    def attempts(self, open_only: bool = False) -> Iterator[Attempt]:
        """All attempts, or those of candidates without an outcome."""
        where = "WHERE number NOT IN (SELECT number FROM outcomes)" * open_only
        text = f"SELECT {_ATTEMPT} FROM attempts {where} ORDER BY number, replicate"
        for row in self._each(f"{text}, attempt"):
            number, replicate, attempt, state, outputs, *rest = row
            with self._legible():
                values = numbers_from(outputs)
            yield Attempt(number, replicate, attempt, state, values, *rest)

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
        row = (1, asked, taken, stamp, _digest(content), content)
        with self._transaction(durable=False):
            self._connection.execute(
                "INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?, ?, ?)", row
            )

    def checkpoint(self, stamp: str) -> tuple[int, int, bytes] | None:
        """Candidates asked, outcomes taken in and state, if it is of the same code."""
        text = "SELECT asked, taken, digest, content FROM checkpoint WHERE stamp = ?"
        for asked, taken, digest, content in self._all(text, stamp):
            if _digest(content) == digest:
                return asked, taken, content
        return None

    # --- how SQLite is used

    @contextmanager
    def _transaction(self, durable: bool) -> Iterator[None]:
        """Write all or nothing; with ``durable`` wait for the disk."""
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

    @contextmanager
    def _legible(self) -> Iterator[None]:
        """Say in words that a row holds something that was never written there."""
        try:
            yield
        except (TypeError, ValueError) as error:
            raise schema.damaged(self.path, f"a row makes no sense: {error}") from None

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


def _attempt_row(attempt: Attempt) -> tuple[Any, ...]:
    """Write an attempt as a row."""
    return (
        attempt.number,
        attempt.replicate,
        attempt.attempt,
        attempt.state,
        numbers_to_text(attempt.outputs),
        attempt.seconds,
        attempt.worker,
        attempt.message,
        attempt.ended,
    )


def _outcome_row(outcome: Outcome, m: int) -> tuple[Any, ...]:
    """Write an outcome with ``m`` objectives as a row."""
    outputs = outcome.outputs
    return (
        outcome.number,
        outcome.state,
        None if outputs is None else numbers_to_text(outputs[:m]),
        None if outputs is None else numbers_to_text(outputs[m:]),
        numbers_to_text(outcome.spread),
        outcome.replicates,
        outcome.attempts,
        outcome.seconds,
        outcome.worker,
        outcome.message,
        outcome.at,
        outcome.ended,
    )


def _outcome_from(row: tuple[Any, ...]) -> Outcome:
    """Read an outcome from a row."""
    number, state, objectives, constraints, spread, *rest = row
    f, g = numbers_from(objectives), numbers_from(constraints)
    outputs = None if f is None else f + (g or ())
    return Outcome(number, state, outputs, numbers_from(spread), *rest)


def _digest(content: bytes) -> str:
    """By which damage is seen."""
    return hashlib.sha256(content).hexdigest()
