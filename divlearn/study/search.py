"""``RepeatableSearch``: asks and tells in an order that can be repeated."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes
from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.optimizer import Optimizer
from divlearn.optimizer.replay import Elsewhere, Event
from divlearn.result import Result
from divlearn.result.history import next_record
from divlearn.result.tally import KNOWN
from divlearn.spaces.packing import Packing
from divlearn.study.trial import Trial

#: Events after which those collected are gone through, so that they take little memory.
LONGEST = 20_000


class RepeatableSearch:
    """The order of questions and answers.

    Ordered, candidate k is chosen from the outcomes of those numbered k - lag or less,
    told by number: whatever comes in later waits. Otherwise every outcome is told as
    it comes. In both cases the file says enough to do the same again.

    A design that was known before has a number like any candidate. Nothing is chosen
    before it is learned; ordered, that is after all candidates before it.

    Parameters
    ----------
    optimizer
        An optimizer that was not asked yet, unless ``asked`` says otherwise.
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
    told
        Number of outcomes told, those of known designs included.
    num_known
        Number of known designs among the candidates.
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
        self.asked: int = asked
        self.taken: int = taken
        self.told: int = optimizer.evaluations + optimizer.known
        self.num_known: int = optimizer.known
        self.effort: float = 0.0
        self.spoiled: bool = False
        self._past: list[Event] | None = None  # while it is gone through again
        self._compiled = False  # whether that is done without Python in between
        self._waiting: dict[int, Trial] = {}
        self._known: dict[int, tuple[bytes, str]] = {}  # not told yet: codes, source
        self._last_known = -1
        recorded = optimizer.history["evaluations"]
        self._next_record = next_record(
            int(recorded[-1]) if recorded else 0, optimizer.planned
        )

    @property
    def waiting(self) -> Collection[Trial]:
        """Outcomes that came in and were not told yet."""
        return self._waiting.values()

    @property
    def _made(self) -> int:
        """Number of evaluations told."""
        return self.told - (self.num_known - len(self._known))

    @property
    def needed(self) -> int:
        """Number of the last candidate that the next one is chosen from, if ordered."""
        return max(self.asked - self.lag, self._last_known)

    @property
    def noisy(self) -> bool:
        """Whether noise was declared or found: then no design is ever done with."""
        return self.optimizer.search.noisy

    def measures_again(self, number: int) -> bool:
        """Whether a candidate is a design that the method measures once more."""
        candidate = self.optimizer.under_way.pending.get(number)
        if candidate is None:
            return False
        return self.optimizer.search.measures_again(candidate.ticket)

    def prepare(self) -> bool:
        """Tell what the next candidate is chosen from; whether all of it came in."""
        while self.ordered and self.taken <= self.needed:
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

    def enqueue(self, codes: Codes) -> Candidate:
        """Make a design of somebody's choice the next candidate."""
        candidate = self.optimizer.enqueue_codes(codes)
        self.asked += 1
        return candidate

    def expect(self, number: int, codes: bytes, source: str) -> None:
        """A known design has the next number; its values are yet to be taken in."""
        self._known[number] = codes, source
        self._last_known = number
        self.asked += 1
        self.num_known += 1

    @property
    def waits_for_known(self) -> bool:
        """Whether values of a known design are yet to be told."""
        return bool(self._known)

    @contextmanager
    def replaying(self, compiled: bool) -> Iterator[None]:
        """Go through what is known meanwhile, see :meth:`divlearn.Optimizer.replay`."""
        started = time.perf_counter()
        self._past, self._compiled = [], compiled
        try:
            yield
            self._catch_up()
        finally:
            self._past = None
        self.effort = time.perf_counter() - started

    def ask_again(self, codes: bytes, chosen: bool = True) -> None:
        """The next candidate was this one; only while the past is gone through.

        ``chosen`` says whether the search chose it, or somebody had enqueued it.
        """
        self._remember(codes if chosen else Elsewhere(codes))
        self.asked += 1

    def _remember(self, event: Event) -> None:
        """Note what happened; go through the notes once there are many."""
        assert self._past is not None
        self._past.append(event)
        if len(self._past) >= LONGEST:
            self._catch_up()

    def _catch_up(self) -> None:
        """Let the optimizer go through everything that was collected."""
        if self._past:
            events, self._past = self._past, []
            self.optimizer.replay(events, compiled=self._compiled)

    def take(self, trial: Trial) -> None:
        """Take an outcome in: at once, or when it is its turn."""
        if self.ordered:
            self._waiting[trial.number] = trial
        else:
            self._tell(trial)
            self.taken += 1

    def has_told(self, number: int) -> bool:
        """Whether the outcome of a candidate has been learned; it must have come in."""
        return not self.ordered or number < self.taken

    def revise(self, trial: Trial, codes: Codes) -> None:
        """Take in another outcome of a candidate that had failed."""
        if not self.has_told(trial.number):
            self._waiting[trial.number] = trial
        elif trial.outputs is not None:
            self._catch_up()
            self.optimizer.revise(codes, trial.outputs)

    def _tell(self, trial: Trial) -> None:
        """Let the optimizer learn, and note where it is."""
        if not trial.counts:
            return
        started = time.perf_counter()
        if trial.state == KNOWN:
            self._tell_known(trial)
        elif self._past is None:
            self.optimizer.learn(trial.number, trial.outputs)
        else:
            self._remember((trial.number, trial.outputs))
        self.told += 1
        if self._made >= self._next_record:
            self._record(trial.at)
        self.effort += time.perf_counter() - started

    def _tell_known(self, trial: Trial) -> None:
        """Let the optimizer learn a design that was known before."""
        if trial.number not in self._known or trial.outputs is None:
            raise InputError(f"outcome {trial.number} is not that of a known design")
        codes, source = self._known.pop(trial.number)
        if self._past is None:
            packing = Packing(self.optimizer.problem.space)
            self.optimizer.take_known(packing.unpack(codes), trial.outputs, source)
        else:
            self._remember(Elsewhere(codes, trial.outputs, source))

    def _record(self, seconds: float) -> None:
        """Add a row to the history."""
        self._catch_up()
        self.optimizer.clock.set(seconds)
        self.optimizer.record()
        self._next_record = next_record(self._made, self.optimizer.planned)

    def result(self, seconds: float, stopped: str) -> Result:
        """Return everything found, outcomes that wait for their turn included."""
        # The optimizer itself must learn them later, as if nobody had looked.
        other = RepeatableSearch(self.optimizer.copy(), self.lag, self.ordered)
        other._known, other.num_known = dict(self._known), self.num_known
        for _, trial in sorted(self._waiting.items()):
            other._tell(trial)
        other.optimizer.clock.set(seconds)
        recorded = other.optimizer.history["evaluations"]
        if not recorded or recorded[-1] < other.optimizer.evaluations:
            other.optimizer.record()
        return other.optimizer.result(stopped)
