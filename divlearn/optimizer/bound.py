"""How many members of a front may be kept."""

from __future__ import annotations

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.problems import Problem


def require_archive_size(most: int | None, problem: Problem) -> int | None:
    """Refuse a limit that leaves no room for the best in each objective, and others.

    Parameters
    ----------
    most
        Number of members; None for any.
    problem
        What is searched.
    """
    if most is None:
        return None
    m = problem.num_objectives
    if require_whole("archive_size", most, 1, 2**31) < 2 * m:
        raise InputError(
            f"archive_size must be at least {2 * m}, two for each objective, got "
            f"{most}; None keeps all."
        )
    return int(most)
