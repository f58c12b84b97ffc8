"""Worker processes that do one job at a time, and may die without harm to others."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from divlearn.errors import DivlearnError
from divlearn.lab.bench.record import FAILED, Outcome
from divlearn.lab.bench.task import Job

#: A run gets one core; libraries would otherwise start a thread per core each.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
#: How many jobs ahead one on the same instance is looked for.
LOOK_AHEAD = 32
#: Seconds that a worker without work may take to end by itself.
PATIENCE = 5.0
#: How often in a row a process may be killed before it takes its first job.
MAX_FALSE_STARTS = 3


@dataclass
class _Worker:
    """A process, the line to it, the job that it is doing and on which instance.

    ``false_starts`` counts those before it that were killed while they started.
    """

    process: BaseProcess
    line: Any
    false_starts: int = 0
    job: Job | None = None
    place: tuple[str, int] | None = None

    @property
    def may_be_replaced(self) -> bool:
        """Whether it was killed, and not yet too often; others would end again."""
        code = self.process.exitcode
        return code is not None and code < 0 and self.false_starts < MAX_FALSE_STARTS

    def assign(self, job: Job) -> None:
        """Give it a job. Where it has just died, the line will say so."""
        self.job, self.place = job, _place(job)
        with suppress(OSError):
            self.line.send(job)

    def end(self, patience: float) -> None:
        """Let it go, by force if it stays."""
        self.line.close()
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.process.close()


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
    crew: list[_Worker] = []
    try:
        for _ in range(min(workers, len(waiting))):
            crew.append(_hire())
        while crew:
            for line in connection.wait([worker.line for worker in crew]):
                worker = next(w for w in crew if w.line is line)
                job, worker.job = worker.job, None
                outcome = _receive(worker, job)
                # The next job first: while this one is written, the worker works.
                _go_on(worker, waiting, crew)
                if job is not None:
                    yield job, outcome
    finally:
        for worker in crew:
            worker.end(patience=0.0)


def _go_on(worker: _Worker, waiting: deque[Job], crew: list[_Worker]) -> None:
    """Give a worker its next job, replace a dead one, let an idle one go."""
    dead = worker.process.exitcode is not None or worker.line.closed
    if waiting and not dead:
        others = {other.place for other in crew if other is not worker}
        worker.assign(_next_job(waiting, worker.place, others))
        return
    crew.remove(worker)
    worker.end(PATIENCE)
    if waiting:
        crew.append(_hire(worker.false_starts + 1 if worker.place is None else 0))


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


def _receive(worker: _Worker, job: Job | None) -> Outcome:
    """Take an outcome; the first message of a worker says only that it is there."""
    try:
        outcome: Outcome = worker.line.recv()
        return outcome
    except (EOFError, OSError):
        worker.line.close()
        worker.process.join(PATIENCE)
    how = _how_it_ended(worker.process.exitcode)
    if job is None and not worker.may_be_replaced:
        raise DivlearnError(
            f"a worker process could not be started: it {how}. In a script, call the "
            "benchmark under 'if __name__ == \"__main__\":'; else see what the process "
            "wrote above."
        )
    return Outcome(
        FAILED,
        f"the process of this run {how}; memory may have run out. Fewer --workers "
        "leave more to each.",
    )


def _how_it_ended(code: int | None) -> str:
    """Say how a process ended."""
    if code is not None and code < 0:
        return f"was ended by signal {-code} ({signal.Signals(-code).name})"
    return f"ended with code {code}"


def _hire(false_starts: int = 0) -> _Worker:
    """Start a process, after so many that were killed while they started."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    with _one_thread_each(), _deaf_to_interrupts():
        process.start()
    theirs.close()
    return _Worker(process, ours, false_starts)


def serve(line: Connection) -> None:
    """Do the jobs that come over the line until it is closed: a worker's whole life."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # what a method prints must not get between lines of JSON
    from divlearn.lab.bench.work import perform

    with suppress(EOFError, OSError):  # the line is closed: no more work
        line.send(Outcome("ready"))
        while True:
            line.send(perform(line.recv()))


def _end_with_parent() -> None:
    """End this process when the one that started it has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


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


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started meanwhile ignore Ctrl-C, which is for us."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
