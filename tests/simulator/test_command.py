import os
import pickle
import signal
import sys
import threading

import pytest

import divlearn as dl
from divlearn.workers import Attempt, LocalPool
from divlearn.workers.base import working_on
from divlearn.workers.evaluation import evaluate
from tests.workers.processes import running, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes")


def do(problem, deed, width=2, **task):
    """Evaluate a design as a worker does."""
    given = {"number": 3, "attempt": 1, "replicate": 0, "seed": None, **task}
    return evaluate(problem, Attempt(x={"deed": deed, "width": width}, **given))


def test_a_command_is_an_objective_like_any_other(study):
    """The design goes in as JSON; the last line that comes out holds the metrics."""
    problem = study.problem()
    assert problem.evaluate({"deed": "well", "width": 4}).tolist() == [2.0, 16.0]
    assert study.kept == []


def test_solve_takes_it(study):
    """Nothing in the library has to know that another program evaluates."""
    study.command = """["printf", '{"time": 1, "area": 2.5 }']"""
    result = dl.solve(study.problem(), budget=6, method="uniform", seed=0)
    assert result.F.tolist() == [[1.0, 2.5]]
    assert result.evaluations == 6


@pytest.mark.parametrize(
    ("deed", "state", "words"),
    [
        ("exit", "failed", "exit code 4; it said: first\nno licence left; its files"),
        ("garbage", "failed", '{"time": 1.0, "area": 1.0}, but ends in \'Segmentation'),
        ("file", "failed", "standard output must end with the metrics"),
        ("few", "wrong shape", "standard output lacks 'area'"),
        ("nan", "failed", "the metric 'time' must be a finite number"),
        ("huge", "failed", "the metric 'time' must be a finite number"),
        ("text", "failed", "the metric 'time' must be a number, got 'fast'"),
        ("true", "failed", "the metric 'time' must be a number, got True"),
        ("list", "wrong shape", "JSON object"),
        ("error", "failed", "the simulator reports: table missing"),
        ("flood", "failed", "more than 1,000,000 bytes"),
        ("hang", "timed out", "longer than 0.5 s"),
        ("infeasible", "infeasible", "does not fit"),
    ],
)
def test_whatever_a_simulator_does_is_told_in_words(study, deed, state, words):
    """And where its files are, unless it said itself that the design is no good."""
    study.evaluate = "timeout = 0.5" if deed == "hang" else ""
    answer = do(study.problem(), deed)
    assert answer.state == state
    assert words in answer.message
    if state == "infeasible":
        assert study.kept == []
    else:
        (kept,) = study.kept
        assert str(kept) in answer.message
        assert kept.name.startswith("000003-1-0-")
        names = {"design.json", "stdout.txt", "stderr.txt"}
        assert names <= {file.name for file in kept.iterdir()}
        if deed == "exit":
            assert (kept / "stdout.txt").read_text() == "half a result\n"


@pytest.mark.parametrize("deed", ["family", "orphan"])
def test_all_that_a_simulator_started_ends_with_its_evaluation(study, deed):
    """Also what left its group, and also when it succeeded."""
    study.evaluate = f"timeout = {1.0 if deed == 'family' else 10.0}"
    answer = do(study.problem(), deed)
    assert answer.state == ("ok" if deed == "orphan" else "timed out")
    assert wait_until(lambda: not running())


@pytest.fixture
def ending_what_is_left():
    """Kill what a simulator left behind for good."""
    yield
    for pid in running():
        os.kill(pid, signal.SIGKILL)


@pytest.mark.usefixtures("ending_what_is_left")
@pytest.mark.parametrize("protocol", ["command", "lines"])
def test_a_detached_process_that_keeps_the_output_does_not_hold_an_answer(
    study, protocol
):
    """The pipe stays open for ten minutes, but who was asked has answered and ended."""
    if protocol == "lines":
        study.command = '["{python}", "{here}/sim.py", "lines", "once"]'
    study.evaluate = f'timeout = 60\nprotocol = "{protocol}"'
    problem = study.problem()
    before = threading.active_count()
    answer = do(problem, "detached")
    assert answer.state == "ok"
    assert running()  # it is still there, with the pipe in its hands
    if protocol == "command":
        assert wait_until(lambda: threading.active_count() <= before)
    else:  # a process that died without a word is noticed as well
        assert do(problem, "hangup").state == "failed"


