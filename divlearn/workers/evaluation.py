"""One evaluation, here or as bytes elsewhere; what the objective raises is caught.

On its way to another process a solution is a line of JSON and its codes, which the
receiver turns into a value by its own copy of the space. How it ended is a line of
JSON. So nothing that arrives can become code.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np

from divlearn.basics.errors import AnswerError, EvaluationError, InvalidDesign
from divlearn.basics.text import one_screen, said_by
from divlearn.problems import Problem
from divlearn.spaces import Space
from divlearn.workers.base import (
    FAILED,
    INFEASIBLE,
    OK,
    STATES,
    TIMED_OUT,
    WRONG_SHAPE,
    Attempt,
    OutOfTime,
    working_on,
)


def evaluate(problem: Problem, attempt: Attempt, worker: str = "") -> Attempt:
    """Evaluate, and say how it ended; whatever the objective does is an end.

    Only Ctrl-C passes through: it is meant for the caller.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (1 / x,), ["inverse"])
    >>> evaluate(problem, Attempt(0, 0, 0, 4, None)).outputs
    (0.25,)
    >>> evaluate(problem, Attempt(1, 0, 0, 0, None)).state
    'failed'
    """
    start = time.perf_counter()
    _try(problem, attempt)
    return attempt.by(worker, time.perf_counter() - start)


def evaluate_together(
    problem: Problem, attempts: Sequence[Attempt], worker: str = ""
) -> list[Attempt]:
    """Evaluate by one call of ``evaluate_batch``.

    If that raises, they are evaluated one at a time, so that each ends by itself.

    Examples
    --------
    >>> import divlearn as dl
    >>> class Squares:
    ...     def evaluate_batch(self, solutions):
    ...         return [(x * x,) for x in solutions]
    >>> problem = dl.Problem(dl.Integer(0, 9), Squares, ["square"])
    >>> attempts = [Attempt(number, 0, 0, number, None) for number in range(3)]
    >>> [attempt.outputs for attempt in evaluate_together(problem, attempts)]
    [(0.0,), (1.0,), (4.0,)]
    """
    start = time.perf_counter()
    try:
        rows = problem.measure_batch([attempt.x for attempt in attempts])
    except (InvalidDesign, EvaluationError):
        return [evaluate(problem, attempt, worker) for attempt in attempts]
    seconds = (time.perf_counter() - start) / len(attempts)
    for attempt, (outputs, extras) in zip(attempts, rows, strict=True):
        attempt.end(OK, tuple(outputs.tolist()), extras=extras or None)
        attempt.by(worker, seconds)
    return list(attempts)


def _try(problem: Problem, attempt: Attempt) -> Attempt:
    """Evaluate, and turn every exception into words."""
    try:
        with working_on(attempt):
            outputs, extras = problem.measure(attempt.x, attempt.seed)
    except InvalidDesign as error:
        return attempt.end(INFEASIBLE, message=str(error))
    except AnswerError as error:
        return attempt.end(WRONG_SHAPE, message=str(error))
    except EvaluationError as error:
        cause = error.__cause__
        if isinstance(cause, OutOfTime):
            return attempt.end(TIMED_OUT, message=str(cause))
        return attempt.end(FAILED, message=f"{error}{_place(cause)}")
    except SystemExit as error:
        words = f"the objective called sys.exit({error.code!r})"
        return attempt.end(FAILED, message=words)
    except Exception as error:  # of a problem that has its own way to evaluate
        words = f"the evaluation raised {said_by(error)}"
        return attempt.end(FAILED, message=f"{words}{_place(error)}")
    return attempt.end(OK, tuple(outputs.tolist()), extras=extras or None)


def _place(error: BaseException | None) -> str:
    """Where an exception was raised, as far as Python knows."""
    trace: TracebackType | None = None if error is None else error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    name = os.path.basename(code.co_filename)
    return f" (in {code.co_name}, {name}, line {trace.tb_lineno})"


def seed_global_generators(seed: int | None) -> None:
    """Seed the global generators, for objectives that have none of their own.

    Only for a process that does one evaluation at a time and nothing else.
    """
    if seed is not None:
        random.seed(seed)
        np.random.seed(seed % 2**32)  # noqa: NPY002 - the user's objective may use it


# --- as bytes


def pack_attempt(attempt: Attempt, space: Space) -> bytes:
    """Turn what is to be done into bytes; raises if x is not of the space."""
    head = [attempt.number, attempt.attempt, attempt.replicate, attempt.seed]
    codes = space.encode(attempt.x) if attempt.codes is None else attempt.codes
    content = np.ascontiguousarray(codes, np.int64).tobytes()
    return json.dumps(head).encode() + b"\n" + content


def unpack_attempt(message: bytes, space: Space) -> Attempt:
    """Turn bytes into what is to be done, with a solution of its own.

    Examples
    --------
    >>> from divlearn import Integer
    >>> message = pack_attempt(Attempt(7, 0, 1, 4, None), Integer(1, 8))
    >>> unpack_attempt(message, Integer(1, 8)).x
    4
    """
    head, _, content = message.partition(b"\n")
    number, attempt, replicate, seed = json.loads(head)
    codes = np.frombuffer(content, np.int64).copy()
    return Attempt(number, attempt, replicate, space.decode(codes), seed)


def join(messages: Sequence[bytes]) -> bytes:
    """Make one message of several, each behind its length; no JSON begins like that.

    Examples
    --------
    >>> split(join([b"one", b"", b"three"]))
    [b'one', b'', b'three']
    """
    return b"".join(len(one).to_bytes(8, "big") + one for one in messages)


def split(message: bytes) -> list[bytes]:
    """Take apart what :func:`join` made; raises ValueError if nobody did."""
    found, at = [], 0
    while at < len(message):
        start = at + 8
        at = start + int.from_bytes(message[at:start], "big")
        found.append(message[start:at])
    if at != len(message):
        raise ValueError("a message was cut off")
    return found


def pack_end(attempt: Attempt) -> bytes:
    """Turn how an evaluation ended into bytes; numbers keep their last digit."""
    parts = (attempt.state, attempt.outputs, attempt.seconds, attempt.message)
    return json.dumps([*parts, attempt.extras]).encode()


def pack_loss(state: str, seconds: float, message: str) -> bytes:
    """The same for an evaluation whose process died."""
    return json.dumps([state, None, seconds, one_screen(message), None]).encode()


def said_of_loss(message: bytes) -> str:
    """What :func:`pack_loss` was told; "" for a message of another kind, not JSON.

    Examples
    --------
    >>> said_of_loss(pack_loss("lost", 0.5, "the worker died"))
    'the worker died'
    """
    return str(json.loads(message)[3]) if message.startswith(b"[") else ""


def read_end(attempt: Attempt, message: bytes, worker: str) -> Attempt:
    """Say of an evaluation how it ended; raises ValueError if the bytes do not.

    Examples
    --------
    >>> message = pack_loss("lost", 0.5, "the worker died")
    >>> read_end(Attempt(7, 0, 1, 4, None), message, "w1").message
    'the worker died'
    """
    parts: Any = json.loads(message)
    if not isinstance(parts, list) or len(parts) != 5 or parts[0] not in STATES:
        raise ValueError(f"not an answer: {message[:80]!r}")
    state, outputs, seconds, words, extras = parts
    numbers = None if outputs is None else tuple(map(float, outputs))
    attempt.end(state, numbers, str(words), None if extras is None else dict(extras))
    return attempt.by(worker, float(seconds))
