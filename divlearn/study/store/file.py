"""``StudyFile``: how the file of a study is opened, watched, written and read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from divlearn.basics.lock import Lock, open_alone
from divlearn.errors import StoreError
from divlearn.study.store import schema
from divlearn.study.store.rescue import Watch, copy_elsewhere, let_go
from divlearn.study.store.table import Row, Table

T = TypeVar("T")

#: How long SQLite waits at the end of a transaction: for the disk, or not.
SYNCHRONOUS = {True: "FULL", False: "NORMAL"}


class StudyFile:
    """An SQLite file with the tables of a study, one writer and any number of readers.

    Parameters
    ----------
    path
        SQLite file; made where it does not exist, unless ``read_only``.
    read_only
        Whether to look only, which another process that writes does not disturb.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock: Lock | None = None
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

    def damaged_rows(self) -> Iterator[str]:
        """Say of every row that was changed by others which one it is."""
        for table in schema.SEALED:
            for row in self._each(f"SELECT {table.selected} FROM {table.name}"):
                try:
                    table.read(row)
                except ValueError as error:
                    yield f"{table.place(row)}: {error}"

    @contextmanager
    def _transaction(self, durable: bool) -> Iterator[None]:
        """Write all or nothing; with ``durable`` wait for the disk.

        If the file is not there any more, all that is known is written beside it.
        """
        if self._elsewhere:
            raise StoreError(self._elsewhere)
        if durable and (change := self._watch.change()):
            self._move_elsewhere(change)
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
        if self._elsewhere:
            raise StoreError(self._elsewhere)

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
        for damage in self.damaged_rows():
            raise schema.damaged(self.path, damage)

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
