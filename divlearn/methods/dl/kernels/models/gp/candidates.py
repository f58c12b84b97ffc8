"""Candidates around the front, and some from anywhere."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import (
    ORDINAL,
    PERMUTATION,
    Layout,
    sample,
)
from divlearn.kernels.random import below, uniform
from divlearn.methods.dl.kernels.models.gp.state import Similarity
from divlearn.methods.dl.kernels.variation import (
    copy_codes,
    crossover,
    insert_item,
    is_free,
)

#: Chance to cross two members, and to change one more position.
CROSSED, MORE = 0.3, 0.4


@lean_kernel
def change(layout: Layout, x: Codes, words: Words) -> None:
    """Change ``x`` at a random position by one unit move."""
    i = below(words, x.shape[0])
    segment = layout.segments[layout.places[i].segment]
    if not is_free(layout, x, i):
        j = segment.start + below(words, segment.stop - segment.start)
        if segment.kind == PERMUTATION:
            if below(words, 2) == 0:
                x[i], x[j] = x[j], x[i]
            else:
                insert_item(x, i, j)
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
    if uniform(words) < CROSSED:
        other = sim.starts[sim.starts.shape[0] - 1]
        _pick(sim, words, other)
        crossover(layout, words, other, x, x, False)
    change(layout, x, words)
    while uniform(words) < MORE:
        change(layout, x, words)
