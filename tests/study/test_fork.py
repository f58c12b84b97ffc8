"""A study of a changed problem knows what the old one has evaluated."""

import os
import sqlite3

import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.study import ForkReport, NotReproduced, StudyReader, fork
from divlearn.study.study import Study
from tests.study.conftest import same_front

METALS = ["tin", "zinc"]


def pump(high=9, metals=METALS, objectives=("cost", "mass"), calls=None, **more):
    """A problem of two knobs, or one; a few designs fail."""
    parts = {"blades": dl.Integer(3, high)}
    if metals:
        parts["metal"] = dl.Categorical(metals)

    def evaluate(x):
        if calls is not None:
            calls.append(dict(x))
        if x["blades"] == 4:
            raise dl.InvalidDesign("it does not turn")
        if x["blades"] == 5 and x.get("metal") == "zinc":
            raise RuntimeError("no licence")
        heavy = 2.0 if x.get("metal") == "zinc" else 1.0
        known = {"cost": 30.0 / x["blades"], "mass": heavy * x["blades"], "db": heavy}
        return {name: known[name] for name in (*problem.outputs, *problem.extras)}

    more = {"extras": ["db"] if "db" not in objectives else []} | more
    problem = dl.Problem(dl.Composite(**parts), evaluate, objectives, **more)
    return problem


@pytest.fixture
def old(tmp_path):
    """A study of all 14 designs, three of which have no values."""
    path = tmp_path / "pump.db"
    with Study(pump(), path, seed=3, lag=2) as study:
        study.run(budget=14, workers=0, progress=False)
        assert len(study.trials()) == 14
    return path


def test_a_wider_range_takes_everything_over(old, tmp_path):
    """Known at no cost, with their sources; the search goes on from there."""
    calls = []
    with fork(old, tmp_path / "wide.db", pump(12, calls=calls)) as study:
        report = study.report
        assert report.differences == ["blades: integer 3..9 -> 3..12"]
        assert (report.trials, report.known, report.merged) == (14, 11, 0)
        known = study.trials()
        assert [t.state for t in known] == ["known"] * 11
        numbers = [int(t.source.removeprefix("fork of pump.db, trial ")) for t in known]
        assert numbers == sorted(numbers)
        with StudyReader(old) as reader:
            before = {t.number: t for t in reader.trials()}
        for number, trial in zip(numbers, known, strict=True):
            theirs = before[number]
            assert (trial.x, trial.f, trial.extras) == (
                theirs.x,
                theirs.f,
                theirs.extras,
            )
        assert study._opened.declaration.seed == 3
        study.run(budget=6, workers=0, progress=False)
        assert len(calls) == 6
        assert not any(x in [t.x for t in known] for x in calls)
        assert study.verify()


def test_what_is_left_out_is_listed_by_reason(old, tmp_path):
    """Failures as they ended, and designs that are not there any more."""
    with fork(old, tmp_path / "narrow.db", pump(6)) as study:
        text = str(study.report)
    lines = text.splitlines()
    assert lines[0] == f"a fork of {old}"
    assert lines[1] == "  blades: integer 3..9 -> 3..6"
    assert lines[2] == "5 designs of 14 trials known, at no cost"
    assert lines[3] == "left out"
    assert lines[4].startswith("  6: blades is not in integer 3..6: trial ")
    assert "it is infeasible: trial" in text
    assert "(it does not turn)" in text
    assert "  1: it failed: trial" in text
    assert "no licence" in text


def test_the_old_study_stays_as_it_was(old, tmp_path):
    """Not a byte is written, whoever has it open."""
    before = old.read_bytes()
    with Study(pump(), old) as running:  # locked by its process
        running.fork(tmp_path / "one.db", pump(12)).close()
        fork(old, tmp_path / "two.db", pump(12)).close()
        assert old.read_bytes() == before
    assert old.read_bytes() == before


