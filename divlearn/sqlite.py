"""What the SQLite files of divlearn have in common: their kind, and how they open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from divlearn.errors import StoreError


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
    >>> kind.version_of(connection)
    1
    >>> connection.close()
    """

    letters: str
    version: int
    tables: str

    @property
    def application(self) -> int:
        """The letters as SQLite keeps them."""
        return int.from_bytes(self.letters.encode("ascii"), "big")

    def make_tables(self, connection: sqlite3.Connection) -> None:
        """Make the tables of a file that was never written, or not to its end.

        All of them or, if the process ends meanwhile, none.
        """
        text = "SELECT COUNT(*) FROM sqlite_master"
        ((tables,),) = connection.execute(text).fetchall()
        if tables == 0:
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


@contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Leave no file open that cannot be used."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def connect_to_read(path: Path, what: str) -> sqlite3.Connection:
    """Connect without the right to write, beside a process that may be writing.

    Parameters
    ----------
    path
        A file that exists.
    what
        What it is, for messages, such as "the study".
    """
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        # In a directory that cannot be written SQLite has no place for its shared
        # memory; without a log beside the file there is nothing to share.
        connection.close()
        if path.with_name(f"{path.name}-wal").exists():
            raise StoreError(
                f"{what} {str(path)!r} cannot be read here, since its last changes "
                f"stand in {path.name}-wal and the directory cannot be written; copy "
                "both files to a directory of your own."
            ) from None
        address += "&immutable=1"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    except sqlite3.DatabaseError:
        pass  # explained by whoever reads on
    return connection
