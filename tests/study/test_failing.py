"""A run that fails says so at once, loses nothing, and can be mended."""

import collections

import pytest

import divlearn as dl
from divlearn.study.options import read_options
from divlearn.study.retry import matches
from divlearn.study.summarize import summary
from tests.study.conftest import FakePool, same_front, tiny

SPACE = dl.Composite(a=dl.Integer(0, 20), b=dl.Integer(0, 20))


def two(x):
    """Two numbers."""
    return x["a"] + 1.0, 20.0 - x["a"] + x["b"]


class Objective:
    """Counts its calls, and does what it is told from some call on."""

    def __init__(self, answer=two):
        self.answer, self.calls = answer, 0

    def __call__(self, x):
        """Answer, or not."""
        self.calls += 1
        return self.answer(x)


def problem_of(objective, **more):
    """A problem with two objectives."""
    return dl.Problem(SPACE, objective, ["f", "g"], name="pump", **more)


def named(x, **more):
    """The same two numbers by name, with others beside."""
    f, g = two(x)
    return {"f": f, "g": g, **more}


WRONG = {
    "extra key": (lambda x: named(x, noise_db=4.0), "has 'noise_db', which is not dec"),
    "missing key": (lambda x: {"f": 1.0}, "lacks 'g'"),
    "both": (lambda x: {"f": 1.0, "h": 2.0}, "lacks 'g' and has 'h'"),
    "too many": (lambda x: (1.0, 2.0, 3.0), r"must return 2 numbers \(f, g\), got 3"),
    "too few": (lambda x: [1.0], "must return 2 numbers .* got 1"),
    "another type": (lambda x: {1.0, 2.0}, "must return 2 numbers .* got 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_shape_ends_a_study_at_the_first_evaluation(study_at, case):
    """Ten hours are not spent on a mistake that the first ten minutes show."""
    answer, words = WRONG[case]
    objective = Objective(answer)
    study = study_at(problem_of(objective))
    with pytest.raises(dl.AnswerError, match=words) as caught:
        study.run(budget=60, workers=0, retries=3)
    assert objective.calls == 1
    assert set(caught.value.x) == {"a", "b"}
    assert caught.value.result.evaluations == 0
    assert str(caught.value.result).startswith("pump: nothing was evaluated\n")
    assert [t.state for t in study.trials()] == ["running"]
    assert summary(study.path).stopped.startswith("the problem failed: the ")
    objective.answer = two  # mended: the same design is evaluated, and nothing is lost
    assert study.run(budget=10, workers=0).counts == {"ok": 10}
    assert study.verify()


@pytest.mark.parametrize("workers", [0, 2])
def test_solve_and_a_study_say_the_same_of_a_wrong_shape(study_at, workers):
    """One mistake, one message."""
    problem = problem_of(WRONG["both"][0])
    with pytest.raises(dl.AnswerError) as by_solve:
        dl.solve(problem, 60)
    with pytest.raises(dl.AnswerError) as by_study:
        study_at(problem).run(budget=60, workers=workers)
    assert str(by_solve.value) == str(by_study.value)
    assert by_solve.value.result.evaluations == 0


def test_a_rare_answer_of_another_shape_is_one_failure_of_many(study_at):
    """A night's work does not end because one design was answered oddly."""
    odd = Objective(lambda x: (1.0,) if odd.calls == 7 else two(x))
    result = study_at(problem_of(odd)).run(budget=20, workers=0, retries=2)
    assert result.counts == {"ok": 19, "failed": 1}
    assert odd.calls == 20
    assert "must return 2 numbers (f, g), got 1" in result.failures[0]["message"]


@pytest.mark.parametrize("value", [None, float("nan"), "failed", float("inf")])
def test_a_value_that_is_no_number_stays_the_failure_of_one_design(study_at, value):
    """The objective has the right shape; another design may have a value."""
    some = Objective(lambda x: (1.0, value) if some.calls % 2 else two(x))
    result = study_at(problem_of(some)).run(budget=10, workers=0)
    assert result.counts == {"ok": 5, "failed": 5}


# --- too many failures


def crash(x):
    """Fail as every design does."""
    raise OSError(f"no licence for {x['a']}")


def test_a_run_whose_first_five_evaluations_fail_stops(study_at):
    """With the most frequent message and its count; the study can go on."""
    objective = Objective(crash)
    study = study_at(problem_of(objective))
    with pytest.raises(dl.TooManyFailures) as caught:
        study.run(budget=60, workers=0)
    assert objective.calls == 5
    error = caught.value
    assert str(error).startswith("the first 5 evaluations failed. The most frequent")
    assert "(5 times): the objective raised OSError: no licence for" in str(error)
    assert error.result.counts == {"ok": 0, "failed": 5}
    assert error.result.stopped == "the first 5 evaluations failed"
    said = str(error.result)
    assert said.startswith("pump: none of 5 evaluations gave values\n")
    assert "\n  0 ok, 5 failed\n  5 failed: the objective raised OSError" in said
    study.close()
    assert summary(study.path).state == "stopped"
    study = study_at(study.problem)
    objective.answer = two
    result = study.run(budget=12, workers=0, retry_failed=True)
    assert result.counts == {"ok": 12}
    assert study.verify()


def test_later_twenty_failures_in_a_row_stop_a_run(study_at):
    """An outage ends the run, not the study; what was good before is kept."""
    outage = Objective(lambda x: two(x) if outage.calls <= 10 else crash(x))
    study = study_at(problem_of(outage))
    with pytest.raises(dl.TooManyFailures, match="20 evaluations in a row failed"):
        study.run(budget=100, workers=0)
    assert outage.calls == 30
    assert study.result().counts == {"ok": 10, "failed": 20}
    assert len(study.result().F)


def test_other_limits_of_failures_can_be_chosen(study_at):
    """A number, or never; infeasible designs are answers and no failures."""
    objective = Objective(crash)
    with pytest.raises(dl.TooManyFailures, match="the first 8 evaluations"):
        study_at(problem_of(objective), "a.db").run(
            budget=60, workers=0, max_failures=8
        )
    result = study_at(problem_of(Objective(crash)), "b.db").run(
        budget=30, workers=0, max_failures="never"
    )
    assert result.counts == {"ok": 0, "failed": 30}

    def infeasible(x):
        raise dl.InvalidDesign("too hot")

    result = study_at(problem_of(infeasible), "c.db").run(budget=30, workers=0)
    assert result.counts == {"ok": 0, "infeasible": 30}
    with pytest.raises(dl.InputError, match="max_failures must be a number of fail"):
        study_at(problem_of(two), "d.db").run(budget=1, max_failures=0)


def test_time_outs_count_as_failures_and_are_told(study_at, use_pool):
    """Each kind with its number and its reason."""
    problem = tiny()
    states = {1: "timed out", 3: "failed", 4: "infeasible"}
    use_pool(FakePool(problem, behave=lambda task: states.get(task.number)))
    result = study_at(problem).run(budget=10)
    assert result.counts == {"ok": 7, "infeasible": 1, "failed": 1, "timed out": 1}
    assert "7 ok, 1 infeasible, 1 failed, 1 timed out\n" in str(result)
    assert "1 timed out: it timed out\n" in str(result)


# --- another try


def outage(numbers, state="failed"):
    """Behave so that some candidates fail, as long as the list says so."""
    return lambda task: state if task.number in numbers else None


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("method", ["dl", "paper-ts", "random"])
def test_what_failed_in_an_outage_is_evaluated_again(
    study_at, use_pool, ordered, method
):
    """It counts in the front and in the learning, and the file replays exactly."""
    problem, failed = tiny("integer"), set(range(8, 25))
    use_pool(FakePool(problem, behave=outage(failed)))
    study = study_at(problem, method=method, ordered=ordered, lag=4)
    before = study.run(budget=30)
    lost = {f.number for f in study.failures()}
    assert before.counts["failed"] >= len(lost) > 10
    failed.clear()
    pool = use_pool(FakePool(problem))
    after = study.run(budget=45, retry_failed=True)
    assert after.counts["ok"] == after.evaluations == 45
    assert {task.number for task in pool.seen} >= lost
    assert study.verify()
    study.close()
    again = study_at(problem)
    assert same_front(again.result(), after)
    assert again.verify()
    further = again.run(budget=60)
    assert further.evaluations == 60
    assert again.verify()


@pytest.mark.parametrize("size", [1, 3, 4])
def test_another_try_gives_the_same_front_for_any_number_of_workers(
    study_at, use_pool, size
):
    """Whatever order the second tries end in, they are learned by number."""
    problem, fronts = tiny("binary"), []
    for seed in (0, size):
        failed = {3, 4, 9, 10, 11, 18}
        use_pool(FakePool(problem, behave=outage(failed)))
        study = study_at(problem, f"{seed}.db", lag=4, seed=7)
        study.run(budget=20)
        failed.clear()
        use_pool(FakePool(problem, size=max(1, seed), seed=seed))
        fronts.append(study.run(budget=40, retry_failed=True))
        designs = [row[2] for row in study._opened.store.candidates()]
        assert study.verify()
    assert same_front(*fronts)
    assert len(designs) == 40


def test_a_retry_that_is_cut_off_goes_on_where_it_was(study_at, use_pool):
    """What was tried again is kept; the rest has failed as before."""
    problem, failed = tiny("subset"), {2, 5, 6, 7, 8}
    use_pool(FakePool(problem, behave=outage(failed)))
    study = study_at(problem, lag=2)
    study.run(budget=15)

    class Killed(Exception):
        pass

    def stop(study, trial):
        if trial.number == 6:
            raise Killed

    use_pool(FakePool(problem))
    with pytest.raises(Killed):
        study.run(budget=15, retry_failed=True, callbacks=stop)
    states = collections.Counter(t.state for t in study.trials())
    assert states == {"ok": 13, "failed": 2}
    assert study.verify()
    use_pool(FakePool(problem))
    result = study.run(budget=20, retry_failed=True)
    assert result.counts["ok"] == 20
    assert study.verify()


def test_only_failures_whose_message_matches_are_tried_again(study_at, use_pool):
    """The licence is back, but what crashed would crash again."""
    problem = tiny("integer")
    states = {3: "failed", 5: "timed out"}
    use_pool(FakePool(problem, behave=lambda task: states.get(task.number)))
    study = study_at(problem, lag=1)
    study.run(budget=10)
    pool = use_pool(FakePool(problem))
    result = study.run(budget=10, retry_failed="timed")
    assert [task.number for task in pool.seen] == [5]
    assert [task.attempt for task in pool.seen] == [1]
    assert (result.counts["ok"], result.counts["failed"]) == (9, 1)
    assert [f.number for f in study.failures()] == [3]
    trial = study.trials()[5]
    assert (trial.state, trial.attempts, trial.message) == ("ok", 2, "it timed out")


def test_a_pattern_is_a_text_or_a_regular_expression():
    """Whichever of them a user had in mind."""
    assert matches("exit code 4 (see log", "CODE 4 (")
    assert matches("exit code 4", r"code \d")
    assert not matches("exit code 4", r"code [5-9]")
    assert matches("anything", True)
    with pytest.raises(dl.InputError, match="retry_failed must be True"):
        read_options(
            tiny(),
            budget=1,
            seconds=None,
            stop=None,
            retries=0,
            replicates=1,
            duplicates=None,
            running="rerun",
            on_interrupt="finish",
            callbacks=(),
            max_failures="auto",
            retry_failed="",
        )


def test_a_second_try_that_fails_too_changes_nothing_but_the_count(study_at, use_pool):
    """The message is the last one; the replay is the same."""
    problem = tiny("integer")
    use_pool(FakePool(problem, behave=outage({2, 9})))
    study = study_at(problem, lag=4)
    before = study.run(budget=10)
    use_pool(FakePool(problem, behave=outage({2, 9}, "timed out")))
    after = study.run(budget=10, retry_failed=True)
    assert same_front(before, after)
    assert after.counts == {"ok": 8, "timed out": 2}
    assert [f.attempts for f in study.failures()] == [2, 2]
    assert study.verify()


def test_replicates_are_all_tried_again(study_at, use_pool):
    """The mean is of as many evaluations as that of every other design."""
    problem = tiny("integer", noise=True)
    use_pool(FakePool(problem, behave=outage({4})))
    study = study_at(problem, lag=1)
    study.run(budget=8, replicates=3)
    use_pool(FakePool(problem))
    study.run(budget=8, replicates=3, retry_failed=True)
    trial = study.trials()[4]
    assert (trial.state, trial.replicates, trial.attempts) == ("ok", 3, 6)
    assert study.verify()


# --- words


def test_failures_print_as_a_table(study_at, use_pool):
    """A line for each, not one of two thousand characters."""
    problem = tiny("integer")
    use_pool(FakePool(problem, behave=outage({2, 4})))
    study = study_at(problem)
    study.run(budget=6)
    assert str(study.failures()).splitlines() == [
        "trial  kind    tried  message",
        "    2  failed      1  it failed",
        "    4  failed      1  it failed",
    ]
    assert study.failures()[0].number == 2
    assert str(study.failures()[:0]) == "[]"


@pytest.mark.parametrize("ordered", [True, False])
def test_a_saved_state_knows_which_failures_were_revised(
    study_at, use_pool, monkeypatch, ordered
):
    """A study opens at once, before and after a second try, to the same search."""
    monkeypatch.setattr("divlearn.study.coordinator.REPEATED", -1.0)
    problem = tiny("integer")
    use_pool(FakePool(problem, size=2, behave=outage({3, 8, 9, 14})))
    study = study_at(problem, lag=4, ordered=ordered)
    study.run(budget=15)
    study.close()
    for budget in (15, 16, 30):  # at a saved state, just after it, and long after
        use_pool(FakePool(problem, size=2))
        study = study_at(problem)
        result = study.run(budget=budget, retry_failed=True)
        assert result.counts["ok"] == budget
        assert study.verify()
        study.close()
        for checkpoint in (True, False):
            study = study_at(problem, checkpoint=checkpoint)
            assert same_front(study.result(), result)
            assert study._opened.search.told == budget or ordered
            study.close()
