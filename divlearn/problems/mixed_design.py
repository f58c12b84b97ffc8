"""A design made of choices of several kinds, with a model of their effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.basics.typing import Floats
from divlearn.errors import InputError
from divlearn.problems.arrays import read_numbers
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Space
from divlearn.spaces.base import PERMUTATION


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
        from divlearn.kernels.objectives.mixed_design import design_values

        arities = _count_values(space)
        self.effects = _read_effects(effects, arities)
        m = self.effects[0].shape[1]
        self.interactions = _read_interactions(interactions, arities, m)
        text = f"an array of shape ({m},): a factor per objective"
        factors = np.ones(m) if scale is None else scale
        self.scale = read_numbers("scale", factors, (m,), text)
        self.bend = require_number("bend", bend, least=0.0)
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
        """Lay out the table for :mod:`divlearn.kernels.objectives.mixed_design`."""
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

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {
            "space": self.space,
            "effects": self.effects,
            "interactions": self.interactions,
            "scale": self.scale,
            "bend": self.bend,
        }


def _count_values(space: object) -> list[int]:
    """Number of values at each position."""
    kinds = [kind for kind, *_ in space.segments()] if isinstance(space, Space) else []
    if not isinstance(space, Space) or PERMUTATION in kinds:
        raise InputError(
            "space must be a space without permutations, such as "
            f"Composite(a=Integer(1, 8), b=Binary(3)), got {space!r}."
        )
    return [arity for _, arities, _, _ in space.segments() for arity in arities]


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
        m = tables[0].shape[1] if tables else None
        text = f"an array of shape ({arity}, {m or 'm'}): a row per value"
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
