"""``Search``: an optimizer that is asked and told in an order that can be repeated."""

from __future__ import annotations

import copy
import time
from collections.abc import Collection

import numpy as np

from divlearn.basics.typing import Codes
from divlearn.methods.names import Method
from divlearn.optimizer.candidate import Candidate
from divlearn.optimizer.optimizer import Optimizer
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.result.history import next_record
from divlearn.study.rehearsal import Rehearsal
from divlearn.study.store import Outcome


def new_optimizer(
    problem: Problem, method: str | Method, seed: int, budget: int | None
) -> Optimizer:
    """Make an optimizer, without a word to the problem's own memory of evaluations."""
    optimizer = Optimizer.__new__(Optimizer)
    optimizer._set_up(problem, method, seed, budget)
    return optimizer


class Search:
    """The order of questions and answers.

    Ordered, candidate k is chosen from the outcomes of those numbered k - lag or less,
    told by number: whatever comes in later waits. Otherwise every outcome is told as
    it comes. In both cases the file says enough to do the same again.

    Parameters
    ----------
    optimizer
        An optimizer that nothing was asked of yet, unless ``asked`` says otherwise.
    lag
        How many candidates may be under way, at least 1.
    ordered
        Whether outcomes wait for their turn.
    asked, taken
        Where a saved optimizer was: candidates asked; outcomes taken in, or where they
        are ordered the number of the first that is not.

    Attributes
    ----------
    asked
        Number of the next candidate.
    known
        Number of outcomes told.
    effort
        Seconds of asking and telling since the optimizer's state was saved.
    spoiled
        Whether asking failed midway, so that it cannot go on from here.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lag: int,
        ordered: bool,
        asked: int = 0,
        taken: int = 0,
    ) -> None:
        self.optimizer = optimizer
        self.lag = lag
        self.ordered = ordered
        self.asked = asked
        self.taken = taken
        self.known = optimizer.evaluations
        self.effort = 0.0
        self.spoiled = False
        self.rehearsal: Rehearsal | None = None  # while the past is gone through again
        self._waiting: dict[int, Outcome] = {}
        recorded = optimizer.history["evaluations"]
        self._next_record = next_record(
            int(recorded[-1]) if recorded else 0, optimizer.budget
        )

    @property
    def waiting(self) -> Collection[Outcome]:
        """Outcomes that are there and not told yet."""
        return self._waiting.values()

    def prepare(self) -> bool:
        """Tell what the next candidate is chosen from; whether all of it is there."""
        while self.ordered and self.taken <= self.asked - self.lag:
            if self.taken not in self._waiting:
                return False
            self._tell(self._waiting.pop(self.taken))
            self.taken += 1
        return True

    def ask(self) -> Candidate:
        """Return the next candidate; :meth:`prepare` must have said yes."""
        started = time.perf_counter()
        self.spoiled = True
        (candidate,) = self.optimizer.ask()
        self.spoiled = False
        self.asked += 1
        self.effort += time.perf_counter() - started
        return candidate

    def ask_again(self, codes: bytes) -> None:
        """The next candidate was this one; only during a rehearsal."""
        assert self.rehearsal is not None
        self.rehearsal.ask(codes)
        self.asked += 1

    def take(self, outcome: Outcome) -> None:
        """Take an outcome in: at once, or when it is its turn."""
        if self.ordered:
            self._waiting[outcome.number] = outcome
        else:
            self._tell(outcome)
            self.taken += 1

    def has_told(self, number: int) -> bool:
        """Whether the outcome of a candidate, which is there, has been learned."""
        return not self.ordered or number < self.taken

    def revise(self, outcome: Outcome, codes: Codes) -> None:
        """Take in another outcome of a candidate that had failed."""
        if not self.has_told(outcome.number):
            self._waiting[outcome.number] = outcome
        elif outcome.outputs is not None:
            if self.rehearsal is not None:
                self.rehearsal.catch_up()
            self.optimizer._recover(codes, np.array(outcome.outputs))

    def _tell(self, outcome: Outcome) -> None:
        """Let the optimizer learn, and note where it is."""
        if not outcome.counts:
            return
        started = time.perf_counter()
        (self.rehearsal or self.optimizer).tell(outcome.number, outcome.outputs)
        self.known += 1
        if self.known >= self._next_record:
            self._record(outcome.at)
        self.effort += time.perf_counter() - started

    def _record(self, seconds: float) -> None:
        """Add a row to the history."""
        if self.rehearsal is not None:
            self.rehearsal.catch_up()
        set_clock(self.optimizer, seconds)
        self.optimizer.record()
        self._next_record = next_record(self.known, self.optimizer.budget)

    def result(self, seconds: float, stopped: str) -> Result:
        """Return everything found, outcomes that wait for their turn included."""
        # The optimizer itself must learn them later, as if nobody had looked.
        other = Search(twin(self.optimizer), self.lag, self.ordered)
        for _, outcome in sorted(self._waiting.items()):
            other._tell(outcome)
        set_clock(other.optimizer, seconds)
        recorded = other.optimizer.history["evaluations"]
        if not recorded or recorded[-1] < other.known:
            other.optimizer.record()
        return other.optimizer.result(stopped)


def twin(optimizer: Optimizer) -> Optimizer:
    """Return an optimizer in the same state, which goes its own way from here."""
    other = copy.copy(optimizer)
    other._state = copy.deepcopy(other._state)
    other._pending = dict(other._pending)
    other._failed = set(other._failed)
    other._remarks = other._remarks.copy()
    other.history = {name: list(rows) for name, rows in other.history.items()}
    return other


def set_clock(optimizer: Optimizer, seconds: float) -> None:
    """Let the optimizer's clock stand at the time that the study says."""
    optimizer._started, optimizer._seconds_before = None, seconds
