import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.basics.errors import DivlearnError, InputError
from divlearn.workers import Attempt, LocalPool, current_attempt
from divlearn.workers.crew import Worker
from divlearn.workers.evaluation import join, said_of_loss, split
from divlearn.workers.guard import run_copy
from divlearn.workers.local import QUICK
from divlearn.workers.system import descendants_of
from tests.workers.objectives import PROBLEM
from tests.workers.processes import running, runs, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks processes")
ROOT = Path(__file__).parent.parent.parent


def task(x, number=0, seed=None):
    """Make a task."""
    return Attempt(number, 0, 0, x, seed)


def run(pool, *deeds):
    """Submit deeds one after the other, and return the reports."""
    reports = []
    for number, x in enumerate(deeds):
        pool.submit(task(x, number))
        reports += pool.wait(None)
    return reports


@pytest.fixture(scope="module")
def pool():
    """A pool with one worker and a short limit, for all tests of this file."""
    pool = LocalPool(PROBLEM, workers=1, timeout=1.5)
    yield pool
    pool.close(kill=True)


@pytest.mark.parametrize(
    ("deed", "state", "words"),
    [
        ("hang", "timed out", "longer than 1.5 s"),
        ("hang deaf", "timed out", "longer than 1.5 s"),
        ("die", "lost", "exit code 7"),
        ("die by signal", "lost", "SIGKILL"),
        ("leave", "failed", r"sys.exit\(3\)"),
        ("refuse", "infeasible", "no such chip"),
        ("stumble", "failed", r"KeyError: 'watts' \(in stumble, objectives.py, line"),
        ("nan", "failed", "power must be a finite number"),
        ("infinite", "failed", "time must be a finite number"),
        ("few", "wrong shape", r"2 numbers \(time, power\), got 1"),
        ("none", "failed", "got"),
        ("text", "failed", "power must be a number, got 'many'"),
    ],
)
def test_whatever_an_objective_does_is_reported_and_the_next_one_is_evaluated(
    pool, deed, state, words
):
    """One bad design must not cost the night."""
    bad, good = run(pool, deed, "well")
    assert bad.state == state
    assert bad.outputs is None
    assert re.search(words, bad.message)
    assert (good.state, good.outputs, good.message) == ("ok", (1.0, 2.0), "")
    assert good.worker == "local-1"


def test_what_ended_is_reported_before_a_worker_that_cannot_start(monkeypatch):
    """An evaluation of hours is not lost because another worker is broken."""
    with LocalPool(PROBLEM, workers=2) as pool:
        first, second = pool._crew

        def refuse():
            first._seat.line.recv_bytes()
            raise DivlearnError("a worker process could not be started")

        monkeypatch.setattr(first, "_receive", refuse)
        for number in range(2):
            pool.submit(task("well", number))
        assert wait_until(lambda: first.line.poll() and second.line.poll())
        (report,) = pool.wait(None)
        assert (report.state, report.worker) == ("ok", "local-2")
        with pytest.raises(DivlearnError, match="could not be started"):
            pool.wait(None)
        pool.close(kill=True)


def test_an_objective_may_print_what_looks_like_an_answer(pool):
    """Answers go another way, so that nothing that is printed becomes one."""
    (report,) = run(pool, "shout")
    assert report.outputs == (1.0, 2.0)


def test_an_objective_that_forks_and_returns_twice_is_answered_once(pool):
    """The copy would otherwise speak for the evaluation after it."""
    first, second = run(pool, "twice", "well")
    assert (first.state, second.state) == ("ok", "ok")
    assert second.number == 1
    assert pool.wait(0.05) == []


def test_a_time_limit_ends_children_and_daemons_that_left_their_group():
    """A simulator that hangs has often started the program that really hangs."""
    with LocalPool(PROBLEM, workers=1, timeout=4) as pool:
        pool.submit(task("family"))
        assert wait_until(lambda: len(running()) == 2)
        (report,) = pool.wait(None)
    assert report.state == "timed out"
    assert running() == []


def test_a_worker_keeps_its_process_and_a_dead_one_is_replaced(pool):
    """The problem is set up once, not for each evaluation."""
    pids = [r.outputs and r.outputs[0] for r in run(pool, "pid", "pid", "die", "pid")]
    assert pids[0] == pids[1] != pids[3]
    assert os.getsid(int(pids[3])) != os.getsid(0)  # Ctrl-C does not reach it


