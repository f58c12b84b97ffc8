"""Random vehicle routing problems of the paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.problems.built_in import BuiltIn
from divlearn.problems.cvrp import CVRP
from divlearn.problems.families.base import Family, interpolate

#: Size and number at the paper's sizes.
CVRP_REFERENCE = ((20, 30.0), (50, 45.0), (100, 80.0))
CVRP_CAPACITY = ((20, 30.0), (50, 40.0), (100, 50.0))
CVRP_LONGEST = 4.0


def _routes(rng: np.random.Generator, n: int, name: str, **options: Any) -> BuiltIn:
    """Make a vehicle routing problem with the depot in the middle."""
    sizes, capacities = zip(*CVRP_CAPACITY, strict=True)
    customers, demands = rng.random((n, 2)), rng.integers(1, 10, n)
    return CVRP(
        (0.5, 0.5),
        customers,
        demands,
        round(float(np.interp(n, sizes, capacities))),
        reference=[interpolate(n, CVRP_REFERENCE), CVRP_LONGEST],
        ideal=[0.0, 0.0],
        name=name,
        **options,
    )


BICVRP = Family(
    "routes to N customers, in total and the longest; the paper's N: 20, 50, 100; "
    "options decoder, levels",
    _routes,
    options=("decoder", "levels"),
)
