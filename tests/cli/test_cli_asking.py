"""init, ask, tell, suggest, predict, front and status: a call does one thing."""

import io
import json
import subprocess
import sys

import pytest

from divlearn.simulator import load_space
from divlearn.study import Study

SPACE = """
extras = ["log"]
[space]
blades = {type = "integer", low = 3, high = 9}
kind = {type = "categorical", values = ["a", "b", "c"]}
order = {type = "permutation", n = 4}
[objectives]
cost = "min"
flow = "max"
[constraints]
stress = {max = 30.0}
"""


def values_of(x):
    """What an engineer would measure."""
    kind = "abc".index(x["kind"])
    return [x["blades"] + kind + x["order"][0], x["blades"] * (3 - kind), 30.5 - kind]


@pytest.fixture
def begun(divlearn, tmp_path):
    """A command line with a study that was begun, without its TOML file."""
    (tmp_path / "pump.toml").write_text(SPACE)
    assert divlearn("init", "pump.toml", "p.db", "--method", "random").code == 0
    (tmp_path / "pump.toml").unlink()
    return divlearn


def test_asked_by_commands_it_has_the_front_of_a_study_that_is_run(divlearn, tmp_path):
    """The same seed, one by one, against one worker; the file is the only memory."""
    (tmp_path / "pump.toml").write_text(SPACE)
    divlearn("init", "pump.toml", "p.db", "--seed", 4, "--budget", 15)
    while (asked := divlearn("ask", "p.db", "--json")).code == 0:
        (one,) = asked.json["candidates"]
        told = divlearn("tell", "p.db", one["id"], *values_of(one["x"]))
        assert told.code == 0
    assert asked.code == 3
    assert "all 15 evaluations made" in asked.json["error"]["message"]
    problem, _ = load_space("pump.toml")
    problem._function = lambda x: problem.reported(values_of(x))
    with Study(problem, "run.db", seed=4) as study:
        front = study.run(15, workers=1)
    found = divlearn("front", "p.db", "--json").json["solutions"]
    assert [row["values"] for row in found] == [
        dict(zip(("cost", "flow"), row, strict=True)) for row in front.F.tolist()
    ]
    assert sorted(row["id"] for row in found) == sorted(front.trials)


def test_init_says_what_to_tell_and_twice_is_once(divlearn, tmp_path):
    """A script that begins by init can run again; another space is refused."""
    (tmp_path / "pump.toml").write_text(SPACE + "[run]\nbudget = 9\nseed = 2\n")
    first = divlearn("init", "pump.toml", "p.db", "--json").json
    assert first["values"] == ["cost", "flow", "stress"]
    assert (first["budget"], first["seed"], first["next"]) == (9, 2, "ask")
    assert divlearn("init", "pump.toml", "p.db", "--json").json == first
    (tmp_path / "pump.toml").write_text(SPACE.replace("high = 9", "high = 12"))
    changed = divlearn("init", "pump.toml", "p.db")
    assert changed.code == 2
    assert "integer 3..9 -> 3..12" in changed.err


def test_values_are_told_by_place_and_by_name(begun):
    """Numbers below zero are no options, and extra metrics need their names."""
    asked = begun("ask", "p.db", "-n", 3, "--json").json["candidates"]
    assert [one["id"] for one in asked] == [0, 1, 2]
    told = begun("tell", "p.db", 0, 1.5, -2, "3e1", "--json").json
    assert told["told"] == [
        {"id": 0, "state": "ok", "feasible": True, "repeated": False, "late": False}
    ]
    assert told["pending"] == [1, 2]
    begun("tell", "p.db", 1, "flow=-3", "cost=1", "stress=31", "log=dry run")
    again = begun("tell", "p.db", 1, "flow=-3", "cost=1", "stress=31")
    assert "known before" in again.out
    (best,) = begun("front", "p.db", "--json").json["solutions"]
    assert best["values"] == {"cost": 1.5, "flow": -2.0}
    assert best["constraints"] == {"stress_max": 0.0}
    assert best["x"] == asked[0]["x"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "ID must say which design"),
        (["x", 1, 2, 3], "ID must be the number"),
        ([7, 1, 2, 3], "got 7. Without an outcome: 0"),
        ([0], r"3 numbers (cost, flow, stress), got 0"),
        ([0, 1, 2], "got 2"),
        ([0, 1, "nan", 2], "flow must be a number"),
        ([0, 1, 2, "nan"], "stress must be a number, got 'nan'; say that it failed"),
        ([0, 1, "flow=2", 3], "must all have a name"),
        ([0, "cost=1", "cost=2"], "each name once"),
        ([0, 1, 2, 3, "--failed", "why"], "one of values"),
        ([0, "--failed", "a", "--infeasible", "b"], "one of values"),
        ([0, 1, 2, 3, "--faild"], "no option --faild"),
        (["--design", "{", 1, 2, 3], "--design must be JSON"),
        (["--design", '{"blades": 3}', 1, 2, 3], "kind"),
        (["--design", '{"blades": 99, "kind": "x"}', 1, 2, 3], "'blades': a value of"),
        ([0, "--file", "-"], "--file goes with neither"),
        (["--file", "none.json"], "cannot be read"),
    ],
)
def test_mistakes_in_telling_are_told_and_change_nothing(begun, words, message):
    """Exit code 2, and the same candidate still waits."""
    begun("ask", "p.db")
    wrong = begun("tell", "p.db", *words)
    assert wrong.code == 2
    assert message in " ".join(wrong.err.split())
    assert [t["id"] for t in begun("status", "p.db", "--json").json["pending"]] == [0]


