"""Codes and actions: where values are many and ordered, an action is a cell of them.

A table has a row per action, so a real or a large integer cannot have one per code.
Its codes are divided into cells of equal width on its scale, linear or logarithmic,
and what is learned is learned of cells. Everything that draws, compares or climbs
values works on codes or on their *coordinate*, from 0 for the least value to 1 for the
greatest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.typing import Floats, Integers, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below, uniform

if TYPE_CHECKING:
    from divlearn.kernels.layout import Layout

#: Ordered positions of more values than this are wide, and have so many cells.
WIDE, CELLS = 256, 64
#: Longest step at a wide position and the shortest one, as shares of its range.
LONGEST_STEP, SHORTEST_STEP = 0.25, 1e-5


def cell_edges(values: int, log_from: float) -> list[int]:
    """First code of each of the ``CELLS`` cells of a wide position, and their end.

    Examples
    --------
    >>> cell_edges(640, 0.0)[:3], cell_edges(640, 1.0)[:3], cell_edges(640, 1.0)[-2:]
    ([0, 10, 20], [0, 1, 2], [578, 640])
    """
    if log_from == 0.0:
        return [-(-k * values // CELLS) for k in range(CELLS + 1)]
    edges, reach = [0], math.log1p((values - 1) / log_from)
    for k in range(1, CELLS):
        wanted = math.ceil(log_from * math.expm1(k * reach / CELLS))
        # Few small numbers are far apart on a logarithmic scale, but none is left out.
        edges.append(min(max(wanted, edges[-1] + 1), values - CELLS + k))
    return [*edges, values]


def coordinates_of(place: Any, codes: Integers) -> Floats:
    """Coordinates of many codes of one position, see :func:`coordinate`."""
    last = max(1, int(place.values) - 1)
    if place.log_from == 0.0:
        return np.asarray(codes / last)
    return np.asarray(
        np.log1p(codes / place.log_from) / np.log1p(last / place.log_from)
    )


def actions_of(layout: Layout, codes: Integers) -> Integers:
    """Actions of many solutions, shape (q, n)."""
    actions = codes.copy()
    for i, place in enumerate(layout.places):
        if place.arity < place.levels:
            edges = layout.edges[place.edge : place.edge + place.arity]
            actions[:, i] = np.searchsorted(edges, codes[:, i], side="right") - 1
    return actions


@lean_kernel
def is_wide(layout: Layout, i: int) -> bool:
    """Whether the actions of position ``i`` are cells of codes."""
    place = layout.places[i]
    return bool(place.arity < place.levels)


@lean_kernel
def action_of(layout: Layout, i: int, code: int) -> int:
    """Action of position ``i`` that holds a code."""
    place = layout.places[i]
    if place.arity == place.levels:
        return code
    low, high = place.edge, place.edge + place.arity
    while high - low > 1:
        middle = (low + high) // 2
        if layout.edges[middle] <= code:
            low = middle
        else:
            high = middle
    return int(low - place.edge)


@lean_kernel
def row_of(layout: Layout, i: int, code: int) -> int:
    """Number of the action that holds a code, in tables of all actions."""
    return int(layout.places[i].offset) + action_of(layout, i, code)


@lean_kernel
def code_in(layout: Layout, i: int, action: int, code: int) -> int:
    """Code of an action that lies in its cell as ``code`` lies in its own.

    A code of the action itself stays; elsewhere it moves by whole cells.
    """
    place = layout.places[i]
    if place.arity == place.levels:
        return action
    own = place.edge + action_of(layout, i, code)
    start, width = layout.edges[own], layout.edges[own + 1] - layout.edges[own]
    first = layout.edges[place.edge + action]
    wide = layout.edges[place.edge + action + 1] - first
    return int(first + int((code - start + 0.5) / width * wide))


@lean_kernel
def middle_of(layout: Layout, i: int, action: int) -> int:
    """Code in the middle of an action's cell."""
    place = layout.places[i]
    if place.arity == place.levels:
        return action
    edge = place.edge + action
    return int((layout.edges[edge] + layout.edges[edge + 1]) // 2)


@lean_kernel
def draw_in(layout: Layout, i: int, action: int, words: Words) -> int:
    """Random code of an action; nothing is drawn where it has one only."""
    place = layout.places[i]
    if place.arity == place.levels:
        return action
    edge = place.edge + action
    start = layout.edges[edge]
    return int(start + below(words, layout.edges[edge + 1] - start))


@lean_kernel
def coordinate(layout: Layout, i: int, code: int) -> float:
    """Where a code lies between the least value, 0, and the greatest, 1."""
    place = layout.places[i]
    last = max(1, place.values - 1)
    if place.log_from == 0.0:
        return float(code / last)
    return math.log1p(code / place.log_from) / math.log1p(last / place.log_from)


@lean_kernel
def code_at(layout: Layout, i: int, share: float) -> int:
    """Code nearest to a coordinate, which may lie outside of [0, 1]."""
    place = layout.places[i]
    last, share = place.values - 1, min(1.0, max(0.0, share))
    if place.log_from > 0.0:
        grown = math.expm1(share * math.log1p(last / place.log_from))
        return int(min(last, int(place.log_from * grown + 0.5)))
    return int(share * last + 0.5)


@lean_kernel
def has_scale(layout: Layout, i: int) -> bool:
    """Whether position ``i`` is stepped through by coordinates rather than by codes."""
    place = layout.places[i]
    return bool(place.arity < place.levels or place.log_from > 0.0)


@lean_kernel
def draw_code(layout: Layout, i: int, words: Words) -> int:
    """Draw a code of position ``i``, uniformly on its scale."""
    place = layout.places[i]
    if place.log_from > 0.0:
        return code_at(layout, i, uniform(words))
    return below(words, place.values)


@lean_kernel
def stepped(layout: Layout, i: int, code: int, words: Words) -> int:
    """Another code of a position that has a scale, a random step away.

    Steps of all sizes are equally likely, by their logarithm: nobody knows how near the
    best value is. They turn back at the ends.
    """
    size = LONGEST_STEP * (SHORTEST_STEP / LONGEST_STEP) ** uniform(words)
    start, up = coordinate(layout, i, code), below(words, 2) == 1
    share = start + size if up else start - size
    if share < 0.0:
        share = -share
    elif share > 1.0:
        share = 2.0 - share
    new = code_at(layout, i, share)
    if new != code:
        return new
    last = layout.places[i].values - 1
    if code >= last:
        return int(last - 1)
    return int(code + 1 if up or code == 0 else code - 1)


@lean_kernel
def another_code(layout: Layout, i: int, code: int, words: Words) -> int:
    """Another code of a position that has a scale, from anywhere."""
    new = draw_code(layout, i, words)
    if new != code:
        return new
    return int(code + 1 if code + 1 < layout.places[i].values else code - 1)
