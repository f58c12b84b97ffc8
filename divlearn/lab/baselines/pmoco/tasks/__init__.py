"""Families of problems that networks are trained for."""

from __future__ import annotations

from divlearn.lab.baselines.pmoco.tasks.base import Instances, Task, Walk
from divlearn.lab.baselines.pmoco.tasks.knapsacks import Knapsacks
from divlearn.lab.baselines.pmoco.tasks.routes import Routes
from divlearn.lab.baselines.pmoco.tasks.tours import ThreeMaps, TwoMaps

__all__ = ["Instances", "Task", "Walk", "task_of"]

_TASKS = {kind.family: kind for kind in (TwoMaps, ThreeMaps, Knapsacks, Routes)}


def task_of(family: str) -> Task:
    """Return the task of a family.

    Examples
    --------
    >>> task_of("bikp").num_objectives
    2
    """
    return _TASKS[family]()
