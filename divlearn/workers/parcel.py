"""A problem on its way to other processes: functions of scripts and notebooks too.

Only problems travel by pickle, and only outward. What comes back is plain data.
"""

from __future__ import annotations

import hashlib
import pickle
from functools import cached_property
from importlib import import_module
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.problems import Problem

#: Problems that this process was sent, by the digest of their bytes.
_UNPACKED: dict[bytes, Problem] = {}
#: What can send functions by value; Ray has a copy of its own.
_BY_VALUE = ("cloudpickle", "ray.cloudpickle")
#: What to do where neither is there.
INSTALL = 'install cloudpickle (pip install "divlearn[workers]")'


class Parcel:
    """A problem that may be sent by pickle, and is set up once where it arrives.

    In the same process it is the problem itself: nothing is packed.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.Problem(dl.Integer(1, 8), pow, ["square"])
    >>> there = pickle.loads(pickle.dumps(Parcel(problem))).problem
    >>> there.space
    Integer(1, 8)
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @cached_property
    def packed(self) -> bytes:
        """The problem as bytes, made once."""
        return pack_problem(self.problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack, (self.packed, hashlib.sha256(self.packed).digest())


def _unpack(packed: bytes, digest: bytes) -> Parcel:
    """Return the problem that this process knows by now."""
    if digest not in _UNPACKED:
        _UNPACKED[digest] = pickle.loads(packed)
    return Parcel(_UNPACKED[digest])


def pack_problem(problem: Problem) -> bytes:
    """Turn a problem into bytes, by cloudpickle where pickle is not enough.

    A function of the script or notebook that was started is known to pickle by its name
    only, which means nothing to processes that were not started from it.
    """
    helper, packed = by_value(), b""
    try:
        packed = pickle.dumps(problem)
        if helper is None or b"__main__" not in packed:
            return packed
    except Exception as error:
        if helper is None:
            raise InputError(
                f"problem cannot be sent to other processes ({error}); define the "
                "objective as a function or class at the top of a module, or "
                f"{INSTALL}."
            ) from None
    try:
        return bytes(helper.dumps(problem))
    except Exception as error:
        if packed:  # by name, for processes that load the script themselves
            return packed
        raise InputError(
            f"problem cannot be sent to other processes ({error}): the objective uses "
            "something that exists in this process only, such as an open file or a "
            "lock. Make it within the function, or in a module of its own."
        ) from None


def by_value() -> Any:
    """A module like pickle that sends functions by value; None if there is none."""
    for name in _BY_VALUE:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


def by_name_only(packed: bytes) -> bool:
    """Whether bytes only name something in the script that was started."""
    return by_value() is None and b"__main__" in packed
