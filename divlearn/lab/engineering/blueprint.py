"""``Blueprint``: what a family of engineering problems consists of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from divlearn.basics.typing import Value
from divlearn.spaces import Space


@dataclass(frozen=True)
class Blueprint:
    """A family of problems: its knobs, its formulas and how instances differ.

    Parameters
    ----------
    draw
        ``draw(rng)`` gives the conditions of an instance: loads, voltages, data.
    space
        ``space(conditions)`` gives the knobs.
    evaluate
        ``evaluate(conditions, x)`` gives objectives, then constraints, in the order of
        their names.
    objectives
        Names with their senses.
    constraints
        Names of what must be <= 0.
    noise
        Standard deviation of a measured objective as a share of its value.
    """

    draw: Callable[[np.random.Generator], Any]
    space: Callable[[Any], Space]
    evaluate: Callable[[Any, Value], Sequence[float]]
    objectives: Mapping[str, str]
    constraints: tuple[str, ...] = ()
    noise: float = 0.0
