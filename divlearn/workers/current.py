"""Which task is being evaluated, for objectives that want to know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from divlearn.workers.base import Task

_TASK: ContextVar[Task | None] = ContextVar("task", default=None)


def current_task() -> Task | None:
    """Return the task that is being evaluated here, or None outside of a study.

    An objective with noise takes its seed from there, so that a study that is run
    again meets the same noise, whichever worker evaluates.

    Examples
    --------
    >>> from divlearn.workers import current_task
    >>> current_task() is None
    True
    """
    return _TASK.get()


@contextmanager
def working_on(task: Task) -> Iterator[None]:
    """Make ``task`` the current one meanwhile."""
    token = _TASK.set(task)
    try:
        yield
    finally:
        _TASK.reset(token)
