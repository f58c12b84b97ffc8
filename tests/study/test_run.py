"""What a run makes of reports, of Ctrl-C and of its options."""

import os
import random
import signal

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import EvaluationError, InputError, SearchInterrupted
from divlearn.terminal.display import Silent
from divlearn.workers import current_attempt
from tests.study.conftest import FakePool, same_front, tiny

HAVE_NO_OUTCOME = ("running", "abandoned")


def first_times(state, times, number=None):
    """Report ``state`` for the first attempts at a candidate, or at all of them."""

    def behave(task):
        meant = number is None or task.number == number
        return state if meant and task.attempt < times else None

    return behave


@pytest.mark.parametrize(
    ("state", "kind"),
    [("failed", "failed"), ("timed out", "timed out"), ("infeasible", "infeasible")],
)
def test_failures_are_outcomes_with_their_design(state, kind, study_at, use_pool):
    """They count, they are listed with the message, and they are not tried again."""
    problem = tiny()
    pool = use_pool(FakePool(problem, 2, behave=first_times(state, 99, number=5)))
    with study_at(problem) as study:
        result = study.run(budget=12)
        (failure,) = study.failures()
    assert result.evaluations == 12
    assert (failure.number, failure.kind, failure.attempts) == (5, kind, 1)
    assert failure.message == f"it {state}"
    assert problem.space.contains(failure.x)
    assert [task.number for task in pool.seen].count(5) == 1


@pytest.mark.parametrize("state", ["failed", "timed out"])
def test_retries_try_again(state, study_at, use_pool):
    """An evaluation that succeeds at the third attempt is ok with two retries."""
    problem = tiny()
    use_pool(FakePool(problem, 2, behave=first_times(state, 2, number=3)))
    with study_at(problem) as study:
        study.run(budget=8, retries=2)
        trial = study.trials()[3]
        attempts = [a.state for a in study._opened.store.attempts() if a.number == 3]
        assert (trial.state, trial.attempts) == ("ok", 3)
        assert attempts == [state, state, "ok"]
        assert study.failures() == []
        assert study.verify()


def test_a_lost_worker_costs_no_try(study_at, use_pool):
    """Its candidate is run again without retries, but not for ever."""
    problem = tiny()
    use_pool(FakePool(problem, 2, behave=first_times("lost", 3, number=2)))
    with study_at(problem, "some.db") as study:
        study.run(budget=6)
        assert study.trials()[2].state == "ok"
    use_pool(FakePool(problem, 2, behave=first_times("lost", 99, number=2)))
    with study_at(problem, "all.db") as study:
        study.run(budget=6)
        (failure,) = study.failures()
    assert (failure.kind, failure.attempts) == ("failed", 4)


def test_outputs_that_are_no_result_are_failures(study_at, use_pool):
    """A pool may report anything; the study goes on."""
    problem = tiny()
    pool = use_pool(FakePool(problem, 1))
    answers = iter([(1.0,), (1.0, float("nan")), ("a", "b"), None])

    def wait(timeout):
        task = pool.tasks.popleft()
        outputs = next(answers, (1.0, 2.0))
        return [task.end("ok", outputs).by("odd", 0.1)]

    pool.wait = wait
    with study_at(problem) as study:
        study.run(budget=6)
        failures = study.failures()
    assert [f.kind for f in failures] == ["failed"] * 4
    assert "2 numbers" in failures[0].message
    assert "finite" in failures[1].message


def test_an_invalid_design_is_infeasible_and_an_error_has_failed(study_at):
    """As the objective says it, in this process."""

    def evaluate(x):
        if x[0] == 1:
            raise dl.InvalidDesign("too hot")
        if x[0] == 2:
            raise RuntimeError("boom")
        return float(x[0]), float(x[1])

    problem = dl.Problem(dl.Permutation(4), evaluate, ["a", "b"])
    with study_at(problem) as study:
        study.run(budget=20, workers=0)
        said = {(f.kind, f.x[0]) for f in study.failures()}
        designs = [f.x.tobytes() for f in study.failures()]
        texts = " ".join(f.message for f in study.failures())
    assert said == {("infeasible", 1), ("failed", 2)}
    assert len(designs) == len(set(designs))
    assert "too hot" in texts
    assert "RuntimeError: boom" in texts


