"""What an optimizer is told about an evaluation, and what it keeps besides values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, Self

import numpy as np

from divlearn.basics.errors import EvaluationError, InputError, InvalidDesign
from divlearn.basics.typing import Codes, Extras, Floats
from divlearn.optimizer.candidates import Candidate, UnderWay
from divlearn.problems import Problem
from divlearn.result.inputs import read_failures
from divlearn.result.tally import FAILED, INFEASIBLE, KNOWN, OK, Tally

#: Reasons of failures in a state file.
MOST_SAVED = 100
#: Designs beyond those of the front whose extra metrics are kept until there are more.
SPARE = 10_000


class Told(NamedTuple):
    """An answer: numbers and extra metrics, or why there are none."""

    outputs: Floats | None
    extras: Extras
    state: str = OK
    message: str = ""


def read_answers(
    problem: Problem, under_way: UnderWay, candidates: Any, values: Any
) -> list[tuple[Candidate, Told]]:
    """Read what ``tell`` was given, before anything is learned of it."""
    if isinstance(candidates, (Candidate, int, np.integer)):
        candidates, values = [candidates], [values]
    candidates = _listed("candidates", candidates)
    values = _listed("values", values)
    if len(candidates) != len(values):
        hint = ""
        if not any(isinstance(one, Candidate) for one in candidates):
            hint = " Candidates are what ask returned, not their x."
        raise InputError(
            f"values needs one entry for each of the {len(candidates)} candidates, "
            f"got {len(values)}; give a row per candidate, None for a failed one.{hint}"
        )
    asked = [under_way.find(candidate) for candidate in candidates]
    if len({candidate.id for candidate in asked}) != len(asked):
        raise InputError("candidates must be different, got the same one twice.")
    pairs = zip(asked, values, strict=True)
    return [(one, _read_told(problem, value, one.id)) for one, value in pairs]


def _listed(argument: str, entries: Any) -> list[Any]:
    """Turn ``entries`` into a list, or say that this is not possible."""
    try:
        if isinstance(entries, (str, bytes, Mapping)):
            raise TypeError
        return list(entries)
    except TypeError:
        raise InputError(
            f"{argument} must be a list with one entry per candidate, got {entries!r}."
        ) from None


def _read_told(problem: Problem, value: Any, number: int) -> Told:
    """Read one entry of what ``tell`` was given for a candidate."""
    if isinstance(value, Exception):
        state = INFEASIBLE if isinstance(value, InvalidDesign) else FAILED
        return Told(None, {}, state, str(value))
    if _is_read(problem, value):
        return Told(value.copy(), {})
    try:
        if problem.says_failed(value):
            return Told(None, {}, FAILED)
        outputs = problem.read_outputs(value)
        return Told(outputs, problem.read_extras(value) if problem.extras else {})
    except EvaluationError as error:
        raise InputError(f"values for candidate {number}: {error}") from None


def _is_read(problem: Problem, value: Any) -> bool:
    """Whether this is what ``problem.evaluate`` returns, and needs no second look."""
    return (
        type(value) is np.ndarray
        and value.dtype == np.float64
        and value.shape == (len(problem.outputs),)
        and all(map(math.isfinite, value.tolist()))
    )


class Remarks:
    """Extra metrics of designs, and how evaluations without values ended.

    A search does not need them; results do.

    Attributes
    ----------
    tally
        Evaluations without values.
    """

    def __init__(self) -> None:
        self.tally: Tally = Tally()
        self._extras: dict[bytes, Extras] = {}
        self._sources: dict[bytes, str] = {}

    def copy(self) -> Self:
        """Return a copy that is independent from here on."""
        return deepcopy(self)

    def keep(
        self, codes: Codes, extras: Extras, front: Callable[[], Iterable[Codes]]
    ) -> None:
        """Keep the extra metrics of a design; of many only those of the front."""
        if not extras:
            return
        self._extras[codes.tobytes()] = extras
        if len(self._extras) > SPARE:
            wanted = [row.tobytes() for row in front()]
            kept = {key: self._extras[key] for key in wanted if key in self._extras}
            if len(kept) < SPARE // 2:
                self._extras = kept

    def name_source(self, codes: Codes, source: str) -> None:
        """Keep where the values of a known design come from."""
        self._sources[codes.tobytes()] = source

    def saved(self, front: Iterable[Codes]) -> dict[str, Any]:
        """All that a result needs, as plain data."""
        wanted = [row.tobytes() for row in front]
        extras = {key.hex(): self._extras[key] for key in wanted if key in self._extras}
        sources = {k.hex(): self._sources[k] for k in wanted if k in self._sources}
        failures = self.tally.reasons(MOST_SAVED)
        return {"failures": failures, "extras": extras, "sources": sources}

    @classmethod
    def restored(cls, data: Any) -> Self:
        """Make what :meth:`saved` described; raises ValueError otherwise."""
        remarks = cls()
        try:
            for reason in read_failures(data.get("failures", [])):
                remarks.tally.note(reason["kind"], reason["message"], reason["count"])
            for key, extras in data.get("extras", {}).items():
                good = {k: v for k, v in extras.items() if isinstance(v, (float, str))}
                remarks._extras[bytes.fromhex(key)] = good
            for key, source in data.get("sources", {}).items():
                remarks._sources[bytes.fromhex(key)] = str(source)
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"its remarks are none: {error}") from None
        return remarks

    def extras_of(
        self, names: Sequence[str], solutions: Iterable[Codes]
    ) -> dict[str, list[Any]]:
        """Extra metrics of solutions by name; None where they are not known."""
        if not names:
            return {}
        rows = [self._extras.get(codes.tobytes(), {}) for codes in solutions]
        return {name: [row.get(name) for row in rows] for name in names}

    def sources_of(self, solutions: Iterable[Codes]) -> list[str | None]:
        """Where solutions come from; None for those that the search found."""
        return [self._sources.get(codes.tobytes()) for codes in solutions]

    def counts(self, evaluations: int, failed: int, known: int) -> dict[str, int]:
        """Evaluations by how they ended; ``failed`` of them gave no values."""
        counts = {OK: evaluations - failed, **self.tally.counts}
        if known:
            counts[KNOWN] = known
        unexplained = failed - sum(self.tally.counts.values())
        if unexplained > 0:  # of a search that was loaded
            counts[FAILED] = counts.get(FAILED, 0) + unexplained
        return counts
