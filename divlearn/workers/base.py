"""What every pool of workers has to offer, and what it is given and gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from divlearn.basics.typing import Extras, Value

OK = "ok"
INFEASIBLE = "infeasible"
FAILED = "failed"
TIMED_OUT = "timed out"
LOST = "lost"
WRONG_SHAPE = "wrong shape"

#: How an evaluation may end.
STATES = (OK, INFEASIBLE, FAILED, TIMED_OUT, LOST, WRONG_SHAPE)


class OutOfTime(Exception):
    """Raised in an objective that keeps a time limit of its own and has passed it."""


@dataclass(frozen=True, eq=False)  # solutions may be arrays, which have no one truth
class Task:
    """One evaluation to be done.

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
    """

    number: int
    attempt: int
    replicate: int
    x: Value
    seed: int | None


@dataclass(frozen=True, eq=False)
class Report:
    """How an evaluation ended.

    Attributes
    ----------
    task
        What was to be done: the very object that was submitted.
    state
        ``"ok"``; ``"infeasible"``: the objective raised InvalidDesign; ``"failed"``:
        it raised anything else or returned what is no number; ``"timed out"``;
        ``"lost"``: the worker died; ``"wrong shape"``: it returned other names or
        another number of values than the problem declares.
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
    """

    task: Task
    state: str
    outputs: tuple[float, ...] | None
    seconds: float
    worker: str
    message: str
    extras: Extras | None = None


class Pool(Protocol):
    """Something that evaluates tasks, several at once.

    Attributes
    ----------
    size
        Number of evaluations that can run at once.
    """

    size: int

    def submit(self, task: Task) -> None:
        """Begin with a task, or keep it until there is room."""

    def wait(self, timeout: float | None) -> list[Report]:
        """Return at least one report; none after ``timeout`` or if nothing is left."""

    def close(self, kill: bool) -> None:
        """End; with ``kill`` at once, else when everything that runs is done."""
