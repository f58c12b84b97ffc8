"""Whether the tables of a study agree: every value is stored in several places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from divlearn.result.tally import KNOWN
from divlearn.study.store import Store
from divlearn.study.store.rows import CandidateRow
from divlearn.study.trial import ABANDONED, Named, Numbers, Trial
from divlearn.study.tries import mean_and_spread
from divlearn.workers.base import OK, Attempt


def disagreements(store: Store) -> Iterator[str]:
    """Say where the tables of a file contradict each other, one place at a time.

    All rows are read, which checks each. Trials are compared with the attempts that
    they were made of, and with those of equal designs where there are none; numbers
    must be without gaps.

    Parameters
    ----------
    store
        The file.
    """
    store.notes()
    store.revisions()
    store.queue()
    rows = {row.number: row for row in store.candidates()}
    designs = {number: row.codes for number, row in rows.items()}
    yield from _gaps("candidates", "number", sorted(designs), 0)
    outcomes = list(store.outcomes())
    by_number = {outcome.number: outcome for outcome in outcomes}
    yield from _gaps("outcomes", "sequence", store.sequences(), 1)
    for number in sorted(by_number.keys() - designs.keys()):
        yield f"table outcomes, number {number}: there is no such candidate"
    yield from _unlike(rows, by_number)
    tried: set[int] = set()
    for number, group in groupby(store.attempts(), lambda attempt: attempt.number):
        tried.add(number)
        if number not in designs:
            yield f"table attempts, number {number}: there is no such candidate"
        elif number in by_number:
            yield from _compare(by_number[number], list(group))
    yield from _untried(
        (o for o in outcomes if o.number not in tried), designs, outcomes
    )


def _gaps(table: str, column: str, numbers: Iterable[int], first: int) -> Iterator[str]:
    """Numbers that are missing."""
    for expected, number in enumerate(numbers, first):
        if number != expected:
            yield f"table {table}, {column} {expected}: the row is missing"
            return


def _unlike(rows: dict[int, CandidateRow], outcomes: dict[int, Trial]) -> Iterator[str]:
    """Designs that were known have outcomes that say so, and others do not."""
    for number, row in rows.items():
        outcome = outcomes.get(number)
        if (row.kind == KNOWN) != (outcome is not None and outcome.state == KNOWN):
            yield f"table candidates, number {number}: its kind is not its outcome's"


def _compare(outcome: Trial, attempts: list[Attempt]) -> Iterator[str]:
    """Compare an outcome with its attempts."""
    good = [a.outputs for a in attempts if a.state == OK and a.outputs is not None]
    mean, spread = mean_and_spread(good)
    if len(good) < len(attempts) and outcome.replicates < len(good):
        return  # more came in after one had said that the design is infeasible
    wrong = {
        "outputs": not _same(outcome.outputs, mean),
        "spread": not _same(_numbers(outcome.spread), spread),
        "replicates": outcome.replicates != len(good),
        "attempts": outcome.attempts > len(attempts)
        or (outcome.attempts < len(attempts) == len(good)),
        "state": (outcome.state == OK) != bool(good),
    }
    for column, differs in wrong.items():
        if differs:
            place = f"table outcomes, number {outcome.number}, column {column}"
            yield f"{place}: it does not agree with the table attempts"


def _untried(
    untried: Iterable[Trial], designs: dict[int, bytes], outcomes: list[Trial]
) -> Iterator[str]:
    """Compare what was answered from the file with other outcomes of its design."""
    known = {_said(o, designs) for o in outcomes if o.attempts}
    for outcome in outcomes:  # one that is known answers others, too
        if outcome.state == KNOWN:
            known.add((designs.get(outcome.number), OK, outcome.outputs))
    for outcome in untried:
        place = f"table outcomes, number {outcome.number}"
        if outcome.attempts:
            yield f"{place}: its attempts are missing"
        elif outcome.state in (ABANDONED, KNOWN):
            continue
        elif _said(outcome, designs) not in known:
            yield f"{place}: no equal design has this outcome"


def _said(outcome: Trial, designs: dict[int, bytes]) -> tuple[Any, ...]:
    """What an outcome says of which design."""
    return designs.get(outcome.number), outcome.state, outcome.outputs


def _numbers(values: Named | None) -> Numbers | None:
    """Numbers without their names."""
    return None if values is None else tuple(values.values())


def _same(one: Numbers | None, other: Numbers | None) -> bool:
    """Whether numbers agree to the last digit, signs of zeros included."""
    return repr(one) == repr(other)