def test_a_pool_may_be_made_by_any_thread():
    """Dashboards and notebooks run studies in threads, while others hold locks."""
    lock, states = threading.Lock(), []

    def study():
        """Use a pool."""
        with LocalPool(PROBLEM, workers=1) as pool:
            states.extend(r.state for r in run(pool, "well", "die", "shout"))

    with lock:
        threads = [threading.Thread(target=study) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(states) == ["lost", "lost", "ok", "ok", "ok", "ok"]


def test_a_seed_fixes_the_global_generators_whoever_evaluates(pool):
    """A study with noise that is run again meets the same noise."""

    def draw(seed):
        pool.submit(task("random", seed=seed))
        return pool.wait(None)[0].outputs

    first, other = draw(5), draw(6)
    run(pool, "die")
    assert draw(5) == first != other
    assert draw(None) != draw(None)


def test_any_value_of_any_space_arrives_as_it_was_declared():
    """Solutions travel as codes; the objective must see values, and its task."""
    seen = []
    space = dl.Composite(
        order=dl.Permutation(4),
        gate=dl.Categorical(["nand", ("nor", 2)]),
        bits=dl.Binary(3),
        some=dl.Subset(5, 2),
        width=dl.Ordinal([8, 16, 32], n=2),
    )

    def check(x):
        """Compare with what a sample of the same number is."""
        number = current_attempt().number
        expected = space.sample(seed=number)
        same = [np.array_equal(x[k], expected[k]) for k in space.parts]
        return (float(all(same) and type(x["gate"]) is type(expected["gate"])),)

    with LocalPool(dl.Problem(space, check, ["same"]), workers=2) as pool:
        for number in range(8):  # more than there are workers
            pool.submit(task(space.sample(seed=number), number, seed=2**70))
        while reports := pool.wait(None):
            seen += reports
    assert sorted(r.number for r in seen) == list(range(8))
    assert {r.outputs for r in seen} == {(1.0,)}
    assert {r.worker for r in seen} == {"local-1", "local-2"}


def test_a_solution_of_another_space_is_refused_where_it_is_submitted(pool):
    """Not in a worker, from where it would look like a failure."""
    with pytest.raises(InputError, match="is one of"):
        pool.submit(task("sulk"))


def test_waiting_ends_after_its_time_and_where_nothing_runs(pool):
    """A coordinator has other things to do."""
    assert pool.wait(None) == []
    pool.submit(task("hang"))
    assert pool.wait(0.01) == []
    assert pool.wait(None)[0].state == "timed out"


def test_closing_waits_for_what_runs_or_kills_it(tmp_path):
    """As the user chose when pressing Ctrl-C."""
    problem = dl.Problem(
        dl.Integer(0, 9999), lambda x: time.sleep(x / 10) or done.touch() or (x,), ["x"]
    )
    for kill, tenths in ((True, 9999), (False, 2)):
        done = tmp_path / f"{kill}"
        pool = LocalPool(problem)
        pool.submit(task(tenths))
        pool.wait(0.02)
        pool.close(kill)
        pool.close(kill)
        assert done.exists() == (not kill)
        with pytest.raises(DivlearnError, match="closed"):
            pool.submit(task(1))


def test_a_guard_that_is_killed_is_replaced_and_takes_its_runner_along():
    """Users end the processes that they see, whatever those are for."""
    with LocalPool(PROBLEM, workers=1) as pool:
        runner = int(run(pool, "pid")[0].outputs[0])
        stat = Path(f"/proc/{runner}/stat").read_text()
        pool.submit(task("hang"))
        os.kill(int(stat.rpartition(")")[2].split()[1]), 9)
        (report,) = pool.wait(None)
        assert report.state == "lost"
        assert "SIGKILL" in report.message
        assert wait_until(lambda: not runs(runner))
        assert run(pool, "well")[0].state == "ok"


@pytest.mark.parametrize(("deaths", "state"), [(3, "ok"), (4, None)])
def test_a_worker_that_is_killed_while_it_starts_is_replaced(
    deaths, state, monkeypatch, tmp_path
):
    """A night's study does not end because memory was short for a moment."""
    born = run_copy

    def stillborn(*arguments):
        """Die the first few times."""
        starts = len(list(tmp_path.iterdir()))
        (tmp_path / str(starts)).touch()
        if starts < deaths:
            os.kill(os.getpid(), 9)
        born(*arguments)

    monkeypatch.setattr("divlearn.workers.guard.run_copy", stillborn)
    with LocalPool(PROBLEM, workers=1) as pool:
        if state is None:
            with pytest.raises(DivlearnError, match=r"not be started.*SIGKILL"):
                run(pool, "well")
            pool.close(kill=True)
        else:
            assert [report.state for report in run(pool, "well")] == [state]


COORDINATOR = """
import sys, time
from divlearn.workers import LocalPool, Attempt
from tests.workers.objectives import PROBLEM
if __name__ == "__main__":
    pool = LocalPool(PROBLEM, workers=2, timeout=600, start=sys.argv[1])
    for number, deed in enumerate(sys.argv[3:]):
        pool.submit(Attempt(number, 0, 0, deed, None))
    if sys.argv[2] == "exit":
        print(pool.wait(None)[0].state)
    else:
        pool.wait(0.3)
        print("running", flush=True)
        time.sleep(600)
"""


def start_coordinator(folder, *arguments):
    """Start a process that has a pool."""
    script = Path(folder, "coordinator.py")
    script.write_text(COORDINATOR)
    return subprocess.Popen(
        [sys.executable, str(script), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_nothing_outlives_a_coordinator_that_is_killed(start, tmp_path):
    """A night's run that was killed must not hold the machine or the store."""
    process = start_coordinator(tmp_path, start, "stay", "family", "hang deaf")
    with process:
        assert process.stdout.readline() == "running\n"
        assert wait_until(lambda: len(running()) == 2)
        assert wait_until(lambda: len(descendants_of(process.pid)) >= 6)
        pids = descendants_of(process.pid)
        process.kill()
    assert wait_until(lambda: not running() and not any(map(runs, pids)))


def test_a_program_that_forgets_its_pool_ends_with_all_workers(tmp_path):
    """An interpreter that ends waits for nobody."""
    with start_coordinator(tmp_path, "spawn", "exit", "well", "hang") as process:
        assert process.communicate()[0] == "ok\n"
        assert process.returncode == 0
    assert wait_until(lambda: not running(tmp_path))


def test_spawned_workers_do_the_same():
    """Where processes cannot be forked, the reports are the same ones."""
    with LocalPool(PROBLEM, workers=1, timeout=1.5, start="spawn") as pool:
        reports = run(pool, "die", "stumble", "family")
    assert [r.state for r in reports] == ["lost", "failed", "timed out"]
    assert "exit code 7" in reports[0].message
    assert running() == []


def test_a_function_without_a_name_reaches_spawned_workers():
    """As one of a notebook, which no other process could load by its name."""
    pytest.importorskip("cloudpickle")
    problem = dl.Problem(dl.Integer(0, 9), lambda x: (x,), ["x"])
    with LocalPool(problem, start="spawn") as pool:
        pool.submit(Attempt(0, 0, 0, 4, None))
        assert pool.wait(None)[0].outputs == (4.0,)


def test_a_problem_that_cannot_be_sent_is_refused_before_anything_starts(monkeypatch):
    """The message says what to change."""
    monkeypatch.setattr("divlearn.workers.parcel.by_value", lambda: None)
    problem = dl.Problem(dl.Integer(0, 9), lambda x: (x,), ["x"])
    with pytest.raises(InputError, match=r"top of a module.*workers=0"):
        LocalPool(problem, start="spawn")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"workers": 0}, "workers must be"),
        ({"workers": 1.5}, "workers must be"),
        ({"timeout": 0}, "timeout must be"),
        ({"start": "frok"}, "Did you mean 'fork'"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    """As everywhere."""
    with pytest.raises(InputError, match=words):
        LocalPool(PROBLEM, **arguments)


def quickly(pool, count):
    """Evaluate so many, as far as there is room; the numbers that ended, and sizes."""
    left, under_way, ended, sizes = list(range(count)), 0, [], set()
    while left or under_way:
        while left and under_way < pool.size:
            pool.submit(task("well", left.pop(0), seed=3))
            under_way += 1
        reports = pool.wait(None)
        assert {report.state for report in reports} <= {"ok"}
        ended += [report.number for report in reports]
        under_way -= len(reports)
        sizes.add(pool.size)
    return ended, sizes


def test_quick_evaluations_travel_together(monkeypatch):
    """A message takes longer than they do; each still has a report of its own."""
    sent = []
    begin = Worker.begin
    monkeypatch.setattr(
        Worker,
        "begin",
        lambda self, work, m: sent.append(len(work)) or begin(self, work, m),
    )
    with LocalPool(PROBLEM, workers=2, batch=12) as pool:
        ended, sizes = quickly(pool, 60)
    assert sorted(ended) == list(range(60))
    assert sizes == {12}
    assert sent[0] == 1
    assert max(sent) == 4  # of twelve, so that some wait for who is done first
    assert len(sent) < 30


@pytest.mark.parametrize(("deed", "state"), [("die", "lost"), ("hang", "timed out")])
def test_only_the_one_that_did_it_is_lost_of_those_that_travel_together(deed, state):
    """A design that kills its process must not take others with it."""
    with LocalPool(PROBLEM, workers=1, batch=8, timeout=1.0) as pool:
        quickly(pool, 8)
        assert pool.size == 8
        for number, x in enumerate(["well", "well", deed, "well"]):
            pool.submit(task(x, number))
        reports = []
        while len(reports) < 4:
            reports += pool.wait(None)
        assert pool.size == 1
    found = {report.number: report.state for report in reports}
    assert found == {0: "ok", 1: "ok", 2: state, 3: "ok"}


def test_slow_evaluations_travel_alone():
    """Else one worker would wait while another has several to do."""
    problem = dl.Problem(dl.Integer(0, 9), slowly, ["x"])
    with LocalPool(problem, workers=2, batch=12) as pool:
        for number in range(4):
            pool.submit(task(number, number))
        done = 0
        while done < 4:
            done += len(pool.wait(None))
            assert pool.size == 2


def slowly(x):
    """Take longer than what counts as quick."""
    time.sleep(3 * QUICK)
    return (float(x),)


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_messages_that_were_joined_come_apart_again(messages):
    """And are never taken for the JSON of a process that died."""
    joined = join(messages)
    assert split(joined) == messages
    assert said_of_loss(joined) == ""
    if messages:
        with pytest.raises(ValueError, match="cut off"):
            split(joined + b"rest")
