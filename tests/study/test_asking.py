"""A study that is asked and told by hand is the one that runs by itself."""

import os
import random
import signal

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError, NothingToAsk, StoreInUse
from divlearn.simulator import ReportedProblem
from divlearn.simulator.metrics import Limit, Metrics
from divlearn.study import Study, StudyReader, status

from .conftest import tiny


def facts(study):
    """All that a search decides and learns, trial by trial."""
    return [
        (t.number, t.told, t.state, t.f, t.kind, t.codes, t.message)
        for t in study.trials()
    ]


def by_hand(problem, path, budget, count=1, shuffled=None, **options):
    """Ask and tell until there is nothing, opening the file anew for every call."""
    with Study(problem, path, **options) as study:
        study.plan(budget)
    while True:
        try:
            with Study.open(path) as study:
                asked = study.ask(count)
        except NothingToAsk as nothing:
            return nothing.waits_for
        if shuffled is not None:
            shuffled.shuffle(asked)
        for trial in asked:
            with Study.open(path) as study:
                study.tell(trial.number, problem.evaluate(trial.x))


@pytest.mark.parametrize("options", [{}, {"ordered": False}, {"lag": 1}])
def test_one_by_one_it_has_the_trials_of_a_run_with_one_worker(tmp_path, options):
    """Whoever evaluates: the file, and so the front, is the same to the last bit."""
    problem = tiny("composite")
    assert by_hand(problem, tmp_path / "hand.db", 18, seed=3, **options) == []
    with Study(problem, tmp_path / "run.db", seed=3, **options) as study:
        front, expected = study.run(18, workers=1), facts(study)
    with Study.open(tmp_path / "hand.db") as study:
        assert facts(study) == expected
        assert np.array_equal(study.result().F, front.F)
        assert study.verify()


@pytest.mark.parametrize("count", [3, 20])
def test_an_ordered_study_gives_the_same_designs_in_any_order(tmp_path, count):
    """Batches and the order of answers change nothing, so a retry changes nothing."""
    problem = tiny("binary")
    by_hand(problem, tmp_path / "one.db", 14, seed=1)
    by_hand(problem, tmp_path / "many.db", 14, count, random.Random(count), seed=1)
    with (
        Study.open(tmp_path / "one.db") as one,
        Study.open(tmp_path / "many.db") as many,
    ):
        first, second = ([t.codes for t in s.trials()] for s in (one, many))
        assert first == second


@pytest.fixture
def study(tmp_path):
    """A study that is quick to ask."""
    with Study(tiny(), tmp_path / "hand.db", method="random") as study:
        yield study


def test_candidates_stay_valid_until_they_are_told(tmp_path):
    """Who asked may be gone: the file knows what was asked, whoever tells it."""
    path = tmp_path / "hand.db"
    with Study(tiny(), path, method="random") as study:
        first, second = study.ask(), study.ask(2)
    with Study.open(path) as study:
        assert [t.number for t in study.pending()] == [0, 1, 2]
        study.tell(second[1].number, (1.0, 2.0))
        study.tell(first[0].number, {"gain": 4.0, "cost": 3.0})
        assert [t.number for t in study.pending()] == [1]
        told = study.trials()
    assert told[0].f == {"cost": 3.0, "gain": 4.0}
    assert told[2].f == {"cost": 1.0, "gain": 2.0}


def test_what_was_asked_survives_a_kill(tmp_path):
    """Between question and answer the machine may fail."""
    path = tmp_path / "hand.db"
    with Study(tiny(), path, method="random"):
        pass
    child = os.fork()
    if not child:
        Study.open(path).ask(2)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    with Study.open(path) as study:
        assert [t.number for t in study.pending()] == [0, 1]
        study.tell(0, (1.0, 1.0))
        assert study.verify()


def test_an_ordered_study_says_what_it_waits_for(study):
    """A candidate lost on the way must not be a riddle."""
    asked = study.ask(20)
    assert len(asked) == 8
    for number in (1, 2, 7):
        study.tell(number, (1.0, 2.0))
    with pytest.raises(NothingToAsk, match=r"became of 0 first") as nothing:
        study.ask()
    assert nothing.value.waits_for == [0]
    assert status(study.path).waits_for == [0]
    assert status(study.path).next == "tell"
    study.tell_all([{"id": 0, "abandoned": True}])
    assert [t.number for t in study.ask(2)] == [8, 9]