def test_constraints_are_kept_and_met(study_at):
    """Values of constraints stand in the trials; the front meets them."""

    def evaluate(x):
        return {"a": float(x[0]), "b": float(-x[0] + x[1]), "over": float(x[2] - 2)}

    problem = dl.Problem(dl.Permutation(5), evaluate, ["a", "b"], constraints=["over"])
    with study_at(problem) as study:
        result = study.run(budget=25, workers=0)
        trials = study.trials()
    assert {t.feasible for t in trials} == {True, False}
    assert all(t.g == {"over": t.x[2] - 2} for t in trials)
    assert (result.G <= 0).all()


# --- replicates and duplicates


def test_replicates_are_averaged(study_at):
    """The mean is learned; mean, spread and their number stand in the trials."""
    calls = []

    def evaluate(x):
        calls.append(x)
        noise = len(calls) % 2
        return x + noise, -x - noise

    problem = dl.Problem(dl.Integer(0, 99), evaluate, ["up", "down"], noise=True)
    with study_at(problem) as study:
        result = study.run(budget=5, workers=0, replicates=4)
        trials = study.trials()
        assert study.verify()
    assert len(calls) == 20
    for trial in trials:
        assert trial.f == {"up": trial.x + 0.5, "down": -trial.x - 0.5}
        assert trial.spread["up"] == pytest.approx(np.std([0, 0, 1, 1], ddof=1))
        assert (trial.replicates, trial.attempts) == (4, 4)
    assert set(result.F[:, 0]) <= {t.f["up"] for t in trials}


def test_replicates_give_the_same_mean_in_any_order(study_at, use_pool):
    """Sums depend on their order in the last digits, and fronts on those."""
    values = {0: 0.1, 1: 0.7, 2: 1e9}

    def evaluate(x):
        return (values[current_attempt().replicate], float(x))

    problem = dl.Problem(dl.Integer(0, 99), evaluate, ["a", "b"], noise=True)
    means = set()
    for size in (1, 3, 8):
        use_pool(FakePool(problem, size, seed=size))
        with study_at(problem, f"{size}.db") as study:
            study.run(budget=8, replicates=3)
            means |= {trial.f["a"] for trial in study.trials()}
            means |= {trial.spread["a"] for trial in study.trials()}
    assert len(means) == 2


def test_a_candidate_fails_if_all_its_replicates_do(study_at, use_pool):
    """What was measured is used, however little it is."""
    problem = tiny()

    def behave(task):
        return "failed" if task.replicate > 0 or task.number == 1 else None

    use_pool(FakePool(problem, 2, behave=behave))
    with study_at(problem) as study:
        study.run(budget=3, replicates=3)
        trials = study.trials()
    assert [t.state for t in trials] == ["ok", "failed", "ok"]
    assert [t.replicates for t in trials] == [1, 0, 1]


def test_every_replicate_has_a_seed_of_its_own(study_at, use_pool):
    """The same for every attempt at it, and in every run."""
    problem = tiny()

    def seeds(name):
        pool = use_pool(FakePool(problem, 2, behave=first_times("failed", 1)))
        with study_at(problem, name) as study:
            study.run(budget=3, replicates=2, retries=1)
        found = {}
        for task in pool.seen:
            found.setdefault((task.number, task.replicate), set()).add(task.seed)
        return found

    one = seeds("one.db")
    assert all(len(values) == 1 for values in one.values())
    assert len(set().union(*one.values())) == 6
    assert seeds("two.db") == one


@pytest.mark.usefixtures("tiny_spaces_go_on")
def test_equal_designs_are_answered_from_the_store(study_at, use_pool):
    """Each is evaluated once, also when its twin is still running."""
    problem = dl.Problem(
        dl.Integer(0, 2), lambda x: (x, -x), ["up", "down"], noise=False
    )
    pool = use_pool(FakePool(problem, 4))
    with study_at(problem) as study:
        study.run(budget=20)
        trials = study.trials()
        assert study.verify()
    assert len(pool.seen) == len({t.x for t in trials}) <= 3
    again = [t for t in trials if t.attempts == 0]
    assert len(again) == 20 - len(pool.seen)
    assert all(t.f == {"up": t.x, "down": -t.x} for t in again)
    assert all(t.worker == "store" and "same design" in t.message for t in again)


