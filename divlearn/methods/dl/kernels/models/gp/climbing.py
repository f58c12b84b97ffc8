"""Improvement of a candidate, one position after the other."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.cells import another_code, code_at, coordinate, has_scale
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout
from divlearn.kernels.random import below, uniform
from divlearn.kernels.rules.presence import is_absent
from divlearn.kernels.structure import keeps_rules, settle
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.merit import merit_of, merit_of_change
from divlearn.methods.dl.kernels.models.gp.posterior import (
    set_anchor,
    set_distances,
)
from divlearn.methods.dl.kernels.models.gp.state import HUGE, GaussianProcess
from divlearn.methods.dl.kernels.variation import (
    borrow,
    copy_codes,
    is_free,
    move_items,
)

#: Values tried one by one up to this many; beyond, near ones and some others.
ALL_VALUES, NEAR, OTHERS = 8, 2, 4
#: Where values have a scale: values tried all over it, and steps from the best.
GLOBAL, LOCAL = 4, 12
#: First step, as a share of the scale, and what becomes of it after a failure each way.
FIRST_STEP, SHORTER = 0.1, 0.35
#: Share of the merit that a change on a scale must add to go on for its sake.
LEAST_GAIN = 0.003


@lean_kernel
def climb(
    gp: GaussianProcess,
    layout: Layout,
    seen: Words,
    x: Codes,
    value: float,
    num_steps: int,
    rng: Words,
) -> float:
    """Improve the merit of ``x``, one position after the other, unseen points only.

    Returns
    -------
    The merit reached.
    """
    n = x.shape[0]
    other = gp.starts[gp.starts.shape[0] - 1]
    i, stride = below(rng, n), 1 + below(rng, n)
    while math.gcd(stride, n) != 1:
        stride += 1
    set_distances(gp, layout, x)
    set_anchor(gp)
    idle, used, known = 0, 0, True
    while idle < n and used < num_steps:
        i = (i + stride) % n
        idle += 1
        if is_absent(layout, x, i):
            continue
        if is_free(layout, x, i):
            old = x[i]
            if not known:
                set_distances(gp, layout, x)
                known = True
            if has_scale(layout, i):
                used += GLOBAL + LOCAL
                best, chosen = _best_on_scale(gp, layout, x, i, value, rng)
            else:
                used += layout.places[i].values - 1
                best, chosen = _best_value(gp, layout, x, i, value, rng)
            if chosen != old:
                x[i] = chosen
                broken = not keeps_rules(layout, x)
                if broken or is_seen(seen, hash_solution(layout, x, False)):
                    x[i] = old
                    continue
                # On a scale there is always a little more to gain.
                if not has_scale(layout, i) or best > value + LEAST_GAIN * abs(value):
                    idle = 0
                value = best
                set_distances(gp, layout, x)
                set_anchor(gp)
            continue
        if not _vary(gp, layout, x, i, rng, other):
            continue
        used += 1
        found = merit_of(gp, layout, other, value)
        if found > value and not is_seen(seen, hash_solution(layout, other, False)):
            copy_codes(other, x)
            value, idle, known = found, 0, True
            set_anchor(gp)
        else:
            known = False
    return value


@lean_kernel
def _vary(
    gp: GaussianProcess, layout: Layout, x: Codes, i: int, rng: Words, other: Codes
) -> bool:
    """Write into ``other`` what becomes of ``x`` by a change at ``i`` and elsewhere.

    Items are exchanged or inserted elsewhere, or a stretch is reversed. A position that
    decides on others gets another value, and what exists because of that begins as one
    of the rows has it.

    Returns
    -------
    False if that changes nothing.
    """
    place, segment = layout.places[i], layout.segments[layout.places[i].segment]
    if place.decides == 1:
        donor = gp.points[gp.rows[below(rng, gp.control[0].num_rows)]]
        copy_codes(x, other)
        other[i] = another_code(layout, i, x[i], rng)
        if place.values < 2:
            return False
        borrow(layout, donor, other)
        settle(layout, other, rng)
        return True
    j = segment.start + below(rng, segment.stop - segment.start)
    if x[i] == x[j]:
        return False
    copy_codes(x, other)
    if segment.kind == PERMUTATION:
        move_items(other, i, j, rng)
    else:
        other[i], other[j] = x[j], x[i]
    settle(layout, other, rng)
    return True


@lean_kernel
def _best_value(
    gp: GaussianProcess,
    layout: Layout,
    x: Codes,
    i: int,
    value: float,
    rng: Words,
) -> tuple[float, int]:
    """Best merit over the values of position ``i``, and the value that has it."""
    s = layout.places[i].segment
    c = gp.first[s] + i - layout.segments[s].start
    arity, old, chosen = layout.places[i].values, x[i], x[i]
    steps = max(1, arity - 1) if layout.segments[s].kind == ORDINAL else 1
    for new in range(arity):
        if new == old:
            continue
        far = arity > ALL_VALUES and abs(new - old) > NEAR
        if far and below(rng, arity) >= OTHERS:
            continue
        found = merit_of_change(gp, c, new / steps, value)
        if found > value:
            value, chosen = found, new
    return value, chosen


@lean_kernel
def _best_on_scale(
    gp: GaussianProcess,
    layout: Layout,
    x: Codes,
    i: int,
    value: float,
    rng: Words,
) -> tuple[float, int]:
    """Climb the merit along the scale of position ``i``; returns like `_best_value`.

    First a value from each part of the scale, then steps from the best one, which get
    shorter as they fail.
    """
    s = layout.places[i].segment
    c = gp.first[s] + i - layout.segments[s].start
    chosen = x[i]
    step, failures, up = FIRST_STEP, 0, below(rng, 2) == 0
    for k in range(GLOBAL + LOCAL):
        if k < GLOBAL:
            share = (k + uniform(rng)) / GLOBAL
        else:
            share = coordinate(layout, i, chosen) + (step if up else -step)
        new = code_at(layout, i, share)
        found = -HUGE
        if new != chosen:
            found = merit_of_change(gp, c, coordinate(layout, i, new), value)
        if found > value:
            value, chosen, failures = found, new, 0
        elif k >= GLOBAL:
            failures, up = failures + 1, not up
            if failures == 2:
                step, failures = step * SHORTER, 0
    return value, chosen
