"""How the front of a study grew, from its outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.metrics.dominance import SIGNS, non_dominated
from divlearn.metrics.hypervolume import MAX_OBJECTIVES, hypervolume
from divlearn.result.history import next_record
from divlearn.result.tally import KNOWN
from divlearn.study.trial import ABANDONED, Trial


def growth_of(
    trials: Sequence[Trial],
    objectives: dict[str, str],
    points: tuple[Floats | None, Floats | None],
    budget: int | None,
) -> dict[str, list[Any]]:
    """The history of a result: rows as a search would have taken them.

    Parameters
    ----------
    trials
        All of them.
    objectives
        Names with their senses.
    points
        Reference and ideal point, None for none.
    budget
        Number of evaluations that were planned, if known.
    """
    ended = [t for t in trials if t.ended is not None and t.state != ABANDONED]
    ended.sort(key=lambda t: (t.state != KNOWN, t.at or 0.0, t.number))
    sign = np.array([SIGNS[sense] for sense in objectives.values()])
    history: dict[str, list[Any]] = {
        name: [] for name in ("evaluations", "seconds", "front_size", "hypervolume")
    }
    front, fresh = np.empty((0, len(sign))), []
    made, due = 0, next_record(0, budget)
    for trial in ended:
        made += trial.state != KNOWN
        if trial.feasible and trial.f is not None:
            fresh.append(list(trial.f.values()))
        if made >= due or trial is ended[-1]:
            front = _merged(front, fresh, sign)
            fresh, due = [], next_record(made, budget)
            volume = _volume(front, points, tuple(objectives.values()))
            row = (made, float(trial.at or 0.0), len(front), volume)
            for name, number in zip(history, row, strict=True):
                history[name].append(number)
    return history


def _merged(front: Floats, fresh: list[list[float]], sign: Floats) -> Floats:
    """The front of what was found before and since."""
    if not fresh:
        return front
    every = np.unique(np.vstack([front, fresh]), axis=0)
    kept: Floats = every[non_dominated(every * sign)]
    return kept


def _volume(
    front: Floats, points: tuple[Floats | None, Floats | None], senses: tuple[str, ...]
) -> float:
    """Hypervolume, a ratio where the ideal is known; NaN for none."""
    reference, ideal = points
    if reference is None or len(senses) > MAX_OBJECTIVES:
        return math.nan
    return float(hypervolume(front, reference, ideal, senses))
