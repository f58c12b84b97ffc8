"""A plate-fin heat sink under a fan: resistance, power of the fan, mass.

Heat transfer between plates: P. Teertstra, M. M. Yovanovich, J. R. Culham, "Analytical
forced convection modeling of plate fin heat sinks", Journal of Electronics
Manufacturing 10 (2000). Pressure drop: J. R. Culham, Y. S. Muzychka, "Optimization of
plate fin heat sinks using entropy generation minimization", IEEE Transactions on
Components and Packaging Technologies 24 (2001). SI units inside, millimetres outside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, Integer, Real, Space

#: Conductivity in W/(m K) and density in kg/m3.
MATERIALS = {
    "aluminium": (201.0, 2_700.0),
    "copper": (391.0, 8_940.0),
    "magnesium": (72.0, 1_810.0),
    "steel": (16.0, 8_000.0),
}
#: Least gap between fins that can be made, in metres.
LEAST_GAP = 5e-4
#: Polynomial of a rectangular channel by the ratio of its sides, from degree 0.
CHANNEL = (24.0, -32.527, 46.721, -40.829, 22.954, -6.089)


class Air(NamedTuple):
    """What blows through the fins."""

    density: float  # kg/m3
    viscosity: float  # Pa s
    conductivity: float  # W/(m K)
    source: float  # side of the chip, m


def draw(rng: np.random.Generator) -> Air:
    """Air between -10 and 50 degrees, up to 3000 m high, and the size of a chip."""
    kelvin = float(rng.uniform(263.0, 323.0))
    height = float(rng.uniform(0.0, 3_000.0))
    pressure = 101_325.0 * math.exp(-height / 8_430.0)
    viscosity = 1.458e-6 * kelvin**1.5 / (kelvin + 110.4)  # Sutherland
    conductivity = 0.0241 * (kelvin / 273.15) ** 0.81
    side = float(rng.uniform(0.01, 0.03))
    return Air(pressure / (287.05 * kelvin), viscosity, conductivity, side)


def space(_: Air) -> Space:
    """Eight knobs; lengths in mm, speed of the air in m/s."""
    return Composite(
        material=Categorical(list(MATERIALS)),
        fins=Integer(3, 60),
        length=Real(20.0, 200.0),
        width=Real(30.0, 120.0),
        height=Real(5.0, 80.0),
        thickness=Real(0.1, 5.0, log=True),
        base=Real(1.0, 15.0),
        speed=Real(0.5, 15.0, log=True),
    )


def evaluate(air: Air, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Logarithms of resistance, fan power and mass; what the gap lacks as a share."""
    length, width, height = (1e-3 * x[k] for k in ("length", "width", "height"))
    thickness, base, fins = 1e-3 * x["thickness"], 1e-3 * x["base"], x["fins"]
    metal, density = MATERIALS[x["material"]]
    room = (width - fins * thickness) / (fins - 1)
    gap = max(room, 0.1 * LEAST_GAP)  # so that everything is defined
    flow = x["speed"] * height * width
    speed = flow / (gap * height * (fins - 1))
    h = _transfer(air, speed, gap, length)
    bend = math.sqrt(2.0 * h / (metal * thickness)) * height
    area = (fins - 1) * gap * length + 2.0 * fins * height * length * (
        math.tanh(bend) / bend
    )
    warming = 1.0 / (2.0 * air.density * flow * 1_006.0)
    resistance = (
        1.0 / (h * area) + _through_base(air, metal, base, length, width) + warming
    )
    drop = _pressure_drop(air, speed, gap, height, length, fins * thickness / width)
    mass = density * length * (width * base + fins * thickness * height)
    return (
        math.log10(resistance),
        math.log10(drop * flow),
        math.log10(mass),
        math.log10(LEAST_GAP / gap),
    )


def _transfer(air: Air, speed: float, gap: float, length: float) -> float:
    """Heat transfer coefficient in a channel, W/(m2 K)."""
    prandtl = 0.71
    reynolds = air.density * speed * gap / air.viscosity * gap / length
    developed = reynolds * prandtl / 2.0
    developing = 0.664 * math.sqrt(reynolds) * prandtl ** (1.0 / 3.0)
    developing *= math.sqrt(1.0 + 3.65 / math.sqrt(reynolds))
    nusselt: float = (developed**-3.0 + developing**-3.0) ** (-1.0 / 3.0)
    return nusselt * air.conductivity / gap


def _through_base(
    air: Air, metal: float, base: float, length: float, width: float
) -> float:
    """Resistance of the base, through which heat spreads at 45 degrees, K/W."""
    wide = min(air.source + 2.0 * base, width)
    long = min(air.source + 2.0 * base, length)
    return base / (metal * air.source * math.sqrt(wide * long))


def _pressure_drop(
    air: Air, speed: float, gap: float, height: float, length: float, blocked: float
) -> float:
    """Pressure drop along the channels, Pa."""
    hydraulic = 2.0 * gap * height / (gap + height)
    reynolds = air.density * speed * hydraulic / air.viscosity
    ratio = min(gap / height, height / gap)
    developed = sum(c * ratio**power for power, c in enumerate(CHANNEL))
    entry = 3.44 / math.sqrt(length / (hydraulic * reynolds))
    friction = math.hypot(entry, developed) / reynolds
    free = max(0.0, 1.0 - blocked)
    ends = 0.42 * (1.0 - free**2) + (1.0 - free**2) ** 2
    losses = ends + 4.0 * friction * length / hydraulic
    return losses * 0.5 * air.density * speed**2


BLUEPRINTS = {
    "heatsink-8": Blueprint(
        draw,
        space,
        evaluate,
        dict.fromkeys(("log10_kelvin_per_watt", "log10_fan_watt", "log10_kg"), "min"),
        ("gap",),
    )
}
