"""Processes with a line to them: forked from this one, or started anew.

A process begins apart from the terminal, with streams of its own and one line.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe
from typing import Any, Protocol

from divlearn.workers.system import (
    PATIENCE,
    descendants_of,
    kill_children,
    kill_group,
    kill_session,
    own_group,
    own_session,
)

#: What a user or a system may send to us while a process is being made.
HELD_BACK = {signal.SIGINT, signal.SIGTERM}
#: Our ends of lines. A forked process must close its copies: otherwise those at the
#: other end would not notice when we are gone.
_OUR_ENDS: weakref.WeakSet[Any] = weakref.WeakSet()
_MAKING = threading.RLock()


class Process(Protocol):
    """A process that was started here.

    Attributes
    ----------
    line
        Our end of a line to it; what it sends may be read there.
    """

    line: Any

    @property
    def signs(self) -> list[Any]:
        """What becomes ready when it ends, where the system has such a thing."""

    def ended(self) -> bool:
        """Whether it has ended."""

    @property
    def code(self) -> int | None:
        """Exit code, or minus the signal, once it has ended."""

    def kill_all(self) -> None:
        """Kill it and all that it started."""


class Forked:
    """A copy of this process that calls ``function(line, *arguments)``.

    It needs no pickle, and starts within milliseconds.
    """

    line: Any

    _set_apart = staticmethod(own_session)

    def __init__(self, function: Callable[..., None], *arguments: Any) -> None:
        with making(), quiet_fork():
            self.line, theirs = new_line()
            self.pid: int = os.fork()
            if self.pid == 0:
                live(self._set_apart, function, theirs, arguments)
            theirs.close()
        self._status: int | None = None
        self._sign: int | None = None
        with suppress(AttributeError, OSError):
            self._sign = os.pidfd_open(self.pid)

    @property
    def signs(self) -> list[Any]:
        """A descriptor of the process itself, where the system has one."""
        return [] if self._sign is None else [self._sign]

    def ended(self) -> bool:
        """Whether it has ended."""
        if self._status is None:
            self._status = self._ask_status()
        return self._status is not None

    def _ask_status(self) -> int | None:
        """How it ended, if it has."""
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:  # somebody else has waited for it
            return 0
        return status if pid else None

    @property
    def code(self) -> int | None:
        """Exit code, or minus the signal, once it has ended."""
        return None if self._status is None else os.waitstatus_to_exitcode(self._status)

    def kill_all(self) -> None:
        """Kill its session."""
        self._kill()
        kill_session(self.pid)
        self.forget()

    def _kill(self) -> None:
        """Kill it and its group; a new process may not have a group of its own yet."""
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
        kill_group(self.pid)

    def wait(self, seconds: float) -> bool:
        """Wait for its end, and say whether it came."""
        end = time.monotonic() + seconds
        while not self.ended() and time.monotonic() < end:
            time.sleep(0.0005)
        return self.ended()

    def forget(self) -> None:
        """Collect its exit status, and free what the system gave."""
        self.wait(PATIENCE)
        self.line.close()
        if self._sign is not None:
            os.close(self._sign)
            self._sign = None


class Watched(Forked):
    """A forked process of a guard, which has no other child and adopts orphans."""

    _set_apart = staticmethod(own_group)

    def _ask_status(self) -> int | None:
        """How it ended, if it has; orphans that have ended are buried as well."""
        own = None
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == self.pid:
                    own = status
                if pid == 0:
                    break
        return own

    def kill_all(self) -> None:
        """Kill it, its group, and all that left the group."""
        self._kill()
        self.wait(PATIENCE)
        kill_children()
        self.forget()


class Spawned:
    """A fresh interpreter that calls ``function(line, *arguments)``, sent by pickle."""

    line: Any

    def __init__(self, function: Callable[..., None], *arguments: Any) -> None:
        context = get_context("spawn")
        with making():
            self.line, theirs = new_line()
            self._process = context.Process(
                target=live_anew, args=(function, theirs, arguments)
            )
            self._process.start()
            theirs.close()
        self.pid: int | None = self._process.pid

    @property
    def signs(self) -> list[Any]:
        """What the standard library offers for it."""
        return [self._process.sentinel]

    def ended(self) -> bool:
        """Whether it has ended."""
        return self._process.exitcode is not None

    @property
    def code(self) -> int | None:
        """Exit code, or minus the signal, once it has ended."""
        return self._process.exitcode

    def kill_all(self) -> None:
        """Kill it and all that can be found below it."""
        assert self.pid is not None
        below = [] if self.ended() or os.name == "nt" else descendants_of(self.pid)
        kill_group(self.pid)
        for pid in below:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.join(PATIENCE)
        self.line.close()


# --- how a process begins


def new_line() -> tuple[Any, Any]:
    """Return two ends, ours and theirs."""
    ours, theirs = Pipe()
    _OUR_ENDS.add(ours)
    return ours, theirs


@contextmanager
def making() -> Iterator[None]:
    """Make one process at a time, and hold signals back until it has left the terminal.

    Another process would get a copy of the new one's end of the line. The copy of the
    thread that forks goes on holding the lock.
    """
    with _MAKING:
        if os.name == "nt":
            yield
            return
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def quiet_fork() -> Iterator[None]:
    """Fork without copies of unwritten text, and without a warning.

    Python warns of forks where threads run: a lock that one of them holds stays held
    in the copy. Ours touches none that threads of the parent are known to use.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        yield


def live(
    set_apart: Callable[[], None],
    function: Callable[..., None],
    line: Connection,
    arguments: tuple[Any, ...],
) -> None:
    """The whole life of a forked process; it never returns to what was copied."""
    code = 1
    try:
        for end in list(_OUR_ENDS):
            end.close()
        _OUR_ENDS.clear()
        set_apart()
        _usual_signals()
        _own_streams()
        function(line, *arguments)
        code = 0
    except BaseException:
        with suppress(BaseException):
            traceback.print_exc()
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
        os._exit(code)


def live_anew(
    function: Callable[..., None], line: Connection, arguments: tuple[Any, ...]
) -> None:
    """The life of a process that was started anew."""
    own_session()
    if os.name != "nt":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)
    _own_streams()
    function(line, *arguments)


def _usual_signals() -> None:
    """Forget the handlers of the process that was copied."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for kind in (signal.SIGTERM, signal.SIGCHLD, signal.SIGALRM):
        signal.signal(kind, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)


def _own_streams() -> None:
    """Let what is printed go to standard error, and nothing be read.

    Standard output may be read by a program, line by line.
    """
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_RDWR)
        if nothing != 0:
            os.dup2(nothing, 0)
            os.close(nothing)
    with suppress(OSError):
        os.dup2(2, 1)
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        mode = "r" if name == "stdin" else "w"
        with suppress(OSError):
            text = open(  # noqa: SIM115 - for the whole life of the process
                number, mode, 1, "utf-8", "backslashreplace", closefd=False
            )
            setattr(sys, name, text)
