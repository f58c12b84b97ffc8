"""Designs from elsewhere: known ones cost nothing, enqueued ones come first."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.study import StudyReader, summary
from divlearn.study.export import export
from tests.study.conftest import FakePool, same_front, tiny


def some(problem, count, seed=0):
    """Random designs, all different."""
    found = {}
    while len(found) < count:
        seed += 1
        x = problem.space.sample(seed)
        found.setdefault(repr(x), x)
    return list(found.values())


def states(study):
    """States of all trials."""
    return [trial.state for trial in study.trials()]


def run_with_additions(study, workers=0):
    """Add and enqueue before, between and after runs; the last result."""
    problem = study.problem
    first, second, third = np.split(np.arange(24), [10, 16])
    designs = some(problem, 26)
    for i in first:
        study.add(designs[i], problem.evaluate(designs[i]), source="old")
    study.enqueue(designs[24])
    study.run(15, workers=workers)
    for i in second:
        study.add(designs[i], problem.evaluate(designs[i]))
    study.run(30, workers=workers)
    study.enqueue(designs[25], source="an idea")
    for i in third:
        study.add(designs[i], problem.evaluate(designs[i]))
    return study.run(45, workers=workers)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("method", ["dl", "paper-ts", "random"])
def test_known_designs_cost_nothing_and_are_replayed_to_the_last_bit(
    method, ordered, study_at
):
    """Whatever the method, and however outcomes are learned."""
    with study_at(tiny("integer"), method=method, ordered=ordered) as study:
        result = run_with_additions(study)
        assert result.evaluations == 45
        assert result.counts["ok"] == 45
        assert result.counts["known"] > 20  # some the search may have met by itself
        assert study.verify()
    with study_at(tiny("integer"), checkpoint=False) as study:
        again = study.result()
        assert same_front(result, again)
        assert result.history == again.history
        assert result.sources == again.sources
        assert study.run(50, workers=0).evaluations == 50
        assert study.verify()


def test_the_front_is_the_same_for_any_number_of_workers(study_at, use_pool):
    """Everything before a known design is learned before it, in order."""
    fronts = []
    for size in (1, 3, 8):
        use_pool(FakePool(tiny("composite"), size, seed=size))
        with study_at(tiny("composite"), f"{size}.db") as study:
            fronts.append(run_with_additions(study))
            assert study.verify()
    assert same_front(*fronts[:2])
    assert same_front(*fronts[1:])


def test_the_search_knows_all_of_them_before_it_chooses(study_at):
    """The next candidate is chosen from every outcome before, however long the lag."""
    problem = tiny("integer")
    with study_at(problem, lag=8) as study:
        study.run(12, workers=0)
        (x,) = some(problem, 1)
        assert study.add(x, problem.evaluate(x))
        study.run(13, workers=0)
        *_, known, last = study.trials()
    assert (known.number, known.state, known.attempts) == (12, "known", 0)
    assert last.told == 13


def test_a_design_counts_once(study_at):
    """Whether it was added, evaluated or enqueued before; and values are not lost."""
    problem = tiny("integer")
    one, two, three = some(problem, 3)
    with study_at(problem) as study:
        assert study.add(one, problem.evaluate(one))
        assert not study.add(one, problem.evaluate(one))
        assert not study.enqueue(one)
        assert study.enqueue(two)
        assert not study.enqueue(two)
        assert study.add(two, problem.evaluate(two))  # nobody has evaluated it yet
        study.enqueue(three)
        study.run(3, workers=0)
        assert not study.add(three, problem.evaluate(three))
        assert states(study)[:4] == ["known", "known", "ok", "ok"]
        assert study.trials()[2].worker == "store"  # answered by the known one
        assert study.verify()


def test_noise_makes_another_measurement_of_a_known_design(study_at):
    """But the same numbers are the same measurement."""
    problem = tiny("integer", noise=True)
    (x,) = some(problem, 1)
    with study_at(problem) as study:
        assert study.add(x, (1.0, 2.0))
        assert study.add(x, (1.5, 2.5))
        assert not study.add(x, (1.0, 2.0))
        study.run(5, workers=0)
        assert study.verify()


def test_enqueued_designs_are_evaluated_first_and_within_the_budget(study_at):
    """What the budget leaves waits for the next run, also in another process."""
    problem = tiny("integer")
    designs = some(problem, 8)
    with study_at(problem) as study:
        for x in designs:
            assert study.enqueue(x, source="a guess")
        study.run(5, workers=0)
        assert repr([t.x for t in study.trials()]) == repr(designs[:5])
    assert summary(study.path).enqueued == 3
    with study_at(problem) as study:
        study.run(10, workers=0)
        trials = study.trials()
        assert repr([t.x for t in trials[:8]]) == repr(designs)
        assert [t.source for t in trials] == ["a guess"] * 8 + [""] * 2
        assert study.verify()


def test_designs_may_be_added_and_enqueued_by_a_callback(study_at):
    """While the study runs; the budget stays what it was."""
    problem = tiny("integer")
    designs = some(problem, 6)

    def more(study, trial):
        if designs:
            x = designs.pop()
            study.add(x, problem.evaluate(x), source="callback")
            study.enqueue(designs.pop())

    with study_at(problem) as study:
        result = study.run(20, workers=0, callbacks=more)
        assert result.counts == {"ok": 20, "known": 3}
        assert [t.source for t in study.trials()].count("enqueued") == 3
        assert study.verify()


def test_failures_may_be_tried_again_around_known_designs(study_at, use_pool):
    """Where revisions were learned is found again, whatever was added meanwhile."""
    problem = tiny("integer")
    bad = {2, 5, 9}
    behave = lambda task: "failed" if task.number in bad else None  # noqa: E731
    designs = some(problem, 6)
    with study_at(problem) as study:
        use_pool(FakePool(problem, 2, behave=behave))
        study.run(15, workers=2)
        for first in (0, 3):
            for x in designs[first : first + 3]:
                study.add(x, problem.evaluate(x))
            bad -= {2, 5} if first == 0 else {9}
            use_pool(FakePool(problem, 2, behave=behave))
            study.run(15, workers=2, retry_failed=True)
        assert study.run(20, workers=2).counts["ok"] == 20
        assert study.verify()


def test_values_are_checked_as_answers_are(study_at):
    """And so are designs; nothing of what is refused stays."""
    problem = tiny("integer", valid=lambda x: x[0] > -3)
    with study_at(problem) as study:
        for x, values, text in (
            ([0, 0, 0], (1.0,), "values: .*2 numbers"),
            ([0, 0, 0], {"cost": 1.0}, "values: .*gain"),
            ([0, 0, 0], (1.0, np.nan), "values: gain .*got nan; enqueue a design that"),
            ([0, 0, 0], None, "2 numbers .*, got None; enqueue a design that"),
            ([0, 0, 99], (1.0, 2.0), "99"),
            ([-3, 0, 0], (1.0, 2.0), "valid"),
        ):
            with pytest.raises(InputError, match=text):
                study.add(x, values)
        with pytest.raises(InputError, match="valid"):
            study.enqueue([-3, 0, 0])
        with pytest.raises(InputError, match="source must be a text"):
            study.add([0, 0, 0], (1.0, 2.0), source=3)
        assert study.trials() == []


def test_everything_that_looks_at_a_study_tells_what_was_known(study_at, tmp_path):
    """Trials, summaries, tables and results, with extra metrics and constraints."""
    problem = dl.Problem(
        dl.Integer(0, 9),
        lambda x: {"cost": x, "gain": -x, "limit": x - 8, "note": "here"},
        ["cost", "gain"],
        constraints=["limit"],
        extras=["note"],
    )
    with study_at(problem) as study:
        study.add(0, {"cost": 0, "gain": 0, "limit": -8, "note": "there"}, source="lab")
        result = study.run(3, workers=0)
        choice = result.best("cost")
        assert (choice.source, choice.extras["note"]) == ("lab", "there")
        assert "trial 0, known from lab" in repr(choice)
        assert "1 known design, at no cost" in str(result)
    seen = summary(study.path)
    assert (seen.evaluations, seen.counts) == (3, {"known": 1, "ok": 3})
    assert seen.front.sources[0] == "lab"
    export(study.path, tmp_path / "front.json")
    assert dl.load(tmp_path / "front.json").sources[0] == "lab"
    export(study.path, tmp_path / "all.csv", "trials")
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert lines[0].endswith(",source")
    assert lines[1].startswith("0,known,0,0.0,")
    assert lines[1].endswith(",lab")
    with StudyReader(study.path) as reader:
        assert reader.trials()[0].extras == {"note": "there"}


def test_known_designs_alone_make_a_front(study_at):
    """Nothing was evaluated, and yet there is something to choose from."""
    problem = tiny("integer")
    with study_at(problem) as study:
        assert len(study.result().X) == 0
        study.add([0, 0, 0], problem.evaluate([0, 0, 0]))
        assert study.result().evaluations == 0
        assert study.result().sources == ["known"]


def test_of_many_designs_the_best_are_learned_last(study_at):
    """So that models which remember the latest remember them; few stay in order."""
    problem = tiny("integer", constraints=["limit"])
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 3))
    known = list(zip(some(problem, 300), values, strict=True))
    with study_at(problem) as study:
        study.add_from(known[:20])
        found = [tuple(t.f.values()) for t in study.trials()]
        assert found == [tuple(row[:2]) for row in values[:20]]
        study.add_from(known)
        rows = np.array([t.outputs for t in study.trials()][20:])
        front = study.result().F
    bad = rows[:, 2] > 0
    assert bad[: bad.sum()].all()
    latest = {tuple(row[:2]) for row in rows[-len(front) :]}
    assert len(latest & set(map(tuple, front))) >= len(front) - 3
