"""A welded beam, purely continuous: cost against deflection.

K. M. Ragsdell, D. T. Phillips, "Optimal design of a class of welded structures using
geometric programming", Journal of Engineering for Industry 98 (1976); with two
objectives as in K. Deb, A. Pratap, S. Moitra, "Mechanical component design for multiple
objectives using elitist non-dominated sorting GA", PPSN VI (2000). Inches and pounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Composite, Real, Space

#: Moduli of steel and what weld and beam bear, in psi.
YOUNG, SHEAR, WELD, STEEL = 30e6, 12e6, 13_600.0, 30_000.0


class Load(NamedTuple):
    """What hangs where."""

    force: float  # lb
    arm: float  # inches


def draw(rng: np.random.Generator) -> Load:
    """Around 6000 lb at 14 inches."""
    return Load(float(rng.uniform(4_500.0, 7_500.0)), float(rng.uniform(11.0, 17.0)))


def space(_: Load) -> Space:
    """Four knobs: weld, its length, height and thickness of the beam."""
    return Composite(
        weld=Real(0.125, 5.0),
        length=Real(0.1, 10.0),
        height=Real(0.1, 10.0),
        thickness=Real(0.125, 5.0),
    )


def evaluate(load: Load, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Cost and deflection as logarithms, then four limits as logarithms of shares."""
    h, l, t, b = x.values()  # noqa: E741
    cost = 1.10471 * h**2 * l + 0.04811 * t * b * (load.arm + l)
    deflection = 4.0 * load.force * load.arm**3 / (YOUNG * t**3 * b)
    limits = (
        _weld_stress(load, h, l, t) / WELD,
        6.0 * load.force * load.arm / (b * t**2) / STEEL,
        h / b,
        load.force / _buckling_load(load, t, b),
    )
    return (
        math.log10(cost),
        math.log10(deflection),
        *(math.log10(limit) for limit in limits),
    )


def _weld_stress(load: Load, h: float, l: float, t: float) -> float:  # noqa: E741
    """Shear in the weld, direct and by torsion."""
    direct = load.force / (math.sqrt(2.0) * h * l)
    moment = load.force * (load.arm + l / 2.0)
    radius = math.sqrt(l**2 / 4.0 + ((h + t) / 2.0) ** 2)
    inertia = 2.0 * math.sqrt(2.0) * h * l * (l**2 / 12.0 + ((h + t) / 2.0) ** 2)
    torsion = moment * radius / inertia
    both = direct**2 + torsion**2 + direct * torsion * l / radius
    return math.sqrt(both)


def _buckling_load(load: Load, t: float, b: float) -> float:
    """Force at which the beam buckles."""
    slope = t / (2.0 * load.arm) * math.sqrt(YOUNG / (4.0 * SHEAR))
    found = 4.013 * YOUNG * t * b**3 / (6.0 * load.arm**2) * (1.0 - slope)
    return max(found, 1e-6)


BLUEPRINTS = {
    "beam-4": Blueprint(
        draw,
        space,
        evaluate,
        {"log10_cost": "min", "log10_deflection": "min"},
        ("weld", "bending", "seam", "buckling"),
    )
}
