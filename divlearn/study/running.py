"""One run of a study around its loop: Ctrl-C, errors, and what the file remembers."""

from __future__ import annotations

import warnings

from divlearn.basics.errors import (
    EvaluationError,
    SearchError,
    SearchInterrupted,
    TooManyFailures,
)
from divlearn.basics.signals import Interruption
from divlearn.basics.text import one_line
from divlearn.result import Result
from divlearn.study.coordinator import Coordinator, Listener
from divlearn.study.opened import OpenStudy
from divlearn.study.options import ABANDON, Options
from divlearn.study.search import RepeatableSearch
from divlearn.terminal.display import Display
from divlearn.workers.base import Pool


def run(
    study: OpenStudy,
    pool: Pool,
    options: Options,
    listener: Listener,
    display: Display,
) -> Result:
    """Run a study, and close the pool whatever happens."""
    in_process = bool(getattr(pool, "in_process", False))
    interruption = Interruption(options.on_interrupt == ABANDON, in_process)
    search = study.rebuilt()
    kill = True
    study.clock.start()
    try:
        with interruption.listening():
            coordinator = Coordinator(
                study, pool, options, interruption, listener, display
            )
            display.start(coordinator.view, options.budget, options.seconds)  # type: ignore[arg-type]
            stopped = coordinator.run()
        kill = interruption.abandon
    except TooManyFailures as error:
        kill = False  # nothing runs, and the search can go on from here
        reason = coordinator.patience.reason
        study.store.note(stopped=reason, gave_up=True)
        error.result = study.result(search, reason)
        raise
    except EvaluationError as error:
        reason = f"the problem failed: {one_line(str(error))}"
        study.store.note(stopped=reason, gave_up=True)
        error.result = study.result(search, "the problem failed")
        raise
    except SearchError as error:
        error.result = study.result(search, "the method failed")
        raise
    finally:
        pool.close(kill=kill)
        study.clock.stop()
        if kill:  # the file knows better where the search is
            study.search = None
    return _completed(study, search, stopped, interruption.stop)


def _completed(
    study: OpenStudy, search: RepeatableSearch, stopped: str, interrupted: bool
) -> Result:
    """Note how a run ended, and return its result; raises if Ctrl-C ended it."""
    study.store.note(stopped=stopped)
    result = study.result(search, stopped)
    # For those who only read the file.
    study.store.note(learned=result.learned, used=result.settings)
    if not interrupted:
        return result
    path = str(study.path)
    raise SearchInterrupted(
        f"interrupted; every outcome is in {path!r}, everything found so far in "
        f".result. To continue, run the same lines again: Study(problem, {path!r}) and "
        "its run(...).",
        result,
    )


def warn_of_idle(study: OpenStudy, pool: Pool) -> None:
    """Say that workers will have nothing to do."""
    lag = study.declaration.lag
    if study.declaration.ordered and pool.size > lag:
        warnings.warn(
            f"only {lag} of {pool.size} workers can be busy: candidates are chosen "
            f"from outcomes of those asked {lag} before (lag). Begin the study "
            f"with lag={4 * pool.size}, or with ordered=False.",
            stacklevel=3,
        )
