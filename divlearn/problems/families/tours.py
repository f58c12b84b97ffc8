"""Random tours: on maps, without geometry, by the longer of two lengths, with noise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family, interpolate
from divlearn.problems.families.points import set_points
from divlearn.problems.max_tsp import MaxTSP
from divlearn.problems.noisy import Noisy
from divlearn.problems.tsp import TSP

#: Size and number at the paper's sizes.
TSP_REFERENCE = ((20, 20.0), (50, 35.0), (100, 65.0))


def _on_maps(num_objectives: int) -> Callable[..., BuiltIn]:
    """Make a builder for tours with this many lengths."""

    def build(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
        reference = interpolate(n, TSP_REFERENCE)
        return TSP(
            rng.random((n, num_objectives, 2)),
            reference=[reference] * num_objectives,
            ideal=[0.0] * num_objectives,
            name=name,
        )

    return build


def _without_geometry(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make a tour with independent distances there and back."""
    distances = rng.random((2, n, n))
    distances[:, np.arange(n), np.arange(n)] = 0.0
    problem = set_points(TSP(distances=distances, name=name), reach=0.0)
    problem.ideal = np.zeros(2)
    return problem


def _longer(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
    """Make a tour on three maps, two of which count by the longer length."""
    reference = interpolate(n, TSP_REFERENCE)
    return MaxTSP(
        rng.random((n, 3, 2)), reference=[reference] * 2, ideal=[0.0] * 2, name=name
    )


def _with_noise(
    rng: np.random.Generator, n: int, name: str, noise: float = 0.05
) -> BuiltIn:
    """Make a tour on two maps whose lengths are measured with an error."""
    level = require_number("noise", noise, least=0.0)
    exact = _on_maps(2)(rng, n, name)
    return Noisy(exact, level, seed=int(rng.integers(2**31)), name=name)


BITSP = Family(
    "tour of N cities with 2 lengths; the paper's N: 20, 50, 100", _on_maps(2), 2
)
TRITSP = Family(
    "tour of N cities with 3 lengths; the paper's N: 20, 50, 100", _on_maps(3), 2
)
BIATSP = Family(
    "tour of N cities with 2 costs, random and different there and back",
    _without_geometry,
    2,
)
MAXTSP = Family(
    "tour of N cities: the longer of 2 lengths, and a third length", _longer, 2
)
NOISYTSP = Family(
    "bitsp-N measured with 5 % noise; option noise",
    _with_noise,
    2,
    options=("noise",),
)
