"""Which distance suits a problem."""

from __future__ import annotations

from typing import Any

from divlearn.basics.errors import InputError
from divlearn.metrics.distance.base import FunctionDistance, SolutionDistance
from divlearn.metrics.distance.space import SpaceDistance
from divlearn.metrics.distance.tour import TourDistance
from divlearn.spaces import Space


def solution_distance(problem: Any) -> SolutionDistance:
    """Choose the distance between solutions of a problem.

    If ``problem.tours`` is true, solutions are compared by their edges
    (:class:`TourDistance`; directed if ``problem.symmetric`` is false), otherwise by
    the metric of the problem's space (:class:`SpaceDistance`). The metrics of diversity
    do the same with their argument ``distance``.

    Parameters
    ----------
    problem
        A problem or a space. If the space's own class defines ``distance``, that is
        used unchanged. Or a function of two solutions, also used unchanged.

    Examples
    --------
    >>> from divlearn.metrics import solution_distance
    >>> from divlearn.problems import get
    >>> distance = solution_distance(get("bitsp-20"))
    >>> distance(range(20), [*range(1, 20), 0])  # the same tour from another city
    0.0
    """
    if isinstance(problem, SolutionDistance):
        return problem
    if getattr(problem, "tours", False):
        return TourDistance(directed=not getattr(problem, "symmetric", True))
    space = getattr(problem, "space", problem)
    if isinstance(space, Space):
        if type(space).distance is not Space.distance:
            return FunctionDistance(space.distance)
        return SpaceDistance(space)
    if callable(problem):
        return FunctionDistance(problem)
    raise InputError(
        "distance must be a problem, a space or a function of two solutions, "
        f"got {problem!r}."
    )
