"""Random flow shops."""

from __future__ import annotations

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family
from divlearn.problems.families.points import growing_reach, set_points
from divlearn.problems.flow_shop import FlowShop

#: Standard deviations, per root of N, from random orders to the ideal point.
REACH = 1.5


def _flow_shop(
    rng: np.random.Generator, n: int, name: str, machines: int = 10
) -> BuiltIn:
    """Make jobs with random times, due after one to four times their length."""
    machines = require_whole("machines", machines, 1, 1_000)
    times = rng.integers(1, 100, (n, machines))
    due = times.sum(axis=1) * (1.0 + 3.0 * rng.random(n))
    return set_points(FlowShop(times, due, name=name), growing_reach(n, REACH))


BIFSP = Family(
    "order of N jobs on 10 machines: makespan and total tardiness; option machines",
    _flow_shop,
    least=2,
    options=("machines",),
)
