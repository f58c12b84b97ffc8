"""A welded pressure vessel: cost against content.

The cost is that of B. K. Kannan, S. N. Kramer, "An augmented Lagrange multiplier based
method for mixed integer discrete continuous optimization and its applications to
mechanical design", Journal of Mechanical Design 116 (1994): material, forming and
welding, in inches. The wall is as thick as the ASME Boiler and Pressure Vessel Code,
Section VIII, Division 1, asks for (UG-27 cylinders, UG-32 hemispherical heads), which
depends on the allowed stress of the material and on how welds are inspected (UW-12).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, Integer, Real, Space

#: Allowed stress in psi, and price relative to carbon steel.
MATERIALS = {
    "carbon": (17_500.0, 1.0),
    "alloy": (24_000.0, 1.55),
    "stainless": (20_000.0, 2.6),
}
#: Efficiency of a joint, and cost of welding relative to no inspection.
INSPECTIONS = {"none": (0.70, 1.0), "spot": (0.85, 1.25), "full": (1.0, 1.7)}
#: Plates come in sixteenths of an inch.
PLATE = 0.0625


class Duty(NamedTuple):
    """What a vessel is for."""

    pressure: float  # psi
    allowance: float  # inches that corrode away


def draw(rng: np.random.Generator) -> Duty:
    """Some pressure and corrosion."""
    return Duty(float(rng.uniform(200.0, 600.0)), float(rng.uniform(0.02, 0.125)))


def space(_: Duty) -> Space:
    """Six knobs; lengths in inches."""
    return Composite(
        material=Categorical(list(MATERIALS)),
        inspection=Categorical(list(INSPECTIONS)),
        shell=Integer(1, 60),
        head=Integer(1, 60),
        radius=Real(10.0, 120.0),
        length=Real(10.0, 600.0, log=True),
    )


def evaluate(duty: Duty, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Cost and content, then what the walls lack, as shares."""
    radius, length = x["radius"], x["length"]
    shell, head = PLATE * x["shell"], PLATE * x["head"]
    stress, price = MATERIALS[x["material"]]
    joint, welding = INSPECTIONS[x["inspection"]]
    cost = price * (0.6224 * shell * length * radius + 1.7781 * head * radius**2)
    cost += welding * shell**2 * (3.1661 * length + 19.84 * radius)
    content = math.pi * radius**2 * (length + 4.0 / 3.0 * radius)
    p = duty.pressure
    for_shell = p * radius / (stress * joint - 0.6 * p) + duty.allowance
    for_head = p * radius / (2.0 * stress * joint - 0.2 * p) + duty.allowance
    return (
        math.log10(cost),
        math.log10(content / 1728.0),
        for_shell / shell - 1.0,
        for_head / head - 1.0,
        length / (10.0 * radius) - 1.0,
    )


BLUEPRINTS = {
    "vessel-6": Blueprint(
        draw,
        space,
        evaluate,
        {"log10_cost": "min", "log10_cubic_feet": "max"},
        ("shell", "head", "slenderness"),
    )
}
