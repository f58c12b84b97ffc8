"""Rows of a study's file: values are stored as JSON, codes as bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from divlearn.basics.text import as_json, one_screen, storable
from divlearn.basics.typing import Extras, Value
from divlearn.result.tally import KNOWN
from divlearn.study.store.table import BadRow, Row
from divlearn.study.trial import (
    KINDS,
    STATES,
    Named,
    Names,
    Numbers,
    Trial,
    named,
)
from divlearn.workers.base import OK, Attempt
from divlearn.workers.base import STATES as ENDS


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


class CandidateRow(NamedTuple):
    """A candidate as the file has it.

    Attributes
    ----------
    number, told
        Its number, and how many outcomes it was chosen from.
    codes, x
        The design: packed codes, and JSON.
    asked
        When, in seconds since 1970.
    kind, source
        ``"asked"``, ``"enqueued"`` or ``"known"``, and where it then comes from.
    """

    number: int
    told: int
    codes: bytes
    x: str
    asked: float
    kind: str
    source: str


class Queued(NamedTuple):
    """A design that is to be evaluated before others are asked."""

    number: int
    codes: bytes
    source: str


# --- rows


def candidate_row(trial: Trial) -> Row:
    """Write a candidate as a row."""
    return (
        trial.number,
        trial.told,
        trial.codes,
        to_text(trial.x),
        trial.asked,
        trial.kind,
        storable(trial.source),
    )


def candidate_from(row: Row) -> CandidateRow:
    """Check a candidate."""
    candidate = CandidateRow(*row)
    _require(min(candidate[:2]) >= 0, "a number is negative")
    _require(math.isfinite(candidate.asked), "a time is not finite")
    _require(candidate.kind in KINDS, "the kind is none")
    return candidate


def queued_row(queued: Queued) -> Row:
    """Write a design that waits as a row."""
    return (queued.number, queued.codes, storable(queued.source))


def queued_from(row: Row) -> Queued:
    """Read a design that waits from a row."""
    _require(row[0] >= 0, "a number is negative")
    return Queued(*row)


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
    """Read an attempt with so many outputs from a row; x and seed are not in it."""
    number, replicate, tried, state, outputs, seconds, worker, said, ended, extras = row
    _require(min(number, replicate, tried) >= 0, "a number is negative")
    _require(state in ENDS, "the state is none")
    _require((outputs is not None) == (state == OK), "state and outputs disagree")
    _require(math.isfinite(seconds + ended), "a time is not finite")
    values = numbers_from(outputs)
    _require_length(values, num_outputs)
    attempt = Attempt(number, tried, replicate, None, None, ended=ended)
    attempt.end(state, values, said, _extras_from(extras))
    return attempt.by(worker, seconds)


def outcome_row(sequence: int, trial: Trial) -> Row:
    """Write what became of a trial as a row."""
    return (
        sequence,
        trial.number,
        trial.state,
        _values_to_text(trial.f),
        _values_to_text(trial.g),
        _values_to_text(trial.spread),
        trial.replicates,
        trial.attempts,
        trial.seconds,
        storable(trial.worker),
        one_screen(trial.message),
        trial.at,
        trial.ended,
        _extras_to_text(trial.extras),
    )


def outcome_from(row: Row, names: Names | None = None) -> Trial:
    """Read what became of a trial from a row.

    Parameters
    ----------
    row
        As :func:`outcome_row` made it.
    names
        Names of objectives and constraints, if they are known.

    Returns
    -------
    The trial as far as this table knows it: not its x.
    """
    _, number, state, objectives, constraints, spread, *rest, extras = row
    replicates, attempts, seconds, worker, message, at, ended = rest
    _require(min(number, replicates, attempts) >= 0, "a number is negative")
    _require(state in STATES, "the state is none")
    _require(math.isfinite(seconds + at + ended), "a time is not finite")
    has_values, given = state in (OK, KNOWN), objectives is not None
    _require(given == (constraints is not None) == has_values, "values lack")
    f, g = names or (None, None)
    return Trial(
        number,
        state=state,
        f=_named(f, objectives),
        g=_named(g, constraints),
        spread=_named(None if names is None else (*names[0], *names[1]), spread),
        replicates=replicates,
        attempts=attempts,
        seconds=seconds,
        worker=worker,
        message=message,
        ended=ended,
        extras=_extras_from(extras),
        at=at,
    )


def _named(names: Sequence[str] | None, text: str | None) -> Named | None:
    """Numbers by name, as many as there are names."""
    numbers = numbers_from(text)
    _require_length(numbers, None if names is None else len(names))
    return named(names, numbers)


def revision_row(revision: Revision) -> Row:
    """Write a revision as a row."""
    return (revision.number, revision.batch, revision.asked, revision.known)


def revision_from(row: Row) -> Revision:
    """Read a revision from a row."""
    _require(min(row) >= 0, "a number is negative")
    return Revision(*row)


def _require(good: bool, wrong: str) -> None:
    """Refuse a row that divlearn did not write."""
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


def numbers_to_text(numbers: Iterable[float] | None) -> str | None:
    """Write finite numbers as JSON, to the last bit.

    Examples
    --------
    >>> numbers_to_text((0.1, 2.0)), numbers_to_text(())
    ('[0.1, 2.0]', '[]')
    """
    if numbers is None:
        return None
    # As json.dumps does it, in half the time.
    return f"[{', '.join(map(float.__repr__, numbers))}]"


def _values_to_text(values: Named | None) -> str | None:
    """Write numbers that have names."""
    return None if values is None else numbers_to_text(values.values())


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