def test_an_unordered_study_never_waits(tmp_path):
    """For whoever would rather go on than have the same designs again."""
    with Study(tiny(), tmp_path / "u.db", method="random", ordered=False) as study:
        assert len(study.ask(30)) == 30
        study.tell(29, (1.0, 2.0))
        assert study.ask()[0].told == 1
        assert study.verify()


def test_nothing_is_asked_beyond_the_budget(study):
    """The loop of a program ends by itself; a larger budget goes on."""
    study.plan(2)
    assert len(study.ask(5)) == 2
    with pytest.raises(NothingToAsk, match=r"all 2 evaluations made.*0, 1") as nothing:
        study.ask()
    assert nothing.value.waits_for == []
    study.plan(3)
    assert [t.number for t in study.ask(5)] == [2]
    assert status(study.path).budget == 3


def test_no_design_is_asked_for_twice(tmp_path):
    """Equal candidates wait for the first one, and get its outcome."""
    problem = dl.Problem(dl.Integer(0, 4), lambda x: (x, -x), ["up", "down"])
    with Study(problem, tmp_path / "few.db", method="random", seed=2) as study:
        seen = []
        while len(seen) < 5:
            asked = study.ask(3)
            seen += [trial.x for trial in asked]
            study.tell_all([{"id": t.number, "values": (t.x, -t.x)} for t in asked])
        with pytest.raises(NothingToAsk, match="all 5 solutions"):
            study.ask()
        assert sorted(seen) == [0, 1, 2, 3, 4]
        assert not study.pending()
        assert study.verify()


def test_telling_the_same_again_changes_nothing(study):
    """A program that was cut off after telling tells again to be sure."""
    study.ask(2)
    first = study.tell(0, (1.0, 2.0), seconds=3.0)
    again = study.tell(0, [1, 2])
    assert (first.repeated, again.repeated) == (False, True)
    assert again.trial.seconds == 3.0
    assert study.tell(1, None).trial.state == "failed"
    assert study.tell(1, None).repeated
    with pytest.raises(InputError, match=r"candidate 0 was told before.*1\.0"):
        study.tell(0, (1.0, 2.5))
    with pytest.raises(InputError, match="told before"):
        study.tell(0, dl.InvalidDesign("too late"))


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([{"id": 9, "values": [1, 2]}], r"got 9\. Without an outcome: 0, 1"),
        ([{"id": -1, "values": [1, 2]}], "got -1"),
        ([{"id": "0", "values": [1, 2]}], "got '0'"),
        ([{"id": True, "values": [1, 2]}], "got True"),
        ([{"id": 0, "values": [1]}], r"candidate 0.*2 numbers \(cost, gain\), got 1"),
        ([{"id": 0, "values": [1, float("nan")]}], "gain must be a finite .*failed"),
        ([{"id": 0, "values": [1, "much"]}], "gain must be a number, got 'much'"),
        ([{"id": 0, "values": {"cost": 1}}], "lacks 'gain'"),
        ([{"id": 0, "values": {"cost": 1, "gain": 2, "x": 3}}], "'x'.*not declared"),
        ([{"id": 0}], "one of values, failed, infeasible, abandoned"),
        ([{"id": 0, "values": [1, 2], "failed": "x"}], "one of values"),
        ([{"values": [1, 2]}], "id or design"),
        ([{"id": 0, "value": [1, 2]}], "'value'"),
        ([{"id": 0, "failed": 3}], "failed must be a text"),
        ([{"id": 0, "values": [1, 2], "seconds": -1}], "seconds"),
        ([{"design": [0, 1], "values": [1, 2]}], "7"),
        ([{"design": list(range(7)), "failed": "x"}], "must come with values"),
        ([7], "must be a dict"),
        ({"id": 0}, "must be a list"),
    ],
)
def test_wrong_answers_are_refused_with_all_beside_them(study, answers, message):
    """All or none: who reads the message can send everything again."""
    study.ask(2)
    good = {"id": 1, "values": [1, 2]}
    with pytest.raises(InputError, match=message):
        study.tell_all([good, *answers] if isinstance(answers, list) else answers)
    assert [t.number for t in study.pending()] == [0, 1]
    with pytest.raises(InputError, match="twice in one call"):
        study.tell_all([good, good])
    assert [t.number for t in study.pending()] == [0, 1]


