"""The tables of a study, and the check that a file is one that can be used."""

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
from divlearn.basics.text import one_line
from divlearn.basics.version import __version__
from divlearn.errors import InputError, StoreError
from divlearn.study.store.table import Table
from divlearn.study.store.upgrade import FIRST, upgrade

TABLES = """
CREATE TABLE study (            -- what the study is: JSON by name
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    checksum BLOB NOT NULL      -- of this row, here and below: see table.py
) WITHOUT ROWID;
CREATE TABLE candidates (       -- written before they are run
    number INTEGER PRIMARY KEY, -- from 0, in the order of asking
    known INTEGER NOT NULL,     -- outcomes that it was chosen from
    codes BLOB NOT NULL,        -- the design as the optimizer sees it
    x TEXT NOT NULL,            -- the design as the user declared it, JSON
    asked REAL NOT NULL,        -- seconds since 1970
    checksum BLOB NOT NULL
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
    extras TEXT,                -- other metrics that it returned, JSON by name
    checksum BLOB NOT NULL,
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
    ended REAL NOT NULL,        -- seconds since 1970
    extras TEXT,                -- other metrics, JSON by name
    checksum BLOB NOT NULL
);
CREATE TABLE revisions (        -- failures that were learned, and have values now
    number INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,     -- learned batch by batch, and by number within
    asked INTEGER NOT NULL,     -- candidates asked by then
    known INTEGER NOT NULL,     -- outcomes told by then
    checksum BLOB NOT NULL
);
CREATE TABLE checkpoint (       -- a state of the optimizer, to open quickly
    one INTEGER PRIMARY KEY CHECK (one = 1),
    asked INTEGER NOT NULL,     -- candidates asked by then
    taken INTEGER NOT NULL,     -- outcomes taken in by then
    stamp TEXT NOT NULL,        -- of the code that made it
    digest TEXT NOT NULL,       -- of all the others
    content BLOB NOT NULL
);
"""
STUDY = FileKind("dlst", 2, TABLES)

NOTES = Table("study", key=str, value=str)
CANDIDATES = Table("candidates", number=int, known=int, codes=bytes, x=str, asked=float)
ATTEMPTS = Table(
    "attempts",
    number=int,
    replicate=int,
    attempt=int,
    state=str,
    outputs=str | None,
    seconds=float,
    worker=str,
    message=str,
    ended=float,
    extras=str | None,
)
OUTCOMES = Table(
    "outcomes",
    sequence=int,
    number=int,
    state=str,
    objectives=str | None,
    constraints=str | None,
    spread=str | None,
    replicates=int,
    attempts=int,
    seconds=float,
    worker=str,
    message=str,
    at=float,
    ended=float,
    extras=str | None,
)
REVISIONS = Table("revisions", number=int, batch=int, asked=int, known=int)
#: Tables that files have had from the first version on.
FROM_THE_FIRST = (NOTES, CANDIDATES, ATTEMPTS, OUTCOMES)
#: Tables whose rows have a checksum.
SEALED = (*FROM_THE_FIRST, REVISIONS)


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open a study's file, which is brought up to date if it is of an older version."""
    with explained(path):
        require_content(path, "the study")
        connection = connect_to_write(path)
        with closed_on_error(connection):
            version = _require_own(connection, path)
            _require_whole(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            if version == 1:
                with legible(path):
                    upgrade(connection, TABLES, FROM_THE_FIRST, STUDY.version)
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that exists, beside a process that may be writing it."""
    if not path.is_file():
        raise InputError(
            f"the study {str(path)!r} does not exist; give the file of a study that "
            "was run."
        )
    with explained(path):
        require_content(path, "the study")
        connection = connect_to_read(path, "the study")
        with closed_on_error(connection):
            if _require_own(connection, path) != STUDY.version:
                raise InputError(
                    f"the study {str(path)!r} has version 1 of the format, of divlearn "
                    "0.1.0. Nothing was changed; to bring it up to date, open it once, "
                    f"in Python by Study(problem, {str(path)!r}), or by the "
                    "'divlearn run' or 'divlearn solve' that began it."
                )
    return connection


@contextmanager
def legible(path: Path) -> Iterator[None]:
    """Say in words that a row holds what was never written there."""
    try:
        yield
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise damaged(path, str(error)) from None


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Say in words what SQLite could not do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _in_words(path, error) from error


def _in_words(path: Path, error: sqlite3.Error) -> Exception:
    """Choose the explanation by the kind of error."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    name, kind, said = str(path), code & 0xFF, one_line(str(error))
    if kind == sqlite3.SQLITE_NOTADB:
        return _no_study(path, said)
    if kind == sqlite3.SQLITE_CORRUPT or "decode to UTF-8" in said:
        return damaged(path, said)
    if kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return StoreError(
            f"the study {name!r} could not be written ({said}): the disk is full, a "
            "limit on the size of files was met, or the disk fails. All outcomes that "
            "were reported are in the file; make room and run the same line again."
        )
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return InputError(
            f"the study {name!r} cannot be written ({said}); choose a file in a "
            "directory that you may write to."
        )
    return StoreError(
        f"the study {name!r} could not be used ({said}). What it held before is as it "
        "was; run the same line again."
    )


class DamagedStudy(InputError):
    """A file was a study, and cannot be read any more."""


def damaged(path: Path, reason: str) -> DamagedStudy:
    """Make the error for a file that was a study."""
    return DamagedStudy(
        f"the study {str(path)!r} is damaged ({reason}). Nothing was changed. Bring it "
        "back from a backup, or move it away and begin anew; the command 'sqlite3 "
        f"{path.name} .recover' prints what can still be read."
    )


def _no_study(path: Path, reason: str) -> InputError:
    """Make the error for a file that is something else."""
    return InputError(
        f"the file {str(path)!r} is not a study of divlearn ({reason}). Nothing was "
        "changed; name another file."
    )


def _require_own(connection: sqlite3.Connection, path: Path) -> int:
    """Refuse other files, and studies with other tables; return the version."""
    version = STUDY.version_of(connection)
    if version is None:
        raise _no_study(path, "it was made by another program")
    if version not in (FIRST.version, STUDY.version):
        raise InputError(
            f"the study {str(path)!r} has version {version} of the format, and this "
            f"divlearn {__version__} knows version {STUDY.version}. Nothing was "
            "changed; upgrade divlearn to go on."
        )
    kind = FIRST if version == FIRST.version else STUDY
    if foreign := kind.foreign_in(connection):
        raise _no_study(path, f"its tables were changed: {foreign}")
    return version


def _require_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file with damage before anything is added to it."""
    ((said,), *_) = connection.execute("PRAGMA quick_check(1)").fetchall()
    if said != "ok":
        raise damaged(path, str(said).splitlines()[-1])