def test_answers_come_as_json_on_standard_input(begun, monkeypatch):
    """Several at once, all or none, with designs of one's own among them."""
    begun("ask", "p.db", "-n", 4)
    own = {"blades": 3, "kind": "a", "order": [3, 2, 1, 0]}
    answers = [
        {"id": 0, "values": [1, 2, 3], "seconds": 60},
        {"id": 1, "failed": "no licence"},
        {"id": 2, "infeasible": "no room"},
        {"id": 3, "abandoned": True},
        {"design": own, "values": {"cost": 9, "flow": 9, "stress": 9}},
    ]

    def told(content):
        monkeypatch.setattr("sys.stdin", io.StringIO(content))
        return begun("tell", "p.db", "--file", "-", "--json")

    assert told(json.dumps([*answers, {"id": 9}])).code == 2
    assert told("[{").code == 2
    states = [row["state"] for row in told(json.dumps(answers)).json["told"]]
    assert states == ["ok", "failed", "infeasible", "abandoned", "known"]
    counts = begun("status", "p.db", "--json").json["counts"]
    assert counts == dict.fromkeys(states, 1)


def test_exit_codes_say_what_to_do_next(begun):
    """3 nothing left, 4 tell first, 5 somebody has it open: a program need not read."""
    given = begun("ask", "p.db", "-n", 20, "--json").json
    assert (len(given["candidates"]), given["wanted"]) == (8, 20)
    blocked = begun("ask", "p.db", "--json")
    assert blocked.code == blocked.json["error"]["exit_code"] == 4
    assert blocked.json["error"]["waits_for"] == [0]
    assert begun("tell", "p.db", 0, "--abandon").code == 0
    assert begun("ask", "p.db", "--budget", 1).code == 3
    with Study.open("p.db"):
        assert begun("ask", "p.db", "--wait", 0.01).code == 5
        assert begun("tell", "p.db", 1, 1, 2, 3, "--wait", 0.01).code == 5
        assert begun("status", "p.db").code == 0
    assert begun("tell", "none.db", 1, 1).code == 2


def test_predictions_and_suggestions(begun):
    """With intervals and how much is explained; suggestions are recorded."""
    none = begun("predict", "p.db", '{"blades": 3, "kind": "a", "order": [0, 1, 2, 3]}')
    assert "below 10 nothing is said" in none.out
    for _ in range(2):
        asked = begun("ask", "p.db", "-n", 8, "--json").json["candidates"]
        for one in asked:
            begun("tell", "p.db", one["id"], *values_of(one["x"]))
    text = begun("predict", "p.db", "--ids", 3, "--ids", 4)
    assert text.out.count("90 % within") == 6
    assert "was measured" in text.out
    found = begun("predict", "p.db", json.dumps(asked[0]["x"]), "--json").json
    (one,) = found["predictions"]
    assert set(one["estimates"]["cost"]) == {"mean", "std", "low", "high", "explained"}
    near = begun("suggest", "p.db", "--around", json.dumps(asked[0]["x"]), "--json")
    assert [c["id"] for c in near.json["candidates"]] == [16]
    assert begun("predict", "p.db").code == 2
    assert begun("predict", "p.db", "--ids", 99).code == 2
    assert begun("suggest", "p.db", "--around", '{"blades": 1}').code == 2


def test_words_for_people(begun):
    """Without --json the same, a line each."""
    assert "no solution yet" in begun("front", "p.db").out
    begun("ask", "p.db")
    text = begun("status", "p.db").out
    assert "values to tell: cost, flow, stress" in text
    assert "without values: 0" in text
    assert "next: ask" in text
    begun("tell", "p.db", 0, 1, 2, 3)
    assert '{"cost": 1.0, "flow": 2.0}' in begun("front", "p.db").out


def test_studies_of_built_in_problems_and_resuming(divlearn, begun):
    """What solve --store began is asked too; what init began says how to go on."""
    divlearn("solve", "bikp-50", "--store", "k.db", "--budget", 3, "--method", "random")
    asked = divlearn("ask", "k.db", "--budget", 4, "--json")
    assert [one["id"] for one in asked.json["candidates"]] == [3]
    wrong = begun("resume", "p.db")
    assert wrong.code == 2
    assert "divlearn ask p.db" in wrong.err


@pytest.mark.parametrize("word", ["status", "front"])
def test_who_only_looks_does_not_wait_for_the_compiler(begun, word, tmp_path):
    """A program that polls a study calls them again and again."""
    begun("ask", "p.db")
    begun("tell", "p.db", 0, 1, 2, 3)
    code = (
        "import sys; from divlearn.cli import execute;"
        f"code = execute(['{word}', 'p.db']);"
        "sys.exit(code or 'numba' in sys.modules)"
    )
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0
