"""The process that evaluates: one task after the other, until the line is closed."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing import parent_process
from typing import Any

import numpy as np

from divlearn.problems import Problem
from divlearn.workers.evaluation import evaluate, seed_global_generators
from divlearn.workers.messages import pack_answer, unpack_task
from divlearn.workers.system import LINUX, POSIX, die_with_parent
from divlearn.workers.watchman import leave_watchman

#: First message of a runner: the problem is set up.
READY = b"ready"


def run_copy(line: Any, problem: Problem, guard: int) -> None:
    """Live as a copy of a guard."""
    die_with_parent()
    if os.getppid() == guard:  # else it died before we could say so
        np.random.seed()  # noqa: NPY002 - all copies would draw the same numbers
        serve(line, problem)


def run_anew(line: Any, pickled: bytes) -> None:
    """Live as a process of its own, which ends with the one that started it."""
    if LINUX:
        leave_watchman(line)
    else:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(line, pickle.loads(pickled))


def serve(line: Any, problem: Problem) -> None:
    """Evaluate what comes over the line until it is closed."""
    me = os.getpid()
    with suppress(EOFError, OSError):
        line.send_bytes(READY)
        while True:
            task = unpack_task(line.recv_bytes(), problem.space)
            seed_global_generators(task.seed)
            answer = evaluate(problem, task)
            _flush()
            if os.getpid() != me:  # an objective forked, and its child came back
                os._exit(0)
            line.send_bytes(pack_answer(answer))


def _flush() -> None:
    """Write out what was printed: the process may be killed later."""
    with suppress(Exception):
        sys.stdout.flush()


def _end_with_parent() -> None:
    """End this process and its group when the one that started it has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        if POSIX:
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(1)
