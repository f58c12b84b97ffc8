"""What every pool of workers offers, and the attempts that it takes and returns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, Self

from divlearn.basics.text import one_screen
from divlearn.basics.typing import Codes, Extras, Value

RUNNING = "running"
OK = "ok"
INFEASIBLE = "infeasible"
FAILED = "failed"
TIMED_OUT = "timed out"
LOST = "lost"
WRONG_SHAPE = "wrong shape"

#: How an evaluation may end.
STATES = (OK, INFEASIBLE, FAILED, TIMED_OUT, LOST, WRONG_SHAPE)


class OutOfTime(Exception):
    """Raised by an objective that has its own time limit and has passed it."""


@dataclass(slots=True, eq=False)  # solutions may be arrays, which have no one truth
class Attempt:
    """One evaluation: what is to be done and, when it is over, how it ended.

    Attributes
    ----------
    number
        Number of the candidate.
    attempt
        How often it was tried before, because a worker died or it failed.
    replicate
        Which of several measurements of the same candidate this is.
    x
        The solution as the user declared it.
    seed
        Seed for an objective that draws random numbers; None leaves them alone.
    codes
        The solution as codes of its space, shape (n,); None where they are not known.
    state
        ``"running"``, then ``"ok"``; ``"infeasible"``: the objective raised
        InvalidDesign; ``"failed"``: it raised anything else or returned what is no
        number; ``"timed out"``; ``"lost"``: the worker died; ``"wrong shape"``: it
        returned other names or another number of values than the problem declares.
    outputs
        Objective values in the user's senses, then constraint values; None unless ok.
    seconds
        How long it took.
    worker
        Who did it.
    message
        What went wrong, in words; empty if nothing did.
    extras
        Extra metrics by name; None unless ok.
    ended
        When it was known, in seconds since 1970; set by whoever keeps it.
    """

    number: int
    attempt: int
    replicate: int
    x: Value
    seed: int | None
    codes: Codes | None = None
    state: str = RUNNING
    outputs: tuple[float, ...] | None = None
    seconds: float = 0.0
    worker: str = ""
    message: str = ""
    extras: Extras | None = None
    ended: float = 0.0

    def end(
        self,
        state: str,
        outputs: tuple[float, ...] | None = None,
        message: str = "",
        extras: Extras | None = None,
    ) -> Self:
        """Say how it ended."""
        self.state, self.outputs, self.extras = state, outputs, extras
        self.message = one_screen(message) if message else ""
        return self

    def by(self, worker: str, seconds: float) -> Self:
        """Say who did it, and in what time."""
        self.worker, self.seconds = worker, seconds
        return self


class Pool(Protocol):
    """Something that evaluates several solutions at once.

    Attributes
    ----------
    size
        Number of evaluations that can run at once.
    """

    size: int

    def submit(self, attempt: Attempt) -> None:
        """Begin an evaluation, or keep it until there is room."""

    def wait(self, timeout: float | None) -> list[Attempt]:
        """Return what has ended; nothing after ``timeout`` or if nothing is left."""

    def close(self, kill: bool) -> None:
        """End; with ``kill`` at once, else when everything that runs is done."""


_CURRENT: ContextVar[Attempt | None] = ContextVar("attempt", default=None)


def current_attempt() -> Attempt | None:
    """Return the evaluation that is being done here, or None outside of a study.

    An objective with noise takes its seed from there, so that a study that is run
    again meets the same noise, whichever worker evaluates.

    Examples
    --------
    >>> from divlearn.workers import current_attempt
    >>> current_attempt() is None
    True
    """
    return _CURRENT.get()


@contextmanager
def working_on(attempt: Attempt) -> Iterator[None]:
    """Make ``attempt`` the current one meanwhile."""
    token = _CURRENT.set(attempt)
    try:
        yield
    finally:
        _CURRENT.reset(token)
