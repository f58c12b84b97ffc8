"""What a search by ``DL`` knows of single actions, small enough for a file.

A table says what an action adds to an output in the user's sense, as whole percents of
``scale``, and how certain that is, a digit from 0 (not tried) to 9 (known).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.kernels.layout import ORDINAL, PERMUTATION
from divlearn.methods.dl.kernels.models.encodings import VALUE
from divlearn.methods.dl.kernels.models.quadratic.values import (
    describes_space,
    uses_pairs,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.matters import with_pairs
from divlearn.methods.dl.method import ENCODINGS
from divlearn.problems import Problem

#: Most cells of the table of one output: orders of 100 items, or as many values.
MOST_CELLS = 10_000
#: Most positions whose values are told, those that matter most.
MOST_POSITIONS = 40


def tables_of(state: DifferenceState, problem: Problem) -> dict[str, Any]:
    """What is known of the actions of every output; empty where it is too much.

    Returns
    -------
    By output. Of an order: ``by``, the encoding, ``scale``, and ``effect`` and
    ``certainty``, a row per item or position. Of other spaces: ``scale`` and
    ``positions``, each with its number ``at``, the ``codes`` of its values, ``effect``
    and ``certainty``.
    """
    sign = [*problem.sign, *np.ones(problem.num_constraints)]
    of_output = _values if describes_space(state.values) else _order
    found = {name: of_output(state, j) for j, name in enumerate(problem.outputs)}
    return {
        name: _small(table, sign[j])
        for j, (name, table) in enumerate(found.items())
        if table is not None
    }


def _order(state: DifferenceState, j: int) -> dict[str, Any] | None:
    """Rows of the encoding that predicts one output best; None if it is no order."""
    tables, n = state.tables, len(state.layout.places)
    chosen = int(tables.chosen[j])
    number = int(tables.encodings[chosen])
    orders = all(segment.kind == PERMUTATION for segment in state.layout.segments)
    told = tables.keys.shape[1] == 0 and number < len(ENCODINGS) and n * n <= MOST_CELLS
    if not told or not orders or len(state.layout.segments) > 1 or tables.size[j] <= 0:
        return None
    variance = tables.variance[chosen, : n * n].reshape(n, n)
    rows = tables.mean[chosen, : n * n, j].reshape(n, n), variance
    by = "position" if number == VALUE else ENCODINGS[number]
    return {"by": by, "rows": [rows]}


def _values(state: DifferenceState, j: int) -> dict[str, Any] | None:
    """What every value of the positions that matter most adds to one output."""
    values, found = state.values, []
    if values.outputs[j].square <= 0.0:
        return None
    means = values.singles.mean[:, j]
    if uses_pairs(values, j):
        means, _ = with_pairs(state, values.pairs, j)
    for i, place in enumerate(state.layout.places):
        rows = slice(int(place.offset), int(place.offset + place.arity))
        mean, variance = means[rows], values.singles.variance[rows].copy()
        if state.layout.segments[place.segment].kind == ORDINAL and len(mean) > 1:
            variance[0] = variance[1]  # there are steps to all but the least value
        known = variance < 1.0
        spread = float(np.ptp(mean[known])) if known.any() else 0.0
        middle = mean[known].mean() if known.any() else 0.0
        found.append((spread, i, mean - middle, variance))
    best = sorted(sorted(found, key=lambda row: -row[0])[:MOST_POSITIONS], key=_place)
    return {
        "at": [row[1] for row in best],
        "codes": [_codes(state, row[1]) for row in best],
        "rows": [(row[2][None], row[3][None]) for row in best],
    }


def _place(row: tuple[float, int, Floats, Floats]) -> int:
    """Where a row belongs."""
    return row[1]


def _codes(state: DifferenceState, i: int) -> list[int]:
    """The code of each action of a position, of a cell the one in the middle."""
    place = state.layout.places[i]
    if place.arity == place.levels:
        return list(range(int(place.arity)))
    edges = state.layout.edges[int(place.edge) :][: int(place.arity) + 1]
    codes: list[int] = ((edges[:-1] + edges[1:]) // 2).tolist()
    return codes


def _small(table: dict[str, Any], sign: float) -> dict[str, Any]:
    """A table in whole numbers and digits."""
    known = [np.abs(mean[variance < 1.0]) for mean, variance in table["rows"]]
    scale = max((float(row.max(initial=0.0)) for row in known), default=0.0)
    small = [_compact(mean, left, sign, scale) for mean, left in table["rows"]]
    if "by" in table:
        effect, certainty = small[0]
        kept = {"effect": effect, "certainty": certainty}
        return {"by": table["by"], "scale": scale, **kept}
    pairs = zip(table["at"], table["codes"], small, strict=True)
    positions = [
        {"at": at, "codes": codes, "effect": effect[0], "certainty": certainty[0]}
        for at, codes, (effect, certainty) in pairs
    ]
    return {"scale": scale, "positions": positions}


def _compact(
    mean: Floats, variance: Floats, sign: float, scale: float
) -> tuple[list[list[int]], list[str]]:
    """Percents of the scale, and digits of certainty; 0 where nothing is known."""
    unit = 100.0 / scale if scale > 0.0 else 0.0
    tried = np.where(variance < 1.0, mean, 0.0)
    percents = np.rint(tried * sign * unit).astype(int)
    # What was tried at all is never 0.
    digits = np.clip(np.rint(9.0 * (1.0 - variance)), 1.0, 9.0)
    digits = np.where(variance < 1.0, digits, 0.0)
    rows = ["".join(str(int(d)) for d in row) for row in digits]
    return percents.tolist(), rows
