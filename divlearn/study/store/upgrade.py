"""Studies of older versions of the format, brought up to date when they are opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from divlearn.basics.sqlite import FileKind
from divlearn.study.store.table import BadRow, Row, Table
from divlearn.study.trial import ASKED

#: The tables of divlearn 0.1.0: no checksums, no other metrics.
FIRST = FileKind(
    "dlst",
    1,
    """
CREATE TABLE study (            -- what the study is: JSON by name
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE candidates (       -- written before they are run
    number INTEGER PRIMARY KEY, -- from 0, in the order of asking
    known INTEGER NOT NULL,     -- outcomes that it was chosen from
    codes BLOB NOT NULL,        -- the design as the optimizer sees it
    x TEXT NOT NULL,            -- the design as the user declared it, JSON
    asked REAL NOT NULL         -- seconds since 1970
);
CREATE TABLE attempts (         -- every evaluation that ended
    number INTEGER NOT NULL,
    replicate INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    outputs TEXT,               -- objectives, then constraints, JSON
    seconds REAL NOT NULL,
    worker TEXT NOT NULL,
    message TEXT NOT NULL,
    ended REAL NOT NULL,        -- seconds since 1970
    PRIMARY KEY (number, replicate, attempt)
) WITHOUT ROWID;
CREATE TABLE outcomes (         -- what became of a candidate
    sequence INTEGER PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    state TEXT NOT NULL,        -- ok, infeasible, failed, timed out, abandoned
    objectives TEXT,            -- JSON, a mean where there are replicates
    constraints TEXT,
    spread TEXT,                -- standard deviations of both, JSON
    replicates INTEGER NOT NULL,
    attempts INTEGER NOT NULL,  -- 0 if answered from the store
    seconds REAL NOT NULL,      -- of all attempts together
    worker TEXT NOT NULL,
    message TEXT NOT NULL,
    at REAL NOT NULL,           -- seconds that the study had run
    ended REAL NOT NULL         -- seconds since 1970
);
CREATE TABLE checkpoint (       -- a state of the optimizer, to open quickly
    one INTEGER PRIMARY KEY CHECK (one = 1),
    asked INTEGER NOT NULL,     -- candidates asked by then
    taken INTEGER NOT NULL,     -- outcomes taken in by then
    stamp TEXT NOT NULL,        -- of the code that made it
    digest TEXT NOT NULL,
    content BLOB NOT NULL
);
""",
)


#: Columns that are new since then, and what rows of then have in them.
NEW: dict[str, str | None] = {"extras": None, "kind": ASKED, "source": ""}


def upgrade(
    connection: sqlite3.Connection, tables: str, sealed: Sequence[Table], version: int
) -> None:
    """Bring a file of version 1 up to date, all of it or nothing.

    The state of the optimizer is left out: the study is replayed once.

    Parameters
    ----------
    connection
        The file.
    tables
        Statements that make the tables of today.
    sealed
        Those whose rows are kept, with a checksum from now on.
    version
        The version of today.
    """
    sealed = [t for t in sealed if f"CREATE TABLE {t.name} " in FIRST.tables]
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in sealed:
            connection.execute(f"ALTER TABLE {table.name} RENAME TO old_{table.name}")
        connection.execute("DROP TABLE checkpoint")
        for statement in tables.split(";\n"):
            connection.execute(statement)
        for table in sealed:
            _copy(connection, table)
            connection.execute(f"DROP TABLE old_{table.name}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _copy(connection: sqlite3.Connection, table: Table) -> None:
    """Copy rows and add checksums; columns that are new get what they then meant."""
    old = [name for name in table.columns if name not in NEW]
    empty = [NEW[name] for name in table.columns if name in NEW]

    def sealed(row: Row) -> Row:
        try:
            return table.write((*row, *empty))
        except (TypeError, ValueError, OverflowError) as error:
            raise BadRow(f"{table.place(row)}: {error}") from None

    rows = connection.execute(f"SELECT {', '.join(old)} FROM old_{table.name}")
    connection.executemany(table.insert, map(sealed, rows))
