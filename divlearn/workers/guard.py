"""The two processes of a worker: a runner that works, and a guard that watches it.

A guard hands work on, keeps the time and replaces what died. Where processes can be
forked, it is a process of its own, a copy of the coordinator at the time when the pool
was made. It makes runners as copies of itself and is a thread-free process however
many threads the coordinator has by then. When the coordinator is gone, the line to it
ends, and the guard kills all that it started. Elsewhere a guard is a thread of the
coordinator; on Linux its runner leaves another process behind, a watchman, which sees
to it that nothing outlives the coordinator.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing import connection, parent_process
from typing import Any

import numpy as np

from divlearn.problems import Problem
from divlearn.workers.base import LOST, TIMED_OUT
from divlearn.workers.evaluation import (
    evaluate,
    join,
    pack_end,
    pack_loss,
    seed_global_generators,
    split,
    unpack_attempt,
)
from divlearn.workers.processes import Process, Watched, quiet_fork
from divlearn.workers.system import (
    LINUX,
    POSIX,
    adopt_orphans,
    die_with_parent,
    how_it_ended,
    kill_children,
    kill_group,
    own_group,
)

#: First message of a runner: the problem is set up.
READY = b"ready"
#: Last message of a guard whose runner cannot start.
BROKEN = b"broken "
#: How often in a row a runner may be killed before it is ready.
MAX_FALSE_STARTS = 3
#: Seconds between looks at what does not wake us by itself.
TICK = 1.0
#: The same for the end of a runner, on systems that do not report it.
SHORT_TICK = 0.05


def guard_copies(line: Any, problem: Problem, timeout: float | None) -> None:
    """Live as the guard of forked runners."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # collections would touch, and so copy, the coordinator's memory
    adopt_orphans()
    parent, me = os.getppid(), os.getpid()

    def hire() -> Process:
        return Watched(_leave(line, run_copy), problem, me)

    Guard(line, hire, timeout, lambda: os.getppid() == parent).work()


def _leave(line: Any, function: Callable[..., None]) -> Callable[..., None]:
    """Close the guard's own line first: a runner's copy would keep it open."""

    def closing(*arguments: Any) -> None:
        line.close()
        function(*arguments)

    return closing


class Guard:
    """Watch over one runner.

    Parameters
    ----------
    line
        To the coordinator.
    hire
        Makes a runner.
    timeout
        Seconds that an evaluation may take.
    wanted
        Says whether the coordinator is still there.
    """

    def __init__(
        self,
        line: Any,
        hire: Callable[[], Process],
        timeout: float | None,
        wanted: Callable[[], bool],
    ) -> None:
        self._line = line
        self._hire = hire
        self._timeout = timeout
        self._wanted = wanted
        self._runner = hire()
        self._ready = False
        self._false_starts = 0
        self._task: bytes | None = None
        self._start = 0.0

    def work(self) -> None:
        """Go on until the line to the coordinator is closed."""
        try:
            with suppress(EOFError, OSError):
                while self._step():
                    pass
        finally:
            self._runner.kill_all()

    def _step(self) -> bool:
        """Wait for something to happen and act on it."""
        watched = [self._line, self._runner.line, *self._runner.signs]
        happened = connection.wait(watched, self._until_next_look())
        if self._line in happened:
            self._task = self._line.recv_bytes()
            if self._ready:
                self._begin()
        if self._runner.line in happened:
            self._listen()
        if self._runner.ended():
            return self._replace_dead()
        if self._ready and self._task is not None and self._seconds_left() <= 0.0:
            self._stop_late()
        return self._wanted()

    def _until_next_look(self) -> float:
        """Seconds until the next look, if nothing happens before."""
        tick = TICK if self._runner.signs else SHORT_TICK
        if self._task is None or not self._ready:
            return tick
        return max(0.0, min(tick, self._seconds_left()))

    def _seconds_left(self) -> float:
        """Seconds that the present evaluation may still take."""
        if self._timeout is None:
            return float("inf")
        return self._start + self._timeout - time.monotonic()

    def _begin(self) -> None:
        """Let the runner work on the task; where it has just died, that will show."""
        assert self._task is not None
        self._start = time.monotonic()
        with suppress(OSError):
            self._runner.line.send_bytes(self._task)

    def _listen(self) -> None:
        """Take what the runner says."""
        try:
            message = self._runner.line.recv_bytes()
        except (EOFError, OSError):
            self._end_silent()
            return
        if message == READY:
            self._ready = True
            self._false_starts = 0
            if self._task is not None:
                self._begin()
        elif self._task is not None:
            self._answer(message)

    def _end_silent(self) -> None:
        """See to it that a runner that closed its line ends as well."""
        deadline = time.monotonic() + SHORT_TICK
        while not self._runner.ended() and time.monotonic() < deadline:
            time.sleep(0.001)
        if not self._runner.ended():
            self._runner.kill_all()

    def _answer(self, message: bytes) -> None:
        """Tell the coordinator."""
        self._task = None
        self._line.send_bytes(message)

    def _replace_dead(self) -> bool:
        """Report what a dead runner was doing, and hire another one."""
        code = self._runner.code
        if self._task is not None and self._has_words():
            self._listen()  # it answered before it died
        was_ready = self._ready
        self._runner.kill_all()
        if not was_ready:
            return self._hire_again(code)
        self._start_anew(self._lost(code))
        return True

    def _hire_again(self, code: int | None) -> bool:
        """Replace a runner that was killed before it was ready.

        Somebody killed it, or memory was short for a moment. One that ends by itself
        would do so again.
        """
        self._false_starts += 1
        by_itself = code is None or code >= 0
        if by_itself or self._false_starts > MAX_FALSE_STARTS:
            self._line.send_bytes(BROKEN + how_it_ended(code).encode())
            return False
        self._runner = self._hire()
        return True

    def _has_words(self) -> bool:
        """Whether a runner left a message that was not read yet."""
        line = self._runner.line
        return self._ready and not line.closed and bool(line.poll())

    def _lost(self, code: int | None) -> bytes:
        """What there is to say of an evaluation whose process died."""
        hint = "; memory may have run out" if code == -9 else ""
        message = f"the worker process {how_it_ended(code)}{hint}"
        return pack_loss(LOST, time.monotonic() - self._start, message)

    def _stop_late(self) -> None:
        """End an evaluation that takes too long, with all that it started."""
        self._runner.kill_all()
        message = (
            f"the evaluation took longer than {self._timeout:g} s and was ended, "
            "with every process that it had started"
        )
        seconds = time.monotonic() - self._start
        self._start_anew(pack_loss(TIMED_OUT, seconds, message))

    def _start_anew(self, answer: bytes) -> None:
        """Report how the present evaluation ended, and hire another runner."""
        busy = self._task is not None
        self._ready = False
        if busy:
            self._answer(answer)
        self._runner = self._hire()


