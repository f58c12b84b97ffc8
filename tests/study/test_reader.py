"""A study can be looked at from outside, also while it runs."""

import json

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.study import StudyReader, summary
from divlearn.study.store import Store
from tests.study.conftest import SPACES, FakePool, tiny


@pytest.mark.parametrize("space", SPACES)
def test_a_reader_sees_what_the_study_knows(space, study_at, tmp_path):
    """Trials and front are the same, without the problem."""
    problem = tiny(space)
    with study_at(problem) as study:
        result = study.run(budget=25, workers=0)
        trials = study.trials()
    with StudyReader(tmp_path / "study.db") as reader:
        seen, front = reader.trials(), reader.front()
        assert reader.counts() == {"ok": 25}
    assert [repr(t) for t in seen] == [repr(t) for t in trials]
    assert np.array_equal(front.F, result.F)
    assert repr(front.X) == repr(result.X)
    assert front.evaluations == result.evaluations


@pytest.mark.parametrize("plateaus", [True, False])
def test_of_equal_orders_the_reader_shows_the_one_that_the_search_kept(
    plateaus, study_at, tmp_path
):
    """The latest one where members give way, else the first."""
    problem = dl.Problem(
        dl.Composite(order=dl.Permutation(5), kind=dl.Categorical(["a", "b"])),
        lambda x: (x["order"][0], 3 - x["order"][0]),
        {"early": "min", "late": "min"},
    )
    with study_at(problem, method=dl.DL(plateaus=plateaus)) as study:
        result = study.run(budget=40, workers=0)
    with StudyReader(tmp_path / "study.db") as reader:
        front = reader.front()
    assert front.trials == result.trials
    assert (min(front.trials) < 10) != plateaus


def test_the_front_meets_constraints_and_senses(study_at, tmp_path, tiny_knapsack):
    """As the optimizer's own front does."""
    with study_at(tiny_knapsack) as study:
        result = study.run(budget=60, workers=0)
    with StudyReader(tmp_path / "study.db") as reader:
        front = reader.front()
    assert np.array_equal(front.F, result.F)
    assert np.array_equal(front.G, result.G)
    assert front.objectives == result.objectives


