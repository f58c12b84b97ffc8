"""When to stop: by evaluations, by time, or when the front no longer grows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Objectives
from divlearn.metrics import hypervolume
from divlearn.metrics.dominance import eased

__all__ = [
    "AnyOf",
    "Criterion",
    "HypervolumeStagnation",
    "MaxEvaluations",
    "MaxSeconds",
    "SearchStatus",
]

#: Distance of the frozen reference from the front's worst values, in ranges.
MARGIN = 0.1
#: Values farther than this from 0, in ranges of the frozen front, are cut.
FARTHEST = 2.0**900
#: Checks of the hypervolume within the patience.
CHECKS = 10


class SearchStatus(Protocol):
    """What a criterion sees of a search; an Optimizer provides all of it."""

    @property
    def evaluations(self) -> int:
        """Number of evaluations made."""

    @property
    def seconds(self) -> float:
        """Time spent."""

    @property
    def front_objectives(self) -> Floats:
        """Objectives of the front in the user's senses, shape (k, m)."""

    @property
    def problem(self) -> Any:
        """The problem, whose ``senses`` are used."""


class Criterion(ABC):
    """Base of all stop criteria; ``a | b`` stops as soon as one of them says so."""

    @abstractmethod
    def check(self, progress: SearchStatus) -> str | None:
        """Return the reason to stop, or None to continue."""

    @property
    @abstractmethod
    def interval(self) -> int:
        """Ask at multiples of this number of evaluations; makes stopping repeatable."""

    def next_check(self, progress: SearchStatus) -> int:
        """Return the number of evaluations at which to ask again."""
        return (progress.evaluations // self.interval + 1) * self.interval

    def __or__(self, other: object) -> AnyOf:
        return AnyOf(self, other)

    def __ror__(self, other: object) -> AnyOf:
        return AnyOf(other, self)


class MaxEvaluations(Criterion):
    """Stop after a number of evaluations.

    Parameters
    ----------
    n
        Number of evaluations, at least 1.

    Examples
    --------
    >>> from divlearn import MaxEvaluations, MaxSeconds
    >>> MaxEvaluations(10_000) | MaxSeconds(60)
    MaxEvaluations(10000) | MaxSeconds(60)
    """

    def __init__(self, n: int) -> None:
        self.n: int = require_whole("n", n, 1)

    @property
    def interval(self) -> int:
        """The number itself."""
        return self.n

    def check(self, progress: SearchStatus) -> str | None:
        """Compare the evaluations made with the number."""
        if progress.evaluations < self.n:
            return None
        if progress.evaluations > self.n:  # a study that was given less than it has
            return f"the budget of {self.n:,} evaluations was used up before"
        return f"all {self.n:,} evaluations made"

    def __repr__(self) -> str:
        return f"MaxEvaluations({self.n})"


class MaxSeconds(Criterion):
    """Stop after some time; the running evaluation finishes first.

    Parameters
    ----------
    seconds
        Time limit, above 0.

    Examples
    --------
    >>> from divlearn import MaxSeconds
    >>> MaxSeconds(0.5).seconds
    0.5
    """

    def __init__(self, seconds: float) -> None:
        self.seconds: float = _require_positive("seconds", seconds)

    @property
    def interval(self) -> int:
        """1, because a single evaluation may take long."""
        return 1

    def check(self, progress: SearchStatus) -> str | None:
        """Compare the time spent with the limit."""
        if progress.seconds < self.seconds:
            return None
        return f"time limit of {self.seconds:g} s reached"

    def next_check(self, progress: SearchStatus) -> int:
        """Ask again after a tenth of a second, or sooner if the time is up."""
        left = self.seconds - progress.seconds
        rate = progress.evaluations / max(progress.seconds, 1e-9)
        return progress.evaluations + max(1, int(rate * min(0.1, left)))

    def __repr__(self) -> str:
        return f"MaxSeconds({self.seconds:g})"


class HypervolumeStagnation(Criterion):
    """Stop when the hypervolume of the front has almost stopped growing.

    After ``start`` evaluations the reference point is set a tenth of the front's range
    beyond its worst values and then frozen, so that all later volumes can be compared.
    On the better side there is no bound: every later improvement counts.

    Parameters
    ----------
    patience
        Evaluations over which growth is measured.
    relative
        Least growth, as a share of the volume at the beginning of the patience.
    start
        Evaluations before the reference is frozen; the patience if None.

    Examples
    --------
    >>> from divlearn import HypervolumeStagnation, MaxEvaluations
    >>> HypervolumeStagnation(1_000, relative=0.01) | MaxEvaluations(100_000)
    HypervolumeStagnation(1000, relative=0.01, start=1000) | MaxEvaluations(100000)
    """

    def __init__(
        self, patience: int, relative: float = 1e-3, start: int | None = None
    ) -> None:
        self.patience: int = require_whole("patience", patience, 1)
        self.relative: float = _require_positive("relative", relative)
        self.start: int = (
            self.patience if start is None else require_whole("start", start, 1)
        )
        self._units: Integers = np.zeros(0, np.int64)
        self._reference: Floats | None = None
        self._volumes: list[tuple[int, float]] = []  # (evaluations, hypervolume)
        self._last = 0

    @property
    def interval(self) -> int:
        """A tenth of the patience."""
        return max(1, self.patience // CHECKS)

    def check(self, progress: SearchStatus) -> str | None:
        """Measure the front and compare it with the one before the patience."""
        now = progress.evaluations
        if now < self._last:  # another run with the same criterion
            self._reference, self._volumes, self._last = None, [], 0
        # Other criteria may cause checks in between, which must change nothing.
        asked, self._last = self._last // self.interval, now
        if now // self.interval == asked or now < self.start:
            return None
        front = np.asarray(progress.front_objectives, np.float64)
        if not len(front):
            return None
        return self._compare(now, front, progress.problem.senses)

    def _compare(
        self, now: int, front: Objectives, senses: tuple[str, ...]
    ) -> str | None:
        """Note the volume and say whether it grew too little over the patience."""
        if self._reference is None:
            self._units = _units_of(front)
            self._reference = frozen_reference(_in_units(front, self._units), senses)
        points = _in_units(front, self._units)
        volume = hypervolume(points, self._reference, senses=senses)
        self._volumes.append((now, volume))
        before = [v for at, v in self._volumes if at <= now - self.patience]
        if not before:
            return None
        # Older volumes are not needed again.
        self._volumes = self._volumes[len(before) - 1 :]
        growth = (volume - before[-1]) / before[-1]
        if not growth < self.relative:  # also if a volume is infinite
            return None
        return (
            f"the hypervolume grew by {100 * max(0.0, growth):.2g} % over "
            f"{self.patience:,} evaluations, less than {100 * self.relative:g} %"
        )

    def __repr__(self) -> str:
        return (
            f"HypervolumeStagnation({self.patience}, relative={self.relative:g}, "
            f"start={self.start})"
        )


class AnyOf(Criterion):
    """Stop as soon as one of several criteria says so; this is what ``|`` makes.

    Parameters
    ----------
    criteria
        Criteria, asked in this order.

    Examples
    --------
    >>> from divlearn import AnyOf, MaxEvaluations, MaxSeconds
    >>> AnyOf(MaxEvaluations(12), MaxEvaluations(8)).interval
    4
    """

    def __init__(self, *criteria: Any) -> None:
        flat: list[Criterion] = []
        for criterion in criteria:
            if not isinstance(criterion, Criterion):
                raise InputError(
                    "stop must be criteria combined with |, each derived from "
                    "divlearn.Criterion such as MaxEvaluations(1000), "
                    f"got {criterion!r}."
                )
            flat += criterion.criteria if isinstance(criterion, AnyOf) else [criterion]
        self.criteria: tuple[Criterion, ...] = tuple(flat)

    @property
    def interval(self) -> int:
        """The greatest number that divides all intervals."""
        return math.gcd(*(criterion.interval for criterion in self.criteria))

    def check(self, progress: SearchStatus) -> str | None:
        """Ask all, because each may record what it sees; the first reason counts."""
        reasons = [criterion.check(progress) for criterion in self.criteria]
        return next((reason for reason in reasons if reason is not None), None)

    def next_check(self, progress: SearchStatus) -> int:
        """Return the next number of evaluations at which to ask one of them."""
        return min(criterion.next_check(progress) for criterion in self.criteria)

    def __repr__(self) -> str:
        return " | ".join(map(repr, self.criteria))


def frozen_reference(front: Objectives, senses: tuple[str, ...]) -> Floats:
    """Return a point beyond the worst values of a front, shape (m,)."""
    sign = np.array([1.0 if sense == "min" else -1.0 for sense in senses])
    worst = (front * sign).max(axis=0)
    span = np.ptp(front, axis=0)
    # A front of one point has no range, so its size is used instead.
    span = np.where(span > 0, span, np.where(worst != 0, np.abs(worst), 1.0))
    reference: Floats = sign * (worst + MARGIN * span)
    return reference


def _units_of(front: Objectives) -> Integers:
    """Powers of two near each objective's range, or near its size if there is none."""
    (points,) = eased(front)
    span = np.ptp(points, axis=0)
    span = np.where(span > 0, span, np.abs(points).max(axis=0))
    units: Integers = np.frexp(span)[1].astype(np.int64)
    return units


def _in_units(front: Objectives, units: Integers) -> Objectives:
    """Divide by powers of two, which changes no digit; cut extreme values."""
    with np.errstate(over="ignore", under="ignore"):
        return np.clip(np.ldexp(front, -units), -FARTHEST, FARTHEST)


def _require_positive(name: str, value: object) -> float:
    """Check a finite number above 0."""
    try:
        number = require_number(name, value)
    except InputError:
        number = 0.0
    if number <= 0:
        raise InputError(f"{name} must be a finite number above 0, got {value!r}.")
    return number
