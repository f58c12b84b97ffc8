"""What a user sees of a study: its trials and its failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from divlearn.basics.text import one_line
from divlearn.basics.typing import Codes, Value
from divlearn.result.tally import KNOWN
from divlearn.study.store import Store
from divlearn.study.store.rows import CandidateRow, Queued
from divlearn.study.trial import ABANDONED, Names, Trial
from divlearn.study.tries import fill_means
from divlearn.workers.base import OK, RUNNING, Attempt

#: A candidate, with its design as the file has it.
C = TypeVar("C", CandidateRow, Trial)


class Asked(NamedTuple):
    """A candidate that was asked: trial, codes, and where it waited if it did."""

    trial: Trial
    codes: Codes
    queued: Queued | None


@dataclass(frozen=True, eq=False)
class Failure:
    """A design that could not be evaluated.

    Attributes
    ----------
    number, x
        The candidate.
    kind
        ``"infeasible"``, ``"failed"`` or ``"timed out"``.
    message
        What was said.
    attempts
        How often it was tried.
    """

    number: int
    x: Value
    kind: str
    message: str
    attempts: int


class Failures(list[Failure]):
    """Designs that could not be evaluated; a list that prints as a table."""

    def __str__(self) -> str:
        if not self:
            return "no failures"
        rows = [
            ("trial", "kind", "tried", "message"),
            *(
                (f"{f.number:,}", f.kind, f"{f.attempts:,}", one_line(f.message))
                for f in self
            ),
        ]
        widths = [max(len(row[j]) for row in rows) for j in range(3)]
        return "\n".join(
            f"{a:>{widths[0]}}  {b:{widths[1]}}  {c:>{widths[2]}}  {d}"
            for a, b, c, d in rows
        )


def trials_of(
    store: Store, value_of: Callable[[CandidateRow], Value], names: Names
) -> Iterator[Trial]:
    """Every candidate of a store, by number."""
    unfinished: dict[int, list[Attempt]] = {}
    for attempt in store.attempts(open_only=True):
        unfinished.setdefault(attempt.number, []).append(attempt)
    outcomes = store.outcomes()
    ended = next(outcomes, None)
    for row in store.candidates():
        number = row.number
        while ended is not None and ended.number < number:
            ended = next(outcomes, None)
        if ended is not None and ended.number == number:
            yield asked(ended, row, value_of)
        else:
            trial = asked(Trial(number), row, value_of)
            yield _so_far(trial, unfinished.get(number, []), names)
    for _ in outcomes:  # of candidates that came later; a changed number is seen here
        pass


def unanswered(candidates: Sequence[C], noise: bool) -> list[C]:
    """Of candidates without an outcome the first of each design.

    Others wait for it, unless the problem has ``noise`` and each is measured.
    """
    if noise:
        return list(candidates)
    first: dict[bytes, C] = {}
    for candidate in candidates:
        first.setdefault(candidate.codes, candidate)
    return list(first.values())


def asked(
    trial: Trial, row: CandidateRow, value_of: Callable[[CandidateRow], Value]
) -> Trial:
    """Give a trial what a row of candidates knows of it."""
    trial.told, trial.codes, trial.asked = row.told, row.codes, row.asked
    trial.kind, trial.source = row.kind, row.source
    trial.x = value_of(row)
    return trial


def _so_far(trial: Trial, attempts: list[Attempt], names: Names) -> Trial:
    """A trial without an outcome, with the mean of what is there already."""
    fill_means(trial, attempts, names)
    trial.attempts = len(attempts)
    trial.seconds = sum(attempt.seconds for attempt in attempts)
    if attempts:
        trial.worker, trial.message = attempts[-1].worker, attempts[-1].message
    return trial


def failures_of(trials: Iterator[Trial] | Sequence[Trial]) -> Failures:
    """Designs that could not be evaluated, each once."""
    return Failures(
        Failure(t.number, t.x, t.state, t.message, t.attempts)
        for t in trials
        if t.state not in (OK, KNOWN, RUNNING, ABANDONED) and t.attempts
    )