@pytest.mark.usefixtures("tiny_spaces_go_on")
def test_equal_designs_can_be_run_again(study_at, use_pool):
    """Where asked for, and by itself where the problem has noise."""
    for noise, options in ((False, {"duplicates": "rerun"}), (True, {})):
        problem = dl.Problem(
            dl.Integer(0, 2), lambda x: (x, -x), ["up", "down"], noise=noise
        )
        pool = use_pool(FakePool(problem, 4))
        with study_at(problem, f"{noise}.db") as study:
            study.run(budget=20, **options)
        assert len(pool.seen) == 20


# --- interruption


class InterruptedPool(FakePool):
    """Presses Ctrl-C during an evaluation, so many times."""

    at, presses = 5, 1

    def wait(self, timeout):
        """Press the keys first."""
        if timeout and len(self.seen) >= self.at and self.presses:
            self.presses -= 1
            os.kill(os.getpid(), signal.SIGINT)
        return super().wait(timeout)


@pytest.mark.parametrize("on_interrupt", ["finish", "abandon"])
def test_ctrl_c_says_how_to_continue_and_loses_nothing(
    on_interrupt, study_at, use_pool
):
    """Running work is finished or given up; the study goes on as if never stopped."""
    problem = tiny()
    pool = use_pool(InterruptedPool(problem, 4))
    with study_at(problem) as study:
        with pytest.raises(SearchInterrupted, match="To continue") as caught:
            study.run(budget=30, on_interrupt=on_interrupt)
        states = [t.state for t in study.trials()]
        done = states.count("ok")
        assert caught.value.result.evaluations == done < 30
        assert caught.value.result.stopped == "interrupted"
        assert ("running" in states) == (on_interrupt == "abandon")
        assert pool.closed == [on_interrupt == "abandon"]
    use_pool(FakePool(problem, 3))
    with study_at(problem) as study:
        result = study.run(budget=30)
        assert study.verify()
    with study_at(problem, "whole.db") as study:
        assert same_front(result, study.run(budget=30))


def test_what_ended_before_workers_are_given_up_is_kept(study_at, use_pool):
    """An evaluation of ten minutes must not be lost by a tenth of a second."""
    problem = tiny()

    class Prompt(InterruptedPool):
        in_process = False

        def wait(self, timeout):
            """Report everything at the last call."""
            if timeout == 0:
                return FakePool.wait(self, None)
            if self.presses:
                os.kill(os.getpid(), signal.SIGINT)
                self.presses -= 1
            return []

    use_pool(Prompt(problem, 1))
    with study_at(problem) as study:
        with pytest.raises(SearchInterrupted):
            study.run(budget=10, on_interrupt="abandon")
        assert [t.state for t in study.trials()] == ["ok"]


def test_a_second_ctrl_c_gives_up(study_at, use_pool):
    """Who presses twice does not want to wait."""
    problem = tiny()
    pool = use_pool(InterruptedPool(problem, 4))
    pool.presses = 2
    with study_at(problem) as study, pytest.raises(SearchInterrupted):
        study.run(budget=30)
    assert pool.closed == [True]


def test_candidates_that_were_running_can_be_abandoned(study_at, use_pool):
    """They have no outcome and do not count; the budget is filled by others."""
    problem = tiny()
    use_pool(InterruptedPool(problem, 4))
    with study_at(problem) as study:
        with pytest.raises(SearchInterrupted):
            study.run(budget=20, on_interrupt="abandon")
        left = {t.number for t in study.trials() if t.state == "running"}
        assert left
        use_pool(FakePool(problem, 4))
        result = study.run(budget=20, running="abandon")
        states = {t.number: t.state for t in study.trials()}
        assert study.verify()
    assert {n for n, state in states.items() if state == "abandoned"} == left
    assert len(states) == 20 + len(left)
    assert result.evaluations == 20


