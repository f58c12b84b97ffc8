"""Improvement of a candidate, one position after the other."""

from __future__ import annotations

import math

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, Layout
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.acquisition import acquisition
from divlearn.methods.dl.kernels.models.gp.posterior import (
    predict_all,
    predict_change,
    set_distances,
)
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.variation import copy_codes, is_free

#: Values tried one by one up to this arity; beyond, near ones and some others.
ALL_VALUES, NEAR, OTHERS = 8, 2, 4


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
    idle, used = 0, 0
    while idle < n and used < num_steps:
        i = (i + stride) % n
        idle += 1
        if is_free(layout, x, i):
            old = x[i]
            used += layout.places[i].arity - 1
            best, chosen = _best_value(gp, layout, x, i, value, rng)
            if chosen != old:
                x[i] = chosen
                if is_seen(seen, hash_solution(layout, x, False)):
                    x[i] = old
                    continue
                value, idle = best, 0
                set_distances(gp, layout, x)
            continue
        segment = layout.segments[layout.places[i].segment]
        j = segment.start + below(rng, segment.stop - segment.start)
        if x[i] == x[j]:
            continue
        copy_codes(x, other)
        other[i], other[j] = x[j], x[i]
        predict_all(gp, layout, other)
        used += 1
        found = acquisition(gp)
        if found > value and not is_seen(seen, hash_solution(layout, other, False)):
            copy_codes(other, x)
            value, idle = found, 0
        else:
            set_distances(gp, layout, x)
    return value


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
    arity, old, chosen = layout.places[i].arity, x[i], x[i]
    steps = max(1, arity - 1) if layout.segments[s].kind == ORDINAL else 1
    for new in range(arity):
        if new == old:
            continue
        far = arity > ALL_VALUES and abs(new - old) > NEAR
        if far and below(rng, arity) >= OTHERS:
            continue
        predict_change(gp, c, new / steps)
        found = acquisition(gp)
        if found > value:
            value, chosen = found, new
    return value, chosen
