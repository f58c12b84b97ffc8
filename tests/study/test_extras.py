"""Extra metrics: kept, shown and exported, without a part in the search."""

import csv
import json

import pytest

import divlearn as dl
from divlearn.cli.show import as_text
from divlearn.simulator import load_toml
from divlearn.study import StudyReader
from divlearn.study.export import export
from divlearn.study.summarize import summary
from tests.study.conftest import same_front

SPACE = dl.Composite(a=dl.Integer(0, 9), b=dl.Integer(0, 9))


def simulate(x):
    """Two objectives, a constraint, and what nobody optimizes."""
    return {
        "cost": float(x["a"]),
        "time": float(9 - x["a"] + x["b"]),
        "stress": x["b"] - 8.0,
        "noise_db": 30.0 + x["a"],
        "solver": "lp" if x["a"] % 2 else "ip",
        "gap": None,
    }


def plain(x):
    """The same without."""
    answer = simulate(x)
    return {name: answer[name] for name in ("cost", "time", "stress")}


NAMES = ["noise_db", "solver", "gap", "never there"]


@pytest.fixture
def problem():
    """The problem with extra metrics."""
    objectives = ["cost", "time"]
    return dl.Problem(
        SPACE, simulate, objectives, constraints=["stress"], extras=NAMES, name="pump"
    )


@pytest.fixture
def bare():
    """The problem without them."""
    return dl.Problem(SPACE, plain, ["cost", "time"], constraints=["stress"])


def right(result):
    """Whether every solution has the metrics that belong to it."""
    noise = [30.0 + x["a"] for x in result.X]
    solver = ["lp" if x["a"] % 2 else "ip" for x in result.X]
    return result.extras["noise_db"] == noise and result.extras["solver"] == solver


@pytest.mark.parametrize("batch", [False, True])
def test_solve_keeps_extra_metrics_of_the_front(problem, bare, batch, tmp_path):
    """And finds the same front as without them."""
    if batch:

        class Together:
            def evaluate_batch(self, solutions):
                return [simulate(x) for x in solutions]

        problem = dl.Problem(
            SPACE, Together, ["cost", "time"], constraints=["stress"], extras=NAMES
        )
        result = dl.solve(problem, 60)
    else:
        result = dl.solve(problem, 60)
        assert same_front(result, dl.solve(bare, 60))
    assert right(result)
    assert result.extras["gap"] == [None] * len(result.X)
    knee = result.knee()
    assert knee.extras["noise_db"] == 30.0 + knee.x["a"]
    assert "solver = " in repr(knee)
    quiet = result.cheapest("time", noise_db=(None, 33))
    assert quiet.extras["noise_db"] == 33
    with pytest.raises(dl.InputError, match="'solver'"):
        result.cheapest("time", solver=(None, 33))
    result.save(tmp_path / "front.json")
    assert dl.load(tmp_path / "front.json").extras == result.extras
    assert result.to_records()[0]["noise_db"] == 30.0


def test_a_study_keeps_shows_and_exports_extra_metrics(problem, bare, tmp_path):
    """In the file, in trials, in tables; the search is the same as without."""
    path = tmp_path / "pump.db"
    with dl.Study(problem, path) as study:
        result = study.run(budget=30, workers=2)
        trials = study.trials()
        with dl.Study(bare, tmp_path / "bare.db") as other:
            assert same_front(result, other.run(budget=30, workers=0))
    assert right(result)
    assert all(t.extras["noise_db"] == 30.0 + t.x["a"] for t in trials)
    assert [trials[n].x for n in result.trials] == list(result.X)
    with StudyReader(path) as reader:
        front = reader.front()
    assert right(front)
    assert front.trials == result.trials
    shown = as_text(summary(path))
    assert "#  trial  cost  time  stress  noise_db  solver  a  b\n" in shown
    assert export(path, tmp_path / "front.csv") == len(result.X)
    rows = list(csv.DictReader((tmp_path / "front.csv").read_text().splitlines()))
    assert list(rows[0]) == [
        *("trial", "a", "b", "cost", "time", "stress", "noise_db", "solver")
    ]
    assert [int(row["trial"]) for row in rows] == result.trials
    assert [float(row["noise_db"]) for row in rows] == result.extras["noise_db"]
    export(path, tmp_path / "all.json", "trials")
    (first, *_) = json.loads((tmp_path / "all.json").read_text())
    assert first["noise_db"] == 30.0 + first["a"]


def test_extra_metrics_may_change_between_runs(problem, bare, tmp_path):
    """They are no part of what a study is."""
    with dl.Study(bare, tmp_path / "pump.db") as study:
        study.run(budget=10, workers=0)
    problem.name = bare.name
    with dl.Study(problem, tmp_path / "pump.db") as study:
        result = study.run(budget=20, workers=0)
        assert study.verify()
    known = [v for v in result.extras.get("noise_db", []) if v is not None]
    assert len(known) < len(result.X)
    assert [t.extras is None for t in study_trials(tmp_path)] == [True] * 10 + [
        False
    ] * 10


def study_trials(folder):
    """Trials of the study in a folder."""
    with StudyReader(folder / "pump.db") as reader:
        return reader.trials()


def test_replicates_have_the_mean_of_extra_metrics(tmp_path):
    """As of the objectives."""
    numbers = iter(range(100))

    def measure(x):
        return {"cost": x, "run": next(numbers)}

    problem = dl.Problem(dl.Integer(0, 9), measure, ["cost"], extras="run", noise=True)
    with dl.Study(problem, tmp_path / "s.db") as study:
        study.run(budget=2, workers=0, replicates=3)
        assert [t.extras for t in study.trials()] == [{"run": 1.0}, {"run": 4.0}]