def test_an_objective_that_raises_ctrl_c_itself_is_not_swallowed(study_at):
    """Without a key pressed it is an error like any other that ends the process."""

    def evaluate(x):
        raise KeyboardInterrupt

    problem = dl.Problem(dl.Integer(0, 9), evaluate, ["a"])
    with study_at(problem) as study:
        with pytest.raises(KeyboardInterrupt):
            study.run(budget=3, workers=0)
        assert [t.state for t in study.trials()] == ["running"]


@pytest.mark.usefixtures("tiny_spaces_go_on")
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_the_file_is_reproduced(seed, ordered, study_at, use_pool):
    """Random failures, losses, interruptions, duplicates and sizes of the pool."""
    moods = random.Random(seed)
    problem = dl.Problem(dl.Binary(4), lambda x: (x.sum(), x[0] - x[1]), ["a", "b"])

    def behave(task):
        return moods.choice([None, None, "lost", "failed", "timed out", "infeasible"])

    evaluations = 0
    while evaluations < 40:
        pool = InterruptedPool(problem, moods.randint(1, 8), seed, behave)
        pool.at, pool.presses = moods.randint(1, 12), moods.randint(0, 2)
        use_pool(pool)
        with study_at(problem, ordered=ordered) as study:
            try:
                result = study.run(
                    budget=40,
                    retries=moods.randint(0, 2),
                    replicates=moods.randint(1, 3),
                    running=moods.choice(["rerun", "abandon"]),
                )
            except SearchInterrupted as stopped:
                result = stopped.result
            evaluations = result.evaluations
            counted = [t for t in study.trials() if t.state not in HAVE_NO_OUTCOME]
            assert study.verify()
            assert len(counted) == evaluations
            if "refused" in result.stopped:  # all 16 designs have failed
                break
            assert same_front(study.result(), result)


# --- limits and options


def test_a_run_needs_a_limit(study_at):
    """A study without an end is a mistake."""
    with pytest.raises(InputError, match="budget, seconds or stop"):
        study_at(tiny()).run(workers=0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"budget": 0},
        {"seconds": -1},
        {"stop": 3},
        {"retries": -1},
        {"replicates": 0},
        {"duplicates": "ask"},
        {"running": "stop"},
        {"on_interrupt": "wait"},
        {"callbacks": 3},
    ],
)
def test_wrong_options_are_named(wrong, study_at):
    """Before anything is begun."""
    study = study_at(tiny())
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        study.run(**({"budget": 5} | wrong), workers=0)
    assert study.trials() == []


def test_a_time_limit_needs_processes(study_at):
    """Here nothing can end an evaluation."""
    with pytest.raises(InputError, match="timeout needs worker processes"):
        study_at(tiny()).run(budget=5, workers=0, timeout=1)


def test_the_budget_counts_all_runs(study_at):
    """The same line again does nothing when all is done."""
    with study_at(tiny()) as study:
        study.run(budget=10, workers=0)
        result = study.run(budget=10, workers=0)
    assert result.evaluations == 10
    assert result.stopped == "all 10 evaluations made"


def test_limits_inside_stop_count_outcomes_too(study_at):
    """Although the optimizer learns of them later."""
    with study_at(tiny()) as study:
        result = study.run(stop=dl.MaxEvaluations(9) | dl.MaxSeconds(60), workers=0)
    assert result.evaluations == 9


def test_a_criterion_stops_the_study_at_the_same_place(study_at, use_pool):
    """It sees what the optimizer has learned, which no number of workers changes."""
    problem = tiny()
    results = []
    for size in (1, 5):
        use_pool(FakePool(problem, size))
        with study_at(problem, f"{size}.db") as study:
            stop = dl.HypervolumeStagnation(patience=20, start=10)
            results.append(study.run(budget=500, stop=stop))
    assert "hypervolume grew" in results[0].stopped
    assert same_front(*results)


def test_seconds_limit_this_run(study_at):
    """A second run with the same line goes on."""
    with study_at(tiny()) as study:
        first = study.run(seconds=0.3, workers=0, duplicates="rerun")
        second = study.run(seconds=0.3, workers=0, duplicates="rerun")
    assert second.evaluations > first.evaluations >= 1
    assert "time limit" in second.stopped


