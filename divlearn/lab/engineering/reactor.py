"""A chain of stirred tanks, measured with an error: output, yield and cost.

The van de Vusse reaction, A to B to C and 2 A to D, with the rates of H. Chen, A.
Kremling, F. Allgower, "Nonlinear predictive control of a benchmark CSTR", European
Control Conference (1995). B is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, Integer, Real, Space

#: Rate at infinite temperature (per hour, the last per hour and mol/l) and activation
#: temperature in K, of A to B, B to C and 2 A to D.
RATES = ((1.287e12, 9_758.3), (1.287e12, 9_758.3), (9.043e9, 8_560.0))
CATALYSTS = ("none", "oxide", "zeolite", "enzyme")


class Feed(NamedTuple):
    """What catalysts do and things cost in an instance."""

    speeds: tuple[tuple[float, ...], ...]  # factor of the three rates by catalyst
    prices: tuple[float, ...]  # of a full load, by catalyst
    heat: float  # price of a degree


def draw(rng: np.random.Generator) -> Feed:
    """Catalysts that favour one rate or another."""
    speeds = [(1.0, 1.0, 1.0)]
    for _ in CATALYSTS[1:]:
        speeds.append(tuple(np.exp(rng.normal(0.4, 0.7, 3)).tolist()))
    prices = (0.0, *rng.uniform(0.3, 2.0, 3).tolist())
    return Feed(tuple(speeds), prices, float(rng.uniform(0.01, 0.03)))


def space(_: Feed) -> Space:
    """Six knobs: K, hours, mol/l, tanks, catalyst and its load."""
    return Composite(
        temperature=Real(350.0, 430.0),
        time=Real(0.002, 2.0, log=True),
        feed=Real(0.5, 8.0),
        tanks=Integer(1, 6),
        catalyst=Categorical(list(CATALYSTS)),
        load=Real(0.01, 1.0, log=True),
    )


def evaluate(feed: Feed, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Output of B per litre and hour, what share of A becomes B, and the cost."""
    chosen, load = CATALYSTS.index(x["catalyst"]), x["load"]
    k1, k2, k3 = (
        rate * math.exp(-barrier / x["temperature"]) * (1.0 + load * (factor - 1.0))
        for (rate, barrier), factor in zip(RATES, feed.speeds[chosen], strict=True)
    )
    step = x["time"] / x["tanks"]
    a, b = x["feed"], 0.0
    for _ in range(x["tanks"]):
        linear = 1.0 + k1 * step
        a = 2.0 * a / (linear + math.sqrt(linear**2 + 4.0 * k3 * step * a))
        b = (b + k1 * step * a) / (1.0 + k2 * step)
    output = b / x["time"]
    share = b / x["feed"]
    cost = (
        1.0
        + feed.heat * (x["temperature"] - 350.0)
        + feed.prices[chosen] * load
        + 0.5 * x["tanks"] ** 0.6
        + 0.15 * x["feed"]
        + 0.8 * (x["time"] / 0.1) ** 0.4
    )
    return math.log10(1.0 + output), share, cost


BLUEPRINTS = {
    "reactor-6": Blueprint(
        draw,
        space,
        evaluate,
        {"log10_output": "max", "yield": "max", "cost": "min"},
        noise=0.03,
    )
}
