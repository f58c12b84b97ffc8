"""Whatever text stands in a study, a terminal only shows it, and files can hold it."""

import csv
import json
from pathlib import Path

import pytest

import divlearn as dl
from divlearn.study import Study
from tests.cli.simulators import change, make_study, needs_shell

#: Turns a terminal red, begins a line, is no UTF-8, writes from right to left.
WILD = "a\x1b[31m\nb\udce9\u202e\x9b\x7f"


@pytest.fixture
def wild(tmp_path):
    """A study in which every text is wild."""

    def evaluate(x):
        if x[WILD] == WILD:
            raise ValueError(WILD)
        return {f"{WILD}1": 1.0, f"{WILD}2": 2.0, WILD: -1.0}

    space = dl.Composite(**{WILD: dl.Categorical([WILD, "b", "c"], n=1)})
    names = {f"{WILD}1": "min", f"{WILD}2": "max"}
    problem = dl.Problem(
        space, evaluate, names, constraints=[WILD], name=WILD, reference=(2, 1)
    )
    with Study(problem, tmp_path / "wild.db") as study:
        study.run(budget=6, workers=0)
    return "wild.db"


def is_tame(text):
    """Whether a terminal shows it and obeys nothing; and any file can hold it."""
    return text.encode() and all(c.isprintable() or c in "\n\t" for c in text)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_nothing_in_a_study_is_obeyed_by_a_terminal(divlearn, wild, more):
    """Colours and line breaks in names and messages are shown as escapes."""
    seen = divlearn("show", wild, *more)
    assert seen.code == 0
    assert is_tame(seen.out)
    assert "\\x1b" in seen.out or "\\u001b" in seen.out
    if more:
        assert seen.json["problem"] == WILD


@pytest.mark.parametrize("what", [(), ("--trials",)])
@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_any_text_can_be_exported(divlearn, wild, ending, what):
    """To every kind of file."""
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    out = Path(f"out.{ending}")
    assert divlearn("export", wild, out, *what).code == 0
    if ending == "csv":
        assert list(csv.reader(out.read_text().splitlines(keepends=True)))
    elif ending == "json":
        assert json.loads(out.read_text())


def test_a_result_of_wild_names_prints_draws_and_saves(wild, tmp_path):
    """As any other."""
    result = dl.study.StudyReader(tmp_path / wild).front()
    assert is_tame(str(result))
    result.save(tmp_path / "front.json")
    assert dl.load(tmp_path / "front.json").objectives == result.objectives
    result.plot(tmp_path / "front.png")


@needs_shell
@pytest.mark.parametrize("key", ["error", "infeasible", "\\ud800"])
def test_a_simulator_may_say_anything(divlearn, tmp_path, key):
    """A lone surrogate that a simulator printed stopped a study for ever."""
    make_study(tmp_path)
    answer = '{\\"time\\": 1, \\"area\\": $w, \\"heat\\": 1}'
    wild = f'{{\\"{key}\\": \\"x\\ud800\\u001b[31m\\"}}'.replace("\\u", "\\\\u")
    said = f'if [ $((w % 2)) = 0 ]; then echo "{wild}"; else echo "{answer}"; fi'
    change("sim.sh", "    w=$(number width)", f"    w=$(number width); {said}; exit 0")
    outcome = divlearn("run", "chip.toml", "-q", "--budget", 12)
    assert is_tame(outcome.out + outcome.err + divlearn("show", "chip.db").out)
    wrong_shape = key == "\\ud800"  # which ends a run at once
    assert outcome.code == wrong_shape
    if not wrong_shape:
        counts = divlearn("show", "chip.db", "--json").json["counts"]
        assert sum(counts.values()) == 12
