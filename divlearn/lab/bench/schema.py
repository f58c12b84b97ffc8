"""The tables of a store, and what messages say of it."""

from __future__ import annotations

from divlearn.basics.sqlite import FileKind
from divlearn.basics.store import Words
from divlearn.basics.version import __version__

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
WORDS = Words(
    noun="the store",
    kind="a store of divlearn bench",
    user="another benchmark",
    in_use="wait until it is done, or choose another --out or --store",
    unwritable="choose another --out or --store",
    not_ours="name another file by --store",
    absent=(
        "run 'divlearn bench SUITE' first, or name another one by --store FILE or "
        "--out DIR"
    ),
    newer=(
        "name a new store by --out or --store, or go on with the divlearn that wrote it"
    ),
    safe="Runs that it held before are as they were",
)

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
