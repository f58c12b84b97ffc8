"""What a study is told by whoever evaluates, checked before anything is written.

Telling needs no search: outcomes go into the file, and who asks next learns them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from divlearn.basics.checks import require_number, require_text
from divlearn.basics.errors import EvaluationError, InputError, InvalidDesign
from divlearn.basics.text import said_by
from divlearn.result.tally import KNOWN
from divlearn.study.known import KnownDesign, read_known, take_designs
from divlearn.study.opened import OpenStudy
from divlearn.study.options import RERUN, usual_duplicates
from divlearn.study.trial import ABANDONED, Trial
from divlearn.study.trials import asked, unanswered
from divlearn.study.tries import Tries
from divlearn.workers.base import FAILED, INFEASIBLE, OK, TIMED_OUT, Attempt

#: What an answer may say of a candidate: its values, or why there are none.
VALUES, DESIGN = "values", "design"
STATES = {"failed": FAILED, "infeasible": INFEASIBLE, "abandoned": ABANDONED}
KEYS = ("id", DESIGN, VALUES, *STATES, "seconds", "source")
#: Who evaluated, as far as the file knows.
TELLER = "told"
#: How sources of values end that came after a candidate was given up.
LATE = ", told late"
#: Numbers of candidates that a message lists.
MOST_LISTED = 12


@dataclass(frozen=True, eq=False)
class Told:
    """What an answer came to.

    Attributes
    ----------
    trial
        The trial, with its outcome.
    repeated
        Whether the study knew that already, so that nothing was changed.
    late
        Whether the candidate had been given up, or had failed: its values are those of
        a known design, a trial of its own.
    """

    trial: Trial
    repeated: bool = False
    late: bool = False


@dataclass
class _Reading:
    """Answers that were read: what to write, and what to say of each."""

    attempts: list[Attempt] = field(default_factory=list)
    ended: dict[int, Trial] = field(default_factory=dict)
    designs: list[KnownDesign] = field(default_factory=list)


def as_answer(values: Any) -> dict[str, Any]:
    """What is told instead of values, as an answer has it."""
    if isinstance(values, InvalidDesign):
        return {"infeasible": str(values)}
    if isinstance(values, Exception):
        return {"failed": said_by(values)}
    return {"failed": ""} if values is None else {VALUES: values}


def pending(study: OpenStudy) -> list[Trial]:
    """Candidates without an outcome, but for those that wait for an equal one."""
    rows = unanswered(study.store.open_candidates(), bool(study.problem.noise))
    return [asked(Trial(row.number), row, study.value_of) for row in rows]


def tell(study: OpenStudy, answers: Sequence[Mapping[str, Any]]) -> list[Told]:
    """Write down what became of candidates, all of it or nothing if one is wrong."""
    return _Teller(study).tell(answers)


class _Teller:
    """Reads answers against what the file says, and writes them."""

    def __init__(self, study: OpenStudy) -> None:
        self._study, self._store = study, study.store
        self._open = {row.number: row for row in self._store.open_candidates()}
        self._tries = Tries(study.names, study.declaration.seed, 1, 0)
        self._now, self._at = time.time(), study.clock.seconds
        self._reading = _Reading()

    def tell(self, answers: Sequence[Mapping[str, Any]]) -> list[Told]:
        """Read all, then write all."""
        if isinstance(answers, Mapping) or not isinstance(answers, Sequence):
            raise InputError(
                f"answers must be a list of dicts with id and values, got {answers!r}."
            )
        read = [self._read(answer) for answer in answers]
        first = self._store.num_candidates()
        self._write()
        numbers = dict(self._store.designs(OK, KNOWN)) if self._reading.designs else {}
        return [
            one if isinstance(one, Told) else self._known(one, numbers, first)
            for one in read
        ]

    # --- reading

    def _read(self, answer: Any) -> Told | KnownDesign:
        """One answer: an outcome, or a design with values."""
        kind = _kind_of(answer)
        seconds = require_number("seconds", answer.get("seconds", 0.0), 0.0)
        if DESIGN in answer:
            source = require_text("source", answer.get("source", ""))
            return self._design(answer[DESIGN], answer[VALUES], source)
        number = self._number(answer["id"])
        if number in self._reading.ended:
            raise InputError(f"candidate {number} is told twice in one call.")
        if number not in self._open:
            return self._again(number, kind, answer[kind])
        trial, attempt = self._begun(number)
        if kind == VALUES:
            outputs, extras = self._values(number, answer[VALUES], trial.x)
            attempt.end(OK, outputs, extras=extras)
        else:
            attempt.end(STATES[kind], message=_why(kind, answer[kind]))
        return self._end(trial, attempt, seconds)

    def _number(self, given: Any) -> int:
        """Number of a candidate that was asked for."""
        good = isinstance(given, int) and not isinstance(given, bool) and given >= 0
        if good and given < self._store.num_candidates():
            return int(given)
        rows = unanswered(list(self._open.values()), bool(self._study.problem.noise))
        numbers = [str(row.number) for row in rows]
        more = f" and {len(numbers) - MOST_LISTED:,} more" * (
            len(numbers) > MOST_LISTED
        )
        listed = ", ".join(numbers[:MOST_LISTED]) + more
        known = f"Without an outcome: {listed}" if listed else "None waits; ask first"
        raise InputError(
            f"id must be the number of a candidate that was asked for, got {given!r}. "
            f"{known}. A design of your own is told by its design."
        )

    def _begun(self, number: int) -> tuple[Trial, Attempt]:
        """A candidate as a trial that is under way, and the attempt that ends now."""
        row = self._open[number]
        trial = asked(Trial(number), row, self._study.value_of)
        earlier = [
            a for a in self._store.attempts(open_only=True) if a.number == number
        ]
        (attempt,) = self._tries.begin(trial, None, earlier=earlier)
        return trial, attempt

    def _values(self, number: int, values: Any, x: Any) -> tuple[Any, Any]:
        """Outputs and extra metrics of what somebody reports of a candidate."""
        problem = self._study.problem
        try:
            reported = problem.reported(values)
            outputs = problem.read_outputs(reported, x)
            extras = problem.read_extras(reported, x)
        except (EvaluationError, InputError) as error:
            said, raised, _ = str(error).partition("; raise ")
            said = said.replace("the objective must return", "there must be")
            advice = "; say that it failed or is infeasible if it has none." * bool(
                raised
            )
            raise InputError(f"values of candidate {number}: {said}{advice}") from None
        return tuple(outputs.tolist()), extras or None

    def _end(self, trial: Trial, attempt: Attempt, seconds: float) -> Told:
        """Finish a trial, and those that wait for it."""
        self._at += seconds
        if attempt.state == ABANDONED:
            trial.give_up(attempt.message, self._at, self._now)
        else:
            attempt.by(TELLER, seconds).ended = self._now
            self._tries.take(attempt)
            self._tries.finish(trial, self._at)
            self._reading.attempts.append(attempt)
        self._reading.ended[trial.number] = trial
        return Told(trial)

    def _again(self, number: int, kind: str, said: Any) -> Told | KnownDesign:
        """An answer for a candidate that has an outcome."""
        trial = self._ended(number)
        if kind != VALUES:
            if STATES[kind] == trial.state or trial.state == ABANDONED:
                return Told(trial, repeated=True)
            raise _told_before(trial)
        outputs, extras = self._values(number, said, trial.x)
        if trial.outputs == outputs:
            return Told(trial, repeated=True)
        if trial.state not in (ABANDONED, FAILED, TIMED_OUT):
            raise _told_before(trial)
        codes = self._study.packing.unpack(trial.codes)
        source = f"candidate {number}{LATE}"
        design = KnownDesign(codes, outputs, extras or {}, source)
        self._reading.designs.append(design)
        return design

    def _design(self, x: Any, values: Any, source: str) -> KnownDesign:
        """A design that nobody asked for, with its values."""
        problem = self._study.problem
        design = read_known(problem, x, problem.reported(values), source)
        self._reading.designs.append(design)
        return design

    # --- writing

    def _write(self) -> None:
        """Write outcomes with those that follow, then designs; learn what is open."""
        told = list(self._reading.ended.values())
        trials = [*told, *self._alike(told)]
        if trials:
            self._store.add_outcomes(self._reading.attempts, trials)
        if self._study.search is not None:
            for trial in trials:
                self._study.search.take(trial)
        if self._reading.designs:
            take_designs(self._study, self._reading.designs)

    def _alike(self, told: Sequence[Trial]) -> list[Trial]:
        """Candidates that waited for the outcome of an equal one."""
        if usual_duplicates(self._study.problem) == RERUN:
            return []
        first = {trial.codes: trial for trial in told if trial.counts}
        found = []
        for number, row in self._open.items():
            if number in self._reading.ended or row.codes not in first:
                continue
            trial = asked(Trial(number), row, self._study.value_of)
            trial.answer_by(first[row.codes], self._at, self._now)
            found.append(trial)
        return found

    def _known(
        self, design: KnownDesign, numbers: Mapping[bytes, int], first: int
    ) -> Told:
        """What a known design came to; trials from ``first`` on are new."""
        number = numbers[self._study.packing.pack(design.codes)]
        trial = self._ended(number)
        return Told(trial, number < first, design.source.endswith(LATE))

    def _ended(self, number: int) -> Trial:
        """A trial that has an outcome."""
        outcome, row = self._store.outcome(number), next(self._store.candidates(number))
        assert outcome is not None
        return asked(outcome, row, self._study.value_of)


def _kind_of(answer: Any) -> str:
    """What an answer says; refuses what is none."""
    if not isinstance(answer, Mapping):
        raise InputError(
            f"an answer must be a dict such as {{'id': 3, 'values': [1.5, 2.0]}}, got "
            f"{answer!r}."
        )
    if unknown := [key for key in answer if key not in KEYS]:
        raise InputError(
            f"an answer has {', '.join(KEYS)}, got {', '.join(map(repr, unknown))} in "
            f"{dict(answer)!r}."
        )
    said = [kind for kind in (VALUES, *STATES) if kind in answer]
    if ("id" in answer) == (DESIGN in answer) or len(said) != 1:
        raise InputError(
            "an answer must have id or design, and one of values, "
            f"{', '.join(STATES)}; got {dict(answer)!r}."
        )
    if DESIGN in answer and said != [VALUES]:
        raise InputError(
            f"a design of your own must come with values, got {dict(answer)!r}."
        )
    return said[0]


def _why(kind: str, said: Any) -> str:
    """Why there are no values, in words."""
    if said in (True, None, ""):
        return f"told as {kind}"
    return require_text(kind, said)


def _told_before(trial: Trial) -> InputError:
    """Refuse to change an outcome."""
    values = {**(trial.f or {}), **(trial.g or {})} or f"it {trial.state}"
    return InputError(
        f"candidate {trial.number} was told before: {values}. An outcome stays as it "
        "was told. To correct it, export all trials, mend the row and import them into "
        "a new study."
    )
