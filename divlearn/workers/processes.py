"""Processes with a line to them: forked from this one, or started anew."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, Protocol

from divlearn.workers.birth import live, live_anew, making, new_line, quiet_fork
from divlearn.workers.system import (
    PATIENCE,
    descendants_of,
    kill_children,
    kill_group,
    kill_session,
    own_group,
    own_session,
)


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

    _set_apart = staticmethod(own_session)

    def __init__(self, function: Callable[..., None], *arguments: Any) -> None:
        with making(), quiet_fork():
            self.line, theirs = new_line()
            self.pid = os.fork()
            if self.pid == 0:
                live(self._set_apart, function, theirs, arguments)
            theirs.close()
        self._status: int | None = None
        self._sign: int | None = None
        with suppress(AttributeError, OSError):
            self._sign = os.pidfd_open(self.pid)

    @property
    def signs(self) -> list[Any]:
        """A descriptor of the process itself, where the system has such."""
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
        """Bury it, and give back what the system lent."""
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

    def __init__(self, function: Callable[..., None], *arguments: Any) -> None:
        context = get_context("spawn")
        with making():
            self.line, theirs = new_line()
            self._process = context.Process(
                target=live_anew, args=(function, theirs, arguments)
            )
            self._process.start()
            theirs.close()
        self.pid = self._process.pid

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
