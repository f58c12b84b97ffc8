import os
import signal
import subprocess
from pathlib import Path

import pytest

from divlearn.basics.errors import DivlearnError
from divlearn.lab.bench.pool import LOOK_AHEAD, _next_job, run_jobs
from divlearn.lab.bench.task import Case, Contender, Task
from divlearn.workers.processes import Spawned
from tests.workers.processes import runs, wait_until


def task(instance, name="bitsp-8", settings=None, kind=Task):
    """Make a task."""
    return kind(Case(name), instance, Contender("uniform", settings or {}), 0, 60)


class Deadly(Task):
    """A task that ends the process that receives it."""

    def __reduce__(self):
        """Instead of a task, the receiver makes an end."""
        return os._exit, (7,)


class Starting(Task):
    """A task that starts a program before it ends the process that receives it."""

    def __reduce__(self):
        """Instead of a task, the receiver starts something and makes an end."""
        return _start_and_die, ()


def _start_and_die():
    """Leave a sleeping program behind."""
    sleeper = subprocess.Popen(["sleep", "600"], start_new_session=True)
    Path(os.environ["DIVLEARN_TEST_PIDS"]).write_text(str(sleeper.pid))
    os._exit(7)


def test_a_process_that_dies_takes_no_other_run_with_it():
    """Memory may run out in the middle of a night."""
    jobs = [task(0), task(1, kind=Deadly), task(2, "bitsp-1"), task(3)]
    outcomes = {job.instance: outcome for job, outcome in run_jobs(jobs, 1)}
    assert [outcomes[k].state for k in range(4)] == ["ok", "failed", "failed", "ok"]
    assert "ended with exit code 7" in outcomes[1].message
    assert "size of bitsp-N" in outcomes[2].message
    assert "Traceback" in outcomes[2].details


def test_processes_end_with_the_loop_over_their_results():
    """Whoever stops looking must not leave workers behind."""
    import multiprocessing

    running = run_jobs([task(k) for k in range(50)], 1)
    next(running)
    assert multiprocessing.active_children()
    running.close()
    assert not multiprocessing.active_children()


def test_a_process_that_cannot_start_is_an_error_and_no_failed_run(monkeypatch):
    """Otherwise every run of a suite would be stored as failed."""
    monkeypatch.setattr("divlearn.lab.bench.pool.work", os.getpid)  # no arguments
    with pytest.raises(DivlearnError, match="__main__"):
        list(run_jobs([task(0)], 1))


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_a_process_that_is_killed_while_it_starts_is_replaced(monkeypatch):
    """A night's benchmark does not end because memory was short for a moment."""
    deaths = 0

    def start(function):
        """Start a process, and kill it a few times."""
        nonlocal deaths
        process = Spawned(function)
        if deaths < most:
            deaths += 1
            os.kill(process.pid, signal.SIGKILL)
        return process

    monkeypatch.setattr("divlearn.lab.bench.pool.Spawned", start)
    most = 3
    assert [outcome.state for _, outcome in run_jobs([task(0)], 1)] == ["ok"]
    deaths, most = 0, 4
    with pytest.raises(DivlearnError, match=r"not be started.*SIGKILL"):
        list(run_jobs([task(0)], 1))


def test_nothing_that_a_run_started_outlives_it(tmp_path):
    """A method may start programs of its own; they end with its process."""
    jobs = [task(0, kind=Starting), task(1)]
    os.environ["DIVLEARN_TEST_PIDS"] = str(tmp_path / "pid")
    try:
        assert len(list(run_jobs(jobs, 1))) == 2
    finally:
        del os.environ["DIVLEARN_TEST_PIDS"]
    started = int((tmp_path / "pid").read_text())
    assert wait_until(lambda: not runs(started))


def test_a_worker_goes_on_with_the_instance_that_it_has():
    """Else it takes one that no other has: an instance is made once, not by each."""
    from collections import deque

    jobs = [task(0), task(0, settings={"sweeps": 2}), task(1), task(2)]
    here = ("bitsp-8", 2)
    assert _next_job(deque(jobs), here, set()) == jobs[3]
    assert _next_job(deque(jobs), None, {("bitsp-8", 0)}) == jobs[2]
    assert _next_job(deque(jobs[:2]), None, {("bitsp-8", 0)}) == jobs[0]
    far = deque([task(0)] * LOOK_AHEAD + [task(2)])
    assert _next_job(far, here, set()).instance == 0
