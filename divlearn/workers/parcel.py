"""A problem on its way to other processes, unpacked once in each of them."""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
from functools import cached_property
from types import ModuleType
from typing import Any

from divlearn.errors import InputError
from divlearn.problems import Problem
from divlearn.workers.evaluation import evaluate
from divlearn.workers.messages import pack_answer, unpack_task

#: Problems that this process was sent, by the digest of their bytes.
_UNPACKED: dict[bytes, Problem] = {}


class Parcel:
    """A problem that may be sent by pickle, and is set up once where it arrives.

    In the same process it is the problem itself: nothing is packed.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @cached_property
    def packed(self) -> bytes:
        """The problem as bytes, made once."""
        return _pack(self.problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack, (self.packed, hashlib.sha256(self.packed).digest())


def _unpack(packed: bytes, digest: bytes) -> Parcel:
    """Return the problem that this process knows by now."""
    if digest not in _UNPACKED:
        _UNPACKED[digest] = pickle.loads(packed)
    return Parcel(_UNPACKED[digest])


def _pack(problem: Problem) -> bytes:
    """Turn a problem into bytes, by cloudpickle where pickle is not enough.

    A function of the script that was started is known to pickle by its name only,
    which means nothing to processes that were not started from that script.
    """
    helper = _cloudpickle()
    try:
        packed = pickle.dumps(problem)
        if helper is None or b"__main__" not in packed:
            return packed
    except Exception as error:
        if helper is None:
            raise InputError(
                f"problem cannot be sent to the executor's processes ({error}); define "
                "the objective as a function or class at the top of a module, or "
                "install cloudpickle."
            ) from None
    return bytes(helper.dumps(problem))


def _cloudpickle() -> ModuleType | None:
    """The package, if it is installed."""
    try:
        import cloudpickle
    except ImportError:
        return None
    module: ModuleType = cloudpickle
    return module


def evaluate_parcel(parcel: Parcel, message: bytes) -> tuple[bytes, str]:
    """Evaluate a task wherever this is called; return the answer and who gave it."""
    task = unpack_task(message, parcel.problem.space)
    answer = pack_answer(evaluate(parcel.problem, task))
    return answer, f"{socket.gethostname()}:{os.getpid()}"
