"""What pools over futures share: who is at what, for how long, and who hangs."""

from __future__ import annotations

import queue
import time
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.text import said_by
from divlearn.errors import DivlearnError
from divlearn.problems import Problem
from divlearn.problems.base import require_problem
from divlearn.workers.base import LOST, TIMED_OUT, Report, Task
from divlearn.workers.evaluation import Answer
from divlearn.workers.messages import pack_task, unpack_answer
from divlearn.workers.parcel import Parcel

#: Seconds that count as for ever, and are not too many for any system.
_LONG = 3_600.0


@dataclass
class _Running:
    """A task that was handed on; ``late`` once it has been given up."""

    task: Task
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

    def __init__(self, problem: Problem, size: int, timeout: float | None) -> None:
        require_problem(problem)
        self.size = require_whole("size", size, 1)
        if timeout is not None:
            require_number("timeout", timeout, 0.001)
        self._timeout = timeout
        self._space = problem.space
        self._parcel = Parcel(problem)
        self._waiting: deque[Task] = deque()
        self._running: dict[int, _Running] = {}
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._handed_on = 0
        self._closed = False
        self._trouble: DivlearnError | None = None  # to be told after the reports

    @abstractmethod
    def _start(self, parcel: Parcel, message: bytes) -> Any:
        """Hand a task on; return a future with ``add_done_callback``."""

    def _stop(self, future: Any) -> None:
        """End a task that is not wanted any more, as far as that is possible."""
        future.cancel()

    def _lost(self, error: BaseException) -> bool:
        """Whether an exception means that the worker died, not the evaluation."""
        return isinstance(error, (BrokenExecutor, CancelledError))

    def submit(self, task: Task) -> None:
        """Hand a task on, or keep it until there is room."""
        if self._closed:
            raise DivlearnError("this pool of workers is closed; make a new one.")
        self._space.encode(task.x)  # raises here if x is not of the space
        self._waiting.append(task)
        self._hand_on()

    def _hand_on(self) -> None:
        """Fill the free places."""
        while self._waiting and len(self._running) < self.size:
            task = self._waiting.popleft()
            key, self._handed_on = self._handed_on, self._handed_on + 1
            message = pack_task(task, self._space)
            self._running[key] = running = _Running(task, time.monotonic())
            try:
                running.future = self._start(self._parcel, message)
            except (RuntimeError, OSError) as error:  # broken, shut down, unreachable
                del self._running[key]
                raise DivlearnError(
                    f"the executor cannot be used any more ({said_by(error)}); start a "
                    "new one and continue the study with it."
                ) from error
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

    def wait(self, timeout: float | None) -> list[Report]:
        """Return what has ended since; waits for one end, at most ``timeout`` s."""
        if self._trouble is not None:
            raise self._trouble
        end = None if timeout is None else time.monotonic() + timeout
        reports: list[Report] = []
        while not reports and (self._wanted() or self._waiting):
            try:
                self._go_on(end, reports)
            except DivlearnError as error:
                if not reports:
                    raise
                self._trouble = error
            if end is not None and time.monotonic() >= end:
                break
        return reports

    def _go_on(self, end: float | None, reports: list[Report]) -> None:
        """Add what has ended to ``reports``, and fill the places that are free."""
        self._require_hope()
        with suppress(queue.Empty):
            reports += self._take(*self._done.get(timeout=self._pause(end)))
            while True:
                reports += self._take(*self._done.get_nowait())
        reports += self._give_up_late()
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

    def _take(self, key: int, result: Any) -> list[Report]:
        """Turn the result of a future into a report, unless it was given up."""
        running = self._running.pop(key, None)
        if running is None or running.late:
            return []
        seconds, worker = time.monotonic() - running.start, ""
        if isinstance(result, BaseException):
            answer = Answer(LOST, None, seconds, self._require_lost(result))
        else:
            message, worker = result
            answer = unpack_answer(message)
        return [answer.report(running.task, worker)]

    def _require_lost(self, error: BaseException) -> str:
        """Say how a worker died; raises if it is well, but cannot do our work.

        What objectives raise comes as an answer, never as an exception.
        """
        if isinstance(error, DivlearnError):
            raise error
        if not self._lost(error):
            raise DivlearnError(
                f"the executor's workers cannot evaluate ({said_by(error)}); divlearn "
                "and the modules of the objective must be installed where they run."
            ) from error
        return f"the worker died ({said_by(error)})"

    def _give_up_late(self) -> list[Report]:
        """Report tasks that take too long."""
        reports = []
        for running in self._wanted():
            seconds = time.monotonic() - running.start
            if self._timeout is not None and seconds >= self._timeout:
                running.late = True
                self._stop(running.future)
                message = f"no answer within {self._timeout:g} s; it was given up"
                answer = Answer(TIMED_OUT, None, seconds, message)
                reports.append(answer.report(running.task, ""))
        return reports

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
