"""Candidates around the front, and some from anywhere."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.cells import another_code, has_scale, stepped
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import (
    ORDINAL,
    PERMUTATION,
    Layout,
    sample,
)
from divlearn.kernels.random import below, uniform
from divlearn.kernels.rules.presence import is_absent
from divlearn.kernels.structure import settle
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.variation import (
    borrow,
    copy_codes,
    crossover,
    is_free,
    move_items,
)

#: Chance to cross two members, and to change one more position.
CROSSED, MORE = 0.3, 0.4
#: Chance of a step where values have a scale; else the value may be any.
STEPPED = 0.75


@lean_kernel
def change(layout: Layout, x: Codes, rng: Words) -> None:
    """Change ``x`` at a random position by one unit move."""
    i = below(rng, x.shape[0])
    while is_absent(layout, x, i):
        i = (i + 1) % x.shape[0]
    segment = layout.segments[layout.places[i].segment]
    if layout.places[i].decides == 0 and not is_free(layout, x, i):
        j = segment.start + below(rng, segment.stop - segment.start)
        if segment.kind == PERMUTATION:
            move_items(x, i, j, rng)
        else:
            x[i], x[j] = x[j], x[i]
        return
    arity = layout.places[i].values
    if arity < 2:
        return
    if has_scale(layout, i):
        if uniform(rng) < STEPPED:
            x[i] = stepped(layout, i, x[i], rng)
        else:
            x[i] = another_code(layout, i, x[i], rng)
        return
    if segment.kind == ORDINAL and below(rng, 2) == 0:
        up = x[i] == 0 or (x[i] < arity - 1 and below(rng, 2) == 0)
        x[i] += 1 if up else -1
        return
    value = below(rng, arity - 1)
    x[i] = value + 1 if value >= x[i] else value


@lean_kernel
def pick(gp: GaussianProcess, rng: Words, x: Codes) -> None:
    """Copy a random member of the front, or any row while there is no front."""
    control = gp.control[0]
    if control.num_front > 0:
        r = gp.front[below(rng, control.num_front)]
    else:
        r = below(rng, control.num_rows)
    if r < control.num_rows:
        copy_codes(gp.points[gp.rows[r]], x)
    else:
        copy_codes(gp.pending[r - control.num_rows], x)


@lean_kernel
def draw_candidate(gp: GaussianProcess, layout: Layout, rng: Words, x: Codes) -> None:
    """Draw a variation of the front, or any solution, into ``x``."""
    if uniform(rng) < gp.control[0].random_share:
        sample(layout, rng, x)
        return
    pick(gp, rng, x)
    if uniform(rng) < CROSSED:
        other = gp.starts[gp.starts.shape[0] - 1]
        pick(gp, rng, other)
        crossover(layout, rng, other, x, x, False)
    change(layout, x, rng)
    while uniform(rng) < MORE:
        change(layout, x, rng)
    if layout.rules.shape[0] > 0:
        other = gp.starts[gp.starts.shape[0] - 1]
        pick(gp, rng, other)
        borrow(layout, other, x)
        settle(layout, x, rng)
