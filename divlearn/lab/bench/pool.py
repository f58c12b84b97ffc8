"""Jobs in the worker processes of studies, one at a time in each."""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import connection
from typing import Any

from divlearn.lab.bench.record import FAILED, Outcome
from divlearn.lab.bench.task import Job
from divlearn.workers.crew import Anew, Worker, end_all
from divlearn.workers.evaluation import said_of_loss
from divlearn.workers.guard import end_with_parent, serve
from divlearn.workers.processes import Process, Spawned, making

#: A run gets one core; libraries would otherwise start a thread per core each.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
#: How many jobs ahead one on the same instance is looked for.
LOOK_AHEAD = 32


def run_jobs(jobs: Iterable[Job], workers: int) -> Iterator[tuple[Job, Outcome]]:
    """Do jobs in several processes, yielding each one as it is done.

    The processes are started anew, not forked, and live until all jobs are done. Where
    one dies, its job has failed, and another process takes its place. They end with
    the process that started them, whatever ends it.

    Parameters
    ----------
    jobs
        What to do, in this order.
    workers
        Number of processes.

    Yields
    ------
    Jobs with their outcomes, in the order in which they are done.
    """
    waiting = deque(jobs)
    crew: list[Worker] = []
    places: dict[Worker, tuple[str, int]] = {}
    try:
        for k in range(min(workers, len(waiting))):
            crew.append(Worker(f"bench-{k + 1}", partial(Anew, _start, None)))
            _go_on(crew[-1], waiting, places)
        while crew:
            for line in connection.wait([worker.line for worker in crew]):
                worker = next(w for w in crew if w.line is line)
                job, outcome = worker.work, worker.listen(_outcome)
                # The next job first: while this one is written, the worker works.
                if waiting:
                    _go_on(worker, waiting, places)
                else:
                    crew.remove(worker)
                    end_all([worker])
                yield job, outcome
    finally:
        end_all(crew)


def _go_on(
    worker: Worker, waiting: deque[Job], places: dict[Worker, tuple[str, int]]
) -> None:
    """Give a worker its next job."""
    others = {place for other, place in places.items() if other is not worker}
    job = _next_job(waiting, places.get(worker), others)
    places[worker] = _place(job)
    worker.begin(job, pickle.dumps(job))


def _next_job(
    waiting: deque[Job], place: tuple[str, int] | None, others: set[Any]
) -> Job:
    """Take one of the next jobs: best on the instance that a worker has at hand.

    Else on one that no other worker has, so that an instance is made by one of them.
    """
    ahead = [_place(waiting[k]) for k in range(min(LOOK_AHEAD, len(waiting)))]
    chosen = next((k for k, found in enumerate(ahead) if found == place), None)
    if chosen is None:
        chosen = next((k for k, found in enumerate(ahead) if found not in others), 0)
    job = waiting[chosen]
    del waiting[chosen]
    return job


def _place(job: Job) -> tuple[str, int]:
    """The instance of a job."""
    return job.case.label, job.instance


def _outcome(message: bytes) -> Outcome:
    """Read what came of a job, or that its process died."""
    loss = said_of_loss(message)
    if not loss:
        outcome: Outcome = pickle.loads(message)
        return outcome
    return Outcome(FAILED, f"{loss}. Fewer --workers leave more memory to each.")


def _start() -> Process:
    """Start a process that uses one thread."""
    with making(), _one_thread_each():
        return Spawned(work)


def work(line: Any) -> None:
    """Do the jobs that come over the line until it is closed: a worker's whole life."""
    end_with_parent(line)
    serve(line, _performed)


def _performed(message: bytes) -> bytes:
    """Do one job."""
    from divlearn.lab.bench.work import perform

    return pickle.dumps(perform(pickle.loads(message)))


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes that are started meanwhile use one thread, unless set already."""
    added = [name for name in THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
