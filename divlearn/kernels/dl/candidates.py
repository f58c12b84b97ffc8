"""Candidates around the front, and their improvement one position at a time."""

from __future__ import annotations

import math

from divlearn.kernels.archive import Archive
from divlearn.kernels.dl.gains import merit
from divlearn.kernels.dl.points import Similarity, copy_codes, is_known, same
from divlearn.kernels.dl.posterior import predict_all, predict_change, set_distances
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import ORDINAL, PERMUTATION, SUBSET, Layout, count_ones
from divlearn.kernels.random import below, uniform
from divlearn.typing import Codes, Words

#: Chance to mix two members, and to change one more position.
MIX, MORE = 0.3, 0.4
#: Values tried one by one up to this arity; beyond, near ones and some others.
ALL_VALUES, NEAR, OTHERS = 8, 2, 4


@lean_kernel
def is_seen(sim: Similarity, archive: Archive, archive_size: int, x: Codes) -> bool:
    """Whether ``x`` was evaluated or proposed, as far as anyone remembers."""
    if is_known(sim, x):
        return True
    for a in range(archive_size):
        if same(archive.solutions[archive.order[a]], x):
            return True
    return False


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
    """Draw a variation of the front into ``x``."""
    _pick(sim, words, x)
    if uniform(words) < MIX:
        other = sim.starts[sim.starts.shape[0] - 1]
        _pick(sim, words, other)
        mix(layout, x, other, words)
    change(layout, x, words)
    while uniform(words) < MORE:
        change(layout, x, words)


@lean_kernel
def keep_best(sim: Similarity, x: Codes, value: float, kept: int) -> int:
    """Insert ``x`` among the best candidates; returns how many there are."""
    most = sim.control[0].num_starts
    if kept == most and value <= sim.merits[kept - 1]:
        return kept
    b = min(kept, most - 1)
    while b > 0 and value > sim.merits[b - 1]:
        sim.merits[b] = sim.merits[b - 1]
        copy_codes(sim.starts[b - 1], sim.starts[b])
        b -= 1
    sim.merits[b] = value
    copy_codes(x, sim.starts[b])
    return int(min(kept + 1, most))


@lean_kernel
def climb(
    sim: Similarity,
    layout: Layout,
    archive: Archive,
    archive_size: int,
    m: int,
    x: Codes,
    value: float,
    num_steps: int,
    words: Words,
) -> float:
    """Improve the merit of ``x``, one position after the other, unseen points only.

    Returns
    -------
    The merit reached.
    """
    n = x.shape[0]
    other = sim.starts[sim.starts.shape[0] - 1]
    i, stride = below(words, n), 1 + below(words, n)
    while math.gcd(stride, n) != 1:
        stride += 1
    set_distances(sim, layout, x)
    idle, used = 0, 0
    while idle < n and used < num_steps:
        i = (i + stride) % n
        idle += 1
        if is_free(layout, x, i):
            old = x[i]
            used += layout.places[i].arity - 1
            best, chosen = _best_value(sim, layout, m, x, i, value, words)
            if chosen != old:
                x[i] = chosen
                if is_seen(sim, archive, archive_size, x):
                    x[i] = old
                    continue
                value, idle = best, 0
                set_distances(sim, layout, x)
            continue
        segment = layout.segments[layout.places[i].segment]
        j = segment.start + below(words, segment.stop - segment.start)
        if x[i] == x[j]:
            continue
        copy_codes(x, other)
        other[i], other[j] = x[j], x[i]
        predict_all(sim, layout, other)
        used += 1
        found = merit(sim, m)
        if found > value and not is_seen(sim, archive, archive_size, other):
            copy_codes(other, x)
            value, idle = found, 0
        else:
            set_distances(sim, layout, x)
    return value


@lean_kernel
def _best_value(
    sim: Similarity,
    layout: Layout,
    m: int,
    x: Codes,
    i: int,
    value: float,
    words: Words,
) -> tuple[float, int]:
    """Best merit over the values of position ``i``, and the value that has it."""
    s = layout.places[i].segment
    c = sim.first[s] + i - layout.segments[s].start
    arity, old, chosen = layout.places[i].arity, x[i], x[i]
    unit = 1.0
    if layout.segments[s].kind == ORDINAL:
        unit = 1.0 / max(1, arity - 1)
    for new in range(arity):
        if new == old:
            continue
        far = arity > ALL_VALUES and abs(new - old) > NEAR
        if far and below(words, arity) >= OTHERS:
            continue
        predict_change(sim, c, old * unit, new * unit)
        found = merit(sim, m)
        if found > value:
            value, chosen = found, new
    return value, chosen
