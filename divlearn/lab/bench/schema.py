"""The tables of a store, and the check that a file is a store of this version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from divlearn.basics.sqlite import (
    FileKind,
    closed_on_error,
    connect_to_read,
    connect_to_write,
    require_content,
)
from divlearn.basics.version import __version__
from divlearn.errors import InputError

TABLES = f"""
CREATE TABLE writer (divlearn TEXT NOT NULL);
INSERT INTO writer VALUES ('{__version__}');
CREATE TABLE runs (
    key TEXT PRIMARY KEY,
    problem TEXT NOT NULL,
    problem_label TEXT NOT NULL,
    options TEXT NOT NULL,
    files TEXT NOT NULL,
    digest TEXT NOT NULL,
    instance INTEGER NOT NULL,
    method TEXT NOT NULL,
    method_label TEXT NOT NULL,
    settings TEXT NOT NULL,
    budget INTEGER,
    seconds_limit REAL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL,
    message TEXT NOT NULL,
    details TEXT NOT NULL,
    evaluations INTEGER NOT NULL,
    stopped TEXT NOT NULL,
    seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    overhead REAL NOT NULL,
    hypervolume REAL,
    front_size INTEGER NOT NULL,
    front BLOB NOT NULL,
    solutions BLOB NOT NULL,
    form TEXT NOT NULL,
    history BLOB NOT NULL,
    tally TEXT NOT NULL,
    versions TEXT NOT NULL,
    date TEXT NOT NULL
);
CREATE TABLE fronts (
    key TEXT PRIMARY KEY,
    problem TEXT NOT NULL,
    options TEXT NOT NULL,
    instance INTEGER NOT NULL,
    state TEXT NOT NULL,
    message TEXT NOT NULL,
    seconds REAL NOT NULL,
    hypervolume REAL,
    front BLOB NOT NULL,
    date TEXT NOT NULL
);
CREATE TABLE measures (
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL,
    PRIMARY KEY (key, name)
);
"""
BENCH = FileKind("dlbn", 1, TABLES)

#: Columns of a run that are read for tables; arrays are read when they are needed.
PLAIN_COLUMNS = (
    "key",
    "problem",
    "problem_label",
    "options",
    "files",
    "digest",
    "instance",
    "method",
    "method_label",
    "settings",
    "budget",
    "seconds_limit",
    "seed",
    "state",
    "message",
    "evaluations",
    "seconds",
    "cpu_seconds",
    "overhead",
    "hypervolume",
    "front_size",
    "tally",
    "versions",
    "date",
)


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a store that exists."""
    with _explained(path):
        require_content(path, "the store")
        connection = connect_to_write(path)
        with closed_on_error(connection):
            _require_own(connection, path)
            # A log beside the file takes each run with one write. Not waiting for the
            # disk is safe against the end of the process, whatever ends it; only a
            # power cut may cost the last runs, never the file.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA wal_autocheckpoint = 4000")  # waits for the disk
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a store that exists, beside a process that may be writing it."""
    if not path.is_file():
        raise InputError(
            f"the store {str(path)!r} does not exist; run 'divlearn bench SUITE' "
            "first, or name another one by --store FILE or --out DIR."
        )
    with _explained(path):
        require_content(path, "the store")
        connection = connect_to_read(path, "the store")
        with closed_on_error(connection):
            _require_own(connection, path)
    return connection


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say in words that a file is not a store."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _no_store(path, str(error)) from None


def _require_own(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse other files, and stores with other tables."""
    version = BENCH.version_of(connection)
    if version is None:
        raise _no_store(path, "it was made by another program")
    if version != BENCH.version:
        raise InputError(
            f"the store {str(path)!r} has version {version} of its format, and this "
            f"divlearn {__version__} knows version {BENCH.version}. Nothing was "
            "changed. Name a new store by --out or --store, or go on with the divlearn "
            "that wrote it."
        )
    if foreign := BENCH.foreign_in(connection):
        raise _no_store(path, f"its tables were changed: {foreign}")


def _no_store(path: Path, reason: str) -> InputError:
    """Make the error for a file that is something else."""
    return InputError(
        f"the store {str(path)!r} is not a store of divlearn bench ({reason}). Nothing "
        "was changed; name another file by --store."
    )