# --- the runner


def run_copy(line: Any, problem: Problem, guard: int) -> None:
    """Live as a copy of a guard."""
    die_with_parent()
    if os.getppid() == guard:  # else it died before we could say so
        np.random.seed()  # noqa: NPY002 - all copies would draw the same numbers
        serve(line, partial(_evaluated, problem))


def run_anew(line: Any, pickled: bytes) -> None:
    """Live as a process of its own, which ends with the one that started it."""
    end_with_parent(line)
    serve(line, partial(_evaluated, pickle.loads(pickled)))


def _evaluated(problem: Problem, message: bytes) -> bytes:
    """Do the evaluations that a message asks for, one after the other."""
    ends, me = [], os.getpid()
    for part in split(message):
        attempt = unpack_attempt(part, problem.space)
        seed_global_generators(attempt.seed)
        ends.append(pack_end(evaluate(problem, attempt)))
        if os.getpid() != me:  # an objective forked, and its child came back
            break
    return join(ends)


def serve(line: Any, work: Callable[[bytes], bytes]) -> None:
    """Answer what comes over the line until it is closed."""
    me = os.getpid()
    with suppress(EOFError, OSError):
        line.send_bytes(READY)
        while True:
            answer = work(line.recv_bytes())
            _flush()
            if os.getpid() != me:  # an objective forked, and its child came back
                os._exit(0)
            line.send_bytes(answer)


def end_with_parent(line: Any) -> None:
    """See to it that this process, and what it starts, ends with its coordinator."""
    if LINUX:
        _leave_watchman(line)
    else:
        threading.Thread(target=_await_parent, daemon=True).start()


def _flush() -> None:
    """Write out what was printed: the process may be killed later."""
    with suppress(Exception):
        sys.stdout.flush()


def _await_parent() -> None:
    """End this process and its group when the one that started it has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        if POSIX:
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(1)


# --- the watchman


def _leave_watchman(line: Any) -> None:
    """Go on as a child of this process, which watches over it.

    Called in a process that was just started, before there is anything that would
    not survive a fork. The watchman ends as its child ends; when the coordinator is
    gone, it kills the child with all that it started.
    """
    watchman = os.getpid()
    with quiet_fork():
        child = os.fork()
    if child == 0:
        own_group()
        die_with_parent()
        if os.getppid() != watchman:  # it died before we could say so
            os._exit(1)
        return
    line.close()
    adopt_orphans()
    _watch(child)


def _watch(child: int) -> None:
    """Wait for the end of the child or of the coordinator, and end likewise."""
    coordinator = parent_process()
    signs: list[Any] = [] if coordinator is None else [coordinator.sentinel]
    code = None
    with suppress(OSError, AttributeError):
        signs.append(os.pidfd_open(child))
    while code is None:
        over = connection.wait(signs, 1.0)
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
        elif coordinator is not None and coordinator.sentinel in over:
            code = 1
    kill_group(child)
    kill_children()
    if code < 0:  # die of the same
        with suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
