"""Rows of a study's file, and how values stand in them: as JSON, codes as bytes."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from divlearn.basics.text import as_json, one_screen, storable
from divlearn.basics.typing import Value
from divlearn.study.store.table import BadRow, Row
from divlearn.workers.base import STATES as ENDS

#: States of an outcome.
OK = "ok"
INFEASIBLE = "infeasible"
FAILED = "failed"
TIMED_OUT = "timed out"
ABANDONED = "abandoned"
STATES = (OK, INFEASIBLE, FAILED, TIMED_OUT, ABANDONED)

Numbers = tuple[float, ...]
#: Metrics beside objectives and constraints: finite numbers, or short texts, by name.
Extras = dict[str, float | str]


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
        The design, see :class:`divlearn.spaces.packing.Packing`.
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
    """An evaluation that ended; outputs are None unless it is ok.

    ``extras`` are other metrics that it returned, or None.
    """

    number: int
    replicate: int
    attempt: int
    state: str
    outputs: Numbers | None
    seconds: float
    worker: str
    message: str
    ended: float
    extras: Extras | None = None


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
    extras
        Other metrics that were returned, or None.
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
    extras: Extras | None = None

    @property
    def counts(self) -> bool:
        """Whether the optimizer learns it; what was abandoned has no outcome."""
        return self.state != ABANDONED


@dataclass(frozen=True)
class Revision:
    """A failure that the optimizer had learned, and that has values after all.

    Attributes
    ----------
    number
        Which candidate; its outcome has the values.
    batch
        Revisions were learned batch by batch, and by number within a batch.
    asked, known
        Candidates that had been asked by then, and outcomes that had been told.
    """

    number: int
    batch: int
    asked: int
    known: int


# --- rows


def asked_row(asked: Asked) -> Row:
    """Write a candidate as a row."""
    return (asked.number, asked.known, asked.codes, asked.x, asked.asked)


def asked_from(row: Row) -> Asked:
    """Read a candidate from a row."""
    asked = Asked(*row)
    _require(asked.number >= 0 and asked.known >= 0, "a number is negative")
    _require(math.isfinite(asked.asked), "a time is not finite")
    return asked


def attempt_row(attempt: Attempt) -> Row:
    """Write an attempt as a row."""
    return (
        attempt.number,
        attempt.replicate,
        attempt.attempt,
        attempt.state,
        numbers_to_text(attempt.outputs),
        attempt.seconds,
        storable(attempt.worker),
        one_screen(attempt.message),
        attempt.ended,
        _extras_to_text(attempt.extras),
    )


def attempt_from(row: Row, num_outputs: int | None = None) -> Attempt:
    """Read an attempt with so many outputs from a row."""
    number, replicate, attempt, state, outputs, *rest, extras = row
    seconds, _, _, ended = rest
    _require(min(number, replicate, attempt) >= 0, "a number is negative")
    _require(state in ENDS, "the state is none")
    _require((outputs is not None) == (state == OK), "state and outputs disagree")
    _require(math.isfinite(seconds + ended), "a time is not finite")
    values = numbers_from(outputs)
    _require_length(values, num_outputs)
    parts = (number, replicate, attempt, state, values, *rest, _extras_from(extras))
    return Attempt(*parts)


def outcome_row(sequence: int, outcome: Outcome, num_objectives: int) -> Row:
    """Write an outcome as a row."""
    m, outputs = num_objectives, outcome.outputs
    return (
        sequence,
        outcome.number,
        outcome.state,
        None if outputs is None else numbers_to_text(outputs[:m]),
        None if outputs is None else numbers_to_text(outputs[m:]),
        numbers_to_text(outcome.spread),
        outcome.replicates,
        outcome.attempts,
        outcome.seconds,
        storable(outcome.worker),
        one_screen(outcome.message),
        outcome.at,
        outcome.ended,
        _extras_to_text(outcome.extras),
    )


def outcome_from(row: Row, shape: tuple[int, int] | None = None) -> Outcome:
    """Read an outcome from a row.

    Parameters
    ----------
    row
        As :func:`outcome_row` made it.
    shape
        Numbers of objectives and constraints, if they are known.
    """
    _, number, state, objectives, constraints, spread, *rest, extras = row
    replicates, attempts, seconds, _, _, at, ended = rest
    _require(min(number, replicates, attempts) >= 0, "a number is negative")
    _require(state in STATES, "the state is none")
    _require(math.isfinite(seconds + at + ended), "a time is not finite")
    known = objectives is not None
    _require(known == (constraints is not None) == (state == OK), "values lack")
    m, c = shape or (None, None)
    f, g, deviations = map(numbers_from, (objectives, constraints, spread))
    _require_length(f, m)
    _require_length(g, c)
    _require_length(deviations, None if shape is None else sum(shape))
    outputs = None if f is None else f + (g or ())
    return Outcome(*(number, state, outputs, deviations, *rest, _extras_from(extras)))


def revision_row(revision: Revision) -> Row:
    """Write a revision as a row."""
    return (revision.number, revision.batch, revision.asked, revision.known)


def revision_from(row: Row) -> Revision:
    """Read a revision from a row."""
    _require(min(row) >= 0, "a number is negative")
    return Revision(*row)


def _require(good: bool, wrong: str) -> None:
    """Refuse a row that nothing has written."""
    if not good:
        raise BadRow(wrong)


def _require_length(numbers: Numbers | None, length: int | None) -> None:
    """Refuse more or fewer numbers than there are names for."""
    if numbers is not None and length is not None and len(numbers) != length:
        raise BadRow(f"there are {len(numbers)} values for {length} names")


# --- values


def to_text(value: Any) -> str:
    """Write a value as JSON; what JSON has no word for as text.

    Examples
    --------
    >>> import numpy as np
    >>> to_text({"order": np.array([1, 0]), "kind": "a"})
    '{"order":[1,0],"kind":"a"}'
    """
    return as_json(value, default=_plain, separators=(",", ":"))


def from_text(text: str) -> Any:
    """Read JSON; whatever is wrong with it is a ValueError.

    Examples
    --------
    >>> from_text("[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: JSON that is nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def numbers_to_text(numbers: Numbers | None) -> str | None:
    """Write numbers as JSON, to the last bit."""
    return None if numbers is None else json.dumps(numbers)


def numbers_from(text: str | None) -> Numbers | None:
    """Read what :func:`numbers_to_text` wrote."""
    if text is None:
        return None
    read = from_text(text)
    if not isinstance(read, list) or not {*map(type, read)} <= {int, float}:
        raise BadRow(f"no list of numbers: {text[:80]}")
    try:
        numbers = tuple(map(float, read))
    except OverflowError:
        numbers = (math.inf,)
    if not all(map(math.isfinite, numbers)):
        raise BadRow(f"a number is not finite: {text[:80]}")
    return numbers


def _extras_to_text(extras: Extras | None) -> str | None:
    """Write other metrics as JSON."""
    return None if extras is None else to_text(extras)


def _extras_from(text: str | None) -> Extras | None:
    """Read other metrics."""
    if text is None:
        return None
    read = from_text(text)
    good = isinstance(read, dict) and all(
        isinstance(v, str) or (type(v) in (int, float) and math.isfinite(v))
        for v in read.values()
    )
    _require(good, f"no metrics: {text[:80]}")
    return dict(read)


def _plain(value: Value) -> Any:
    """Turn arrays and NumPy numbers into lists and numbers."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
