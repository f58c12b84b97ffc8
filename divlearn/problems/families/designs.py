"""Random engineering designs: choices of several kinds, 4 objectives, noise."""

from __future__ import annotations

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Floats
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.families.base import Family
from divlearn.problems.families.points import set_points
from divlearn.problems.mixed_design import MixedDesign
from divlearn.problems.noisy import Noisy
from divlearn.spaces import Binary, Categorical, Composite, Integer, Ordinal, Space
from divlearn.spaces.base import ORDINAL

NUM_OBJECTIVES = 4
#: Share of its mean over the objectives that is subtracted from every effect.
CONFLICT = 0.3
#: Share of the variance of an objective's sum that comes from single values.
MAIN_SHARE = 0.7
BEND = 0.35
#: Standard deviations from the mean of random designs to the two points.
SLACK, REACH = 1.3, 2.6


def _design(
    rng: np.random.Generator, n: int, name: str, noise: float = 0.05
) -> BuiltIn:
    """Make a third of categories, a third of levels and a third of switches."""
    level = require_number("noise", noise, least=0.0)
    space = _draw_space(rng, n)
    weights = np.exp(0.5 * rng.standard_normal(n))
    shapes = _shapes(space)
    effects = [
        weight * _draw_effect(rng, *shape)
        for weight, shape in zip(weights, shapes, strict=True)
    ]
    interactions = [_draw_interaction(rng, shapes) for _ in range(n)]
    main = sum(np.square(e).mean(axis=0) for e in effects)
    joint = sum(np.square(t).mean(axis=(0, 1)) for _, _, t in interactions)
    to_main, to_joint = np.sqrt(MAIN_SHARE / main), np.sqrt((1 - MAIN_SHARE) / joint)
    exact = MixedDesign(
        space,
        [e * to_main for e in effects],
        [(i, j, table * to_joint) for i, j, table in interactions],
        scale=10.0 ** rng.uniform(0.0, 3.0, NUM_OBJECTIVES),
        bend=BEND,
        name=name,
    )
    set_points(exact, REACH, SLACK)
    return Noisy(exact, level, seed=int(rng.integers(2**31)), name=name)


def _draw_space(rng: np.random.Generator, n: int) -> Space:
    """Categories of 3 to 6 values, levels in 4 to 16 steps, and switches."""
    parts: dict[str, Space] = {}
    for k, values in enumerate(rng.integers(3, 7, (n + 2) // 3)):
        parts[f"type_{k + 1}"] = Categorical([*"abcdef"][:values])
    for k, values in enumerate(rng.integers(4, 17, (n + 1) // 3)):
        if k % 2 == 0:
            parts[f"count_{k + 1}"] = Integer(1, int(values))
        else:
            parts[f"size_{k + 1}"] = Ordinal([2**step for step in range(values)])
    return Composite(**parts, switches=Binary(n // 3))


def _shapes(space: Space) -> list[tuple[int, bool]]:
    """Number of values at each position, and whether they are ordered."""
    return [
        (arity, kind == ORDINAL)
        for kind, arities, _, _ in space.segments()
        for arity in arities
    ]


def _draw_effect(rng: np.random.Generator, values: int, ordered: bool) -> Floats:
    """Effects of mean 0 and mean square 1; a parabola if values are ordered."""
    if ordered:
        step = np.linspace(-1.0, 1.0, values)[:, None]
        slope, curve = rng.standard_normal((2, NUM_OBJECTIVES))
        effect = slope * step + 0.7 * curve * np.square(step)
    else:
        effect = rng.standard_normal((values, NUM_OBJECTIVES))
    effect -= CONFLICT * effect.mean(axis=1, keepdims=True)
    effect -= effect.mean(axis=0)
    return np.asarray(effect / np.sqrt(np.square(effect).mean()))


def _draw_interaction(
    rng: np.random.Generator, shapes: list[tuple[int, bool]]
) -> tuple[int, int, Floats]:
    """Two positions and the product of an effect of each."""
    i, j = (int(p) for p in rng.choice(len(shapes), 2, replace=False))
    first, second = _draw_effect(rng, *shapes[i]), _draw_effect(rng, *shapes[j])
    return i, j, first[:, None] * second[None, :]


MIXED = Family(
    "design of N categories, levels and switches, 4 objectives, 5 % noise; "
    "option noise",
    _design,
    least=4,
    most=1_000,
    options=("noise",),
)
