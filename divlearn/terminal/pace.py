"""How far a search is, how fast it goes and how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from divlearn.basics.typing import Floats
from divlearn.basics.units import unit_of, with_unit
from divlearn.terminal import words
from divlearn.terminal.picture import front_picture
from divlearn.terminal.sparkline import sparkline

#: Characters beside the picture of a front, for the marks of its axis.
LABELS = 11
#: Hypervolumes that are remembered to show how they grew.
MOST_VOLUMES = 32
#: Part of the running time that measuring the hypervolume may take.
HYPERVOLUME_SHARE = 0.03


@dataclass(frozen=True)
class Reading:
    """A search at one moment.

    Attributes
    ----------
    evaluations
        Evaluations so far, those of earlier sittings included.
    rate
        Evaluations per second in this sitting.
    share
        Part of the budget that is used, 0 to 1; None without a budget.
    seconds_left
        Estimate of the time left; None without a budget.
    front
        Objective values of the front, shape (k, m).
    hypervolume
        Ratio where the ideal point is known, else raw; None without a reference.
    measure
        What ``hypervolume`` is: "hypervolume" or "hypervolume ratio".
    failed
        Evaluations without values, as far as the search counts them.
    new
        Evaluations of this sitting.
    waited
        Seconds since the last outcome, or since the beginning.
    running
        Evaluations that are running, as far as that is known.
    objectives
        Names with their senses.
    volumes
        Hypervolumes so far, the latest last.
    """

    evaluations: int
    rate: float
    share: float | None
    seconds_left: float | None
    front: Floats
    hypervolume: float | None
    measure: str
    failed: int = 0
    new: int = 0
    waited: float = 0.0
    running: int = 0
    objectives: Mapping[str, str] = field(default_factory=dict)
    volumes: tuple[float, ...] = ()

    def facts(self) -> list[str]:
        """Where it is, one fact after the other."""
        return words.facts(self)

    def waiting(self) -> str:
        """What is running, and for how long nothing came of it; "" if not long."""
        return words.waiting(self)

    def picture(self, width: int, height: int) -> list[str]:
        """The front, if it has two solutions, below how its hypervolume grew."""
        if len(self.front) < 2:
            return []
        label = f"{self.measure} so far "
        room = width + LABELS - len(label)
        bars = sparkline(self.volumes, max(2, min(room, MOST_VOLUMES)))
        grown = [label + bars] if bars else []
        drawn = front_picture(self.front, self.objectives, width, height)
        return [*grown, *drawn]


class Moment(Protocol):
    """What a display shows of something that goes on; a Reading has all of it."""

    @property
    def share(self) -> float | None:
        """Part that is done, 0 to 1, if that is known."""

    def facts(self) -> list[str]:
        """Where it is, one fact after the other."""

    def waiting(self) -> str:
        """What is running, and for how long nothing came of it; "" if not long."""

    def picture(self, width: int, height: int) -> list[str]:
        """Lines of a picture at most so large; none if there is nothing to draw."""


class Gauge(Protocol):
    """What looks at something that goes on, for a display; a Pace does at a search."""

    @property
    def aim(self) -> str:
        """What is begun, in a few words; "" if that goes without saying."""

    def settle(self, watched: Any) -> None:
        """Count the speed from here on."""

    def note(self, watched: Any) -> None:
        """Remember when the last outcome came."""

    def share(self, watched: Any) -> float | None:
        """Part that is done, 0 to 1, if that is known."""

    def read(self, watched: Any) -> Any:
        """Look at it: a Moment."""

    def later(self, reading: Any, watched: Any) -> Any:
        """The same at this moment, while nothing has come since."""

    def final(self, watched: Any) -> Any:
        """Look at it when it is over."""


class OwnWords:
    """A gauge for what is a Moment itself, such as the jobs of a benchmark.

    Parameters
    ----------
    aim
        What is begun, in a few words.
    """

    def __init__(self, aim: str = "") -> None:
        self.aim = aim

    def settle(self, watched: Moment) -> None:
        """Nothing: it knows its speed."""

    def note(self, watched: Moment) -> None:
        """Nothing."""

    def share(self, watched: Moment) -> float | None:
        """Part that is done, 0 to 1."""
        return watched.share

    def read(self, watched: Moment) -> Moment:
        """Look at it."""
        return watched

    def later(self, reading: Moment, watched: Moment) -> Moment:
        """The same at this moment."""
        return watched

    def final(self, watched: Moment) -> Moment:
        """Look at it when it is over."""
        return watched


class Pace:
    """Read a running search, cheaply enough to do so several times a second.

    Parameters
    ----------
    optimizer
        The search.
    budget, seconds
        Its limits as given to :func:`divlearn.solve`, None for none.
    clock
        Where the time comes from.
    """

    def __init__(
        self,
        optimizer: Any,
        budget: int | None,
        seconds: float | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self.seconds = seconds
        self._clock = clock
        self._hypervolume: float | None = None
        self._hypervolume_due = 0.0
        self._volumes: list[float] = []
        self._start = self._settled = self._changed = self._mark(optimizer)

    @property
    def aim(self) -> str:
        """What is begun: a search with its limits."""
        limits = []
        if self.budget is not None:
            limits.append(f"{self.budget:,} evaluations")
        if self.seconds is not None:
            limits.append(words.duration(self.seconds))
        return "searching" + (f" for {' or '.join(limits)}" if limits else "")

    def settle(self, optimizer: Any) -> None:
        """Count the speed from here on: before, code was loaded or compiled."""
        self._settled = self._mark(optimizer)

    def note(self, optimizer: Any) -> None:
        """Remember when the last outcome came."""
        if optimizer.evaluations != self._changed[1]:
            self._changed = self._mark(optimizer)

    def share(self, optimizer: Any) -> float | None:
        """Return the used part of the nearer limit, 0 to 1; None without limits."""
        used = []
        if self.budget is not None:
            used.append(optimizer.evaluations / self.budget)
        if self.seconds is not None:
            used.append(optimizer.seconds / self.seconds)
        return min(1.0, max(used)) if used else None

    def read(self, optimizer: Any, *, exact: bool = False) -> Reading:
        """Look at the search; ``exact`` measures the hypervolume in any case."""
        self.note(optimizer)
        front = optimizer.front_objectives
        evaluations, elapsed = optimizer.evaluations, optimizer.seconds
        rate = self._rate(evaluations)
        if exact or self._clock() >= self._hypervolume_due:
            self._measure(optimizer.problem, front)
        ratio = optimizer.problem.ideal is not None
        return Reading(
            evaluations=evaluations,
            rate=rate,
            share=self.share(optimizer),
            seconds_left=self._seconds_left(evaluations, elapsed, rate),
            front=front,
            hypervolume=self._hypervolume,
            measure="hypervolume ratio" if ratio else "hypervolume",
            failed=getattr(optimizer, "failed", 0),
            new=evaluations - self._start[1],
            waited=self._clock() - self._changed[0],
            running=getattr(optimizer, "running", 0),
            objectives=_labelled(optimizer.problem),
            volumes=tuple(self._volumes),
        )

    def final(self, optimizer: Any) -> Reading:
        """Look at a search that is over."""
        return replace(self.read(optimizer, exact=True), seconds_left=None)

    def later(self, reading: Reading, optimizer: Any) -> Reading:
        """The same search at this moment, while nothing has come of it since.

        Safe in another thread: it touches no array of the search.
        """
        now = self._clock()
        rate = self._rate(reading.evaluations)
        left = reading.seconds_left
        if left is not None:
            passed = max(0.0, now - self._changed[0] - reading.waited)
            left = max(0.0, left - passed)
        return replace(
            reading,
            rate=rate,
            seconds_left=left,
            waited=now - self._changed[0],
            running=getattr(optimizer, "running", 0),
        )

    def _mark(self, optimizer: Any) -> tuple[float, int]:
        """Note the time and the evaluations made."""
        return self._clock(), optimizer.evaluations

    def _rate(self, evaluations: int) -> float:
        """Return evaluations per second since the search ran at its own speed."""
        # A run of a single chunk has nothing but its start to compare with.
        settled = evaluations > self._settled[1]
        begun, before = self._settled if settled else self._start
        # The time that an evaluation takes counts when it is over, or overdue.
        span, last = self._clock() - begun, self._changed[0] - begun
        if last > 0 and span - last < last / max(1, evaluations - before):
            span = last
        return (evaluations - before) / span if span > 0 else 0.0

    def _seconds_left(
        self, evaluations: int, elapsed: float, rate: float
    ) -> float | None:
        """Estimate the time to the nearer limit."""
        left = []
        if self.budget is not None and rate > 0:
            left.append((self.budget - evaluations) / rate)
        if self.seconds is not None:
            left.append(self.seconds - elapsed)
        return max(0.0, min(left)) if left else None

    def _measure(self, problem: Any, front: Floats) -> None:
        """Measure the hypervolume and decide when it may be measured again."""
        if problem.reference is None or not len(front):
            return
        from divlearn.metrics import hypervolume

        begun, first = self._clock(), self._hypervolume is None
        self._hypervolume = float(
            hypervolume(
                front, problem.reference, ideal=problem.ideal, senses=problem.senses
            )
        )
        self._volumes.append(self._hypervolume)
        if len(self._volumes) > 2 * MOST_VOLUMES:
            self._volumes = self._volumes[::2]
        if not first:  # the first time is mostly spent on loading the code
            cost = self._clock() - begun
            self._hypervolume_due = begun + cost / HYPERVOLUME_SHARE


def _labelled(problem: Any) -> dict[str, str]:
    """Senses by the names of objectives with their units."""
    units = problem.units
    return {with_unit(n, unit_of(units, n)): s for n, s in problem.objectives.items()}
