"""What others change in a study's file is found, named, and never a raw exception."""

import json
import random
import shutil
import sqlite3
from contextlib import closing, suppress

import pytest

from divlearn.basics.errors import InputError, StoreError
from divlearn.study import Study, StudyReader, summary
from divlearn.study.export import export
from divlearn.study.store.schema import (
    ATTEMPTS,
    CANDIDATES,
    NOTES,
    OUTCOMES,
)
from tests.study.damage import ODD, change_a_digit, make, problem, rewrite


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study with values of every kind: means, spreads, a saved state."""
    return make(tmp_path_factory.mktemp("whole") / "study.db")


@pytest.fixture
def path(whole, tmp_path):
    """A copy of it."""
    return shutil.copy(whole, tmp_path / "study.db")


@pytest.mark.parametrize("seed", range(100))
def test_a_changed_digit_of_any_value_is_found_and_named(seed, whole, path):
    """By whoever opens the file, and by verify() of who has it open already."""
    rng = random.Random(seed)
    copy = path.with_name("open.db")
    shutil.copy(whole, copy)
    with Study(problem(), copy) as study:
        name, column = change_a_digit(copy, rng)
        verified = study.verify()
        assert not verified
        assert f"table {name}, " in str(verified)
        assert f"column {column}" in str(verified) or column in ("number", "key")
    shutil.copy(copy, path)
    with pytest.raises(InputError, match=f"damaged .table {name}, "):
        Study(problem(), path)


def test_an_outcome_of_a_candidate_that_was_never_asked_is_seen_by_a_reader(path):
    """A changed number put it out of sight."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE outcomes SET number = 97 WHERE number = 7")
    reader = StudyReader(path)
    with reader, pytest.raises(InputError, match="table outcomes, number 97"):
        reader.trials()


def test_a_changed_state_is_found_by_verify_and_not_used(path):
    """The study goes on without it: it is replayed."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE checkpoint SET taken = 3")
    with Study(problem(), path) as study:
        assert study._opened.store.checkpoint("stamp") is None
        assert "table checkpoint" in str(study.verify())
        assert study.run(budget=31, workers=0).evaluations == 31


@pytest.mark.parametrize(
    ("table", "number", "changed", "words"),
    [
        (OUTCOMES, 25, {"objectives": "[1.0, 2.0]"}, "number 25, column outputs"),
        (OUTCOMES, 5, {"spread": "[1.0, 2.0, 3.0]"}, "number 5, column spread"),
        (OUTCOMES, 5, {"attempts": 3}, "number 5, column attempts"),
        (OUTCOMES, 5, {"replicates": 1}, "number 5, column replicates"),
        (ATTEMPTS, 25, {"outputs": "[1.0, 2.0, 3.0]"}, "number 25, column outputs"),
        (OUTCOMES, 25, {"sequence": 99}, "sequence 26: the row is missing"),
        (CANDIDATES, 25, {"number": 99}, "number 30: the row is missing"),
    ],
)
def test_a_forged_value_is_found_by_its_copies(table, number, changed, words, path):
    """Even where the checksum was made anew."""
    rewrite(path, table, number, **changed)
    with Study(problem(), path) as study:
        assert words in str(study.verify())


PLACES = [
    *((OUTCOMES, c) for c in ("objectives", "constraints", "spread", "extras")),
    *((OUTCOMES, c) for c in ("state", "replicates", "seconds", "at", "message")),
    *((ATTEMPTS, c) for c in ("outputs", "state", "seconds", "extras")),
    *((CANDIDATES, c) for c in ("codes", "x", "known", "asked")),
]


def use(path):
    """Everything that a user does with a study; only errors in words may come out."""

    def go_on():
        with Study(problem(), path) as study:
            study.verify()
            study.trials()
            study.run(budget=33, workers=0)

    def look():
        with StudyReader(path) as reader:
            reader.trials()
            reader.front()
        summary(path).to_dict()
        export(path, path.with_suffix(".csv"), "trials")
        export(path, path.with_suffix(".json"))

    for step in (look, go_on):
        with suppress(InputError, StoreError):
            step()


@pytest.mark.parametrize(("table", "column"), PLACES)
def test_rows_rewritten_by_hand_are_refused_in_words(table, column, path):
    """Whatever stands there, with the right checksum."""
    content = path.read_bytes()
    for odd in ODD:
        path.write_bytes(content)
        rewrite(path, table, 3, **{column: odd})
        use(path)


@pytest.mark.parametrize("key", ["divlearn", "problem", "reference", "method", "seed"])
def test_notes_rewritten_by_hand_are_refused_in_words(key, path):
    """As well, and those that are removed."""
    content = path.read_bytes()
    for odd in ODD:
        path.write_bytes(content)
        rewrite(path, NOTES, key, value=odd)
        use(path)
    path.write_bytes(content)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM study WHERE key = ?", (key,))
    with pytest.raises(InputError, match=f"key {key}: its value is missing"):
        Study(problem(), path)
    with pytest.raises(InputError, match=f"key {key}: its value is missing"):
        StudyReader(path)


@pytest.mark.parametrize(
    "problem",
    [
        {"space": 3, "objectives": [["a", "min"]], "constraints": []},
        {"space": {"space": "integer"}, "objectives": [["a", "up"]], "constraints": []},
        {"space": {}, "objectives": [["a", "min"], ["a", "min"]], "constraints": []},
        {"space": {"space": "categorical", "values": 3}, "objectives": 3},
        {"space": {"space": "integer", "low": 0, "high": 10**30, "n": 10**9}},
        {"space": {"space": "composite", "parts": [["a", 3]]}},
    ],
)
def test_problems_rewritten_by_hand_are_refused_in_words(problem, path):
    """A space that is none, objectives without names, too large a number."""
    rest = {"objectives": [["cost", "min"], ["gain", "max"]], "constraints": ["weight"]}
    rewrite(path, NOTES, "problem", value=json.dumps(rest | problem))
    use(path)
