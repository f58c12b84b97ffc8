"""Designs from elsewhere: known ones, which cost nothing, and those to be evaluated.

All that one call brings is written at once, so that a study has all of it or nothing,
whenever it is cut off. The search learns known designs before it chooses anything new.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from divlearn.basics.errors import EvaluationError, InputError
from divlearn.basics.typing import Codes, Extras, Value
from divlearn.optimizer.elsewhere import require_learning, usable_codes
from divlearn.problems import Problem
from divlearn.problems.given import read_given
from divlearn.result.tally import KNOWN, OK
from divlearn.study.opened import OpenStudy
from divlearn.study.ranking import best_last
from divlearn.study.trial import ENQUEUED, Numbers, Trial


@dataclass(frozen=True, eq=False)
class KnownDesign:
    """A design whose values are known.

    Attributes
    ----------
    codes
        The design, shape (n,).
    outputs
        Objectives in the user's senses, then constraints.
    extras
        Extra metrics by name.
    source
        Where the values come from.
    """

    codes: Codes
    outputs: Numbers
    extras: Extras = field(default_factory=dict)
    source: str = KNOWN


@dataclass(frozen=True, eq=False)
class QueuedDesign:
    """A design that is to be evaluated before the search chooses others."""

    codes: Codes
    source: str = ENQUEUED


Design = KnownDesign | QueuedDesign


@dataclass
class Additions:
    """What became of designs from elsewhere.

    Attributes
    ----------
    known, enqueued
        How many were taken.
    repeated
        How many were there already, and count once.
    source
        What they were read from.
    errors
        What was wrong with rows that were left out, a text per row.
    without
        Rows of a study whose evaluation had given no values, left out as well.
    unused
        Columns that say nothing about the problem.
    """

    known: int = 0
    enqueued: int = 0
    repeated: int = 0
    source: str = ""
    errors: list[str] = field(default_factory=list)
    without: int = 0
    unused: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        where = f"{self.source}: " if self.source else ""
        parts = [f"{self.known:,} known {'design' if self.known == 1 else 'designs'}"]
        parts += [f"{self.enqueued:,} enqueued"] * bool(self.enqueued)
        parts += [f"{self.repeated:,} there already"] * bool(self.repeated)
        parts += [f"{self.without:,} without values left out"] * bool(self.without)
        parts += [f"{len(self.errors):,} wrong and left out"] * bool(self.errors)
        lines = [where + ", ".join(parts), *(f"  {error}" for error in self.errors)]
        if self.unused:
            lines.append(f"  columns not used: {', '.join(self.unused)}")
        return "\n".join(lines)


def read_known(
    problem: Problem, x: Value, values: Any, source: str = ""
) -> KnownDesign:
    """Check a design and its values, as if the objective had returned them."""
    codes = problem.space.encode(x)
    outputs, extras = read_given(problem, x, values)
    try:
        valid = problem.codes_are_valid(codes)
    except EvaluationError as error:
        raise InputError(f"x: {error}") from None
    if not valid:
        raise InputError(f"x must be valid to be known, but valid() refuses {x!r}.")
    return KnownDesign(codes, tuple(outputs.tolist()), extras, source or KNOWN)


def read_queued(problem: Problem, x: Value, source: str = "") -> QueuedDesign:
    """Check a design that is to be evaluated."""
    return QueuedDesign(usable_codes(problem, x), source or ENQUEUED)


def take_designs(
    study: OpenStudy, designs: Iterable[Design], *, dry_run: bool = False
) -> Additions:
    """Put designs into a study: all of them, or none if this is cut off.

    Parameters
    ----------
    study
        The study, which may have run, and may be running in this process.
    designs
        What :func:`read_known` and :func:`read_queued` made. One that the study has
        already counts once; if the problem has noise, one with the same values.
    dry_run
        Whether only to count.

    Returns
    -------
    How many were taken, and how many were there already.
    """
    study.require_open()
    require_learning(study.declaration.settings)
    new = _New(study)
    for design in designs:
        new.take(design)
    new.number()
    if not dry_run and (new.known or new.queued):
        study.store.add_designs(new.known, new.queued)
        _go_on(study, new)
    return new.additions


def in_order(problem: Problem, known: Iterable[KnownDesign]) -> list[KnownDesign]:
    """Known designs in the order of learning."""
    listed = list(known)
    width = len(problem.outputs)
    outputs = np.array([one.outputs for one in listed]).reshape(len(listed), width)
    return best_last(problem, listed, outputs)


class _New:
    """Designs that a study does not have yet, as rows of its file."""

    def __init__(self, study: OpenStudy) -> None:
        self._study, self._noise = study, study.problem.noise
        self._first, self._now = study.store.num_candidates(), time.time()
        self._values, self._waiting = _present(study)
        self._accepted: list[KnownDesign] = []
        self.known: list[Trial] = []
        self.queued: list[tuple[bytes, str]] = []
        self.additions = Additions()

    def take(self, design: Design) -> None:
        """Take a design, unless it is there already."""
        packed = self._study.packing.pack(design.codes)
        if isinstance(design, KnownDesign):
            self._take_known(packed, design)
        elif packed in self._values or packed in self._waiting:
            self.additions.repeated += 1
        else:
            self._waiting.add(packed)
            self.queued.append((packed, design.source))
            self.additions.enqueued += 1

    def _take_known(self, packed: bytes, design: KnownDesign) -> None:
        """Take a known design."""
        values = self._values.setdefault(packed, set())
        if design.outputs in values or (values and not self._noise):
            self.additions.repeated += 1
            return
        values.add(design.outputs)
        self._accepted.append(design)
        self.additions.known += 1

    def number(self) -> None:
        """Make trials of known designs, numbered in the order of learning."""
        for design in in_order(self._study.problem, self._accepted):
            packed = self._study.packing.pack(design.codes)
            self.known.append(self._trial(packed, design))

    def _trial(self, packed: bytes, design: KnownDesign) -> Trial:
        """A known design as a trial that has ended."""
        study = self._study
        f, g = study.names.split(design.outputs)
        trial = Trial(
            self._first + len(self.known),
            study.problem.space.decode(design.codes),
            KNOWN,
            f,
            g,
            replicates=1,
            asked=self._now,
            ended=self._now,
            extras=design.extras or None,
            source=design.source,
            at=study.clock.seconds,
        )
        trial.codes, trial.kind = packed, KNOWN
        return trial


def _present(study: OpenStudy) -> tuple[dict[bytes, set[Numbers]], set[bytes]]:
    """Values of designs that have some, and designs that will have."""
    store = study.store
    numbers = {number: codes for codes, number in store.designs(OK, KNOWN)}
    values: dict[bytes, set[Numbers]] = {codes: set() for codes in numbers.values()}
    for outcome in store.outcomes():
        if outcome.number in numbers and outcome.outputs is not None:
            values[numbers[outcome.number]].add(outcome.outputs)
    waiting = {codes for codes, _ in store.designs()}
    return values, waiting | {queued.codes for queued in study.queue}


def _go_on(study: OpenStudy, new: _New) -> None:
    """Let what is open in this process know what the file knows now."""
    study.queue.clear()
    study.queue.extend(study.store.queue())
    for trial in new.known:
        study.known[trial.codes] = trial.number
        if study.search is not None:
            study.search.expect(trial.number, trial.codes, trial.source)
            study.search.take(trial)
