"""A digital low-pass filter: error, cost and delay, with knobs by its kind.

Classical designs as in A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal
Processing" (Prentice Hall, 2010), chapters 6 and 7, made by SciPy; coefficients are
rounded to the bits that a design has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Floats
from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, If, Integer, Real, Space

RECURSIVE = ("butter", "cheby1", "cheby2", "ellip")
#: Frequencies at which a response is computed.
NUM_FREQUENCIES = 160
MOST_TAPS = 128
#: Greatest radius of a pole.
STABLE = 0.9995


class Mask(NamedTuple):
    """What is wanted, in shares of half the sampling rate."""

    passband: float
    stopband: float


def draw(rng: np.random.Generator) -> Mask:
    """Edges of the bands."""
    need("scipy")
    passband = float(rng.uniform(0.1, 0.4))
    return Mask(passband, passband * float(rng.uniform(1.2, 1.6)))


def space(_: Mask) -> Space:
    """Nine knobs, five to seven of them at a time."""
    return Composite(
        kind=Categorical([*RECURSIVE, "fir"]),
        edge=Real(0.7, 1.4),
        bits=Integer(4, 18),
        form=If(kind=RECURSIVE, then=Categorical(["sections", "direct"])),
        order=If(kind=RECURSIVE, then=Integer(1, 10)),
        ripple=If(kind=("cheby1", "ellip"), then=Real(0.01, 3.0, log=True)),
        attenuation=If(kind=("cheby2", "ellip"), then=Real(15.0, 90.0)),
        taps=If(kind="fir", then=Integer(4, MOST_TAPS, log=True)),
        beta=If(kind="fir", then=Real(0.0, 12.0)),
    )


def evaluate(mask: Mask, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Error and cost as logarithms, delay in samples; then the radius of poles."""
    sections = _sections(mask, x)
    top, bottom = (_rounded(part, x["bits"]) for part in sections)
    response, delay = _response(top, bottom, mask)
    used = np.count_nonzero(top) + np.count_nonzero(bottom[:, 1:])
    radius = max((abs(pole) for row in bottom for pole in np.roots(row)), default=0.0)
    return (
        math.log10(max(_error(response), 1e-6)),
        math.log10(max(used, 1) * x["bits"]),
        delay,
        float(radius) / STABLE - 1.0,
    )


def _sections(mask: Mask, x: Mapping[str, Any]) -> tuple[Floats, Floats]:
    """Numerators and denominators, a row per section."""
    from scipy import signal

    edge = min(0.98, mask.passband * x["edge"])
    if x["kind"] == "fir":
        taps = signal.firwin(x["taps"], edge, window=("kaiser", x["beta"]))
        return taps[None], np.ones((1, 1))
    zeros, poles, gain = signal.iirfilter(
        x["order"],
        edge,
        rp=x.get("ripple"),
        rs=x.get("attenuation"),
        btype="low",
        ftype=x["kind"],
        output="zpk",
    )
    if x["form"] == "direct":
        top, bottom = signal.zpk2tf(zeros, poles, gain)
        return top[None], bottom[None]
    rows = signal.zpk2sos(zeros, poles, gain)
    return rows[:, :3], rows[:, 3:]


def _rounded(rows: Floats, bits: int) -> Floats:
    """Rows in fixed point, each scaled by a power of two."""
    size = np.abs(rows).max(axis=1, keepdims=True)
    step = 2.0 ** (np.ceil(np.log2(np.maximum(size, 1e-12))) - (bits - 1))
    return np.asarray(np.round(rows / step) * step)


@cache
def _grid(mask: Mask) -> tuple[Floats, Floats, Any]:
    """Frequencies in rad per sample, half in either band; gains wanted; delays."""
    half = NUM_FREQUENCIES // 2
    passing = np.linspace(0.0, mask.passband, half)
    stopping = np.linspace(mask.stopband, 1.0, half)
    wanted = np.repeat([1.0, 0.0], half)
    frequencies = np.pi * np.concatenate([passing, stopping])
    return (
        frequencies,
        wanted,
        np.exp(-1j * np.outer(np.arange(MOST_TAPS), frequencies)),
    )


def _response(top: Floats, bottom: Floats, mask: Mask) -> tuple[Floats, float]:
    """How far the gain is from what is wanted, and the mean delay of what passes."""
    frequencies, wanted, powers = _grid(mask)
    above = top @ powers[: top.shape[1]]
    below = bottom @ powers[: bottom.shape[1]]
    found = np.prod(above / np.where(below == 0.0, 1e-12, below), axis=0)
    half = NUM_FREQUENCIES // 2
    phase = np.unwrap(np.angle(found[:half]))
    delay = -(phase[-1] - phase[0]) / (frequencies[half - 1] - frequencies[0])
    return np.abs(np.abs(found) - wanted), float(np.clip(delay, 0.0, 200.0))


def _error(gaps: Floats) -> float:
    """Greatest deviation, at most 10."""
    return float(min(np.nan_to_num(gaps, nan=10.0).max(), 10.0))


BLUEPRINTS = {
    "filter-9": Blueprint(
        draw,
        space,
        evaluate,
        dict.fromkeys(("log10_error", "log10_cost", "delay"), "min"),
        ("poles",),
    )
}
