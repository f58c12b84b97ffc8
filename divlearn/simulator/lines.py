"""An evaluation by a lasting process: a line of JSON to it, a line of JSON back."""

from __future__ import annotations

import json
import os
import queue
import threading
import weakref
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from divlearn.basics.errors import AnswerError, InvalidDesign
from divlearn.basics.typing import Value
from divlearn.simulator.directory import Directory
from divlearn.simulator.metrics import Metrics, SimulatorFailure
from divlearn.simulator.process import SimulatorProcess
from divlearn.simulator.program import Program
from divlearn.simulator.streams import last_lines, lines_of
from divlearn.spaces.plain import as_plain
from divlearn.workers.base import OutOfTime, current_attempt
from divlearn.workers.system import how_it_ended


class Lines:
    """An objective that asks a process which stays for the next evaluation.

    Each worker, and each thread, has a process of its own. It is started when it is
    first needed and again after it died, answered nonsense or ran out of time.

    Parameters
    ----------
    program
        What to run, and how.
    metrics
        What to read from its answers.
    """

    def __init__(self, program: Program, metrics: Metrics) -> None:
        self.program = program
        self.metrics = metrics
        self._own = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.program, self.metrics)

    def evaluate(self, x: Value) -> dict[str, Any]:
        """Return objectives, constraints and extra metrics by name."""
        task = current_attempt()
        seed = None if task is None else task.seed
        question = json.dumps({"design": as_plain(x), "seed": seed}).encode()
        speaker = self._speaker()
        try:
            answer = speaker.ask(question, self.program.timeout)
            return self.metrics.read(answer, "the answer")
        except InvalidDesign:
            raise
        except (AnswerError, SimulatorFailure, OutOfTime) as error:
            self._own.speaker = None
            speaker.end(failed=True)
            hint = speaker.hint()
            raise type(error)(f"{error}{hint}") from None
        except BaseException:  # Ctrl-C: the answer will come when nobody wants it
            self._own.speaker = None
            speaker.end(failed=False)
            raise

    def _speaker(self) -> Speaker:
        """Return the process of this thread, started anew if need be."""
        speaker: Speaker | None = getattr(self._own, "speaker", None)
        if speaker is None or speaker.owner != os.getpid():  # a copy is not ours
            speaker = self._own.speaker = Speaker(self.program)
        elif speaker.has_ended:
            speaker.end(failed=False)
            speaker = self._own.speaker = Speaker(self.program)
        return speaker


class Speaker:
    """A process that answers line by line.

    Parameters
    ----------
    program
        What to run, and how.
    """

    def __init__(self, program: Program) -> None:
        self.owner: int = os.getpid()
        self._program = program
        self._directory = Directory(program.scratch)
        try:
            self._process = SimulatorProcess(
                program.arguments(self._directory),
                self._directory.path,
                program.variables(),
            )
        except SimulatorFailure:
            self._directory.remove()
            raise
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._process.read(partial(_listen, program.max_output, self._answers))
        self._finalize = weakref.finalize(
            self, _end, self._process, self._directory, program.keep, self.owner
        )

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.ended()

    def ask(self, question: bytes, timeout: float | None) -> bytes:
        """Send a line and wait for one."""
        self._require_silence()
        # By a thread: a process that does not read its input would stop us for ever.
        threading.Thread(target=self._send, args=(question,), daemon=True).start()
        try:
            answer = self._answers.get(timeout=_possible(timeout))
        except queue.Empty:
            raise OutOfTime(
                f"the simulator did not answer within {timeout:g} s and was ended, "
                "with every process that it had started"
            ) from None
        if answer is None:
            raise SimulatorFailure(self._death())
        if len(answer) > self._program.max_output:
            raise SimulatorFailure(
                f"the answer has more than {self._program.max_output:,} bytes."
            )
        return answer

    def _require_silence(self) -> None:
        """Raise if it said more than it was asked: answers would belong to others."""
        if self._answers.empty():
            return
        line = self._answers.get()
        if line is None:
            self._answers.put(None)  # the end, which is the answer to what comes
            return
        raise SimulatorFailure(
            "the simulator must print one line for each line that it reads, got one "
            f"more: {last_lines(line, characters=200)!r}. Print anything else to "
            "standard error"
        )

    def _send(self, question: bytes) -> None:
        """Write a line."""
        stdin = self._process.process.stdin
        assert stdin is not None
        with suppress(OSError, ValueError):  # it has died: the answer is its end
            stdin.write(question + b"\n")
            stdin.flush()

    def _death(self) -> str:
        """Say how the process ended."""
        call_off = self._process.end_after(1.0)  # it may have closed its output only
        code = self._process.finish()
        call_off()
        said = last_lines(self._process.stderr)
        tail = f"; it said: {said}" if said else ""
        return f"the simulator {how_it_ended(code)} without an answer{tail}"

    def end(self, failed: bool) -> None:
        """End the process; its directory stays if that was chosen."""
        if failed and self._program.keep == "failures":
            self._finalize.detach()
            _end(self._process, self._directory, "always", self.owner)
        else:
            self._finalize()

    def hint(self) -> str:
        """Say where to look."""
        if self._program.keep == "never":
            return ""
        return f"; its files are in {self._directory.path}"


def _possible(seconds: float | None) -> float | None:
    """A time to wait that is not too long for the system."""
    return None if seconds is None else min(seconds, threading.TIMEOUT_MAX)


def _listen(
    most: int, answers: queue.SimpleQueue[bytes | None], parts: Iterator[bytes]
) -> None:
    """Pass lines on as they come, but empty ones, and None at the end."""
    with suppress(OSError, ValueError):
        for line in lines_of(parts, most):
            if line.strip():
                answers.put(line)
            if len(line) > most:
                break
    answers.put(None)


def _end(
    process: SimulatorProcess, directory: Directory, keep: str, owner: int
) -> None:
    """End a process, and keep or remove its directory."""
    if os.getpid() != owner:
        return
    process.kill()
    process.finish()
    if keep == "always":
        directory.keep(b"", process.stderr)
    else:
        directory.remove()
    process.close()
