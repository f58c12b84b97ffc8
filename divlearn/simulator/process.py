"""A process of a simulator: without a shell, with limits, ended as a whole."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from divlearn.simulator.metrics import SimulatorFailure
from divlearn.workers.system import POSIX, kill_group, kill_marked

#: Bytes at the end of standard error that are kept.
STDERR = 64_000
#: Seconds that a process has to end by itself when it is asked to.
GRACE = 1.0
#: Name under which descendants of an evaluation are known, wherever they went.
MARK = "DIVLEARN_EVALUATION"


class SimulatorProcess:
    """A process with its standard streams, in a group of its own.

    Parameters
    ----------
    command
        Program and arguments.
    directory
        Where it works.
    environment
        Its environment variables.
    """

    def __init__(
        self, command: Sequence[str], directory: Path, environment: Mapping[str, str]
    ) -> None:
        self._mark = f"{MARK}={uuid.uuid4().hex}"
        group: dict[str, Any] = {"process_group": 0} if POSIX else {}
        name, _, value = self._mark.partition("=")
        try:
            self.process = subprocess.Popen(
                list(command),
                cwd=directory,
                env={**environment, name: value},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **group,
            )
        except OSError as error:
            raise SimulatorFailure(
                f"the command {command[0]!r} cannot be started ({error.strerror})."
            ) from None
        self.late = False
        self._err = Tail(self.process.stderr, STDERR)

    @property
    def stderr(self) -> bytes:
        """The end of what it wrote to standard error."""
        return self._err.content

    def feed(self, content: bytes) -> None:
        """Write to its standard input and close that, without waiting for it."""
        threading.Thread(target=self._feed, args=(content,), daemon=True).start()

    def _feed(self, content: bytes) -> None:
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):  # it may not care for its input
            self.process.stdin.write(content)
        with suppress(OSError, ValueError):
            self.process.stdin.close()

    def end_after(self, seconds: float | None) -> Callable[[], None]:
        """End it when the time is over; return what calls that off."""
        if seconds is None:
            return lambda: None
        timer = threading.Timer(seconds, self._end_late)
        timer.daemon = True
        timer.start()

        def call_off() -> None:
            timer.cancel()
            if self.late:
                timer.join()

        return call_off

    def _end_late(self) -> None:
        """End a process whose time is over: by request, then by force."""
        self.late = True
        if POSIX:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGTERM)
            end = time.monotonic() + GRACE
            while self.process.poll() is None and time.monotonic() < end:
                time.sleep(0.005)
        self.kill()

    def kill(self) -> None:
        """Kill it and all that it started, those that left its group included."""
        kill_group(self.process.pid)
        kill_marked(self._mark)
        with suppress(OSError):
            self.process.kill()

    def finish(self) -> int:
        """Wait for its end, end what it left behind, and return the exit code."""
        code = self.process.wait()
        self.kill()
        self._err.join(GRACE)
        return code

    def close(self) -> None:
        """Give back what the system lent."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()


class Tail:
    """The last bytes of a stream, read as they come so that its writer never waits.

    Parameters
    ----------
    stream
        What to read.
    most
        Bytes to keep.
    enough
        Called once there are more; by default the first bytes are forgotten.
    """

    def __init__(
        self, stream: Any, most: int, enough: Callable[[], None] | None = None
    ) -> None:
        self.content = b""
        self.overflow = False
        self._stream, self._most, self._enough = stream, most, enough
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            while chunk := self._stream.read1(65_536):
                self.overflow |= len(self.content) + len(chunk) > self._most
                self.content = (self.content + chunk)[-self._most :]
                if self.overflow and self._enough is not None:
                    self._enough()
                    return

    def join(self, seconds: float) -> None:
        """Wait for the end of the stream."""
        self._thread.join(seconds)


def last_lines(content: bytes, lines: int = 8, characters: int = 800) -> str:
    r"""The end of a text, for a message.

    Examples
    --------
    >>> last_lines(b"one\ntwo\n", lines=1)
    'two'
    """
    text = content.decode("utf-8", "replace").strip()
    return "\n".join(text.splitlines()[-lines:])[-characters:]
