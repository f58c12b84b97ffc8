"""``StudyFile``: how the file of a study is opened, watched, written and read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.sqlite import FileKind
from divlearn.basics.store import StoreFile, Words, Work
from divlearn.study.store import schema
from divlearn.study.store.rescue import Watch, copy_elsewhere, let_go
from divlearn.study.store.table import Row, Table
from divlearn.study.store.upgrade import FIRST, upgrade

T = TypeVar("T")


class StudyFile(StoreFile):
    """The file of a study, whose rows have checksums.

    If the file is removed while it is open, everything is written to one beside it.

    Parameters
    ----------
    path
        SQLite file; made where it does not exist, unless ``read_only``.
    read_only
        Whether to read only, which is possible while another process writes.
    """

    kinds: ClassVar[tuple[FileKind, ...]] = (FIRST, schema.STUDY)
    words: ClassVar[Words] = schema.WORDS

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self._elsewhere = ""
        super().__init__(path, read_only=read_only)
        if read_only:
            return
        try:
            self._require_whole_rows()
        except BaseException:
            self.close()
            raise
        self._watch = Watch(self.path)

    def _prepare(self, connection: sqlite3.Connection, version: int) -> None:
        """Refuse damage before anything is added, and bring an old file up to date."""
        ((said,), *_) = connection.execute("PRAGMA quick_check(1)").fetchall()
        if said != "ok":
            raise self._damaged(str(said).splitlines()[-1])
        super()._prepare(connection, version)
        if version == FIRST.version:
            with schema.legible(self.path):
                tables, new = schema.TABLES, schema.STUDY.version
                upgrade(connection, tables, schema.FROM_THE_FIRST, new)

    def _require_readable(self, version: int) -> None:
        """Refuse the version of 0.1.0, which cannot be brought up to date here."""
        if version == FIRST.version:
            raise InputError(
                f"the study {str(self.path)!r} has version 1 of the format, of "
                "divlearn 0.1.0. Nothing was changed; to bring it up to date, open it "
                f"once, in Python by Study(problem, {str(self.path)!r}), or by the "
                "'divlearn run' or 'divlearn solve' that began it."
            )

    def _damaged(self, reason: str) -> InputError:
        return schema.damaged(self.path, reason)

    def damaged_rows(self) -> Iterator[str]:
        """Say of every row that was changed by others which one it is."""
        for table in schema.SEALED:
            for row in self._each(f"SELECT {table.selected} FROM {table.name}"):
                try:
                    table.read(row)
                except ValueError as error:
                    yield f"{table.place(row)}: {error}"

    def _write(self, durable: bool, *work: Work) -> None:
        """Execute statements; if the file is not there any more, in a copy of it."""
        if self._elsewhere:
            raise StoreError(self._elsewhere)
        if durable and (change := self._watch.change()):
            self._move_elsewhere(change)
        super()._write(durable, *work)
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
        """Read a row, or raise an error that says what is wrong with it."""
        try:
            return read(table.read(row))
        except (TypeError, ValueError, OverflowError) as error:
            place = table.place(row)
            raise schema.damaged(self.path, f"{place}: {error}") from None
