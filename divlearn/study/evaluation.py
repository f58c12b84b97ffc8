"""One candidate on its way to an outcome: attempts, retries and replicates."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from divlearn.basics.typing import Extras, Value
from divlearn.errors import EvaluationError
from divlearn.problems import Problem
from divlearn.study.store import Attempt, Outcome
from divlearn.study.store.rows import FAILED, INFEASIBLE, OK, Numbers
from divlearn.workers.base import LOST, WRONG_SHAPE, Report, Task

#: How often a candidate whose worker died is tried again.
MAX_LOST = 3


@dataclass
class Evaluation:
    """What is known of a candidate that has no outcome yet.

    Attributes
    ----------
    number, x
        The candidate.
    replicates
        Evaluations that are wanted.
    retries
        How often an evaluation that failed or ran out of time is tried again.
    seed
        Seed of the study, of which every replicate gets one of its own.
    attempts
        Evaluations that ended.
    earlier
        Evaluations that had ended when the candidate had failed for good: they are
        counted, but leave it all its retries.
    """

    number: int
    x: Value
    replicates: int
    retries: int
    seed: int
    attempts: list[Attempt] = field(default_factory=list)
    earlier: list[Attempt] = field(default_factory=list)

    def __post_init__(self) -> None:
        done = {a.replicate for a in self.attempts if a.state == OK}
        self._left = set(range(self.replicates)) - done

    @property
    def done(self) -> bool:
        """Whether nothing more is to be tried."""
        return not self._left

    def tasks(self) -> list[Task]:
        """What is to be done, when nothing of it is running."""
        return [self._task(replicate) for replicate in sorted(self._left)]

    def take(self, attempt: Attempt) -> Task | None:
        """Take in how an evaluation ended; return what is to be tried again."""
        self.attempts.append(attempt)
        if attempt.state == INFEASIBLE:  # another try would say the same
            self._left.clear()
        elif attempt.state == OK or not self._worth_another(attempt):
            self._left.discard(attempt.replicate)
        if attempt.replicate in self._left:
            return self._task(attempt.replicate)
        return None

    def _worth_another(self, attempt: Attempt) -> bool:
        """Whether there are tries left after one that failed."""
        tried = [a for a in self.attempts if a.replicate == attempt.replicate]
        lost = sum(a.state == LOST for a in tried)
        if attempt.state == LOST:
            return lost <= MAX_LOST
        if attempt.state == WRONG_SHAPE:  # another try would say the same
            return False
        misshapen = sum(a.state == WRONG_SHAPE for a in tried)
        return len(tried) - lost - misshapen <= self.retries

    def _task(self, replicate: int) -> Task:
        """The next attempt at one replicate."""
        attempt = sum(a.replicate == replicate for a in self._all)
        words = [self.seed, self.number, replicate]
        seed = int(np.random.SeedSequence(words).generate_state(1)[0])
        return Task(self.number, attempt, replicate, self.x, seed)

    def outcome(self, at: float) -> Outcome:
        """What became of it, when nothing more is to be tried."""
        # By number: in another order the sum has other last digits.
        by_number = sorted(self.attempts, key=lambda attempt: attempt.replicate)
        values = [a.outputs for a in by_number if a.state == OK]
        rows = [row for row in values if row is not None]
        last = self.attempts[-1]
        bad = [a for a in self._all if a.state != OK]
        mean, spread = mean_and_spread(rows)
        return Outcome(
            number=self.number,
            state=OK if rows else _final_state(bad[-1].state),
            outputs=mean,
            spread=spread,
            replicates=len(rows),
            attempts=len(self._all),
            seconds=sum(a.seconds for a in self._all),
            worker=last.worker,
            message=bad[-1].message if bad else "",
            at=at,
            ended=last.ended,
            extras=mean_extras([a.extras for a in by_number if a.state == OK]),
        )

    @property
    def _all(self) -> list[Attempt]:
        """Everything that was ever tried."""
        return self.earlier + self.attempts


def attempt_of(report: Report, problem: Problem) -> Attempt:
    """What a report says; outputs that are no result are a failure."""
    task, outputs = report.task, None
    state, message = report.state, report.message
    if state == OK:
        try:
            numbers = problem.read_outputs(report.outputs, task.x)
            outputs = tuple(numbers.tolist())
        except EvaluationError as error:
            state, message = FAILED, str(error)
    return Attempt(
        task.number,
        task.replicate,
        task.attempt,
        state,
        outputs,
        report.seconds,
        report.worker,
        message,
        time.time(),
        report.extras,
    )


def _final_state(state: str) -> str:
    """State of a candidate whose last attempt ended so."""
    return FAILED if state in (LOST, WRONG_SHAPE) else state


def mean_extras(rows: list[Extras | None]) -> Extras | None:
    """Means of extra metrics; of texts the last one.

    Examples
    --------
    >>> mean_extras([{"noise": 40.0, "log": "a"}, None, {"noise": 42.0, "log": "b"}])
    {'noise': 41.0, 'log': 'b'}
    """
    found: dict[str, list[float | str]] = {}
    for row in rows:
        for name, value in (row or {}).items():
            found.setdefault(name, []).append(value)
    return {name: _mean(values) for name, values in found.items()} or None


def _mean(values: list[float | str]) -> float | str:
    """The mean, if all are numbers."""
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) < len(values):
        return values[-1]
    return float(np.mean(numbers)) if len(numbers) > 1 else numbers[0]


def mean_and_spread(rows: list[Numbers]) -> tuple[Numbers | None, Numbers | None]:
    """Mean and standard deviation of outputs, as far as there are any.

    Examples
    --------
    >>> mean_and_spread([(1.0, 5.0), (3.0, 5.0)])
    ((2.0, 5.0), (1.4142135623730951, 0.0))
    >>> mean_and_spread([(1.0, 5.0)])
    ((1.0, 5.0), None)
    """
    if not rows:
        return None, None
    if len(rows) == 1:
        return rows[0], None
    values = np.array(rows)
    return tuple(values.mean(axis=0).tolist()), tuple(
        values.std(axis=0, ddof=1).tolist()
    )


def same_as(first: Outcome, number: int, at: float, ended: float) -> Outcome:
    """The outcome of a candidate that equals another one."""
    return Outcome(
        number=number,
        state=first.state,
        outputs=first.outputs,
        spread=first.spread,
        replicates=first.replicates,
        attempts=0,
        seconds=0.0,
        worker="store",
        message=f"same design as candidate {first.number}",
        at=at,
        ended=ended,
        extras=first.extras,
    )
