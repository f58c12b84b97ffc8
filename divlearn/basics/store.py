"""``StoreFile``: an SQLite file that is opened, locked, written and read in one way."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.lock import Lock, open_alone
from divlearn.basics.mounts import network_type
from divlearn.basics.sqlite import (
    FileKind,
    closed_on_error,
    connect_to_read,
    connect_to_write,
    require_content,
)
from divlearn.basics.text import one_line
from divlearn.basics.version import __version__

#: How long SQLite waits at the end of a transaction: for the disk, or not.
SYNCHRONOUS = {True: "FULL", False: "NORMAL"}
#: Milliseconds that who closes a file waits for readers.
LAST_WAIT = 1_000

#: A statement and the rows that it is executed with.
Work = tuple[str, Iterable[Any]]


@dataclass(frozen=True)
class Words:
    """What messages say of a kind of file.

    Attributes
    ----------
    noun, kind
        Such as "the study" and "a study of divlearn".
    user
        Who else may have it open.
    in_use, unwritable, not_ours, absent, newer
        What to do if it is in use, cannot be written, is something else, does not
        exist, or is of another version.
    safe
        What is in the file if it could not be written further.
    """

    noun: str
    kind: str
    user: str
    in_use: str
    unwritable: str
    not_ours: str
    absent: str
    newer: str
    safe: str


def _warn_of_network(path: Path, noun: str) -> None:
    """Say what is not safe where several hosts see a file."""
    kind = network_type(path)
    if kind is not None:
        warnings.warn(
            f"{noun} {str(path)!r} is on a network file system ({kind}): write and "
            "read it on this host only, since SQLite's log is not shared with others. "
            "A local disk is safer; workers elsewhere never open the file.",
            stacklevel=2,
        )


class StoreFile:
    """An SQLite file of one kind, with one writer and any number of readers.

    Parameters
    ----------
    path
        The file; made where it does not exist, unless ``read_only``.
    read_only
        Whether to look only, which another process that writes does not disturb.
    """

    #: Versions of the kind of file that can be opened, the newest last.
    kinds: ClassVar[tuple[FileKind, ...]]
    words: ClassVar[Words]
    #: Seconds that a reader waits for whoever holds the file for itself.
    patience: ClassVar[float] = 5.0

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path: Path = Path(path)
        self._lock: Lock | None = None
        self.durable = True  # else nothing ever waits for the disk
        self._waits: tuple[Any, str] | None = None  # as it was last told to SQLite
        if read_only:
            self._connection = self._open_to_read()
            return
        _warn_of_network(self.path, self.words.noun)
        self._lock = Lock(self.path, self.words.user, self.words.in_use)
        self._connection = open_alone(
            self._lock,
            self.kinds[-1].make,
            self._open_to_write,
            self.words.noun,
            self.words.unwritable,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write it."""
        with suppress(sqlite3.Error):  # of a full disk: the log is read next time
            if self._lock is not None:
                # Who only reads keeps SQLite from emptying the log by itself, and the
                # file alone, copied elsewhere, would lack what stands in it.
                self._connection.execute(f"PRAGMA busy_timeout = {LAST_WAIT}")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with suppress(sqlite3.Error):
            self._connection.close()
        if self._lock is not None:
            self._lock.__exit__()

    # --- opening

    def _open_to_write(self, path: Path) -> sqlite3.Connection:
        """Open a file that exists and is ours."""
        with self._explained():
            require_content(path, self.words.noun)
            connection = connect_to_write(path)
            with closed_on_error(connection):
                self._prepare(connection, self._version_of(connection))
        return connection

    def _open_to_read(self) -> sqlite3.Connection:
        """Open a file that exists, beside a process that may be writing it."""
        if not self.path.is_file():
            raise InputError(
                f"{self.words.noun} {str(self.path)!r} does not exist; "
                f"{self.words.absent}."
            )
        with self._explained():
            require_content(self.path, self.words.noun)
            connection = connect_to_read(self.path, self.words.noun, self.patience)
            with closed_on_error(connection):
                self._require_readable(self._version_of(connection))
        return connection

    def _prepare(self, connection: sqlite3.Connection, version: int) -> None:
        """Get a file of this version ready to be written."""
        connection.execute("PRAGMA journal_mode = WAL")

    def _require_readable(self, version: int) -> None:
        """Refuse a version that has to be brought up to date first."""

    def _version_of(self, connection: sqlite3.Connection) -> int:
        """The version of a file; other files, and other tables, are refused."""
        newest = self.kinds[-1]
        version = newest.version_of(connection)
        if version is None:
            raise self._not_ours("it was made by another program")
        kind = next((one for one in self.kinds if one.version == version), None)
        if kind is None:
            raise InputError(
                f"{self.words.noun} {str(self.path)!r} has version {version} of the "
                f"format, and this divlearn {__version__} knows version "
                f"{newest.version}. Nothing was changed; {self.words.newer}."
            )
        if foreign := kind.foreign_in(connection):
            raise self._not_ours(f"its tables were changed: {foreign}")
        return version

    # --- writing and reading

    def _write(self, durable: bool, *work: Work) -> None:
        """Execute statements, all or nothing; with ``durable`` wait for the disk."""
        connection = self._connection
        waits = SYNCHRONOUS[durable and self.durable]
        try:
            if self._waits != (connection, waits):
                connection.execute(f"PRAGMA synchronous = {waits}")
                self._waits = connection, waits
            connection.execute("BEGIN IMMEDIATE")
            for statement, rows in work:
                connection.executemany(statement, rows)
            connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._in_words(error) from error
            raise

    def _all(self, text: str, *values: Any) -> list[Any]:
        """All rows of a question."""
        with self._explained():
            return self._connection.execute(text, values).fetchall()

    def _each(self, text: str, *values: Any) -> Iterator[Any]:
        """Rows of a question, one at a time."""
        with self._explained():
            # A loop: "yield from" would close the cursor after its connection.
            for row in self._connection.execute(text, values):  # noqa: UP028
                yield row

    # --- what SQLite could not do

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in words what SQLite could not do."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._in_words(error) from error

    def _in_words(self, error: sqlite3.Error) -> Exception:
        """Choose the explanation by the kind of error."""
        code = getattr(error, "sqlite_errorcode", None) or 0
        kind, said = code & 0xFF, one_line(str(error))
        which = f"{self.words.noun} {str(self.path)!r}"
        if kind == sqlite3.SQLITE_NOTADB:
            return self._not_ours(said)
        if kind == sqlite3.SQLITE_CORRUPT or "decode to UTF-8" in said:
            return self._damaged(said)
        if kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return StoreError(
                f"{which} could not be written ({said}): the disk is full, a limit on "
                f"the size of files was met, or the disk fails. {self.words.safe}; "
                "make room and run the same line again."
            )
        refused = (
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_PERM,
        )
        if kind in refused:
            return InputError(
                f"{which} cannot be written ({said}); {self.words.unwritable}."
            )
        return StoreError(
            f"{which} could not be used ({said}). What it held before is as it was; "
            "run the same line again."
        )

    def _not_ours(self, reason: str) -> InputError:
        """Make the error for a file that is something else."""
        return InputError(
            f"the file {str(self.path)!r} is not {self.words.kind} ({reason}). Nothing "
            f"was changed; {self.words.not_ours}."
        )

    def _damaged(self, reason: str) -> InputError:
        """Make the error for a file that cannot be read any more."""
        return InputError(
            f"{self.words.noun} {str(self.path)!r} is damaged ({reason}). Nothing was "
            "changed. Bring it back from a backup, or move it away and begin anew."
        )