def test_a_dropped_knob_makes_one_design_of_several(old, tmp_path):
    """The newest counts, or the mean; with noise all of them."""
    with StudyReader(old) as reader:
        trials = [t for t in reader.trials() if t.f and t.x["blades"] == 7]
    assert len(trials) == 2
    found = {}
    for name, more in {
        "newest": {},
        "mean": {"repeats": "mean"},
        "only": {"only": {"metal": "zinc"}},
    }.items():
        with fork(old, tmp_path / f"{name}.db", pump(metals=None), **more) as study:
            (one,) = [t for t in study.trials() if t.x["blades"] == 7]
            found[name] = one
            assert study.verify()
            if name != "only":
                assert (study.report.known, study.report.merged) == (6, 5)
    assert found["newest"].f == trials[-1].f
    assert found["mean"].f["mass"] == 10.5
    assert found["mean"].source == "fork of pump.db, mean of trials " + ", ".join(
        str(t.number) for t in trials
    )
    assert found["only"].f["mass"] == 14.0
    with fork(old, tmp_path / "noise.db", pump(metals=None, noise=True)) as study:
        assert study.report.known == 11
        assert study.verify()


def test_metrics_that_were_kept_become_objectives_and_constraints(old, tmp_path):
    """Recomputed from the file; an objective that was dropped stays a metric."""
    limit = {"recompute": {"light": lambda known: known["mass"] - 8.0}}
    problem = pump(objectives={"db": "max", "cost": "min"}, constraints=["light"])
    with fork(old, tmp_path / "new.db", problem, **limit) as study:
        for trial in study.trials():
            assert list(trial.f) == ["db", "cost"]
            assert trial.g["light"] == trial.extras["mass"] - 8.0
            assert trial.feasible == (trial.extras["mass"] <= 8.0)
        assert study.verify()
    with fork(old, tmp_path / "none.db", problem) as study:
        assert study.report.known == 0
        assert "11: light was not measured: trial " in str(study.report)


def test_a_fork_may_only_change_how_it_searches(old, tmp_path):
    """Another method and seed begin from all that is known."""
    with Study(pump(), old) as study:
        given = {"method": "paper-ts", "seed": 8, "lag": 1}
        forked = study.fork(tmp_path / "new.db", **given)
    with forked:
        declared = forked._opened.declaration
        assert (declared.method, declared.seed, declared.lag) == ("paper-ts", 8, 1)
        assert forked.report.differences == [
            "method: dl -> paper-ts",
            "seed: 3 -> 8",
            "lag: 2 -> 1",
        ]
        assert forked.report.known == 11


def test_forks_of_forks_and_enqueued_designs_go_on(old, tmp_path):
    """Sources are told one after the other; what waits keeps waiting."""
    with fork(old, tmp_path / "b.db", pump(12)) as study:
        for blades in (11, 12):
            study.enqueue({"blades": blades, "metal": "tin"}, source="Ann")
    with fork(tmp_path / "b.db", tmp_path / "c.db", pump(11)) as study:
        report = study.report
        assert (report.known, report.enqueued) == (11, 1)
        assert "1: blades is not in integer 3..11: enqueued design 1" in str(report)
        assert study.queue() == [({"blades": 11, "metal": "tin"}, "Ann")]
        source = study.trials()[0].source
        assert source.startswith("fork of b.db, trial 0 (fork of pump.db, trial ")
        study.run(budget=1, workers=0, progress=False)
        assert study.trials()[-1].x == {"blades": 11, "metal": "tin"}


def test_answers_from_the_file_are_not_taken_twice(tmp_path):
    """A design that was asked for again has one measurement."""
    small = dl.Problem(dl.Integer(0, 2), lambda x: (x, -x), ["up", "down"])
    with Study(small, tmp_path / "a.db", method="random") as study:
        study.run(budget=3, workers=0, progress=False)
        trials = study.trials()
    with fork(tmp_path / "a.db", tmp_path / "b.db", small) as study:
        report = study.report
        assert report.known == len({t.x for t in trials})
        assert report.known + report.merged == len(trials)


