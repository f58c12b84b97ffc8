"""The tables of a store, and what messages say of it."""

from __future__ import annotations

import re

from divlearn.basics.sqlite import FileKind
from divlearn.basics.store import Words
from divlearn.basics.version import __version__

RUNS = """
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
    budget,
    seconds_limit REAL,
    seed INTEGER NOT NULL,
    initial INTEGER NOT NULL,
    snapshots INTEGER NOT NULL,
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
"""
SERIES = """
CREATE TABLE series (
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    columns TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (key, name)
);
"""
OTHERS = f"""
CREATE TABLE writer (divlearn TEXT NOT NULL);
INSERT INTO writer VALUES ('{__version__}');
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
#: Runs of version 1, that of divlearn 0.1.0.
OLD_RUNS = RUNS.replace("    budget,\n", "    budget INTEGER,\n").replace(
    "    initial INTEGER NOT NULL,\n    snapshots INTEGER NOT NULL,\n", ""
)
FIRST = FileKind("dlbn", 1, OLD_RUNS + OTHERS)
BENCH = FileKind("dlbn", 2, RUNS + SERIES + OTHERS)
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
    "initial",
    "snapshots",
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

OLD_COLUMNS = re.findall(r"^    (\w+)", OLD_RUNS, re.MULTILINE)
#: Brings a file of version 1 up to date.
UPGRADE = f"""
BEGIN;
ALTER TABLE runs RENAME TO old_runs;
{RUNS}
INSERT INTO runs ({", ".join(OLD_COLUMNS)}, initial, snapshots)
    SELECT {", ".join(OLD_COLUMNS)}, 0, 0 FROM old_runs ORDER BY rowid;
DROP TABLE old_runs;
{SERIES}
PRAGMA user_version = {BENCH.version};
COMMIT;
"""
