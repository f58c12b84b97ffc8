"""A design made of choices of several kinds, with a model of their effects.

With n positions, p interacting pairs and m objectives, the table has max(m, 4)
columns:

- 0: n, p and the bend in columns 0 to 2;
- 1: the scale of each objective;
- 2 .. n + 1: for each position, the row of its first effect in column 0;
- n + 2 .. n + p + 1: for each pair, its two positions, the number of values at the
  second one, and the row of its first interaction;
- then effects, a row per value of a position, and interactions, a row per pair of
  values, each with a column per objective.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems.built_in.arrays import read_numbers
from divlearn.problems.built_in.base import BuiltIn, Family, Fields
from divlearn.problems.built_in.drawing import set_points
from divlearn.problems.compiled import Compiled
from divlearn.problems.noisy import Noisy
from divlearn.spaces import Binary, Categorical, Composite, Integer, Ordinal, Space
from divlearn.spaces.base import ORDINAL, PERMUTATION


class MixedDesign(BuiltIn):
    """Choose categories, levels and switches with effects alone and in pairs.

    Objective k is ``scale[k] * exp(bend * g)``, minimised, where g is the sum of the
    k-th effects of all values and of the k-th interactions of all pairs of them.

    Parameters
    ----------
    space
        Any space without permutations, such as a ``Composite`` of ``Categorical``,
        ``Ordinal``, ``Integer`` and ``Binary`` parts. A position is one of its
        decisions, in order.
    effects
        An array of shape (values, m) per position: a row for each possible value, in
        the order of the space.
    interactions
        List of ``(i, j, table)``: how positions i and j act together, a table of
        shape (values of i, values of j, m).
    scale
        Factor of each objective, shape (m,); 1 if None.
    bend
        How far from a sum the objectives are; a positive number.
    reference, ideal, name
        As for :class:`divlearn.Problem`.

    Attributes
    ----------
    effects, interactions, scale, bend
        The instance.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.problems import MixedDesign
    >>> space = dl.Composite(core=dl.Categorical(["a", "b"]), size=dl.Integer(1, 3))
    >>> effects = [[[0, 1], [1, 0]], [[0, 2], [1, 1], [2, 0]]]
    >>> problem = MixedDesign(space, effects)
    >>> problem.evaluate({"core": "a", "size": 3}).round(3)  # exp(0 + 2), exp(1 + 0)
    array([7.389, 2.718])
    """

    fields: ClassVar[Fields] = Fields(
        ("scale", "bend"), parts=("space", "effects", "interactions")
    )

    def __init__(
        self,
        space: Space,
        effects: Sequence[Any],
        interactions: Sequence[Any] = (),
        *,
        scale: Any = None,
        bend: float = 1.0,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        arities = _count_values(space)
        self.effects: list[Floats] = _read_effects(effects, arities)
        m = self.effects[0].shape[1]
        self.interactions: list[tuple[int, int, Floats]] = _read_interactions(
            interactions, arities, m
        )
        text = f"an array of shape ({m},): a factor per objective"
        factors = np.ones(m) if scale is None else scale
        self.scale: Floats = read_numbers("scale", factors, (m,), text)
        self.bend: float = require_number("bend", bend, least=0.0)
        super().__init__(
            space,
            None,
            [f"objective {k + 1}" for k in range(m)],
            reference=reference,
            ideal=ideal,
            name=name or f"mixed-design-{len(arities)}",
            compiled=Compiled(design_values, self._table(arities)),
        )

    def _table(self, arities: list[int]) -> Floats:
        """Lay out the instance as the objective reads it."""
        n, p, m = len(arities), len(self.interactions), len(self.scale)
        blocks = [*self.effects, *(t.reshape(-1, m) for _, _, t in self.interactions)]
        starts = 2 + n + p + np.cumsum([0, *map(len, blocks)])
        table = np.zeros((starts[-1], max(m, 4)))
        table[0, :3] = n, p, self.bend
        table[1, :m] = self.scale
        table[2 : n + 2, 0] = starts[:n]
        for row, (i, j, _) in enumerate(self.interactions):
            table[n + 2 + row, :4] = i, j, arities[j], starts[n + row]
        table[starts[0] :, :m] = np.concatenate(blocks)
        return table


def _count_values(space: object) -> list[int]:
    """Number of values at each position."""
    kinds = [kind for kind, *_ in space.segments()] if isinstance(space, Space) else []
    if not isinstance(space, Space) or PERMUTATION in kinds:
        raise InputError(
            "space must be a space without permutations, such as "
            f"Composite(a=Integer(1, 8), b=Binary(3)), got {space!r}."
        )
    return [arity for _, arities, *_ in space.segments() for arity in arities]


def _read_effects(effects: Any, arities: list[int]) -> list[Floats]:
    """Check a table per position, all for the same number of objectives."""
    if not isinstance(effects, Sequence) or len(effects) != len(arities):
        got = len(effects) if isinstance(effects, Sequence) else repr(effects)
        raise InputError(
            f"effects must be a list of {len(arities)} arrays, one per position of the "
            f"space, got {got}."
        )
    tables: list[Floats] = []
    for i, (given, arity) in enumerate(zip(effects, arities, strict=True)):
        m = tables[0].shape[1] if tables else "m"
        text = f"an array of shape ({arity}, {m}): a row per value"
        tables.append(read_numbers(f"effects[{i}]", given, (arity, m), text))
    return tables


def _read_interactions(
    interactions: Any, arities: list[int], m: int
) -> list[tuple[int, int, Floats]]:
    """Check positions and tables of all pairs."""
    if not isinstance(interactions, Sequence):
        raise InputError(
            f"interactions must be a list of (i, j, table), got {interactions!r}."
        )
    read = []
    for row, given in enumerate(interactions):
        where = f"interactions[{row}]"
        try:
            i, j, table = given
        except (TypeError, ValueError):
            raise InputError(f"{where} must be (i, j, table), got {given!r}.") from None
        positions = range(len(arities))
        if i == j or i not in positions or j not in positions:
            raise InputError(
                f"{where} must name two different positions, 0 to {len(arities) - 1}, "
                f"got {i!r} and {j!r}."
            )
        i, j = int(i), int(j)
        shape = (arities[i], arities[j], m)
        read.append((i, j, read_numbers(where, table, shape, f"of shape {shape}")))
    return read


@kernel
def design_values(x: Codes, table: Floats, y: Floats) -> None:
    """Write scale * exp(bend * (sum of effects and interactions)) into ``y``."""
    n, pairs, bend = int(table[0, 0]), int(table[0, 1]), table[0, 2]
    m = y.shape[0]
    for k in range(m):
        y[k] = 0.0
    for i in range(n):
        row = int(table[2 + i, 0]) + x[i]
        for k in range(m):
            y[k] += table[row, k]
    for pair in range(n + 2, n + 2 + pairs):
        first, second = x[int(table[pair, 0])], x[int(table[pair, 1])]
        row = int(table[pair, 3]) + first * int(table[pair, 2]) + second
        for k in range(m):
            y[k] += table[row, k]
    for k in range(m):
        y[k] = table[1, k] * math.exp(bend * y[k])


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
        for kind, arities, *_ in space.segments()
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


FAMILIES = {"mixed": Family(_design, 4, 1_000, options=("noise",))}