def test_a_custom_space_is_shown_as_json(study_at, tmp_path):
    """Its class is not known to the reader, and is not loaded either."""

    class Doubled(dl.Integer):
        def decode(self, codes):
            return {"twice": 2 * int(codes[0])}

        def encode(self, value):
            return np.array([value["twice"] // 2])

        def describe(self):
            return {"space": "doubled"}

    problem = dl.Problem(
        Doubled(0, 9), lambda x: (x["twice"], -x["twice"]), ["up", "down"]
    )
    with study_at(problem) as study:
        study.run(budget=5, workers=0)
        mine = [t.x for t in study.trials()]
    with StudyReader(tmp_path / "study.db") as reader:
        assert [t.x for t in reader.trials()] == mine
        assert len(reader.front().X)


def test_trials_make_a_table(study_at):
    """A row each, with a column per field."""
    pandas = pytest.importorskip("pandas")
    with study_at(tiny()) as study:
        study.run(budget=5, workers=0)
        table = pandas.DataFrame(study.trials())
    assert table["number"].tolist() == list(range(5))
    assert set(table["state"]) == {"ok"}


def test_a_summary_says_where_a_study_is(study_at, use_pool, tmp_path):
    """Counts, failures by kind, hypervolume, and that it came to its end."""
    problem = tiny(reference=(40, -40), ideal=(-40, 40))

    def behave(task):
        return "timed out" if task.number in (2, 4) else None

    use_pool(FakePool(problem, 2, behave=behave))
    with study_at(problem, seed=9) as study:
        result = study.run(budget=12)
        running = summary(tmp_path / "study.db")
    seen = summary(tmp_path / "study.db")
    assert (running.state, seen.state) == ("running", "done")
    assert running.holder is not None
    assert seen.holder is None
    assert (seen.problem, seen.method, seen.seed) == ("permutation", "dl", 9)
    assert (seen.evaluations, seen.budget) == (12, 12)
    assert seen.counts == {"ok": 10, "timed out": 2}
    assert seen.failures == {"timed out": {"designs": 2, "message": "it timed out"}}
    assert seen.hypervolume == result.hypervolume(problem.reference)
    assert seen.seconds_left == 0.0
    data = json.loads(json.dumps(seen.to_dict(), default=lambda v: v.tolist()))
    assert len(data["F"]) == len(data["X"]) == len(result.F)


def test_a_study_that_was_cut_off_is_stopped(study_at, tmp_path):
    """Its candidate is shown as running, although nobody has it open."""

    def evaluate(x):
        if x == 5:
            raise KeyboardInterrupt
        return x, -x

    problem = dl.Problem(dl.Integer(0, 9), evaluate, ["up", "down"])
    with study_at(problem) as study, pytest.raises(KeyboardInterrupt):
        study.run(budget=200, workers=0, duplicates="rerun")
    seen = summary(tmp_path / "study.db")
    assert seen.state == "stopped"
    assert seen.counts["running"] == 1
    assert seen.hypervolume is None


def test_a_study_without_outcomes_has_an_empty_front(study_at, tmp_path):
    """Nothing to measure yet, and nothing to divide by."""
    study_at(tiny()).close()
    seen = summary(tmp_path / "study.db")
    assert (seen.evaluations, seen.rate, seen.last_outcome) == (0, None, None)
    assert len(seen.front.F) == 0


def test_an_unfinished_file_is_told_from_a_study(tmp_path):
    """The tables are there, but the study was killed before it said what it is."""
    Store(tmp_path / "s.db").close()
    with pytest.raises(InputError, match="before it began"):
        StudyReader(tmp_path / "s.db")


def test_replicates_that_are_there_are_shown_while_others_run(study_at, use_pool):
    """Running mean and spread."""
    problem = tiny()
    pool = use_pool(FakePool(problem, 1))
    seen = []

    def evaluate_and_look(timeout):
        reports = FakePool.wait(pool, timeout)
        seen.append(study.trials()[0])
        return reports

    pool.wait = evaluate_and_look
    with study_at(problem) as study:
        study.run(budget=1, replicates=3)
    assert [t.replicates for t in seen] == [0, 1, 2]
    assert [t.spread is not None for t in seen] == [False, False, True]
    assert seen[1].f == study_at(problem).trials()[0].f


def test_the_rate_is_that_of_the_last_outcomes_without_pauses(tmp_path, monkeypatch):
    """A study that ran at 10 a second did so also if it rested over night."""
    from divlearn.basics import clock as module

    clock = [0.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: clock[0])

    def evaluate(x):
        clock[0] += 0.1
        return x, -x

    problem = dl.Problem(dl.Integer(0, 99), evaluate, ["a", "b"])
    for budget in (15, 30):
        clock[0] += 30_000.0
        with dl.Study(problem, tmp_path / "x.db") as study:
            study.run(budget=budget, workers=0)
    seen = summary(tmp_path / "x.db")
    assert seen.recent == 20
    assert seen.rate == pytest.approx(36_000, rel=0.1)
    assert seen.average == pytest.approx(36_000, rel=0.1)


def test_the_rate_says_over_how_many_outcomes_it_was_measured(tmp_path):
    """5.2 per second in a study of 60 in 115 s was a riddle."""
    from divlearn.cli.show import as_text

    problem = dl.Problem(dl.Integer(0, 99), lambda x: (x, -x), ["a", "b"])
    with dl.Study(problem, tmp_path / "x.db") as study:
        study.run(budget=12, workers=0)
    text = as_text(summary(tmp_path / "x.db"))
    assert "per second over the last 11, " in text
    assert "per second on average" in text
