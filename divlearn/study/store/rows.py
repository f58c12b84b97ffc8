"""Rows of a study's file, and how values stand in them: as JSON, codes as bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from divlearn.spaces import Space
from divlearn.typing import Codes, Value

#: States of an outcome.
OK = "ok"
INFEASIBLE = "infeasible"
FAILED = "failed"
TIMED_OUT = "timed out"
ABANDONED = "abandoned"
STATES = (OK, INFEASIBLE, FAILED, TIMED_OUT, ABANDONED)

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Asked:
    """A candidate as it was asked for.

    Attributes
    ----------
    number
        From 0 in the order of asking.
    known
        Number of outcomes that it was chosen from.
    codes
        The design, see :class:`Packing`.
    x
        The design as JSON.
    asked
        When, in seconds since 1970.
    """

    number: int
    known: int
    codes: bytes
    x: str
    asked: float


@dataclass(frozen=True)
class Attempt:
    """An evaluation that ended; outputs are None unless it is ok."""

    number: int
    replicate: int
    attempt: int
    state: str
    outputs: Numbers | None
    seconds: float
    worker: str
    message: str
    ended: float


@dataclass(frozen=True)
class Outcome:
    """What became of a candidate.

    Attributes
    ----------
    number, state
        Which one, and one of STATES.
    outputs
        Objectives in the user's senses, then constraints; None unless ok. The mean
        where there are several replicates.
    spread
        Standard deviations of the outputs; None with less than two replicates.
    replicates, attempts
        Evaluations that are in the mean, and evaluations that were made; no attempts
        if the outcome is that of an equal candidate.
    seconds
        Time of all evaluations together.
    worker, message
        Who reported last, and what.
    at
        Seconds that the study had run.
    ended
        When, in seconds since 1970.
    """

    number: int
    state: str
    outputs: Numbers | None
    spread: Numbers | None
    replicates: int
    attempts: int
    seconds: float
    worker: str
    message: str
    at: float
    ended: float

    @property
    def counts(self) -> bool:
        """Whether the optimizer learns it; what was abandoned has no outcome."""
        return self.state != ABANDONED


class Packing:
    """Codes as bytes: the smallest type of whole numbers that holds all of a space.

    Parameters
    ----------
    space
        The space.

    Examples
    --------
    >>> from divlearn import Permutation
    >>> packing = Packing(Permutation(4))
    >>> packing.pack(np.array([3, 0, 2, 1])).hex()
    '03000201'
    """

    def __init__(self, space: Space) -> None:
        most = max((max(arities) for _, arities, _, _ in space.segments()), default=1)
        kinds = ("<u1", "<u2", "<u4")
        large_enough = (kind for kind in kinds if most - 1 <= np.iinfo(kind).max)
        self.kind = np.dtype(next(large_enough, "<i8"))

    def pack(self, codes: Codes) -> bytes:
        """Write codes, shape (n,)."""
        return codes.astype(self.kind).tobytes()

    def unpack(self, content: bytes) -> Codes:
        """Read codes, shape (n,)."""
        return np.frombuffer(content, self.kind).astype(np.int64)


def to_text(value: Any) -> str:
    """Write a value as JSON; what JSON has no word for as text.

    Examples
    --------
    >>> to_text({"order": np.array([1, 0]), "kind": "a"})
    '{"order":[1,0],"kind":"a"}'
    """
    return json.dumps(value, default=_plain, separators=(",", ":"), ensure_ascii=False)


def numbers_to_text(numbers: Numbers | None) -> str | None:
    """Write numbers as JSON, to the last bit."""
    return None if numbers is None else json.dumps(numbers)


def numbers_from(text: str | None) -> Numbers | None:
    """Read what :func:`numbers_to_text` wrote."""
    return None if text is None else tuple(map(float, json.loads(text)))


def _plain(value: Value) -> Any:
    """Turn arrays and NumPy numbers into lists and numbers."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
