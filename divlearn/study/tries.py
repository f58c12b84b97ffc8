"""``Tries``: which evaluations a trial still needs, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divlearn.basics.typing import Codes, Extras
from divlearn.study.trial import Names, Numbers, Trial
from divlearn.workers.base import FAILED, INFEASIBLE, LOST, OK, WRONG_SHAPE, Attempt

#: How often a candidate whose worker died is tried again.
MAX_LOST = 3


class Tries:
    """Evaluations of all trials that have no outcome yet.

    Parameters
    ----------
    names
        Names of objectives and constraints.
    seed
        Seed of the study, from which every replicate gets its own.
    replicates
        Evaluations wanted for each trial.
    retries
        How often an evaluation that failed or ran out of time is tried again.
    """

    def __init__(self, names: Names, seed: int, replicates: int, retries: int) -> None:
        self._names, self._seed = names, seed
        self._replicates, self._retries = replicates, retries
        self._left: dict[int, set[int]] = {}
        self._ended: dict[int, list[Attempt]] = {}
        self._earlier: dict[int, Sequence[Attempt]] = {}

    def begin(
        self,
        trial: Trial,
        codes: Codes | None = None,
        ended: Sequence[Attempt] = (),
        earlier: Sequence[Attempt] = (),
    ) -> list[Attempt]:
        """Return what is to be done for a trial.

        Parameters
        ----------
        trial, codes
            The trial, and its design as codes, shape (n,).
        ended
            Evaluations of it that ended earlier; none is running.
        earlier
            Those that had ended when the trial had failed for good: they are counted,
            but leave it all its retries.
        """
        number = trial.number
        done = {attempt.replicate for attempt in ended if attempt.state == OK}
        left = set(range(self._replicates)) - done
        self._left[number], self._ended[number] = left, list(ended)
        self._earlier[number] = earlier
        return [self._next(number, k, trial.x, codes) for k in sorted(left)]

    def forget(self) -> None:
        """Nothing is under way any more."""
        self._left, self._ended, self._earlier = {}, {}, {}

    def known(self, number: int) -> bool:
        """Whether a trial has begun and has no outcome."""
        return number in self._left

    def done(self, number: int) -> bool:
        """Whether nothing more is to be tried for a trial."""
        return not self._left[number]

    def take(self, attempt: Attempt) -> Attempt | None:
        """Take in how an evaluation ended; return what is to be tried again."""
        left = self._left[attempt.number]
        self._ended[attempt.number].append(attempt)
        if attempt.state == INFEASIBLE:  # another try would say the same
            left.clear()
        elif attempt.state == OK or not self._worth_another(attempt):
            left.discard(attempt.replicate)
        if attempt.replicate not in left:
            return None
        return self._next(attempt.number, attempt.replicate, attempt.x, attempt.codes)

    def _worth_another(self, attempt: Attempt) -> bool:
        """Whether there are tries left after one that failed."""
        ended = self._ended[attempt.number]
        tried = [a for a in ended if a.replicate == attempt.replicate]
        lost = sum(a.state == LOST for a in tried)
        if attempt.state == LOST:
            return lost <= MAX_LOST
        if attempt.state == WRONG_SHAPE:  # another try would say the same
            return False
        misshapen = sum(a.state == WRONG_SHAPE for a in tried)
        return len(tried) - lost - misshapen <= self._retries

    def _next(
        self, number: int, replicate: int, x: object, codes: Codes | None
    ) -> Attempt:
        """The next attempt at one replicate."""
        tried = sum(a.replicate == replicate for a in self._all(number))
        return Attempt(
            number, tried, replicate, x, self._draw(number, replicate), codes
        )

    def _draw(self, number: int, replicate: int) -> int:
        """The seed of a replicate."""
        words = (self._seed, number, replicate)
        # An array gives the same as a sequence, in two thirds of the time.
        entropy = np.array(words, np.uint32) if max(words) < 2**32 else words
        return int(np.random.SeedSequence(entropy).generate_state(1)[0])

    def _all(self, number: int) -> list[Attempt]:
        """Everything that was ever tried for a trial."""
        return [*self._earlier[number], *self._ended[number]]

    def finish(self, trial: Trial, at: float) -> None:
        """Say what became of a trial for which nothing more is to be tried."""
        tried, ended = self._all(trial.number), self._ended.pop(trial.number)
        del self._left[trial.number], self._earlier[trial.number]
        rows = fill_means(trial, ended, self._names)
        bad = [attempt for attempt in tried if attempt.state != OK]
        trial.state = OK if rows else _final_state(bad[-1].state)
        trial.attempts = len(tried)
        trial.seconds = sum(attempt.seconds for attempt in tried)
        trial.worker, trial.ended = ended[-1].worker, ended[-1].ended
        trial.message = bad[-1].message if bad else ""
        trial.at = at


def fill_means(trial: Trial, ended: Sequence[Attempt], names: Names) -> int:
    """Give a trial the means of its evaluations so far; return how many these are."""
    # By number: in another order the sum has other last digits.
    good = sorted((a for a in ended if a.state == OK), key=lambda a: a.replicate)
    rows = [attempt.outputs for attempt in good if attempt.outputs is not None]
    mean, spread = mean_and_spread(rows)
    trial.f, trial.g = names.split(mean)
    trial.spread = names.all(spread)
    trial.extras = mean_extras([attempt.extras for attempt in good])
    trial.replicates = len(rows)
    return len(rows)


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
