"""``budget``: a number of evaluations, or the word for a method's own schedule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from divlearn.basics.errors import InputError

#: Says that a search ends where the schedule of its method does.
SCHEDULE: Literal["schedule"] = "schedule"

#: Number of evaluations, or ``"schedule"``; None where something else ends a search.
Budget: TypeAlias = int | Literal["schedule"] | None


def read_budget(value: object) -> Budget:
    """Check a budget.

    Examples
    --------
    >>> read_budget(1e4), read_budget("schedule"), read_budget(None)
    (10000, 'schedule', None)
    """
    if value is None or value == SCHEDULE:
        return value
    if isinstance(value, str):
        raise InputError(
            'budget must be a number of evaluations, or "schedule" for methods that '
            f"have one, got {value!r}."
        )
    from divlearn.basics.checks import require_whole

    return require_whole("budget", value, 1)


def planned(budget: Budget) -> int | None:
    """Number of evaluations that a budget plans; None if it plans no number.

    Examples
    --------
    >>> planned(500), planned("schedule")
    (500, None)
    """
    return None if budget == SCHEDULE else budget
