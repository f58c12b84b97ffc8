"""The tables of a study, and what is said of a file that is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from divlearn.basics.errors import InputError
from divlearn.basics.sqlite import FileKind
from divlearn.basics.store import Words
from divlearn.study.store.table import Table

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
    kind TEXT NOT NULL,         -- asked, enqueued or known
    source TEXT NOT NULL,       -- where it comes from if it was not asked
    checksum BLOB NOT NULL
);
CREATE TABLE queue (            -- designs to be evaluated before others are asked
    number INTEGER PRIMARY KEY, -- in this order
    codes BLOB NOT NULL,
    source TEXT NOT NULL,
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
    state TEXT NOT NULL,        -- ok, infeasible, failed, timed out, abandoned, known
    objectives TEXT,            -- JSON, a mean where there are replicates
    constraints TEXT,
    spread TEXT,                -- standard deviations of both, JSON
    replicates INTEGER NOT NULL,
    attempts INTEGER NOT NULL,  -- 0 if answered from the store, or known
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
WORDS = Words(
    noun="the study",
    kind="a study of divlearn",
    user="another process",
    in_use="wait until it is done, end that process, or name another file",
    unwritable="choose a file in a directory that you may write to",
    not_ours="name another file; a TOML file is for 'divlearn run'",
    absent="give the file of a study; divlearn init and run begin one",
    newer="upgrade divlearn to go on",
    safe="All outcomes that were reported are in the file",
)

NOTES = Table("study", key=str, value=str)
CANDIDATES = Table(
    "candidates",
    number=int,
    known=int,
    codes=bytes,
    x=str,
    asked=float,
    kind=str,
    source=str,
)
QUEUE = Table("queue", number=int, codes=bytes, source=str)
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
SEALED = (*FROM_THE_FIRST, QUEUE, REVISIONS)


@contextmanager
def legible(path: Path) -> Iterator[None]:
    """Say in words that a row holds what was never written there."""
    try:
        yield
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise damaged(path, str(error)) from None


class DamagedStudy(InputError):
    """A file was a study, and cannot be read any more."""


def damaged(path: Path, reason: str) -> DamagedStudy:
    """Make the error for a file that was a study."""
    return DamagedStudy(
        f"the study {str(path)!r} is damaged ({reason}). Nothing was changed. Bring it "
        "back from a backup, or move it away and begin anew; the command 'sqlite3 "
        f"{path.name} .recover' prints what can still be read."
    )
