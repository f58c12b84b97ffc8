"""Tasks and answers as bytes, so that nothing that arrives can become code.

A task is a line of JSON and the codes of its solution; the receiver turns these into
a value by its own copy of the space. An answer is a line of JSON.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from divlearn.spaces import Space
from divlearn.workers.base import STATES, Task
from divlearn.workers.evaluation import Answer


def pack_task(task: Task, space: Space) -> bytes:
    """Turn a task into bytes."""
    head = [task.number, task.attempt, task.replicate, task.seed]
    codes = np.ascontiguousarray(space.encode(task.x), np.int64)
    return json.dumps(head).encode() + b"\n" + codes.tobytes()


def unpack_task(message: bytes, space: Space) -> Task:
    """Turn bytes into a task with a solution of its own.

    Examples
    --------
    >>> from divlearn import Integer
    >>> unpack_task(pack_task(Task(7, 0, 1, 4, None), Integer(1, 8)), Integer(1, 8))
    Task(number=7, attempt=0, replicate=1, x=4, seed=None)
    """
    head, _, codes = message.partition(b"\n")
    number, attempt, replicate, seed = json.loads(head)
    x = space.decode(np.frombuffer(codes, np.int64).copy())
    return Task(number, attempt, replicate, x, seed)


def pack_answer(answer: Answer) -> bytes:
    """Turn an answer into bytes; numbers keep their last digit."""
    parts = (answer.state, answer.outputs, answer.seconds, answer.message)
    return json.dumps([*parts, answer.extras]).encode()


def unpack_answer(message: bytes) -> Answer:
    """Turn bytes into an answer; raises ValueError if they are none.

    Examples
    --------
    >>> unpack_answer(pack_answer(Answer("ok", (0.1, 2.0), 0.5))).outputs
    (0.1, 2.0)
    """
    parts: Any = json.loads(message)
    if not isinstance(parts, list) or len(parts) != 5 or parts[0] not in STATES:
        raise ValueError(f"not an answer: {message[:80]!r}")
    state, outputs, seconds, words, extras = parts
    return Answer(
        state,
        None if outputs is None else tuple(map(float, outputs)),
        float(seconds),
        str(words),
        None if extras is None else dict(extras),
    )
