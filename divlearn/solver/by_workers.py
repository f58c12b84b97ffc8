"""A study for the length of one call: several processes evaluate, no file stays."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from divlearn.basics.errors import EvaluationError, SearchInterrupted, TooManyFailures
from divlearn.methods.budget import Budget
from divlearn.optimizer.stop import Criterion
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.study.study import Study
from divlearn.terminal.display import Display


class Limits(NamedTuple):
    """When a search ends; at least one is given."""

    budget: Budget = None
    seconds: float | None = None
    stop: Criterion | None = None


def solve_by_workers(
    problem: Problem,
    limits: Limits,
    how: dict[str, Any],
    progress: Display | bool | None,
    workers: int,
    known: Any = None,
) -> Result:
    """Search with several evaluations at a time, see :func:`divlearn.solve`.

    ``how`` are method, seed, lag and others of the study.

    An evaluation that fails ends the search, as in one that has no workers.
    """
    with TemporaryDirectory(prefix="divlearn-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, "study.db")
        with Study(problem, path, **how, checkpoint=False, durable=False) as study:
            if known is not None:
                study.add_from(known)
            try:
                return study.run(
                    limits.budget,
                    seconds=limits.seconds,
                    stop=limits.stop,
                    workers=workers,
                    max_failures=1,
                    on_interrupt="abandon",
                    progress=progress,
                )
            # What these say of the file would be true until this function returns.
            except TooManyFailures as error:
                raise _failed(study, error) from None
            except SearchInterrupted as error:
                text = "interrupted; everything found so far is in .result"
                raise SearchInterrupted(text, error.result) from None


def _failed(study: Study, error: TooManyFailures) -> EvaluationError:
    """The failure that ended a search, as one without workers tells it."""
    message = study.failures()[-1].message
    again = EvaluationError(f"an evaluation failed: {message}", error.x)
    again.result = error.result
    return again
