"""``LocalPool``: worker processes on this machine."""

from __future__ import annotations

from collections import deque
from functools import partial
from multiprocessing import connection
from multiprocessing.util import Finalize
from typing import Self

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import DivlearnError
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.workers.base import Attempt
from divlearn.workers.crew import Worker, end_all, way_to_hire
from divlearn.workers.evaluation import (
    join,
    pack_attempt,
    read_end,
    said_of_loss,
    split,
)

#: Seconds under which evaluations are quick: several are sent in one message.
QUICK = 0.005
#: Share of the latest evaluation in the time that they usually take.
_LATEST = 0.1

#: What is to be evaluated, as bytes too.
Work = list[tuple[Attempt, bytes]]


class LocalPool:
    """Evaluate in processes on this machine, each with the problem set up once.

    An evaluation that takes longer than ``timeout`` is ended with every process that
    it started. A process that dies is replaced, and what it was doing is reported as
    lost. None of them outlives the process that made the pool, even if that is killed.
    What an objective prints goes to standard error.

    A message to a process and back takes a fraction of a millisecond. Evaluations that
    usually take less than 5 ms are therefore sent several at a time, as far as
    ``batch`` allows. If a process then dies or hangs, those that it had are evaluated
    again one by one, and so is everything after.

    Parameters
    ----------
    problem
        What to evaluate.
    workers
        Number of evaluations at once.
    timeout
        Seconds that an evaluation may take; None: as long as it likes.
    start
        ``"fork"``: processes are copies of this one, made at once, with any problem.
        ``"spawn"``: fresh interpreters; the problem must be one that pickle can send,
        and a script must call the study under ``if __name__ == "__main__":``. Default
        is ``"fork"`` on Linux and ``"spawn"`` elsewhere.
    batch
        Number of quick evaluations that may be under way, if more than ``workers``.

    Attributes
    ----------
    size
        Number of evaluations that may be under way: ``workers``, or ``batch`` once they
        are known to be quick.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.workers import Attempt, LocalPool
    >>> problem = dl.Problem(dl.Integer(1, 8), lambda x: (x * x,), ["square"])
    >>> with LocalPool(problem, workers=1, start="fork") as pool:
    ...     pool.submit(Attempt(0, 0, 0, 3, None))
    ...     pool.wait(None)[0].outputs
    (9.0,)
    """

    size: int
    problem: Problem

    def __init__(
        self,
        problem: Problem,
        workers: int = 1,
        timeout: float | None = None,
        start: str | None = None,
        batch: int = 1,
    ) -> None:
        require_problem(problem)
        self.size = self._workers = require_whole("workers", workers, 1)
        self._most = max(self.size, require_whole("batch", batch, 1))
        self._usual: float | None = None  # seconds of an evaluation
        self._at_once = 1  # evaluations in a message
        if timeout is not None:
            require_number("timeout", timeout, 0.001)
        self.problem, self._space = problem, problem.space
        self._waiting: deque[tuple[Attempt, bytes]] = deque()
        hire = way_to_hire(problem, timeout, start)
        self._crew: list[Worker] = []
        self._closed = False
        self._trouble: DivlearnError | None = None  # to be told after what has ended
        # Also where nobody closes the pool: a spawned process would be waited for.
        self._end = Finalize(self, end_all, (self._crew,), exitpriority=10)
        for k in range(self.size):
            self._crew.append(Worker(f"local-{k + 1}", hire))

    def submit(self, attempt: Attempt) -> None:
        """Give an evaluation to a free worker, or keep it until one is free."""
        if self._closed:
            raise DivlearnError("this pool of workers is closed; make a new one.")
        message = pack_attempt(attempt, self._space)  # raises if x is not of the space
        self._waiting.append((attempt, message))
        self._hand_out(self._at_once)

    def _hand_out(self, least: int = 1) -> None:
        """Give free workers what waits, if it is at least so many evaluations."""
        for worker in self._crew:
            if len(self._waiting) < least or not self._waiting:
                return
            if worker.work is None:
                count = min(self._at_once, len(self._waiting))
                work: Work = [self._waiting.popleft() for _ in range(count)]
                worker.begin(work, join([message for _, message in work]))

    def wait(self, timeout: float | None) -> list[Attempt]:
        """Return what has ended since; waits for one end, at most ``timeout`` s."""
        if self._trouble is not None:
            raise self._trouble
        self._hand_out()
        ended: list[Attempt] = []
        while not ended and self._trouble is None:
            busy = {one.line: one for one in self._crew if one.work is not None}
            ready = connection.wait(list(busy), timeout) if busy else []
            for line in ready:
                try:
                    ended += self._listen(busy[line])
                except DivlearnError as error:
                    self._trouble = error
            self._hand_out()
            if timeout is not None or not ready:
                break
        if self._trouble is not None and not ended:
            raise self._trouble
        for attempt in ended:
            self._note(attempt.seconds)
        return ended

    def _listen(self, worker: Worker) -> list[Attempt]:
        """What has ended at a worker; nothing if it has to be evaluated again."""
        work: Work = worker.work
        ended = worker.listen(partial(_read_ends, work, worker=worker.name))
        if ended is not None:
            return ended
        # One of them did it, and only alone can it tell which.
        self._waiting.extendleft(reversed(work))
        self._most = self.size = self._workers
        self._at_once = 1
        return []

    def _note(self, seconds: float) -> None:
        """Learn from an evaluation whether they are quick."""
        usual = seconds if self._usual is None else self._usual
        self._usual = usual + _LATEST * (seconds - usual)
        quick = self._usual < QUICK and self._most > self._workers
        self.size = self._most if quick else self._workers
        # So that something waits for whoever is the first to be done.
        self._at_once = -(-self._most // (self._workers + 1)) if quick else 1

    def close(self, kill: bool = False) -> None:
        """End all processes; without ``kill`` when what runs is done."""
        self._waiting.clear()
        try:
            while not kill and not self._closed and self.wait(None):
                pass
        finally:
            self._closed = True
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *reason: object) -> None:
        self.close(kill=kind is not None)


def _read_ends(work: Work, message: bytes, worker: str) -> list[Attempt] | None:
    """Say of evaluations how they ended; None if nobody knows of which one."""
    if said_of_loss(message):
        if len(work) > 1:
            return None
        return [read_end(work[0][0], message, worker)]
    ends = split(message)
    if len(ends) != len(work):
        raise ValueError(f"{len(ends)} answers to {len(work)} questions")
    pairs = zip(work, ends, strict=True)
    return [read_end(attempt, end, worker) for (attempt, _), end in pairs]
