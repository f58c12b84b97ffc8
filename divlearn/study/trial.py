"""``Trial``: a candidate of a study, from the question to its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from divlearn.basics.typing import Extras, Value
from divlearn.result.tally import KNOWN
from divlearn.workers.base import FAILED, INFEASIBLE, OK, RUNNING, TIMED_OUT

ABANDONED = "abandoned"
#: States of a trial that has ended.
STATES = (OK, INFEASIBLE, FAILED, TIMED_OUT, ABANDONED, KNOWN)
#: How a trial came about: the search chose it, somebody did, or it was known before.
ASKED, ENQUEUED = "asked", "enqueued"
KINDS = (ASKED, ENQUEUED, KNOWN)

Numbers = tuple[float, ...]
Named = dict[str, float]


@dataclass(eq=False)  # solutions may be arrays, which have no one truth
class Trial:
    """A candidate and what is known about it.

    Attributes
    ----------
    number
        From 0 in the order in which designs were asked for, enqueued or added.
    x
        The design as the user declared it.
    state
        ``"ok"``, ``"infeasible"``, ``"failed"``, ``"timed out"``, ``"abandoned"``, or
        ``"running"`` while it has no outcome; ``"known"`` if its values were added, at
        no cost.
    f, g
        Objectives and constraints by name, None if there are none: the mean of the
        replicates so far.
    spread
        Standard deviations of both by name; None with fewer than two replicates.
    replicates, attempts
        Evaluations in the mean, and evaluations made; no attempts if it was answered
        from the store, or known.
    seconds
        Time of all its evaluations.
    worker, message
        Who reported last, and what went wrong.
    asked, ended
        When, in seconds since 1970.
    extras
        Extra metrics by name; None if there are none.
    source
        Where it comes from if it was known or enqueued; empty if the search chose it.
    told
        Number of outcomes that it was chosen from.
    at
        Seconds that the study had run when it ended.
    """

    number: int
    x: Value = None
    state: str = RUNNING
    f: Named | None = None
    g: Named | None = None
    spread: Named | None = None
    replicates: int = 0
    attempts: int = 0
    seconds: float = 0.0
    worker: str = ""
    message: str = ""
    asked: float = 0.0
    ended: float | None = None
    extras: Extras | None = None
    source: str = ""
    told: int = 0
    at: float = 0.0

    # The design as the file has it, see divlearn.spaces.packing; no column of a table.
    codes = b""
    kind = ASKED

    @property
    def feasible(self) -> bool:
        """Whether it was evaluated and meets all constraints."""
        return self.f is not None and all(v <= 0 for v in (self.g or {}).values())

    @property
    def outputs(self) -> Numbers | None:
        """Objectives in the user's senses, then constraints; None if there are none."""
        if self.f is None:
            return None
        return (*self.f.values(), *(self.g or {}).values())

    @property
    def counts(self) -> bool:
        """Whether the optimizer learns it; what was abandoned has no outcome."""
        return self.state != ABANDONED

    def give_up(self, why: str, at: float, ended: float) -> None:
        """Note that it will have no outcome."""
        self.state, self.message = ABANDONED, why
        self.at, self.ended = at, ended

    def answer_by(self, other: Trial, at: float, ended: float) -> None:
        """Take over the outcome of a trial with the same design."""
        self.state = OK if other.state == KNOWN else other.state
        self.f, self.g = other.f, other.g
        self.spread, self.extras = other.spread, other.extras
        self.replicates = other.replicates
        self.worker, self.message = "store", f"same design as candidate {other.number}"
        self.at, self.ended = at, ended

    def forget_values(self) -> None:
        """Go back to when it was known as a failure."""
        self.state = FAILED
        self.f = self.g = self.spread = None


class Names(NamedTuple):
    """Names of objectives and constraints.

    Examples
    --------
    >>> Names(("cost",), ("weight",)).split((1.0, -2.0))
    ({'cost': 1.0}, {'weight': -2.0})
    """

    objectives: tuple[str, ...]
    constraints: tuple[str, ...]

    def split(self, outputs: Numbers | None) -> tuple[Named | None, Named | None]:
        """Objectives and constraints by name."""
        if outputs is None:
            return None, None
        m = len(self.objectives)
        f = dict(zip(self.objectives, outputs[:m], strict=True))
        return f, dict(zip(self.constraints, outputs[m:], strict=True))

    def all(self, outputs: Numbers | None) -> Named | None:
        """Both in one."""
        return named((*self.objectives, *self.constraints), outputs)


def named(names: Sequence[str] | None, numbers: Numbers | None) -> Named | None:
    """Numbers by name, or by their place where the names are not known."""
    if numbers is None:
        return None
    if names is None:
        return dict(zip(map(str, count()), numbers, strict=False))
    return dict(zip(names, numbers, strict=True))


def names_of(problem: dict[str, Any]) -> Names:
    """Names from a problem's description."""
    objectives = tuple(name for name, _ in problem["objectives"])
    return Names(objectives, tuple(problem["constraints"]))
