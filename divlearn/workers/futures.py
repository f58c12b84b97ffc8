"""Pools over futures: who works on what, for how long, and who hangs."""

from __future__ import annotations

import os
import queue
import socket
import time
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import DivlearnError, InputError
from divlearn.basics.text import said_by
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.workers.base import LOST, TIMED_OUT, Attempt
from divlearn.workers.evaluation import (
    evaluate,
    pack_attempt,
    pack_end,
    read_end,
    unpack_attempt,
)
from divlearn.workers.parcel import INSTALL, Parcel, by_name_only

#: Seconds that count as forever, and that any system accepts.
_LONG = 3_600.0


@dataclass
class _Running:
    """An evaluation that was handed on; ``late`` once it has been given up."""

    attempt: Attempt
    start: float
    late: bool = False
    future: Any = None


class FuturePool(ABC):
    """A pool over something that returns futures.

    A task that does not answer within ``timeout`` is reported and given up. Unless the
    executor can end it, it goes on holding its place: as many tasks as there are free
    places are handed on, so that none of them waits behind one that hangs.

    Parameters
    ----------
    problem
        What to evaluate.
    size
        Number of evaluations at once.
    timeout
        Seconds from handing a task on until it is given up.
    """

    problem: Problem

    def __init__(self, problem: Problem, size: int, timeout: float | None) -> None:
        require_problem(problem)
        self.size: int = require_whole("size", size, 1)
        if timeout is not None:
            require_number("timeout", timeout, 0.001)
        self._timeout = timeout
        self.problem, self._space = problem, problem.space
        self._parcel = Parcel(problem)
        self._waiting: deque[tuple[Attempt, bytes]] = deque()
        self._running: dict[int, _Running] = {}
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._handed_on = 0
        self._closed = False
        self._trouble: DivlearnError | None = None  # to be told after what has ended

    @abstractmethod
    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Hand a task on; return a future with ``add_done_callback``."""

    def _stop(self, future: Any) -> None:
        """End a task that is not wanted any more, as far as that is possible."""
        future.cancel()

    def _lost(self, error: BaseException) -> bool:
        """Whether an exception means that the worker died, not the evaluation."""
        return isinstance(error, (BrokenExecutor, CancelledError))

    def submit(self, attempt: Attempt) -> None:
        """Hand an evaluation on, or keep it until there is room."""
        if self._closed:
            raise DivlearnError("this pool of workers is closed; make a new one.")
        message = pack_attempt(attempt, self._space)  # raises if x is not of the space
        self._waiting.append((attempt, message))
        self._hand_on()

    def _hand_on(self) -> None:
        """Fill the free places."""
        while self._waiting and len(self._running) < self.size:
            attempt, message = self._waiting.popleft()
            key, self._handed_on = self._handed_on, self._handed_on + 1
            self._running[key] = running = _Running(attempt, time.monotonic())
            try:
                running.future = self._start(self._parcel, message)
            except (RuntimeError, OSError) as error:  # broken, shut down, unreachable
                del self._running[key]
                raise DivlearnError(
                    f"the executor cannot be used any more ({said_by(error)}); start a "
                    "new one and continue the study with it."
                ) from error
            except BaseException:
                del self._running[key]
                raise
            running.future.add_done_callback(self._note(key))

    def _note(self, key: int) -> Any:
        """Return what a future calls when it is done, in whatever thread."""

        def note(future: Any) -> None:
            try:
                result = future.result()
            except BaseException as error:
                result = error
            self._done.put((key, result))

        return note

    def wait(self, timeout: float | None) -> list[Attempt]:
        """Return what has ended since; waits for one end, at most ``timeout`` s."""
        if self._trouble is not None:
            raise self._trouble
        end = None if timeout is None else time.monotonic() + timeout
        ended: list[Attempt] = []
        while not ended and (self._wanted() or self._waiting):
            try:
                self._go_on(end, ended)
            except DivlearnError as error:
                if not ended:
                    raise
                self._trouble = error
            if end is not None and time.monotonic() >= end:
                break
        return ended

    def _go_on(self, end: float | None, ended: list[Attempt]) -> None:
        """Add what has ended to ``ended``, and fill the places that are free."""
        self._require_hope()
        with suppress(queue.Empty):
            ended += self._take(*self._done.get(timeout=self._pause(end)))
            while True:
                ended += self._take(*self._done.get_nowait())
        ended += self._give_up_late()
        self._hand_on()

    def _wanted(self) -> list[_Running]:
        """Tasks that somebody waits for."""
        return [r for r in self._running.values() if not r.late]

    def _pause(self, end: float | None) -> float | None:
        """Seconds until the caller's time is over or there is something to do."""
        now = time.monotonic()
        ends = [] if end is None else [end]
        for running in self._running.values():
            if not running.late or self._limit(running) > now:
                ends.append(self._limit(running))
        return max(0.0, min(_LONG, min(ends) - now)) if ends else None

    def _limit(self, running: _Running) -> float:
        """When a task is late; when one that is late holds its place for too long."""
        if self._timeout is None:
            return time.monotonic() + _LONG
        return running.start + self._timeout * (1 + running.late)

    def _require_hope(self) -> None:
        """Raise if nothing will ever run again."""
        late = [r for r in self._running.values() if r.late]
        overdue = [r for r in late if self._limit(r) <= time.monotonic()]
        if len(overdue) >= self.size and self._done.empty():
            raise DivlearnError(
                f"all {self.size} places of the executor are held by evaluations that "
                "did not end within twice their time; only local workers can be ended "
                "(workers= without executor=)."
            )

    def _take(self, key: int, result: Any) -> list[Attempt]:
        """Turn the result of a future into an end, unless it was given up."""
        running = self._running.pop(key, None)
        if running is None or running.late:
            return []
        if isinstance(result, BaseException):
            lost = running.attempt.end(LOST, message=self._require_lost(result))
            return [lost.by("", time.monotonic() - running.start)]
        worker, _, message = bytes(result).partition(b"\n")
        return [read_end(running.attempt, message, worker.decode())]

    def _require_lost(self, error: BaseException) -> str:
        """Say how a worker died; raises if it is alive, but cannot do our work.

        What objectives raise comes as an answer, never as an exception.
        """
        if isinstance(error, DivlearnError):
            raise error
        if not self._lost(error):
            raise DivlearnError(
                f"the executor's workers cannot evaluate ({said_by(error)}); divlearn "
                "and the modules of the objective must be installed where they run"
                f"{self._hint()}."
            ) from error
        return f"the worker died ({said_by(error)})"

    def _hint(self) -> str:
        """What to do about a function that was sent by its name."""
        return f"; {INSTALL}" if by_name_only(self._parcel.packed) else ""

    def _give_up_late(self) -> list[Attempt]:
        """Give up what takes too long."""
        ended = []
        for running in self._wanted():
            seconds = time.monotonic() - running.start
            if self._timeout is not None and seconds >= self._timeout:
                running.late = True
                self._stop(running.future)
                message = f"no answer within {self._timeout:g} s; it was given up"
                late = running.attempt.end(TIMED_OUT, message=message)
                ended.append(late.by("", seconds))
        return ended

    def close(self, kill: bool = False) -> None:
        """Stop; without ``kill`` when what runs is done. The executor stays."""
        self._waiting.clear()
        try:
            while not kill and self.wait(None):
                pass
        finally:
            self._closed = True
            for running in self._running.values():
                running.late = True
                self._stop(running.future)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *reason: object) -> None:
        self.close(kill=kind is not None)