def test_reasons_are_kept_and_late_values_are_not_lost(study):
    """Given up too early: the values count after all, as those of a known design."""
    asked = study.ask(4)
    study.tell(0, dl.InvalidDesign("no room"))
    study.tell(1, OSError("no licence"))
    study.tell_all([{"id": 2, "abandoned": "lost"}, {"id": 3, "values": (1, 2)}])
    states = [(t.state, t.message) for t in study.trials()]
    assert states[0] == ("infeasible", "no room")
    assert states[1][0] == "failed"
    assert "no licence" in states[1][1]
    assert states[2] == ("abandoned", "lost")
    late = study.tell(2, (0.5, 9.0))
    assert late.late
    assert late.trial.number == 4
    assert (late.trial.state, late.trial.source) == ("known", "candidate 2, told late")
    assert np.array_equal(late.trial.x, asked[2].x)
    assert study.tell(2, (0.5, 9.0)).repeated
    assert study.verify()


def test_designs_of_ones_own_are_told_beside_candidates(study):
    """What was known, or tried on a whim, is learned like any known design."""
    (asked,) = study.ask()
    own = {"design": [6, 5, 4, 3, 2, 1, 0], "values": (0.0, 9.0), "source": "a whim"}
    told = study.tell_all([own, {"id": asked.number, "values": (1.0, 1.0)}])
    assert [(t.trial.state, t.repeated) for t in told] == [
        ("known", False),
        ("ok", False),
    ]
    assert study.tell_all([own])[0].repeated
    assert study.result().sources == ["a whim"]
    assert study.verify()


def test_metrics_with_limits_are_told_as_they_were_measured(tmp_path):
    """Nobody computes by hand how far a value is beyond its limit."""
    metrics = Metrics({"time": "min"}, (Limit("area", 4.0, upper=True),), ("log",))
    problem = ReportedProblem(dl.Integer(0, 99), metrics, name="chip")
    path = tmp_path / "chip.db"
    with Study(problem, path, method="random") as study:
        study.ask(3)
    with Study.open(path) as study:
        assert study.problem.describe() == problem.describe()
        study.tell(0, [2.0, 5.0])
        study.tell(1, {"area": 3.0, "time": 2.5, "log": "fine"})
        with pytest.raises(InputError, match=r"2 numbers \(time, area\), got 1"):
            study.tell(2, 3.0)
        first, second = study.trials()[:2]
        (best,) = study.result().trials
    assert (first.g, first.extras) == ({"area_max": 1.0}, {"area": 5.0})
    assert second.extras == {"area": 3.0, "log": "fine"}
    assert best == 1


def test_a_noisy_study_is_opened_as_noisy(tmp_path):
    """The flag changes what is asked for, and what a second measurement means."""
    path = tmp_path / "noisy.db"
    with Study(tiny(noise=True), path, method="random") as study:
        study.tell_all([{"design": list(range(7)), "values": (1.0, 2.0)}])
    with Study.open(path) as study:
        assert study.problem.noise
        (again,) = study.tell_all([{"design": list(range(7)), "values": (1.5, 2.0)}])
        assert not again.repeated


def test_a_run_takes_up_what_was_asked_by_hand(tmp_path):
    """The file is the same study, whoever evaluates."""
    problem = tiny()
    with Study(problem, tmp_path / "s.db", method="random") as study:
        study.ask(3)
        study.tell(1, problem.evaluate(study.pending()[1].x))
        study.run(6, workers=0)
        assert [t.state for t in study.trials()] == ["ok"] * 6
        assert study.verify()


def test_another_process_is_waited_for(study):
    """Two programs may tell at once; the second one comes later."""
    with pytest.raises(
        StoreInUse, match=r"in use by this process .*close\(\) it first"
    ):
        Study.open(study.path)
    with pytest.raises(StoreInUse):
        Study.open(study.path, wait=0.05)
    study.close()
    Study.open(study.path, wait=5.0).close()