def test_tell_keeps_extra_metrics_too(problem):
    """Who asks and tells has them like everybody."""
    optimizer = dl.Optimizer(problem)
    batch = optimizer.ask(8)
    optimizer.tell(batch, [simulate(c.x) for c in batch])
    optimizer.add({"a": 0, "b": 0}, simulate({"a": 0, "b": 0}))
    assert right(optimizer.result())


@pytest.mark.parametrize(
    ("extras", "words"),
    [
        (["cost"], "'cost' twice"),
        ([1], "extras must be a list of names"),
        (["x", "x"], "'x' twice"),
    ],
)
def test_names_of_extra_metrics_are_checked(extras, words):
    """Before anything is evaluated."""
    with pytest.raises(dl.InputError, match=words):
        dl.Problem(SPACE, simulate, ["cost"], extras=extras)


def test_an_extra_metric_that_is_neither_number_nor_text_is_told():
    """At the first evaluation."""
    problem = dl.Problem(
        SPACE, lambda x: {"cost": 1, "all": [1, 2]}, ["cost"], extras=["all"]
    )
    with pytest.raises(dl.AnswerError, match="'all' must be a number or a text, got"):
        dl.solve(problem, 10)


# --- simulators

TOML = """
{extras}
[space]
a = {{type = "integer", low = 0, high = 9}}
[objectives]
cost = "min"
[constraints]
stress = {{max = 40}}
[evaluate]
command = ["printf", '{answer}']
"""


def toml(folder, answer, extras=""):
    """A problem whose simulator always gives one answer."""
    path = folder / "pump.toml"
    path.write_text(TOML.format(answer=answer, extras=extras))
    return load_toml(path)[0]


def test_a_metric_with_a_limit_is_kept_as_the_simulator_reported_it(tmp_path):
    """Beside how far it lies beyond the limit."""
    problem = toml(tmp_path, '{"cost": 2, "stress": 38.5}')
    assert problem.extras == ("stress",)
    with dl.Study(problem, tmp_path / "s.db") as study:
        result = study.run(budget=3, workers=0)
    assert result.G.tolist() == [[-1.5]]
    assert result.extras == {"stress": [38.5]}
    assert dl.solve(problem, 3).to_records()[0]["stress"] == 38.5


def test_undeclared_metrics_of_a_simulator_are_refused_until_they_are_named(tmp_path):
    """As those of a function in Python are; the message says what to write."""
    answer = '{"cost": 2, "stress": 38, "noise_db": 41}'
    with dl.Study(toml(tmp_path, answer), tmp_path / "s.db") as study:
        with pytest.raises(dl.AnswerError) as caught:
            study.run(budget=30, workers=0)
        assert "has 'noise_db', which is not declared" in str(caught.value)
        assert 'extras = ["noise_db"] in the TOML file' in str(caught.value)
    problem = toml(tmp_path, answer, 'extras = ["noise_db"]')
    with dl.Study(problem, tmp_path / "s.db") as study:
        assert study.run(budget=3, workers=0).extras["noise_db"] == [41.0]


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        ('{"cost": 2, "stress": 38, "infeasible": false}', "ok", ""),
        ('{"cost": 2, "stress": 38, "error": null}', "ok", ""),
        ('{"cost": 2, "stress": 38, "error": ""}', "ok", ""),
        ('{"infeasible": true}', "infeasible", "the simulator calls it infeasible"),
        ('{"error": true}', "failed", "the simulator reports: an error"),
        ('{"cost": 2, "stress": 38, "cost": 3}', "wrong shape", "'cost' twice"),
        ('{"infeasible": false}', "wrong shape", "has no metrics: cost, stress are"),
    ],
)
def test_what_a_simulator_denies_did_not_happen(tmp_path, answer, state, words):
    """``{"infeasible": false}`` is feasible, ``{"error": null}`` no error."""
    from divlearn.workers import Attempt
    from divlearn.workers.evaluation import evaluate

    said = evaluate(toml(tmp_path, answer), Attempt(0, 0, 0, {"a": 1}, None))
    assert said.state == state
    assert words in said.message


@pytest.mark.parametrize(
    ("extras", "words"),
    [
        ('extras = "noise"', "line 2: extras must be a list of names of metrics"),
        ('extras = ["cost"]', "extras must name other metrics, got 'cost'"),
        ('extras = ["error"]', "extras must name other metrics, got 'error'"),
        ('extra = ["a"]', "unknown key 'extra'. Did you mean 'extras'?"),
    ],
)
def test_a_mistake_in_extras_is_told_with_its_line(tmp_path, extras, words):
    """As of every other key."""
    with pytest.raises(dl.InputError) as caught:
        toml(tmp_path, "{}", extras)
    assert words in str(caught.value)


def test_a_saved_search_keeps_its_failures_and_extra_metrics(problem, tmp_path):
    """Who continues on another day sees what was seen before."""
    optimizer = dl.Optimizer(problem)
    one, other, *rest = optimizer.ask(10)
    optimizer.tell(one, dl.InvalidDesign("too hot"))
    optimizer.tell(other, OSError("no licence"))
    optimizer.tell(rest, [simulate(c.x) for c in rest])
    optimizer.save(tmp_path / "state.npz")
    before = optimizer.result()
    after = dl.Optimizer.load(tmp_path / "state.npz", problem).result()
    assert after.counts == before.counts == {"ok": 8, "infeasible": 1, "failed": 1}
    assert after.failures == before.failures
    assert after.extras == before.extras
