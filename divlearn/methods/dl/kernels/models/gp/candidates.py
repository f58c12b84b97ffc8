"""Candidates around the front, and some from anywhere."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import (
    ORDINAL,
    PERMUTATION,
    SUBSET,
    Layout,
    count_ones,
    sample,
)
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.models.gp.state import Similarity

#: Chance to mix two members, and to change one more position.
MIX, MORE = 0.3, 0.4


@lean_kernel
def copy_codes(source: Codes, target: Codes) -> None:
    """Copy a solution."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@lean_kernel
def _has_limits(layout: Layout, s: int) -> bool:
    """Whether segment ``s`` is a subset whose size is limited."""
    segment = layout.segments[s]
    free = segment.least == 0 and segment.most == segment.stop - segment.start
    return bool(segment.kind == SUBSET and not free)


@lean_kernel
def is_free(layout: Layout, x: Codes, i: int) -> bool:
    """Whether position ``i`` can be changed alone (a limited subset: flipped)."""
    s = layout.places[i].segment
    segment = layout.segments[s]
    if segment.kind == PERMUTATION:
        return False
    if _has_limits(layout, s):
        ones = count_ones(x, segment.start, segment.stop) + 1 - 2 * x[i]
        return bool(segment.least <= ones <= segment.most)
    return True


@lean_kernel
def mix(layout: Layout, x: Codes, other: Codes, words: Words) -> None:
    """Take half of ``other`` into ``x``: free positions one by one, else segments."""
    for s in range(layout.segments.shape[0]):
        segment = layout.segments[s]
        if segment.kind == PERMUTATION or _has_limits(layout, s):
            if below(words, 2) == 0:
                for i in range(segment.start, segment.stop):
                    x[i] = other[i]
        else:
            for i in range(segment.start, segment.stop):
                if below(words, 2) == 0:
                    x[i] = other[i]


@lean_kernel
def _reorder(x: Codes, i: int, j: int, words: Words) -> None:
    """Exchange the items at two places, or move one to the other's place."""
    item = x[i]
    if below(words, 2) == 0:
        x[i] = x[j]
        x[j] = item
        return
    step = 1 if i < j else -1
    while i != j:
        x[i] = x[i + step]
        i += step
    x[j] = item


@lean_kernel
def change(layout: Layout, x: Codes, words: Words) -> None:
    """Change ``x`` at a random position by one unit move."""
    i = below(words, x.shape[0])
    segment = layout.segments[layout.places[i].segment]
    if not is_free(layout, x, i):
        j = segment.start + below(words, segment.stop - segment.start)
        if segment.kind == PERMUTATION:
            _reorder(x, i, j, words)
        else:
            x[i], x[j] = x[j], x[i]
        return
    arity = layout.places[i].arity
    if arity < 2:
        return
    if segment.kind == ORDINAL and below(words, 2) == 0:
        up = x[i] == 0 or (x[i] < arity - 1 and below(words, 2) == 0)
        x[i] += 1 if up else -1
        return
    value = below(words, arity - 1)
    x[i] = value + 1 if value >= x[i] else value


@lean_kernel
def _pick(sim: Similarity, words: Words, x: Codes) -> None:
    """Copy a random member of the front, or any row while there is no front."""
    control = sim.control[0]
    if control.num_front > 0:
        r = sim.front[below(words, control.num_front)]
    else:
        r = below(words, control.num_rows)
    if r < control.num_rows:
        copy_codes(sim.points[sim.rows[r]], x)
    else:
        copy_codes(sim.pending[r - control.num_rows], x)


@lean_kernel
def draw_candidate(sim: Similarity, layout: Layout, words: Words, x: Codes) -> None:
    """Draw a variation of the front, or any solution, into ``x``."""
    if uniform(words) < sim.control[0].wander:
        sample(layout, words, x)
        return
    _pick(sim, words, x)
    if uniform(words) < MIX:
        other = sim.starts[sim.starts.shape[0] - 1]
        _pick(sim, words, other)
        mix(layout, x, other, words)
    change(layout, x, words)
    while uniform(words) < MORE:
        change(layout, x, words)
