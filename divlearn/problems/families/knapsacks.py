"""Random knapsacks: the paper's, and with pairs that earn more together."""

from __future__ import annotations

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family, interpolate
from divlearn.problems.families.points import growing_reach, set_points
from divlearn.problems.knapsack import Knapsack
from divlearn.problems.synergy import SynergyKnapsack

#: Size and number at the paper's sizes.
KNAPSACK_REFERENCE = ((50, 5.0), (100, 20.0), (200, 30.0))
KNAPSACK_IDEAL = ((50, 30.0), (100, 50.0), (200, 75.0))
#: Standard deviations, per root of N, from random choices to the ideal point.
SYNERGY_REACH = 0.8


def _plain(
    rng: np.random.Generator,
    n: int,
    name: str,
    repair: str | None = "random-drop",
    fill: bool = False,
) -> BuiltIn:
    """Make a knapsack with two values."""
    # The capacity stays at 25 for large n, and values then grow like the root of n.
    size, growth = min(n, 200), np.sqrt(max(n, 200) / 200.0)
    weights, values = rng.random(n), rng.random((n, 2))
    return Knapsack(
        weights,
        values,
        min(n / 4.0, 25.0),
        repair=repair,
        fill=fill,
        reference=[interpolate(size, KNAPSACK_REFERENCE) * growth] * 2,
        ideal=[interpolate(size, KNAPSACK_IDEAL) * growth] * 2,
        name=name,
    )


def _with_synergies(
    rng: np.random.Generator, n: int, name: str, pairs: int | None = None
) -> BuiltIn:
    """Make a knapsack whose bonuses are as large as its values."""
    most = n * (n - 1) // 2
    count = n if pairs is None else require_whole("pairs", pairs, 1, most)
    weights, values = rng.random(n), rng.random((n, 2))
    first, second = np.triu_indices(n, 1)
    drawn = np.sort(rng.choice(most, min(count, most), replace=False))
    problem = SynergyKnapsack(
        weights,
        values,
        n / 4.0,
        np.column_stack([first[drawn], second[drawn]]),
        rng.random((len(drawn), 2)),
        name=name,
    )
    return set_points(problem, growing_reach(n, SYNERGY_REACH))


BIKP = Family(
    "knapsack of N items with 2 values; the paper's N: 50, 100, 200; "
    "options repair, fill",
    _plain,
    options=("repair", "fill"),
)
SYNKP = Family(
    "knapsack of N items with 2 values and bonuses for hidden pairs; option pairs",
    _with_synergies,
    least=2,
    most=2_000,
    options=("pairs",),
)
