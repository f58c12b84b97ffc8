"""The process that works: one message after the other, until the line is closed.

On Linux one that was started anew leaves another process behind, a watchman, which
sees to it that nothing outlives the coordinator.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing import connection, parent_process
from typing import Any

import numpy as np

from divlearn.problems import Problem
from divlearn.workers.evaluation import (
    evaluate,
    pack_end,
    seed_global_generators,
    unpack_attempt,
)
from divlearn.workers.processes import quiet_fork
from divlearn.workers.system import (
    LINUX,
    POSIX,
    adopt_orphans,
    die_with_parent,
    kill_children,
    kill_group,
    own_group,
)

#: First message of a runner: the problem is set up.
READY = b"ready"


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
    """Do the evaluation that a message asks for."""
    attempt = unpack_attempt(message, problem.space)
    seed_global_generators(attempt.seed)
    return pack_end(evaluate(problem, attempt))


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
