"""Studies that somebody altered: each is refused in words, or leads to the same.

``python -m tests.soak.mutated store FIRST COUNT`` repeats files; ``digits_found``
changes one digit at a time.
"""

import io
import json
import random
import shutil
import sqlite3
import tempfile
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import numpy as np

from divlearn.basics.errors import DivlearnError
from divlearn.cli import execute
from divlearn.study import Study, StudyReader
from divlearn.study.store.schema import SEALED
from tests.soak import mutations
from tests.study.damage import ODD, change_a_digit, make, problem, sealed

#: Statements that no study of divlearn was ever made by.
STATEMENTS = [
    "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM outcomes; END",
    "CREATE TRIGGER t AFTER UPDATE ON study BEGIN DELETE FROM attempts; END",
    "CREATE VIEW v AS SELECT * FROM outcomes",
    "CREATE INDEX i ON outcomes (state)",
    "CREATE TABLE more (a)",
    "CREATE VIRTUAL TABLE more USING fts5 (a)",
    "ALTER TABLE outcomes ADD COLUMN more GENERATED ALWAYS AS (number + 1)",
    "ALTER TABLE outcomes RENAME COLUMN state TO states",
    "ALTER TABLE candidates RENAME TO others",
    "DROP TABLE checkpoint",
    "PRAGMA user_version = 3",
    "PRAGMA user_version = 1",
    "PRAGMA application_id = 7",
    "PRAGMA encoding = 'UTF-16'",
    "DELETE FROM study",
    "DELETE FROM candidates",
    "DELETE FROM outcomes",
    "DELETE FROM attempts WHERE number = 4",
    "DELETE FROM outcomes WHERE number = 7",
    "DELETE FROM candidates WHERE number = 29",
    "DELETE FROM outcomes WHERE number = 29",
    "UPDATE outcomes SET sequence = 1000 - sequence",
    "UPDATE attempts SET number = number + 1 WHERE number = 29",
]


class StoreCase:
    """The file of a study, whose result after some more evaluations is known."""

    def __init__(self, folder):
        self.path = folder / "study.db"
        self.content = make(self.path).read_bytes()
        self.forged = False
        self.trials = self._look()
        self.expected = self._go_on()

    def alter(self, rng, content):
        """Alter bytes, rows, notes, or tables."""
        self.forged = False
        kinds = (self._bytes, self._digit, self._row, self._note, self._statement)
        self._write(content)
        return kinds[rng.integers(len(kinds))](rng)

    def open(self, content):
        """Look at it, show and export it, verify it, and go on."""
        self._write(content)
        looked = self._refused(self._look)
        self._command("show", str(self.path))
        self._command("export", str(self.path), str(self.path.with_suffix(".csv")))
        self._command("resume", str(self.path), "-q")
        if looked not in (None, self.trials) and not self.forged:
            return "DIFFERENT for a reader"
        went_on = self._refused(self._go_on)
        if went_on is None:
            return "refused"
        return "same" if went_on == self.expected else "DIFFERENT for who goes on"

    # --- what is altered

    def _bytes(self, rng):
        return mutations.flipped(rng, self.path.read_bytes())

    def _digit(self, rng):
        place = change_a_digit(self.path, random.Random(int(rng.integers(2**32))))
        return f"digit of {place}", self.path.read_bytes()

    def _row(self, rng):
        """Anything in any place, with the right checksum."""
        self.forged = True
        table = SEALED[rng.integers(len(SEALED))]
        with closing(sqlite3.connect(self.path)) as connection, connection:
            rows = connection.execute(f"SELECT {table.selected} FROM {table.name}")
            found = rows.fetchall() or [(0,) * (len(table.columns) + 1)]
            *row, _ = found[rng.integers(len(found))]
            place = rng.integers(len(row))
            odd = [*ODD, None, 0, 1, 2.0, -1, 2**62, *row, *found[0][:-1]]
            row[place] = odd[rng.integers(len(odd))]
            text = table.insert.replace("INSERT", "INSERT OR REPLACE")
            with suppress(sqlite3.IntegrityError):
                connection.execute(text, sealed(table, tuple(row)))
        return f"forged {table.columns[place]}: {row[place]!r:.60}", self._read()

    def _note(self, rng):
        """A part of the JSON of a note, with the right checksum."""
        self.forged = True
        table = SEALED[0]
        with closing(sqlite3.connect(self.path)) as connection, connection:
            notes = connection.execute("SELECT key, value FROM study").fetchall()
            key, value = notes[rng.integers(len(notes))]
            what, data = mutations.json_data(rng, {"value": json.loads(value)})
            text = json.dumps(data.get("value"))
            connection.execute(
                table.insert.replace("INSERT", "INSERT OR REPLACE"),
                sealed(table, (key, text)),
            )
        return f"forged {key}: {what}", self._read()

    def _statement(self, rng):
        self.forged = True  # a study may have been as it is then
        text = STATEMENTS[rng.integers(len(STATEMENTS))]
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute(text)
        return text, self._read()

    # --- how it is used

    def _write(self, content):
        for file in self.path.parent.glob(f"{self.path.name}*"):
            file.unlink()
        self.path.write_bytes(content)

    def _read(self):
        return self.path.read_bytes()

    def _refused(self, use):
        """What somebody sees, or None if it is refused."""
        try:
            return use()
        except DivlearnError as error:
            if not str(error).isprintable():
                raise ValueError(f"not printable: {error!a}") from error
            return None

    def _look(self):
        """What a reader sees of designs and values."""
        with StudyReader(self.path) as reader:
            front = reader.front()
            trials = [(t.number, str(t.x), t.state, t.f, t.g) for t in reader.trials()]
        assert np.isfinite(front.F).all()
        return trials

    def _go_on(self):
        """The front after ten more evaluations; refused if it is not verified."""
        with Study(problem(), self.path) as study:
            if not study.verify():
                raise DivlearnError("found by verify()")
            result = study.run(budget=40, workers=0)
            if not study.verify():
                return "goes on, and is not verified"
        return result.F.tolist(), str(result.X)

    def _command(self, *arguments):
        """Run a command: it ends with a code, whatever it meets."""
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            assert execute(arguments) in (0, 1, 2)
        assert "Traceback" not in said.getvalue()


def digits_found(count, seed=0):
    """Change one digit of any stored value, again and again; how often it is named."""
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        whole, path = make(Path(folder, "whole.db")), Path(folder, "study.db")
        for number in range(seed, seed + count):
            shutil.copy(whole, path)
            with Study(problem(), path) as study:
                table, column = change_a_digit(path, random.Random(number))
                said = str(study.verify())
            # A changed number or key is the name of another row.
            right = column in ("number", "key") or f"column {column}" in said
            found += right and f"table {table}, " in said
    return found
