import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from divlearn.simulator.process import SimulatorProcess
from divlearn.workers import Attempt, LocalPool
from divlearn.workers.base import OutOfTime
from divlearn.workers.evaluation import evaluate
from tests.workers.processes import running, runs, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes")


@pytest.fixture
def problem(study):
    """A simulator that stays."""
    study.command = '["{python}", "{here}/sim.py", "lines"]'
    study.evaluate = 'protocol = "lines"\ntimeout = 5.0\nmax_output = 1000'
    return study.problem()


def do(problem, deed, seed=None):
    """Evaluate a design as a worker does."""
    return evaluate(problem, Attempt(0, 0, 0, {"deed": deed, "width": 2}, seed))


def test_one_process_answers_many_evaluations(problem):
    """It may have loaded gigabytes; starting it for each design would cost hours."""
    answers = [do(problem, "well") for _ in range(3)]
    pids = {int(answer.outputs[0]) for answer in answers}
    assert len(pids) == 1
    assert {answer.outputs[1] for answer in answers} == {4.0}
    assert do(problem, "infeasible").state == "infeasible"
    assert do(problem, "well").outputs[0] in pids
    assert do(problem, "seed", seed=5).outputs[1] == 5.0
    (pid,) = pids
    problem._function.__self__._own = threading.local()  # nobody holds it any more
    assert wait_until(lambda: not runs(pid))


@pytest.mark.parametrize(
    ("deed", "state", "words"),
    [
        ("exit", "failed", "half a result"),
        ("garbage", "failed", "but ends in 'Segmentation"),
        ("few", "wrong shape", "the answer lacks 'area'"),
        ("flood", "failed", "more than 1,000 bytes"),
        ("family", "timed out", "did not answer within 5 s"),
        ("error", "failed", "table missing"),
    ],
)
def test_after_a_failure_another_process_answers(study, problem, deed, state, words):
    """What it says later could otherwise be taken for the answer to another design."""
    before = do(problem, "well").outputs[0]
    bad = do(problem, deed)
    assert bad.state == state
    assert words in bad.message
    after = do(problem, "well")
    assert after.state == "ok"
    assert after.outputs[0] != before
    assert str(study.kept[0]) in bad.message or str(study.kept[1]) in bad.message
    assert wait_until(lambda: not runs(int(before)))
    assert wait_until(lambda: not running())


def test_a_second_line_is_never_the_answer_to_another_design(problem):
    """All values after it would belong to the design before."""
    first = do(problem, "twice")
    assert first.state == "ok"
    speaker = problem._function.__self__._own.speaker
    assert wait_until(lambda: not speaker._answers.empty())
    second = do(problem, "well")
    assert second.state == "failed"
    assert "one line for each line that it reads, got one more" in second.message
    assert do(problem, "well").outputs[0] != first.outputs[0]


def test_empty_lines_say_nothing(problem):
    """Some programs print one after each line."""
    answers = [do(problem, "spaced") for _ in range(3)]
    assert [answer.state for answer in answers] == ["ok"] * 3
    assert len({answer.outputs[0] for answer in answers}) == 1


def test_a_process_that_ended_between_two_evaluations_is_started_again(problem):
    """Its end concerns no design: neither the one before nor the one after."""
    first = do(problem, "once")
    assert wait_until(lambda: not runs(int(first.outputs[0])))
    second = do(problem, "once")
    assert (first.state, second.state) == ("ok", "ok")
    assert first.outputs[0] != second.outputs[0]


def test_a_process_that_does_not_read_its_input_runs_out_of_time(study):
    """A design that is larger than a pipe would otherwise be written for ever."""
    study.command = """["/bin/sh", "-c", "sleep 600"]"""
    study.evaluate = 'protocol = "lines"\ntimeout = 0.3'
    problem = study.problem()
    large = problem._function.__self__._speaker()
    with pytest.raises(OutOfTime, match="did not answer within"):
        large.ask(b"x" * 1_000_000, 0.3)
    large.end(failed=False)


def test_a_process_that_dies_says_how(study, problem):
    """With the end of what it wrote."""
    study.command = """["/bin/sh", "-c", "echo no memory >&2; exit 3"]"""
    answer = do(study.problem(), "well")
    assert answer.state == "failed"
    assert "exit code 3 without an answer; it said: no memory" in answer.message


def test_every_worker_has_a_process_of_its_own(problem):
    """And none outlives the pool."""
    do(problem, "well")  # one of this process, which workers must not use
    copy = pickle.loads(pickle.dumps(problem))
    pids = set()
    for start in ("fork", "spawn"):
        with LocalPool(problem if start == "fork" else copy, 1, start=start) as pool:
            for number in range(2):
                pool.submit(Attempt(number, 0, 0, {"deed": "well", "width": 1}, None))
            while reports := pool.wait(None):
                pids |= {int(r.outputs[0]) for r in reports}
    assert len(pids) == 2
    assert int(do(problem, "well").outputs[0]) not in pids
    assert wait_until(lambda: not any(map(runs, pids)))


@pytest.mark.parametrize("_", range(20))
def test_the_end_of_a_process_is_seen_by_every_thread_that_looks_at_once(_, tmp_path):
    """Of threads that ask the system at once, only one is answered."""
    process = SimulatorProcess(["/bin/true"], tmp_path, {})
    assert wait_until(lambda: not runs(process.process.pid))
    process.process.returncode = None  # readers may have noticed already
    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(lambda _: process.ended(), range(8)))
    assert seen == [True] * 8
    process.close()
