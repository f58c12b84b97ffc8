"""A process of a simulator: without a shell, with limits, ended as a whole."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from divlearn.simulator.metrics import SimulatorFailure
from divlearn.simulator.streams import Tail, chunks
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
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
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
        self.late: bool = False
        self._polling = threading.Lock()
        self._readers: list[threading.Thread] = []
        self._err = Tail(STDERR)
        self._read(self.process.stderr, self._err.read)

    def ended(self) -> bool:
        """Whether the process itself has ended; others may still have its streams."""
        # One thread at a time: while another one polls, poll() returns None whether
        # the process lives or not.
        with self._polling:
            return self.process.poll() is not None

    @property
    def stderr(self) -> bytes:
        """The end of what it wrote to standard error."""
        return self._err.content

    def read(self, reader: Callable[[Iterator[bytes]], None]) -> None:
        """Let ``reader`` have what it writes to standard output, in a thread."""
        self._read(self.process.stdout, reader)

    def _read(self, pipe: Any, reader: Callable[[Iterator[bytes]], None]) -> None:
        parts = chunks(pipe, self.ended)
        thread = threading.Thread(target=reader, args=(parts,), daemon=True)
        thread.start()
        self._readers.append(thread)

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
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._end_late)
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
            while not self.ended() and time.monotonic() < end:
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
        self._read_to_the_end()
        return code

    def _read_to_the_end(self) -> None:
        """Wait until all that it wrote is read."""
        for thread in self._readers:
            thread.join(GRACE)

    def close(self) -> None:
        """Give back what the system lent."""
        self._read_to_the_end()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()
