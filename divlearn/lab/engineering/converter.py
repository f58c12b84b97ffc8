"""A step-down converter: losses against volume, with knobs that depend on choices.

Waveforms, ripples and losses as in R. W. Erickson, D. Maksimovic, "Fundamentals of
Power Electronics" (Springer, 2001), chapters 2, 3 and 4; core loss by the Steinmetz
equation, size of an inductor by its area product as in C. W. T. McLyman, "Transformer
and Inductor Design Handbook" (CRC, 2004). Constants are of usual parts, rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, If, Integer, Real, Space

#: Resistance in ohm mm2 and charge in nC / mm2 of a transistor; V of its gate.
ON, CHARGE, GATE = 0.030, 6.0, 5.0
#: Amperes of a gate driver.
DRIVER = 1.5
#: Steinmetz: W/cm3 at 100 kHz and 0.1 T, exponents of frequency and flux; volume of a
#: core in cm3 for an energy of 1 mJ.
CORES = {"ferrite": (0.09, 1.4, 2.5, 2.2), "powder": (0.75, 1.25, 2.1, 1.2)}


class Supply(NamedTuple):
    """What goes in and out."""

    volts_in: float
    volts_out: float
    amps: float


def draw(rng: np.random.Generator) -> Supply:
    """A bus of 9 to 36 V, a load of 1.2 to 5 V and 2 to 12 A."""
    return Supply(
        float(rng.uniform(9.0, 36.0)),
        float(rng.uniform(1.2, 5.0)),
        float(rng.uniform(2.0, 12.0)),
    )


def space(_: Supply) -> Space:
    """Eleven knobs, eight or nine at a time; kHz, uH, mm2, ns, A and uF."""
    return Composite(
        frequency=Real(50.0, 3_000.0, log=True),
        inductance=Real(0.1, 100.0, log=True),
        core=Categorical(list(CORES)),
        switch=Real(0.2, 30.0, log=True),
        rectifier=Categorical(["diode", "synchronous"]),
        diode=If(rectifier="diode", then=Real(1.0, 40.0, log=True)),
        low_switch=If(rectifier="synchronous", then=Real(0.2, 30.0, log=True)),
        dead_time=If(rectifier="synchronous", then=Real(2.0, 200.0, log=True)),
        capacitor=Categorical(["ceramic", "electrolytic"]),
        pieces=If(capacitor="ceramic", then=Integer(1, 12)),
        capacitance=If(capacitor="electrolytic", then=Real(10.0, 2_200.0, log=True)),
    )


def evaluate(supply: Supply, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Losses in W and volume in cm3 as logarithms, then three limits."""
    duty = supply.volts_out / supply.volts_in
    hertz, henry = 1e3 * x["frequency"], 1e-6 * x["inductance"]
    ripple = supply.volts_out * (1.0 - duty) / (henry * hertz)
    square = supply.amps**2 + ripple**2 / 12.0
    losses = _switch_losses(supply, x["switch"], duty * square, hertz)
    losses += _rectifier_losses(supply, x, (1.0 - duty) * square, hertz)
    core_volume, core_losses = _inductor(supply, x, ripple, square)
    farad, series, volume = _capacitor(x)
    losses += core_losses + series * ripple**2 / 12.0
    swing = ripple * (1.0 / (8.0 * hertz * farad) + series)
    silicon = x["switch"] + x.get("low_switch", 0.0) + 0.3 * x.get("diode", 0.0)
    volume += core_volume + 0.02 + 0.004 * silicon
    dead = x.get("dead_time", 10.0) - _least_dead_time(x)
    return (
        math.log10(losses),
        math.log10(volume),
        math.log10(swing / (0.01 * supply.volts_out)),
        math.log10(ripple / (0.6 * supply.amps)),
        -dead / 50.0,
    )


def _switch_losses(supply: Supply, area: float, square: float, hertz: float) -> float:
    """Conduction, switching and gate of the upper transistor."""
    charge = 1e-9 * CHARGE * area
    crossing = charge / DRIVER + 2e-9
    switching = supply.volts_in * supply.amps * crossing * hertz
    stored = 0.5 * 0.2e-9 * area * supply.volts_in**2 * hertz
    return ON / area * square + switching + stored + charge * GATE * hertz


def _rectifier_losses(
    supply: Supply, x: Mapping[str, Any], square: float, hertz: float
) -> float:
    """A diode, or a transistor and its body's diode in the dead time."""
    share = 1.0 - supply.volts_out / supply.volts_in
    if x["rectifier"] == "diode":
        size = x["diode"]
        drop = 0.28 + 0.05 * math.log1p(supply.amps / size)
        junction = 0.5 * 0.15e-9 * size * supply.volts_in**2 * hertz
        return float(drop * supply.amps * share + 0.06 / size * square + junction)
    area = x["low_switch"]
    charge = 1e-9 * CHARGE * area
    body = 2.0 * 1e-9 * x["dead_time"] * hertz * 0.8 * supply.amps
    recovery = 10e-9 * supply.volts_in * hertz * min(1.0, x["dead_time"] / 30.0)
    return float(ON / area * square + charge * GATE * hertz + body + recovery)


def _least_dead_time(x: Mapping[str, Any]) -> float:
    """Nanoseconds before which both transistors would conduct."""
    if x["rectifier"] == "diode":
        return 0.0
    return float(CHARGE * (x["switch"] + x["low_switch"]) / DRIVER / 4.0)


def _inductor(
    supply: Supply, x: Mapping[str, Any], ripple: float, square: float
) -> tuple[float, float]:
    """Volume of the inductor and what it loses in core and copper."""
    loss, by_frequency, by_flux, size = CORES[x["core"]]
    peak = supply.amps + ripple / 2.0
    energy = 0.5 * 1e-6 * x["inductance"] * peak**2
    volume = size * (energy / 1e-3) ** 0.75
    flux = 0.25 * ripple / peak  # half of the swing, of 0.25 T at the peak
    core = loss * (x["frequency"] / 100.0) ** by_frequency * (flux / 0.1) ** by_flux
    copper = 2e-3 * (x["inductance"] / 10.0) ** 0.8 / volume**0.35
    return volume, core * volume + copper * square


def _capacitor(x: Mapping[str, Any]) -> tuple[float, float, float]:
    """Farads, series resistance and volume of the output's capacitor."""
    if x["capacitor"] == "ceramic":
        return 15e-6 * x["pieces"], 3e-3 / x["pieces"], 0.012 * x["pieces"]
    micro = x["capacitance"]
    return 1e-6 * micro, 0.1 * (micro / 100.0) ** -0.6, 0.18 * (micro / 100.0) ** 0.75


BLUEPRINTS = {
    "converter-11": Blueprint(
        draw,
        space,
        evaluate,
        {"log10_watt": "min", "log10_cubic_cm": "min"},
        ("output_ripple", "current_ripple", "dead_time"),
    )
}
