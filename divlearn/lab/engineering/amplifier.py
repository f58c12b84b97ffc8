"""A two-stage operational amplifier in CMOS: gain, bandwidth, power and area.

The circuit and its formulas are those of P. E. Allen, D. R. Holberg, "CMOS Analog
Circuit Design" (Oxford, 2002), chapter 6: a differential pair with a current mirror, a
common-source stage, and a compensating capacitor between them. Transconductances hold
from weak to strong inversion, as in C. C. Enz, F. Krummenacher, E. A. Vittoz, "An
analytical MOS transistor model valid in all regions of operation", Analog Integrated
Circuits and Signal Processing 8 (1995). Constants are those of a 180 nm process,
rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, Real, Space

#: Gain factor in A/V2, and channel-length modulation in um/V.
NMOS, PMOS = (300e-6, 0.08), (70e-6, 0.11)
THRESHOLD = 0.45  # V
THERMAL, SLOPE = 0.02585, 1.3  # V, and slope factor of weak inversion
GATE = 8.5e-3  # pF per um2 of gate
STACK = 1.0e-3  # pF per um2 of a capacitor


class Task(NamedTuple):
    """What the amplifier drives, from which supply."""

    load: float  # pF
    supply: float  # V
    slew: float  # V/us, at least


def draw(rng: np.random.Generator) -> Task:
    """Some load, supply and slew rate."""
    return Task(
        float(10.0 ** rng.uniform(0.0, 1.3)),
        float(rng.uniform(1.6, 2.2)),
        float(10.0 ** rng.uniform(0.0, 1.3)),
    )


def space(_: Task) -> Space:
    """Ten knobs; widths and lengths in um, currents in uA, capacitor in pF."""
    return Composite(
        inputs=Categorical(["nmos", "pmos"]),
        pair_width=Real(1.0, 500.0, log=True),
        pair_length=Real(0.18, 4.0, log=True),
        mirror_width=Real(1.0, 200.0, log=True),
        mirror_length=Real(0.18, 4.0, log=True),
        tail_width=Real(1.0, 200.0, log=True),
        tail_length=Real(0.18, 4.0, log=True),
        tail_current=Real(0.5, 500.0, log=True),
        drive_current=Real(1.0, 2_000.0, log=True),
        capacitor=Real(0.1, 20.0, log=True),
    )


class Transistor(NamedTuple):
    """What a transistor is at its current."""

    gm: float  # A/V
    gds: float  # A/V
    headroom: float  # V that it needs
    gate: float  # pF


def transistor(
    kind: tuple[float, float], width: float, length: float, current: float
) -> Transistor:
    """A transistor of a width and length in um at a current in A."""
    factor, modulation = kind
    square = 2.0 * SLOPE * factor * width / length * THERMAL**2
    inversion = current / square
    gm = current / (SLOPE * THERMAL) * 2.0 / (1.0 + math.sqrt(1.0 + 4.0 * inversion))
    headroom = THERMAL * (2.0 * math.sqrt(inversion + 0.25) + 3.0)
    gds = modulation / length * current
    return Transistor(gm, gds, headroom, 2.0 / 3.0 * GATE * width * length)


def evaluate(task: Task, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Gain in dB, bandwidth, power and area as logarithms; then three limits."""
    inner, outer = (NMOS, PMOS) if x["inputs"] == "nmos" else (PMOS, NMOS)
    tail_a, drive_a = 1e-6 * x["tail_current"], 1e-6 * x["drive_current"]
    ratio = drive_a / tail_a
    pair = transistor(inner, x["pair_width"], x["pair_length"], tail_a / 2.0)
    mirror = transistor(outer, x["mirror_width"], x["mirror_length"], tail_a / 2.0)
    # Widths of the second stage follow from equal current densities (no offset).
    drive_width = 2.0 * ratio * x["mirror_width"]
    drive = transistor(outer, drive_width, x["mirror_length"], drive_a)
    tail = transistor(inner, x["tail_width"], x["tail_length"], tail_a)
    sink = transistor(inner, ratio * x["tail_width"], x["tail_length"], drive_a)
    gain = pair.gm / (pair.gds + mirror.gds) * drive.gm / (drive.gds + sink.gds)
    capacitor = x["capacitor"]
    bandwidth = pair.gm / (capacitor * 1e-12)  # rad/s
    area = (
        2.0 * x["pair_width"] * x["pair_length"]
        + (2.0 * x["mirror_width"] + drive_width) * x["mirror_length"]
        + (1.0 + ratio) * x["tail_width"] * x["tail_length"]
        + capacitor / STACK
    )
    margin = _phase_margin(bandwidth, drive, mirror, capacitor, task.load)
    heads = pair.headroom + tail.headroom + mirror.headroom + THRESHOLD
    return (
        20.0 * math.log10(gain),
        math.log10(bandwidth / (2.0 * math.pi)),
        math.log10(task.supply * (tail_a + drive_a)),
        math.log10(area),
        1.0 - margin / 60.0,
        heads / task.supply - 1.0,
        math.log10(task.slew / (x["tail_current"] / capacitor)),
    )


def _phase_margin(
    bandwidth: float,
    drive: Transistor,
    mirror: Transistor,
    capacitor: float,
    load: float,
) -> float:
    """Phase margin in degrees: the output's pole, the zero and the mirror's pole."""
    first = drive.gate
    together = first * load + capacitor * (first + load)  # pF2
    output = drive.gm * capacitor / (together * 1e-12)
    zero = drive.gm / (capacitor * 1e-12)
    inside = mirror.gm / (2.0 * mirror.gate * 1e-12)
    late = sum(math.atan(bandwidth / pole) for pole in (output, zero, 2.0 * inside))
    return 90.0 - math.degrees(late)


BLUEPRINTS = {
    "amplifier-10": Blueprint(
        draw,
        space,
        evaluate,
        {
            "gain_db": "max",
            "log10_hertz": "max",
            "log10_watt": "min",
            "log10_square_um": "min",
        },
        ("phase", "headroom", "slew"),
    )
}
