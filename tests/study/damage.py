"""Studies, and what others do to their files."""

import sqlite3
from contextlib import closing

import divlearn as dl
from divlearn.study import Study
from divlearn.study.store.schema import ATTEMPTS, CANDIDATES, NOTES, OUTCOMES

#: What no study has ever written.
ODD = [
    *("", "[", "null", "7", '"x"', "[[1]]", '["1", "2"]', "[true, false]", "[NaN]"),
    *("[1e999, 1]", "[1, 2, 3, 4]", "{}", "[" * 5_000, "[" + "9" * 5_000 + "]"),
    *(b"\xff", 7, 1.5, "\0"),
]


def problem():
    """With a constraint and a reference point."""

    def evaluate(x):
        return float(x[0]) / 3, float(x @ x[::-1]) / 7, float(x[1]) - 3.5

    names, more = {"cost": "min", "gain": "max"}, {"constraints": ["weight"]}
    return dl.Problem(dl.Permutation(7), evaluate, names, **more, reference=(9, 0))


def make(path):
    """Make a study with values of every kind: means, spreads, a saved state."""
    with Study(problem(), path) as study:
        study.run(budget=20, workers=0, replicates=2, duplicates="rerun")
        study.run(budget=30, workers=0)
        study.remember({"kind": "none"})
        study._opened.store.write_checkpoint(3, 2, "stamp", b"12345")
    return path


def change_a_digit(path, rng):
    """Change one digit or byte of any value; return its table and column."""
    table = rng.choice([NOTES, CANDIDATES, ATTEMPTS, OUTCOMES])
    names = (*table.columns, "checksum")
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = connection.execute(f"SELECT {table.selected} FROM {table.name}")
        row = rng.choice(rows.fetchall())
        filled = [name for name, v in zip(names, row, strict=True) if v is not None]
        column = rng.choice(filled)
        before = after = row[names.index(column)]
        while after == before:
            after = another(before, rng)
        where = " AND ".join(f"{name} IS ?" for name in names)
        text = f"UPDATE OR REPLACE {table.name} SET {column} = ? WHERE {where}"
        assert connection.execute(text, (after, *row)).rowcount == 1
    return table.name, column


def another(value, rng):
    """The value with one of its digits changed."""
    if isinstance(value, bytes):
        i = rng.randrange(len(value))
        return value[:i] + bytes([value[i] ^ rng.randrange(1, 256)]) + value[i + 1 :]
    text = str(value)
    digits = [i for i, c in enumerate(text) if c.isdigit()]
    if not digits:
        return text + "7"
    i = rng.choice(digits)
    digit = rng.choice([d for d in "0123456789" if d != text[i]])
    return type(value)(text[:i] + digit + text[i + 1 :])


def rewrite(path, table, key, **changed):
    """Change columns of a row; the checksum is made anew, as a forger would do."""
    first = "number" if "number" in table.columns else "key"
    with closing(sqlite3.connect(path)) as connection, connection:
        text = f"SELECT {table.selected} FROM {table.name} WHERE {first} = ?"
        *values, _ = connection.execute(text, (key,)).fetchone()
        row = dict(zip(table.columns, values, strict=True)) | changed
        row = sealed(table, tuple(row.values()))
        connection.execute(table.insert.replace("INSERT", "INSERT OR REPLACE"), row)


def sealed(table, row):
    """A row with the right checksum, even if its types are wrong."""
    return (*row, table.checksum(row))
