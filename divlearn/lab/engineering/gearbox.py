"""A speed reducer: weight against the stress of a shaft, under eleven constraints.

J. Golinski, "Optimal synthesis problems solved by means of nonlinear programming and
random methods", Journal of Mechanisms 5 (1970); with two objectives as in A. Kurpati,
S. Azarm, J. Wu, "Constraint handling improvements for multiobjective genetic
algorithms", Structural and Multidisciplinary Optimization 23 (2002). Centimetres and
kilograms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Composite, Integer, Real, Space


class Torque(NamedTuple):
    """Loads relative to those of Golinski."""

    bending: float
    first: float
    second: float


def draw(rng: np.random.Generator) -> Torque:
    """Loads of 80 to 110 percent."""
    return Torque(*rng.uniform(0.8, 1.1, 3).tolist())


def space(_: Torque) -> Space:
    """Seven knobs: face width, module, teeth of the pinion, lengths and shafts."""
    return Composite(
        face=Real(2.6, 3.6),
        module=Real(0.7, 0.8),
        teeth=Integer(17, 28),
        length1=Real(7.3, 8.3),
        length2=Real(7.3, 8.3),
        shaft1=Real(2.9, 3.9),
        shaft2=Real(5.0, 5.5),
    )


def evaluate(load: Torque, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Weight and stress, then how far limits are exceeded, as shares."""
    face, module, teeth, length1, length2, shaft1, shaft2 = x.values()
    shafts = shaft1**2 + shaft2**2
    weight = (
        0.7854 * face * module**2 * (10.0 * teeth**2 / 3.0 + 14.9334 * teeth - 43.0934)
        - 1.508 * face * shafts
        + 7.4777 * (shaft1**3 + shaft2**3)
        + 0.7854 * (length1 * shaft1**2 + length2 * shaft2**2)
    )
    pitch = module * teeth
    stress1 = load.first * _stress(length1 / pitch, 16.9e6, shaft1)
    stress2 = load.second * _stress(length2 / pitch, 157.5e6, shaft2)
    bend = load.bending
    return (
        weight,
        stress1,
        bend * 27.0 / (face * module**2 * teeth) - 1.0,
        bend * 397.5 / (face * pitch**2) - 1.0,
        load.first * 1.93 * length1**3 / (pitch * shaft1**4) - 1.0,
        load.second * 1.93 * length2**3 / (pitch * shaft2**4) - 1.0,
        pitch / 40.0 - 1.0,
        face / (12.0 * module) - 1.0,
        5.0 * module / face - 1.0,
        (1.5 * shaft1 + 1.9) / length1 - 1.0,
        (1.1 * shaft2 + 1.9) / length2 - 1.0,
        stress1 / 1_300.0 - 1.0,
        stress2 / 1_100.0 - 1.0,
    )


def _stress(ratio: float, twist: float, shaft: float) -> float:
    """Stress of a shaft by bending and twisting."""
    return math.sqrt((745.0 * ratio) ** 2 + twist) / (0.1 * shaft**3)


BLUEPRINTS = {
    "gearbox-7": Blueprint(
        draw,
        space,
        evaluate,
        {"weight": "min", "stress": "min"},
        (
            *("bending", "contact", "deflection1", "deflection2", "size"),
            *("wide", "narrow", "room1", "room2", "limit1", "limit2"),
        ),
    )
}
