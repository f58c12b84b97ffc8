import os

import pytest

from divlearn.errors import DivlearnError
from divlearn.lab.bench.pool import LOOK_AHEAD, _hire, _next_job, run_jobs
from divlearn.lab.bench.task import Case, Contender, Task


def task(instance, name="bitsp-8", settings=None, kind=Task):
    """Make a task."""
    return kind(Case(name), instance, Contender("uniform", settings or {}), 0, 60)


class Deadly(Task):
    """A task that ends the process that receives it."""

    def __reduce__(self):
        """Instead of a task, the receiver makes an end."""
        return os._exit, (7,)


def test_a_process_that_dies_takes_no_other_run_with_it():
    """Memory may run out in the middle of a night."""
    jobs = [task(0), task(1, kind=Deadly), task(2, "bitsp-1"), task(3)]
    outcomes = {job.instance: outcome for job, outcome in run_jobs(jobs, 1)}
    assert [outcomes[k].state for k in range(4)] == ["ok", "failed", "failed", "ok"]
    assert "ended with code 7" in outcomes[1].message
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
    monkeypatch.setattr("divlearn.lab.bench.pool.serve", os.getpid)  # no arguments
    with pytest.raises(DivlearnError, match="__main__"):
        list(run_jobs([task(0)], 1))


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_a_process_that_is_killed_while_it_starts_is_replaced(monkeypatch):
    """A night's benchmark does not end because memory was short for a moment."""
    deaths = 0

    def hire(false_starts=0):
        """Start a process, and kill it a few times."""
        nonlocal deaths
        worker = _hire(false_starts)
        if deaths < most:
            deaths += 1
            worker.process.kill()
        return worker

    monkeypatch.setattr("divlearn.lab.bench.pool._hire", hire)
    most = 3
    assert [outcome.state for _, outcome in run_jobs([task(0)], 1)] == ["ok"]
    deaths, most = 0, 4
    with pytest.raises(DivlearnError, match=r"not be started.*SIGKILL"):
        list(run_jobs([task(0)], 1))


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
