"""``LocalPool``: worker processes on this machine."""

from __future__ import annotations

from collections import deque
from functools import partial
from multiprocessing import connection
from multiprocessing.util import Finalize
from typing import Self

from divlearn.basics.checks import require_number, require_whole
from divlearn.errors import DivlearnError
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.workers.base import Attempt
from divlearn.workers.crew import Worker, end_all, way_to_hire
from divlearn.workers.evaluation import pack_attempt, read_end


class LocalPool:
    """Evaluate in processes on this machine, each with the problem set up once.

    An evaluation that takes longer than ``timeout`` is ended with every process that
    it started. A process that dies is replaced, and what it was doing is reported as
    lost. None of them outlives the process that made the pool, even if that is killed.
    What an objective prints goes to standard error.

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

    def __init__(
        self,
        problem: Problem,
        workers: int = 1,
        timeout: float | None = None,
        start: str | None = None,
    ) -> None:
        require_problem(problem)
        self.size = require_whole("workers", workers, 1)
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
        free = next((w for w in self._crew if w.work is None), None)
        if free is None:
            self._waiting.append((attempt, message))
        else:
            free.begin(attempt, message)

    def wait(self, timeout: float | None) -> list[Attempt]:
        """Return what has ended since; waits for one end, at most ``timeout`` s."""
        if self._trouble is not None:
            raise self._trouble
        busy = {worker.line: worker for worker in self._crew if worker.work is not None}
        ended: list[Attempt] = []
        for line in connection.wait(list(busy), timeout) if busy else ():
            worker = busy[line]
            try:
                read = partial(read_end, worker.work, worker=worker.name)
                ended.append(worker.listen(read))
            except DivlearnError as error:
                self._trouble = error
                continue
            if self._waiting:
                worker.begin(*self._waiting.popleft())
        if self._trouble is not None and not ended:
            raise self._trouble
        return ended

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
