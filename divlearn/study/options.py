"""What a run of a study was asked to do, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from divlearn.basics.checks import (
    require_functions,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.basics.errors import InputError
from divlearn.methods.budget import SCHEDULE, Budget, planned, read_budget
from divlearn.optimizer.stop import AnyOf, Criterion, MaxEvaluations, MaxSeconds
from divlearn.problems import Problem
from divlearn.study.patience import AUTO, read_max_failures
from divlearn.study.retry import read_retry_failed

REUSE, RERUN, ABANDON, FINISH = "reuse", "rerun", "abandon", "finish"


@dataclass(frozen=True)
class Options:
    """How to run; see :meth:`divlearn.Study.run`.

    Attributes
    ----------
    budget, seconds
        The smallest of all limits given; seconds are those of this run.
    by_schedule
        Whether the schedule of the method ends the study.
    criterion
        Any other reason to stop.
    asked_for
        Whether a design that the method wants to have measured again is evaluated
        again, whatever ``duplicates`` says of others.
    """

    budget: int | None
    by_schedule: bool
    seconds: float | None
    criterion: Criterion | None
    retries: int
    replicates: int
    duplicates: str
    running: str
    on_interrupt: str
    callbacks: tuple[Callable[..., Any], ...]
    max_failures: int | str = AUTO
    retry_failed: bool | str = False
    asked_for: bool = True

    @property
    def plan(self) -> Budget:
        """What a search is planned for that begins now."""
        return SCHEDULE if self.by_schedule else self.budget


def by_hand(problem: Problem, budget: int | None) -> Options:
    """How a study is asked whose designs are evaluated elsewhere."""
    return Options(
        budget=budget,
        by_schedule=False,
        seconds=None,
        criterion=None,
        retries=0,
        replicates=1,
        duplicates=usual_duplicates(problem),
        running=RERUN,
        on_interrupt=FINISH,
        callbacks=(),
    )


def usual_duplicates(problem: Problem) -> str:
    """What is done with a design that was evaluated before, unless told otherwise."""
    return RERUN if problem.noise else REUSE


def read_options(
    problem: Problem,
    *,
    budget: Budget,
    seconds: float | None,
    stop: Criterion | None,
    retries: int,
    replicates: int,
    duplicates: str | None,
    running: str,
    on_interrupt: str,
    callbacks: Any,
    max_failures: int | str,
    retry_failed: bool | str,
) -> Options:
    """Check the arguments of a run."""
    budget = read_budget(budget)
    seconds = None if seconds is None else require_number("seconds", seconds, 1e-6)
    asked_for = duplicates is None  # what the method measures again is evaluated again
    if duplicates is None:
        duplicates = usual_duplicates(problem)
    evaluations, seconds, criterion = _limits(budget, seconds, stop)
    return Options(
        budget=evaluations,
        by_schedule=budget == SCHEDULE,
        seconds=seconds,
        criterion=criterion,
        retries=require_whole("retries", retries),
        replicates=require_whole("replicates", replicates, 1),
        duplicates=require_one_of("duplicates", duplicates, (REUSE, RERUN)),
        asked_for=asked_for,
        running=require_one_of("running", running, (RERUN, ABANDON)),
        on_interrupt=require_one_of("on_interrupt", on_interrupt, (FINISH, ABANDON)),
        callbacks=tuple(
            require_functions("callbacks", callbacks, "callback(study, trial)")
        ),
        max_failures=read_max_failures(max_failures),
        retry_failed=read_retry_failed(retry_failed),
    )


def _limits(
    budget: Budget, seconds: float | None, stop: Criterion | None
) -> tuple[int | None, float | None, Criterion | None]:
    """Take limits of evaluations and time out of ``stop``, which may contain them.

    What is left sees the optimizer only, which learns later than evaluations end.
    """
    if stop is not None and not isinstance(stop, Criterion):
        raise InputError(
            "stop must be a criterion, such as MaxSeconds(60), or "
            f"derive from divlearn.Criterion, got {stop!r}."
        )
    if budget is None and seconds is None and stop is None:
        raise InputError(
            "budget, seconds or stop must be given, so that the run can end; got none "
            "of them. Try budget=150."
        )
    parts = stop.criteria if isinstance(stop, AnyOf) else (stop,) if stop else ()
    budgets = [part.n for part in parts if isinstance(part, MaxEvaluations)]
    given = planned(budget)
    times = [part.seconds for part in parts if isinstance(part, MaxSeconds)]
    rest = [p for p in parts if not isinstance(p, (MaxEvaluations, MaxSeconds))]
    return (
        min([*budgets, *([] if given is None else [given])], default=None),
        min([*times, *([] if seconds is None else [seconds])], default=None),
        AnyOf(*rest) if rest else None,
    )
