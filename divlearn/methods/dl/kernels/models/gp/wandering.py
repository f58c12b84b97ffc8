"""Improvement of a candidate by steps at many positions at once.

Where a constraint holds a candidate back, or where two knobs make up for each other, no
change of a single position helps: walls get thicker as a vessel gets wider. A step
changes reals and integers together, by normal numbers whose deviation grows while steps
succeed and shrinks while they fail, as in an evolution strategy of one parent.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.cells import another_code, code_at, coordinate, has_scale
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, Layout
from divlearn.kernels.random import uniform
from divlearn.kernels.rules.presence import is_absent
from divlearn.kernels.structure import keeps_rules
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.acquisition import normal
from divlearn.methods.dl.kernels.models.gp.merit import merit_of
from divlearn.methods.dl.kernels.models.gp.posterior import set_anchor
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.variation import copy_codes, is_free

#: Chance that a position changes: on a scale, one up or one down, to any other value.
ON_SCALE, ONE_STEP, ELSEWHERE = 0.6, 0.2, 0.1
#: First deviation as a share of the scale, the greatest one, and the least one, from
#: which it begins again.
FIRST, GREATEST, LEAST = 0.05, 0.3, 3e-4
#: What becomes of it after a success and after a failure: they balance at one in five.
LONGER, SHORTER = 1.6, 0.87


@lean_kernel
def wander(
    gp: GaussianProcess,
    layout: Layout,
    seen: Words,
    x: Codes,
    value: float,
    num_steps: int,
    rng: Words,
) -> float:
    """Improve the merit of ``x``, shape (n,), by ``num_steps`` steps, unseen ones only.

    Returns
    -------
    The merit reached.
    """
    other, deviation = gp.starts[gp.starts.shape[0] - 1], FIRST
    for _ in range(num_steps):
        copy_codes(x, other)
        if not _step(layout, x, deviation, rng, other):
            continue
        found = merit_of(gp, layout, other, value)
        if found > value and not is_seen(seen, hash_solution(layout, other, False)):
            copy_codes(other, x)
            value, deviation = found, min(GREATEST, LONGER * deviation)
            set_anchor(gp)
        else:
            deviation *= SHORTER
            if deviation < LEAST:
                deviation = FIRST
    return value


@lean_kernel
def _step(layout: Layout, x: Codes, deviation: float, rng: Words, other: Codes) -> bool:
    """Change ``other``, a copy of ``x``; False if that is no other solution."""
    changed = False
    for i in range(x.shape[0]):
        if is_absent(layout, x, i) or not is_free(layout, x, i):
            continue
        last = layout.places[i].values - 1
        ordered = layout.segments[layout.places[i].segment].kind == ORDINAL
        u = uniform(rng)
        if has_scale(layout, i):
            if u < ON_SCALE:
                share = coordinate(layout, i, x[i]) + deviation * normal(rng)
                other[i] = code_at(layout, i, share)
        elif ordered:
            if u < ONE_STEP:
                other[i] = max(0, x[i] - 1)
            elif u < 2.0 * ONE_STEP:
                other[i] = min(last, x[i] + 1)
        elif u < ELSEWHERE and last > 0:
            other[i] = another_code(layout, i, x[i], rng)
        changed = changed or other[i] != x[i]
    return changed and keeps_rules(layout, other)