def test_running_out_of_candidates_ends_a_run(study_at, monkeypatch):
    """Every design of a small space has failed: there is nothing left to ask."""
    monkeypatch.setattr("divlearn.optimizer.steps.MAX_REFUSED", 200)

    def evaluate(x):
        if x > 0:
            raise dl.InvalidDesign("no")
        return 1.0, 2.0

    problem = dl.Problem(dl.Integer(0, 3), evaluate, ["a", "b"], valid=lambda x: x > 0)
    with study_at(problem, lag=1) as study:
        result = study.run(budget=50, workers=0)
        assert "refused" in result.stopped
        assert result.evaluations == 3
        assert study.verify()
        assert study.run(budget=50, workers=0).evaluations == 3


def test_an_error_in_valid_leaves_a_study_that_goes_on(study_at):
    """The candidate that could not be asked is asked again when it is repaired."""
    broken = [True]

    def valid(x):
        if broken[0] and x[0] >= 3:
            raise RuntimeError("typo")
        return True

    problem = tiny(valid=valid)
    with study_at(problem) as study:
        with pytest.raises(EvaluationError, match="typo") as caught:
            study.run(budget=60, workers=0)
        assert caught.value.result is not None
        broken[0] = False
        study.run(budget=60, workers=0)
        assert study.verify()


def test_workers_beyond_the_lag_are_warned_of(study_at, use_pool):
    """They would be paid for and do nothing."""
    problem = tiny()
    use_pool(FakePool(problem, 4))
    study = study_at(problem, lag=2)
    with pytest.warns(UserWarning, match="only 2 of 4 workers"):
        study.run(budget=6)


def test_progress_is_shown(study_at):
    """A display sees outcomes as they come."""
    seen = []

    class Display:
        def compiling(self, what, seconds):
            pass

        def start(self, optimizer, budget, seconds):
            seen.append((budget, optimizer.evaluations))

        def update(self, optimizer):
            seen.append((len(optimizer.front_objectives), optimizer.evaluations))

        def say(self, message):
            pass

        def finish(self):
            seen.append("end")

    with study_at(tiny()) as study:
        study.run(budget=12, workers=0, progress=Display())
    assert seen[0] == (12, 0)
    assert seen[1] == (1, 1)  # learned by the ninth only, but shown at once
    assert seen[-2][1] == 12
    assert seen[-1] == "end"


def test_a_display_counts_failures_and_hears_of_ctrl_c(study_at, use_pool):
    """Who waits for running evaluations to end wants to know what for."""
    problem, said = tiny(), []

    class Display(Silent):
        def update(self, optimizer):
            """Keep what is seen."""
            self.failed = optimizer.failed

        def say(self, message):
            """Keep what is said."""
            said.append(message)

    pool = use_pool(InterruptedPool(problem, 4, behave=first_times("failed", 1, 2)))
    pool.random.randint = lambda least, most: least  # one report at a time
    display = Display()
    with study_at(problem) as study, pytest.raises(SearchInterrupted):
        study.run(budget=30, progress=display)
    assert display.failed == 1
    (message,) = said
    assert message.startswith("Ctrl-C: 3 evaluations are running and will be finished")


def test_a_batch_is_evaluated_at_once_without_workers(study_at):
    """Up to lag candidates by one call; the front is that of one at a time."""

    class Together:
        """Two objectives of several solutions."""

        def __init__(self):
            self.batches = []

        def evaluate_batch(self, solutions):
            self.batches.append(len(solutions))
            return [tiny().evaluate(x) for x in solutions]

    together = Together()
    problem = dl.Problem(dl.Permutation(7), together, {"cost": "min", "gain": "max"})
    with study_at(problem, "together.db", lag=4) as study:
        result = study.run(budget=18, workers=0)
        assert study.verify()
    assert together.batches == [4, 4, 4, 4, 2]
    with study_at(tiny(), "alone.db", lag=4) as study:
        assert same_front(result, study.run(budget=18, workers=0))