def test_suggestions_are_near_new_and_recorded(tmp_path):
    """Somebody has a design in mind and wants to know what is worth trying there."""
    problem = tiny("ordinal")
    with Study(problem, tmp_path / "s.db", seed=1) as study:
        study.run(30, workers=0)
        study.plan(None)
        around = study.result().X[0]
        before = {t.codes for t in study.trials()}
        found = study.suggest(list(around), 3)
        assert [t.number for t in study.pending()] == [30, 31, 32]
        assert len({t.codes for t in found} - before) == 3
        assert all(t.source == "suggested near a design" for t in found)
        for trial in found:
            changed = np.sum(np.array(trial.x) != np.array(around))
            assert 1 <= changed <= 3
            study.tell(trial.number, problem.evaluate(trial.x))
        assert study.verify()


def test_suggestions_are_better_than_chance(tmp_path):
    """The model is there for something: against neighbours drawn at random."""
    problem = dl.Problem(
        dl.Integer(0, 9, n=6),
        lambda x: (float(np.sum((x - 3) ** 2)), float(np.sum((x - 6) ** 2))),
        ["near 3", "near 6"],
    )
    with Study(problem, tmp_path / "s.db", method="random", seed=1) as study:
        study.run(40, workers=0)
        study.plan(None)
        around = np.full(6, 8)
        found = [problem.evaluate(t.x).sum() for t in study.suggest(around, 5)]
    chance = [
        problem.evaluate(problem.space.neighbour(around, s)).sum() for s in range(50)
    ]
    assert np.mean(found) < np.quantile(chance, 0.1)


def test_suggesting_ends_where_everything_near_is_known(tmp_path):
    """Instead of asking for the same design again."""
    problem = dl.Problem(
        dl.Integer(0, 99), lambda x: (x, -x), ["up", "down"], valid=lambda x: x < 3
    )
    with Study(problem, tmp_path / "s.db", method="random") as study:
        for x in range(3):
            study.add(x, (x, -x))
        with pytest.raises(NothingToAsk, match="within 3 moves"):
            study.suggest(1)


def test_the_file_alone_is_enough(tmp_path):
    """Space, metrics, limits, extras and points, as they were declared."""
    metrics = Metrics(
        {"time": "min", "gain": "max"},
        (Limit("area", 4.0, upper=True), Limit("gain", 1.0, upper=False)),
        ("log",),
    )
    space = dl.Composite(order=dl.Permutation(4), rate=dl.Real(0.1, 10, log=True))
    points = {"reference": [9.0, 0.0], "ideal": [0.0, 9.0]}
    problem = ReportedProblem(space, metrics, name="chip", **points)
    with Study(problem, tmp_path / "s.db"):
        pass
    with StudyReader(tmp_path / "s.db") as reader:
        again = reader.problem()
    assert again.describe() == problem.describe()
    assert again.reports == ("time", "gain", "area")
    assert (again.extras, again.name) == (problem.extras, "chip")
    assert np.array_equal(again.ideal, problem.ideal)
    with pytest.raises(dl.EvaluationError, match="nobody here evaluates"):
        again.evaluate(space.sample())


def test_a_study_of_a_compiled_problem_needs_its_problem(tmp_path):
    """The file holds no instance data; the message says what to do."""
    problem = dl.problems.get("bitsp-20")
    with Study(problem, tmp_path / "s.db", method="random") as study:
        (asked,) = study.ask()
        study.tell(asked.number, problem.evaluate(asked.x))
        assert study.verify()
    with pytest.raises(InputError, match="only Python has its problem"):
        Study.open(tmp_path / "s.db")
    assert status(tmp_path / "s.db").values == ["length 1", "length 2"]


def test_a_study_with_hooks_in_python_is_asked_in_python(tmp_path):
    """Its file alone would give designs that nobody has checked or repaired."""
    problem = dl.Problem(
        dl.Integer(0, 99), lambda x: (x, -x), ["up", "down"], valid=lambda x: x < 30
    )
    path = tmp_path / "s.db"
    with Study(problem, path, method="random") as study:
        (asked,) = study.ask()
    with Study.open(path) as study:
        with pytest.raises(InputError, match="valid or repair in Python"):
            study.ask()
        assert study.tell(asked.number, (1.0, 2.0)).trial.state == "ok"
    with Study.open(path) as study, pytest.raises(InputError, match="in Python"):
        study.suggest(3)
    with Study(problem, path) as study:
        assert study.ask()[0].x < 30