class ExecutorPool(FuturePool):
    """Evaluate by an executor: of threads, processes, MPI ranks, loky.

    Evaluations that are given up after ``timeout`` cannot be ended: they hold their
    place in the executor until they end by themselves. The executor is not shut down.

    Parameters
    ----------
    executor
        Anything whose ``submit(function, *arguments)`` returns a future.
    problem
        What to evaluate. It must be one that pickle, or cloudpickle if installed, can
        send, unless the executor stays within this process.
    size
        Number of evaluations at once; that of the executor's workers by default.
    timeout
        Seconds until an evaluation is given up.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> import divlearn as dl
    >>> from divlearn.workers import Attempt, ExecutorPool
    >>> problem = dl.Problem(dl.Integer(1, 8), lambda x: (x * x,), ["square"])
    >>> with ThreadPoolExecutor(2) as executor:
    ...     pool = ExecutorPool(executor, problem)
    ...     pool.submit(Attempt(0, 0, 0, 3, None))
    ...     pool.wait(None)[0].outputs
    (9.0,)
    """

    def __init__(
        self,
        executor: Any,
        problem: Problem,
        size: int | None = None,
        timeout: float | None = None,
    ) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise InputError(
                "executor must have the submit method of concurrent.futures, got "
                f"{executor!r}."
            )
        super().__init__(problem, size or places_of(executor), timeout)
        self._executor = executor

    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Submit to the executor."""
        return self._executor.submit(evaluate_parcel, parcel, message)


def places_of(executor: Any) -> int:
    """How many evaluations an executor does at once, as far as it tells."""
    # The standard library has no public name for it; mpi4py has the other one.
    for name in ("_max_workers", "num_workers"):
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1


def evaluate_parcel(parcel: Parcel, message: bytes) -> bytes:
    """Evaluate wherever this is called; say who did it, and how it ended.

    Bytes need no pickle on their way back, whatever brings them.
    """
    attempt = evaluate(parcel.problem, unpack_attempt(message, parcel.problem.space))
    return f"{socket.gethostname()}:{os.getpid()}\n".encode() + pack_end(attempt)
