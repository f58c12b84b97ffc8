"""What a user sees of a study: its trials and its failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from divlearn.basics.text import one_line
from divlearn.basics.typing import Extras, Value
from divlearn.study.evaluation import mean_and_spread, mean_extras
from divlearn.study.store import Asked, Attempt, Outcome, Store
from divlearn.study.store.rows import ABANDONED, OK, Numbers

RUNNING = "running"


@dataclass(frozen=True, eq=False)
class Trial:
    """A candidate and what is known of it.

    Attributes
    ----------
    number
        From 0 in the order of asking.
    x
        The design as the user declared it.
    state
        ``"ok"``, ``"infeasible"``, ``"failed"``, ``"timed out"``, ``"abandoned"``, or
        ``"running"`` while it has no outcome.
    f, g
        Objectives and constraints by name, None where there are none: the mean of
        the replicates so far.
    spread
        Standard deviations of both by name; None with less than two replicates.
    replicates, attempts
        Evaluations in the mean, and evaluations made; no attempts if it was answered
        from the store.
    seconds
        Time of all its evaluations.
    worker, message
        Who reported last, and what went wrong.
    asked, ended
        When, in seconds since 1970.
    extras
        Extra metrics by name; None where there are none.
    """

    number: int
    x: Value
    state: str
    f: dict[str, float] | None
    g: dict[str, float] | None
    spread: dict[str, float] | None
    replicates: int
    attempts: int
    seconds: float
    worker: str
    message: str
    asked: float
    ended: float | None
    extras: Extras | None = None

    @property
    def feasible(self) -> bool:
        """Whether it was evaluated and meets all constraints."""
        return self.f is not None and all(v <= 0 for v in (self.g or {}).values())


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


@dataclass(frozen=True)
class Names:
    """Names of objectives and constraints.

    Examples
    --------
    >>> Names(("cost",), ("weight",)).split((1.0, -2.0))
    ({'cost': 1.0}, {'weight': -2.0})
    """

    objectives: tuple[str, ...]
    constraints: tuple[str, ...]

    def split(
        self, outputs: Numbers | None
    ) -> tuple[dict[str, float] | None, dict[str, float] | None]:
        """Objectives and constraints by name."""
        if outputs is None:
            return None, None
        m = len(self.objectives)
        f = dict(zip(self.objectives, outputs[:m], strict=True))
        return f, dict(zip(self.constraints, outputs[m:], strict=True))

    def all(self, outputs: Numbers | None) -> dict[str, float] | None:
        """Both in one."""
        if outputs is None:
            return None
        return dict(zip((*self.objectives, *self.constraints), outputs, strict=True))


def trials_of(
    store: Store, value_of: Callable[[Asked], Value], names: Names
) -> Iterator[Trial]:
    """Every candidate of a store, by number."""
    unfinished: dict[int, list[Attempt]] = {}
    for attempt in store.attempts(open_only=True):
        unfinished.setdefault(attempt.number, []).append(attempt)
    outcomes = store.outcomes()
    outcome = next(outcomes, None)
    for asked in store.candidates():
        while outcome is not None and outcome.number < asked.number:
            outcome = next(outcomes, None)
        if outcome is not None and outcome.number == asked.number:
            yield finished(asked, value_of(asked), outcome, names)
        else:
            yield _running(asked, value_of(asked), unfinished, names)
    for _ in outcomes:  # of candidates that came later; a changed number is seen here
        pass


def finished(asked: Asked, x: Value, outcome: Outcome, names: Names) -> Trial:
    """A candidate with an outcome."""
    f, g = names.split(outcome.outputs)
    return Trial(
        number=asked.number,
        x=x,
        state=outcome.state,
        f=f,
        g=g,
        spread=names.all(outcome.spread),
        replicates=outcome.replicates,
        attempts=outcome.attempts,
        seconds=outcome.seconds,
        worker=outcome.worker,
        message=outcome.message,
        asked=asked.asked,
        ended=outcome.ended,
        extras=outcome.extras,
    )


def _running(
    asked: Asked, x: Value, unfinished: dict[int, list[Attempt]], names: Names
) -> Trial:
    """A candidate without an outcome, and the mean of what is there already."""
    attempts = unfinished.get(asked.number, [])
    rows = [a.outputs for a in attempts if a.state == OK and a.outputs is not None]
    mean, spread = mean_and_spread(rows)
    f, g = names.split(mean)
    return Trial(
        number=asked.number,
        x=x,
        state=RUNNING,
        f=f,
        g=g,
        spread=names.all(spread),
        replicates=len(rows),
        attempts=len(attempts),
        seconds=sum(a.seconds for a in attempts),
        worker=attempts[-1].worker if attempts else "",
        message=attempts[-1].message if attempts else "",
        asked=asked.asked,
        ended=None,
        extras=mean_extras([a.extras for a in attempts if a.state == OK]),
    )


def failures_of(trials: Iterator[Trial] | Sequence[Trial]) -> Failures:
    """Designs that could not be evaluated, each once."""
    return Failures(
        Failure(t.number, t.x, t.state, t.message, t.attempts)
        for t in trials
        if t.state not in (OK, RUNNING, ABANDONED) and t.attempts
    )


def names_of(problem: dict[str, Any]) -> Names:
    """Names from a problem's description."""
    objectives = tuple(name for name, _ in problem["objectives"])
    return Names(objectives, tuple(problem["constraints"]))
