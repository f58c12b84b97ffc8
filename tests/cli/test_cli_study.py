"""``divlearn show`` and ``divlearn export``."""

import contextlib
import csv
import json
import sqlite3
import sys
from pathlib import Path

import pytest

import divlearn as dl


@pytest.fixture
def chip(tmp_path):
    """A small study with a failure, as a file."""

    def evaluate(x):
        if x["kind"] == "c":
            raise dl.InvalidDesign("melts\n\x1b[2Jat once")
        return {"cost": x["width"], "speed": x["width"] ** 0.5, "over": x["width"] - 8}

    problem = dl.Problem(
        dl.Composite(width=dl.Integer(1, 9), kind=dl.Categorical("abc")),
        evaluate,
        {"cost": "min", "speed": "max"},
        constraints=["over"],
        reference=(10, 0),
        ideal=(0, 4),
        name="chip",
    )
    with dl.Study(problem, tmp_path / "chip.db") as study:
        result = study.run(budget=20, workers=0)
        return "chip.db", study.trials(), result


def test_show_says_where_a_study_is(divlearn, chip):
    """In words that need no manual, and as JSON with the same figures."""
    path, trials, result = chip
    said = divlearn("show", path)
    assert said.code == 0
    assert "chip, dl, seed 0" in said.out
    assert "done: 20 of 20 evaluations" in said.out
    assert " infeasible: melts \\x1b[2Jat once" in said.out
    assert f"front of {len(result.F)}:" in said.out
    shown = divlearn("show", path, "--json").json
    assert shown["evaluations"] == 20
    assert shown["F"] == result.F.tolist()
    assert shown["hypervolume_ratio"] == result.hypervolume((10, 0), (0, 4))
    assert shown["counts"]["infeasible"] == sum(t.state != "ok" for t in trials)


def test_show_explains_a_study(divlearn, chip):
    """As its result does, and as JSON with what matters and what is shared."""
    path, _, result = chip
    assert divlearn("show", path, "--explain").out.strip() == result.explain()
    shown = divlearn("show", path, "--explain", "--json").json
    assert shown["importance"] == result.importance().to_dict()
    assert shown["common"] == result.common().to_dict()


def test_show_lists_designs_by_number(divlearn, chip):
    """The row of a solution has its design; one of them can be looked at alone."""
    path, _, result = chip
    rows = [line.split() for line in divlearn("show", path).out.splitlines()]
    header = next(row for row in rows if row[:1] == ["#"])
    assert header[:2] == ["#", "trial"]
    assert "width" in header
    last = result[len(result) - 1]
    row = next(row for row in rows if row[:2] == [str(last.index), str(last.trial)])
    assert row[header.index("width")] == str(last.x["width"])
    said = divlearn("show", path, "--solution", "0").out
    assert said.startswith("solution 0 of the front")
    assert divlearn("show", path, "--solution", "99").code == 2


def test_show_draws_a_study_and_a_result(divlearn, chip):
    """Into a file that is named, or beside the study; a result has the same words."""
    path, _, result = chip
    assert divlearn("show", path, "--plot", "history", "--to", "h.svg").code == 0
    assert Path("h.svg").read_bytes().startswith(b"<?xml")
    drawn = divlearn("show", path, "--plot", "front", "--json").json
    assert Path(drawn["picture"]).read_bytes().startswith(b"\x89PNG")
    wrong = divlearn("show", path, "--plot", "trace")
    assert wrong.code == 2
    assert "Pictures that this result has: front, parallel, history" in wrong.err
    assert divlearn("show", path, "--to", "h.svg").code == 2
    result.save("front.json")
    said = divlearn("show", "front.json").out
    assert f"front of {len(result)}:" in said
    shown = divlearn("show", "front.json", "--json").json
    assert shown["F"] == result.F.tolist()


def test_a_study_knows_how_its_front_grew(divlearn, chip):
    """Its rows are those of the search itself."""
    path, _, result = chip
    history = dl.study.summary(path).front.history
    for name in ("evaluations", "front_size", "hypervolume"):
        assert history[name] == pytest.approx(result.history[name]), name


def test_show_calls_nothing_running_that_does_not_run(divlearn, chip):
    """After kill -9 the file has candidates without an outcome."""
    path, _, _ = chip
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM outcomes WHERE number >= 18")
        connection.commit()
    said = divlearn("show", path).out
    assert "2 cut off" in said
    assert "2 running" not in said


def test_the_front_is_exported(divlearn, chip):
    """As a table, or as what divlearn reads back."""
    path, _, result = chip
    assert divlearn("export", path, "front.csv").code == 0
    rows = list(csv.DictReader(Path("front.csv").read_text().splitlines()))
    assert [float(row["cost"]) for row in rows] == result.F[:, 0].tolist()
    assert divlearn("export", path, "front.json", "--json").json["rows"] == len(rows)
    assert dl.load("front.json").F.tolist() == result.F.tolist()


def test_trials_are_exported(divlearn, chip):
    """Every candidate has a row, failed ones without values."""
    path, trials, _ = chip
    assert divlearn("export", path, "all.csv", "--trials").code == 0
    rows = list(csv.DictReader(Path("all.csv").read_text().splitlines()))
    assert [row["state"] for row in rows] == [t.state for t in trials]
    assert all((row["cost"] == "") == (row["state"] != "ok") for row in rows)
    assert divlearn("export", path, "all.json", "--trials").code == 0
    entries = json.loads(Path("all.json").read_text())
    assert [entry["width"] for entry in entries] == [t.x["width"] for t in trials]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "none.db"), "does not exist"),
        (("export", "chip.db", "front.xls"), "must end in .csv"),
    ],
)
def test_wrong_requests_are_told(arguments, says, divlearn, chip):
    """With exit code 2."""
    outcome = divlearn(*arguments)
    assert outcome.code == 2
    assert says in outcome.err


def test_parquet_without_its_extra_names_the_command_that_installs_it(
    divlearn, chip, monkeypatch
):
    """And leaves no half of a file."""
    for name in ("pyarrow", "fastparquet"):
        monkeypatch.setitem(sys.modules, name, None)
    outcome = divlearn("export", "chip.db", "front.parquet")
    assert outcome.code == 1
    assert 'pip install "divlearn[parquet]"' in outcome.err
    assert not Path("front.parquet").exists()


def test_parquet_holds_the_same_table(divlearn, chip):
    """Where the extra is there."""
    pytest.importorskip("pyarrow")
    import pandas as pd

    path, trials, _ = chip
    assert divlearn("export", path, "all.parquet", "--trials").code == 0
    table = pd.read_parquet("all.parquet")
    assert table["state"].tolist() == [t.state for t in trials]
    assert table["width"].tolist() == [t.x["width"] for t in trials]
