"""Local workers as the coordinator sees them: a guard each, and a line to it."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from divlearn.basics.checks import require_one_of
from divlearn.errors import DivlearnError, InputError
from divlearn.problems import Problem
from divlearn.workers.base import LOST, Report, Task
from divlearn.workers.birth import new_line
from divlearn.workers.evaluation import Answer
from divlearn.workers.guard import BROKEN, Guard, guard_copies
from divlearn.workers.messages import unpack_answer
from divlearn.workers.processes import Forked, Spawned
from divlearn.workers.runner import run_anew
from divlearn.workers.system import LINUX, PATIENCE, POSIX, how_it_ended

STARTS = ("fork", "spawn")


class Seat(Protocol):
    """A guard, seen from the coordinator."""

    line: Any

    def end(self, force: bool) -> str:
        """Wait for its end, or make it end; say how it ended."""


class Worker:
    """A guard, the line to it, and the task that it is at."""

    def __init__(self, name: str, hire: Callable[[], Seat]) -> None:
        self.name = name
        self.task: Task | None = None
        self._hire = hire
        self._seat = hire()

    @property
    def line(self) -> Any:
        """The line to the guard."""
        return self._seat.line

    def begin(self, task: Task, message: bytes) -> None:
        """Give it a task; where the guard has just died, the line will say so."""
        self.task = task
        with suppress(OSError):
            self.line.send_bytes(message)

    def report(self) -> Report:
        """Say how the task ended, once the line has something to say."""
        task = self.task
        assert task is not None
        try:
            answer = self._listen()
        except DivlearnError:
            raise
        except (EOFError, OSError, ValueError):
            answer = Answer(LOST, None, 0.0, f"the worker {self._replace()}")
        except BaseException:  # Ctrl-C while half a message was read
            self._replace()
            raise
        self.task = None
        return answer.report(task, self.name)

    def _listen(self) -> Answer:
        """Read an answer."""
        message = self.line.recv_bytes()
        if message.startswith(BROKEN):
            raise DivlearnError(
                "a worker process could not be started: it "
                f"{message[len(BROKEN) :].decode()}. In a script, run the study under "
                "'if __name__ == \"__main__\":'; else see what the process wrote above."
            )
        return unpack_answer(message)

    def _replace(self) -> str:
        """Put another guard in the place of one that fails; say how it ended."""
        how = self._seat.end(force=True)
        self._seat = self._hire()
        return how

    def leave(self) -> None:
        """Close the line: the guard ends all, and then itself."""
        self.line.close()

    def end(self) -> None:
        """Wait for the end that closing the line brings."""
        self._seat.end(force=False)


class _Copy:
    """A guard that is a process."""

    def __init__(self, problem: Problem, timeout: float | None) -> None:
        self._process = Forked(guard_copies, problem, timeout)
        self.line = self._process.line

    def end(self, force: bool) -> str:
        """Kill it and its session, if it does not end by itself."""
        if force or not self._process.wait(PATIENCE):
            self._process.kill_all()
        self._process.forget()
        return how_it_ended(self._process.code)


class _Thread:
    """A guard that is a thread."""

    def __init__(self, pickled: bytes, timeout: float | None) -> None:
        self.line, theirs = new_line()
        self._thread = threading.Thread(
            target=_guard_here, args=(theirs, pickled, timeout), daemon=True
        )
        self._thread.start()

    def end(self, force: bool) -> str:
        """Let it end its process."""
        self.line.close()
        self._thread.join(2 * PATIENCE)
        return "ended"


def _guard_here(line: Any, pickled: bytes, timeout: float | None) -> None:
    """Be the guard of a process that is started anew."""
    hire = partial(Spawned, run_anew, pickled)
    with line:
        Guard(line, hire, timeout, lambda: True).work()


def way_to_hire(
    problem: Problem, timeout: float | None, start: str | None
) -> Callable[[], Seat]:
    """Return what makes a guard."""
    start = start or ("fork" if LINUX else "spawn")
    require_one_of("start", start, STARTS if POSIX else STARTS[1:])
    if start == "fork":
        return partial(_Copy, problem, timeout)
    try:
        pickled = pickle.dumps(problem)
    except Exception as error:
        instead = ', or pass executor="fork"' if POSIX else ""
        raise InputError(
            f"problem cannot be sent to a process that is started anew ({error}); "
            "define the objective as a function or class at the top of a module"
            f"{instead}, or evaluate in this process with workers=0."
        ) from None
    return partial(_Thread, pickled, timeout)


def end_all(crew: list[Worker]) -> None:
    """Close all lines first, so that all guards end at the same time."""
    for worker in crew:
        worker.leave()
    for worker in crew:
        worker.end()
    crew.clear()
