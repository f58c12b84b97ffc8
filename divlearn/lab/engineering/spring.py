"""A helical compression spring: volume of the wire against its stress.

E. Sandgren, "Nonlinear integer and discrete programming in mechanical design
optimization", Journal of Mechanical Design 112 (1990), with the corrected constraints
of J. Lampinen, I. Zelinka, "Mixed integer-discrete-continuous optimization by
differential evolution, part 2", MENDEL (1999); inches and pounds. As a problem of two
objectives it is the coil spring of R. Tanabe, H. Ishibuchi, "An easy-to-use real-world
multi-objective optimization problem suite", Applied Soft Computing 89 (2020).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Composite, Integer, Ordinal, Real, Space

#: Diameters of wires that can be bought, in inches.
WIRES = (
    *(0.009, 0.0095, 0.0104, 0.0118, 0.0128, 0.0132, 0.014, 0.015, 0.0162, 0.0173),
    *(0.018, 0.020, 0.023, 0.025, 0.028, 0.032, 0.035, 0.041, 0.047, 0.054, 0.063),
    *(0.072, 0.080, 0.092, 0.105, 0.120, 0.135, 0.148, 0.162, 0.177, 0.192, 0.207),
    *(0.225, 0.244, 0.263, 0.283, 0.307, 0.331, 0.362, 0.394, 0.4375, 0.500),
)
#: Shear modulus of music wire, and the stress that it bears, in psi.
MODULUS, STRENGTH = 11.5e6, 189_000.0


class Load(NamedTuple):
    """What a spring has to do."""

    most: float  # greatest force, lb
    preload: float  # lb
    free_length: float  # most, inches
    diameter: float  # most outside, inches
    travel: float  # least way from preload to greatest force, inches
    sag: float  # most deflection under the preload, inches


def draw(rng: np.random.Generator) -> Load:
    """Loads and room around those of Sandgren."""
    most = float(rng.uniform(600.0, 1_400.0))
    return Load(
        most,
        most * float(rng.uniform(0.2, 0.4)),
        float(rng.uniform(11.0, 18.0)),
        float(rng.uniform(2.5, 4.0)),
        float(rng.uniform(0.8, 1.5)),
        float(rng.uniform(4.0, 7.0)),
    )


def space(_: Load) -> Space:
    """Three knobs."""
    return Composite(
        wire=Ordinal(list(WIRES)),
        coils=Integer(1, 70),
        diameter=Real(0.6, 30.0, log=True),
    )


def evaluate(load: Load, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Volume and stress as logarithms, then what is too much, as shares."""
    wire, coils, diameter = x["wire"], x["coils"], x["diameter"]
    index = max(diameter / wire, 1.05)  # Wahl's correction has a pole at 1
    wahl = (4.0 * index - 1.0) / (4.0 * index - 4.0) + 0.615 / index
    rate = MODULUS * wire**4 / (8.0 * coils * diameter**3)
    stress = 8.0 * wahl * load.most * diameter / (math.pi * wire**3)
    solid = 1.05 * (coils + 2) * wire
    sag, travel = load.preload / rate, (load.most - load.preload) / rate
    volume = math.pi**2 * diameter * wire**2 * (coils + 2) / 4.0
    limits = (
        stress / STRENGTH,
        (load.most / rate + solid) / load.free_length,
        (diameter + wire) / load.diameter,
        3.0 * wire / diameter,
        sag / load.sag,
        load.travel / travel,
    )
    # Violations span many decades, so their logarithms are told.
    return (
        math.log10(volume),
        math.log10(stress),
        *(math.log10(limit) for limit in limits),
    )


BLUEPRINTS = {
    "spring-3": Blueprint(
        draw,
        space,
        evaluate,
        {"log10_volume": "min", "log10_stress": "min"},
        ("stress", "free_length", "room", "index", "sag", "travel"),
    )
}