def test_a_fork_is_the_same_whenever_it_is_made(old, tmp_path):
    """Same file, same seed, same candidates."""
    fronts = []
    for name in ("a.db", "b.db"):
        with fork(old, tmp_path / name, pump(30)) as study:
            fronts.append(study.run(budget=12, workers=0, progress=False))
    assert same_front(*fronts)


def test_a_study_that_is_not_reproduced_can_be_forked(old, tmp_path):
    """What valid() refuses now is left out; the rest goes on."""
    problem = pump(valid=lambda x: x["blades"] != 7)
    words = pytest.raises(NotReproduced, match=r"divlearn\.study\.fork")
    with Study(problem, old) as study, words:
        study.run(budget=15, workers=0, progress=False)
    with fork(old, tmp_path / "new.db", problem) as study:
        assert "2: valid() of the new problem refuses it: trial" in str(study.report)
        assert study.report.known == 9
        assert study.verify()


def test_real_and_conditional_knobs_go_on_and_are_replayed(tmp_path):
    """A knob becomes continuous, another one exists only sometimes."""
    kind = dl.Categorical(["cpu", "gpu"])
    old = dl.Composite(kind=kind, cache=dl.Integer(1, 8))
    cache = dl.If(kind="cpu", then=dl.Real(0.5, 16, log=True))

    def evaluate(x):
        return x.get("cache", 3), 1.0 if x["kind"] == "cpu" else 2.0

    with Study(dl.Problem(old, evaluate, ["a", "b"]), tmp_path / "a.db") as study:
        study.run(budget=8, workers=0, progress=False)
        designs = {
            (t.x["kind"], t.x["cache"] * (t.x["kind"] == "cpu")) for t in study.trials()
        }
    problem = dl.Problem(dl.Composite(kind=kind, cache=cache), evaluate, ["a", "b"])
    with fork(tmp_path / "a.db", tmp_path / "b.db", problem, method="random") as study:
        assert study.report.known == len(designs)
        study.run(budget=5, workers=0, progress=False)
        assert study.verify()


def test_a_fork_needs_a_file_of_its_own(old, tmp_path):
    """Nothing is replaced, and a mistake leaves nothing behind."""
    there = set(os.listdir(tmp_path))
    with pytest.raises(InputError, match=r"file of its own, but .*pump\.db' exists"):
        fork(old, old, pump(12))
    space = dl.Composite(**pump().space.parts, angle=dl.Integer(0, 9))
    with pytest.raises(InputError, match="angle: which value"):
        fork(old, tmp_path / "new.db", dl.Problem(space, len, ["cost", "mass"]))
    with pytest.raises(InputError, match=r"directory .* does not exist"):
        fork(old, tmp_path / "nowhere" / "new.db", pump(12))
    with pytest.raises(InputError, match="does not exist"):
        fork(tmp_path / "nothing.db", tmp_path / "new.db", pump(12))
    (tmp_path / "new.db-wal").write_bytes(b"log")
    with pytest.raises(InputError, match=r"the log .* of another"):
        fork(old, tmp_path / "new.db", pump(12))
    left = set(os.listdir(tmp_path)) - there
    assert left <= {
        "new.db-wal",
        "new.db.lock",
        "pump.db.lock",
        "pump.db-wal",
        "pump.db-shm",
    }


def test_the_report_is_kept_in_the_file(old, tmp_path):
    """And a file whose report makes no sense is refused."""
    path = tmp_path / "new.db"
    with fork(old, path, pump(6)) as study:
        report = study.report
    with Study(pump(6), path) as study:
        assert study.report == report
        assert isinstance(study.report, ForkReport)
    with Study(pump(), old) as study:
        assert study.report is None
    with Study(pump(6), path) as study:
        study._opened.store.note(fork={"of": 3})
    with pytest.raises(InputError, match="key fork: its value makes no sense"):
        Study(pump(6), path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT COUNT(*) FROM outcomes").fetchone() == (5,)
    connection.close()
