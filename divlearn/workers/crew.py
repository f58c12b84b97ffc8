"""Worker processes as the coordinator sees them: a guard each, and a line to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import DivlearnError, InputError
from divlearn.problems import Problem
from divlearn.workers.base import LOST
from divlearn.workers.evaluation import pack_loss
from divlearn.workers.guard import BROKEN, Guard, guard_copies, run_anew
from divlearn.workers.parcel import pack_problem
from divlearn.workers.processes import Forked, Process, Spawned, new_line
from divlearn.workers.system import LINUX, PATIENCE, POSIX, how_it_ended

STARTS = ("fork", "spawn")

T = TypeVar("T")


class Seat(Protocol):
    """A guard, seen from the coordinator."""

    line: Any

    def end(self, force: bool) -> str:
        """Wait for its end, or enforce it; say how it ended."""


class Worker:
    """A guard, the line to it, and what it works on.

    Attributes
    ----------
    name
        What it is called.
    work
        What it does; None if nothing.
    """

    def __init__(self, name: str, hire: Callable[[], Seat]) -> None:
        self.name = name
        self.work: Any = None
        self._hire = hire
        self._seat = hire()

    @property
    def line(self) -> Any:
        """The line to the guard."""
        return self._seat.line

    def begin(self, work: Any, message: bytes) -> None:
        """Give it work; where the guard has just died, the line will say so."""
        self.work = work
        with suppress(OSError):
            self.line.send_bytes(message)

    def listen(self, read: Callable[[bytes], T]) -> T:
        """Read how the work ended, once the line has something to say.

        Parameters
        ----------
        read
            Reads what the runner sent, or :func:`pack_loss` of a runner that died;
            raises ValueError if it is neither.
        """
        try:
            end = read(self._receive())
        except DivlearnError:
            raise
        except (EOFError, OSError, ValueError):
            end = read(pack_loss(LOST, 0.0, f"the worker {self._replace()}"))
        except BaseException:  # Ctrl-C while half a message was read
            self._replace()
            raise
        self.work = None
        return end

    def _receive(self) -> bytes:
        """Read a message; raises if no runner can be started."""
        message: bytes = self.line.recv_bytes()
        if message.startswith(BROKEN):
            raise DivlearnError(
                "a worker process could not be started: it "
                f"{message[len(BROKEN) :].decode()}. In a script, start the work under "
                "'if __name__ == \"__main__\":'; else see what the process wrote above."
            )
        return message

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


class Anew:
    """A guard that is a thread, of processes that are started anew.

    Parameters
    ----------
    start
        Starts a process.
    timeout
        Seconds that its work may take.
    """

    line: Any

    def __init__(self, start: Callable[[], Process], timeout: float | None) -> None:
        self.line, theirs = new_line()
        self._thread = threading.Thread(
            target=_guard_here, args=(theirs, start, timeout), daemon=True
        )
        self._thread.start()

    def end(self, force: bool) -> str:
        """Let it end its process."""
        self.line.close()
        self._thread.join(2 * PATIENCE)
        return "ended"


def _guard_here(line: Any, start: Callable[[], Process], timeout: float | None) -> None:
    """Be the guard of a process that is started anew."""
    with line:
        Guard(line, start, timeout, lambda: True).work()


def way_to_hire(
    problem: Problem, timeout: float | None, start: str | None
) -> Callable[[], Seat]:
    """Return what makes a guard."""
    start = start or ("fork" if LINUX else "spawn")
    require_one_of("start", start, STARTS if POSIX else STARTS[1:])
    if start == "fork":
        return partial(_Copy, problem, timeout)
    try:
        pickled = pack_problem(problem)
    except InputError as error:
        instead = ', or pass executor="fork"' if POSIX else ""
        raise InputError(
            f"{str(error).rstrip('.')}{instead}, or evaluate in this process with "
            "workers=0."
        ) from None
    return partial(Anew, partial(Spawned, run_anew, pickled), timeout)


def end_all(crew: list[Worker]) -> None:
    """Close all lines first, so that all guards end at the same time."""
    for worker in crew:
        worker.leave()
    for worker in crew:
        worker.end()
    crew.clear()
