"""What the SQLite files of divlearn have in common: their kind, and how they open.

A file may come from anybody. Before anything in it is used, its tables are compared
with those that divlearn makes: a trigger, a view, an index, a table or a column that is
none of them is a reason to refuse it. So nothing in a file ever runs.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from divlearn.basics.errors import InputError, StoreError
from divlearn.basics.paths import create, scratch_beside

#: Bytes of a row that are read; only states of optimizers are larger.
MAX_ROW = 64_000_000
#: Bytes of a row that holds a state.
MAX_STATE = 512_000_000

#: Switches of SQLite, as far as this Python knows them.
_SWITCHES = {
    "SQLITE_DBCONFIG_DEFENSIVE": True,
    "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_ENABLE_VIEW": False,
    "SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION": False,
    "SQLITE_DBCONFIG_DQS_DDL": False,
    "SQLITE_DBCONFIG_DQS_DML": False,
}


@dataclass(frozen=True)
class FileKind:
    """A kind of file.

    Attributes
    ----------
    letters
        Four letters by which such files are known.
    version
        Raised whenever the tables change.
    tables
        Statements that make them, ended by semicolons.

    Examples
    --------
    >>> kind = FileKind("demo", 1, "CREATE TABLE one (number INTEGER);")
    >>> connection = sqlite3.connect(":memory:")
    >>> print(kind.version_of(connection))
    None
    >>> kind.make_tables(connection)
    >>> kind.version_of(connection), kind.foreign_in(connection)
    (1, '')
    >>> _ = connection.execute("CREATE VIEW all_of_it AS SELECT * FROM one")
    >>> kind.foreign_in(connection)
    "it has a view 'all_of_it'"
    >>> connection.close()
    """

    letters: str
    version: int
    tables: str

    @property
    def application(self) -> int:
        """The letters as SQLite keeps them."""
        return int.from_bytes(self.letters.encode("ascii"), "big")

    def make(self, path: Path) -> None:
        """Make a file, which appears whole or not at all."""
        scratch = scratch_beside(path)
        os.close(create(scratch))
        try:
            with closing(sqlite3.connect(_address(scratch, "rw"), uri=True)) as made:
                made.execute("PRAGMA journal_mode = MEMORY")
                self.make_tables(made)
            scratch.replace(path)
        except BaseException:
            with suppress(OSError):
                scratch.unlink()
            raise

    def make_tables(self, connection: sqlite3.Connection) -> None:
        """Make the tables: all of them or, if the process ends meanwhile, none."""
        connection.executescript(
            f"BEGIN; {self.tables}"
            f"PRAGMA application_id = {self.application};"
            f"PRAGMA user_version = {self.version}; COMMIT;"
        )

    def version_of(self, connection: sqlite3.Connection) -> int | None:
        """Version of a file of this kind; None for one of another kind."""
        ((application,),) = connection.execute("PRAGMA application_id").fetchall()
        ((version,),) = connection.execute("PRAGMA user_version").fetchall()
        return int(version) if application == self.application else None

    def foreign_in(self, connection: sqlite3.Connection) -> str:
        """Say what a file has that divlearn did not make, or lacks; "" if nothing."""
        expected, found = _schema_of(self.tables), _schema(connection)
        for kind, name in found.keys() - expected.keys():
            return f"it has a {kind} {name!r}"
        for kind, name in expected.keys() - found.keys():
            return f"it lacks the {kind} {name!r}"
        for kind, name in expected:
            if found[kind, name] != expected[kind, name]:
                return f"its {kind} {name!r} is another one"
        return ""


def _schema(connection: sqlite3.Connection) -> dict[tuple[str, str], str | None]:
    """What a file consists of: statements by kind and name."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {(str(kind), str(name)): sql for kind, name, sql in rows}


@cache
def _schema_of(tables: str) -> dict[tuple[str, str], str | None]:
    """What a file with these tables consists of."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(tables)
        return _schema(connection)


def _address(path: Path, mode: str) -> str:
    """A path as SQLite takes it together with a mode: "rw" makes no file."""
    return f"{path.resolve().as_uri()}?mode={mode}"


def _guard(connection: sqlite3.Connection) -> None:
    """Take from a file whatever it could do by itself, and limit what it can hold."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for name, wanted in _SWITCHES.items():
        if hasattr(sqlite3, name):  # from Python 3.12 on
            connection.setconfig(getattr(sqlite3, name), wanted)  # type: ignore[attr-defined,unused-ignore]
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


@contextmanager
def room_for_state(connection: sqlite3.Connection) -> Iterator[None]:
    """Let a row be as large as a state may be."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_STATE)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)


@contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Leave no file open that cannot be used."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def require_content(path: Path, what: str) -> None:
    """Refuse an empty file: SQLite would begin anew and drop the log beside it."""
    if path.stat().st_size == 0:
        raise InputError(
            f"{what} {str(path)!r} is empty: it never was one, or has lost all that it "
            "held. Bring it back from a backup, or remove the file to begin anew."
        )


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Connect to a file that exists; transactions are begun by who writes."""
    connection = sqlite3.connect(
        _address(path, "rw"), uri=True, isolation_level=None, check_same_thread=False
    )
    with closed_on_error(connection):
        _guard(connection)
    return connection


def connect_to_read(path: Path, what: str, patience: float = 5.0) -> sqlite3.Connection:
    """Connect without the right to write, beside a process that may be writing.

    Parameters
    ----------
    path
        A file that exists.
    what
        What it is, for messages, such as "the study".
    patience
        Seconds to wait for whoever holds the file for itself.
    """
    address = _address(path, "ro")
    connection = sqlite3.connect(
        address, timeout=patience, uri=True, check_same_thread=False
    )
    try:
        _guard(connection)
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            connection.close()
            raise
        # In a directory that cannot be written SQLite has no place for its shared
        # memory; without a log beside the file there is nothing to share.
        connection.close()
        if Path(f"{path.resolve()}-wal").exists():
            raise StoreError(
                f"{what} {str(path)!r} cannot be read here, since its last changes "
                f"stand in {path.name}-wal and the directory cannot be written; copy "
                "both files to a directory of your own."
            ) from None
        address += "&immutable=1"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        _guard(connection)
    except sqlite3.DatabaseError:
        pass  # explained by whoever reads on
    return connection
