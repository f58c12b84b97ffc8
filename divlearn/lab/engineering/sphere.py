"""A purely continuous, smooth front: part of a sphere, in three objectives.

DTLZ2 of K. Deb, L. Thiele, M. Laumanns, E. Zitzler, "Scalable multi-objective
optimization test problems", CEC (2002), with optima that are not in the middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Composite, Real, Space

NUM_DISTANCES = 6


def draw(rng: np.random.Generator) -> tuple[float, ...]:
    """Where each distance is zero."""
    return tuple(rng.uniform(0.2, 0.8, NUM_DISTANCES).tolist())


def space(_: tuple[float, ...]) -> Space:
    """Two angles and six distances."""
    return Composite(angles=Real(0.0, 1.0, n=2), distances=Real(0.0, 1.0, n=6))


def evaluate(centre: tuple[float, ...], x: Mapping[str, Any]) -> tuple[float, ...]:
    """Three coordinates of a point outside the sphere."""
    gaps = np.asarray(x["distances"]) - centre
    radius = 1.0 + float(np.square(gaps).sum())
    first, second = np.asarray(x["angles"]) * np.pi / 2.0
    return (
        float(radius * np.cos(first) * np.cos(second)),
        float(radius * np.cos(first) * np.sin(second)),
        float(radius * np.sin(first)),
    )


BLUEPRINTS = {
    "sphere-8": Blueprint(draw, space, evaluate, dict.fromkeys(("x", "y", "z"), "min"))
}