@pytest.mark.parametrize(
    ("keep", "good", "bad"), [("failures", 0, 1), ("always", 1, 1), ("never", 0, 0)]
)
def test_directories_stay_as_was_chosen(study, keep, good, bad):
    """Failures by default: those are looked at."""
    study.evaluate = f'keep = "{keep}"'
    problem = study.problem()
    do(problem, "well")
    assert len(study.kept) == good
    answer = do(problem, "few")
    assert len(study.kept) == good + bad
    assert ("its files are in" in answer.message) == bool(bad)


def test_metrics_may_come_from_a_file_that_is_no_link(study):
    """A link would let a simulator show us any file of ours."""
    study.evaluate = 'metrics = "file"\nkeep = "always"'
    problem = study.problem()
    assert do(problem, "file").outputs == (4.0, 4.0)
    assert not (study.kept[0] / "stdout.txt").is_symlink()
    link = do(problem, "link")
    assert link.state == "failed"
    assert "left no file metrics.json" in link.message
    assert "left no file metrics.json" in do(problem, "well").message


def test_a_command_gets_paths_seed_and_environment(study):
    """Words in braces are the only ones that are replaced, and never by a design."""
    study.command = '["{python}", "{here}/sim.py", "{design}", "{directory}", "{seed}"]'
    study.evaluate = 'environment = {KIND = "$HOME"}'
    answer = do(study.problem(), "arguments", seed=5)
    assert answer.outputs == (1.0, 5.0 + 5.0 + len("$HOME"))


def test_a_simulator_gets_only_the_variables_that_were_chosen(study, monkeypatch):
    """Secrets of the shell stay there; without a list it gets all."""
    monkeypatch.setenv("PASSWORD", "secret")
    monkeypatch.setenv("LICENCE", "here")
    study.command = """["printenv"]"""
    study.evaluate = 'inherit = ["LICENCE", "NOT_SET"]\nenvironment = {A = "1"}'
    program = study.problem().program
    assert program.variables() == {"LICENCE": "here", "A": "1"}
    assert do(study.problem(), "well").message.startswith("standard output must end")
    study.evaluate = "inherit = []"
    assert study.problem().program.variables() == {}
    study.evaluate = ""
    assert study.problem().program.variables()["PASSWORD"] == "secret"


def test_a_time_limit_of_any_length_works(study):
    """No system waits for 1e300 seconds, and nobody wants it to."""
    study.evaluate = "timeout = 1e300"
    assert do(study.problem(), "well").state == "ok"
    study.command = '["{python}", "{here}/sim.py", "lines"]'
    study.evaluate = 'timeout = 1e300\nprotocol = "lines"'
    problem = study.problem()
    assert do(problem, "well").state == "ok"
    with LocalPool(problem, 1, timeout=1e300) as pool:
        pool.submit(Attempt(0, 0, 0, {"deed": "well", "width": 2}, None))
        assert [report.state for report in pool.wait(None)] == ["ok"]


def test_a_program_that_vanished_is_a_failure_with_its_name(study, tmp_path):
    """It was there when the study began."""
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    study.command = '["./tool"]'
    problem = study.problem()
    tool.unlink()
    answer = do(problem, "well")
    assert answer.state == "failed"
    assert "tool' cannot be started (No such file" in answer.message


def test_a_directory_that_cannot_be_made_is_a_failure_with_its_name(study, tmp_path):
    """Disks fill up in the night."""
    (tmp_path / "chip-evaluations").write_text("in the way")
    assert "no directory can be made" in do(study.problem(), "well").message


def test_workers_run_commands_and_survive_them(study):
    """A problem that another program evaluates can also be sent by pickle."""
    study.evaluate = "timeout = 5.0"
    problem = pickle.loads(pickle.dumps(study.problem()))
    deeds = ("well", "hang", "exit", "infeasible")
    with LocalPool(problem, workers=2) as pool:
        for number, deed in enumerate(deeds):
            pool.submit(Attempt(number, 0, 0, {"deed": deed, "width": 1}, None))
        states = {}
        while reports := pool.wait(None):
            states |= {r.x["deed"]: r.state for r in reports}
    expected = ("ok", "timed out", "failed", "infeasible")
    assert states == dict(zip(deeds, expected, strict=True))
    assert len(study.kept) == 2


def test_a_seed_reaches_a_command_only_where_there_is_one(study):
    """Outside of a study nothing is added to the environment."""
    problem = study.problem()
    assert "DIVLEARN_SEED" not in problem.program.variables()
    with working_on(Attempt(0, 0, 0, None, 7)):
        assert problem.program.variables()["DIVLEARN_SEED"] == "7"
    assert "DIVLEARN_SEED" not in os.environ
