"""Learning again from differences that are remembered."""

from __future__ import annotations

from divlearn.basics.typing import Floats, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.memory import Ring, lists_changes, recall_changes
from divlearn.methods.dl.kernels.models.additive import (
    JITTER,
    Tables,
    find_rows,
    is_chosen,
    list_step,
    predict,
    uncertainty,
)
from divlearn.methods.dl.kernels.models.encodings import Changes
from divlearn.methods.dl.kernels.variation import copy_codes


@lean_kernel
def replay(
    tables: Tables,
    layout: Layout,
    changes: Changes,
    ring: Ring,
    filled: int,
    times: int,
    rng: Words,
) -> None:
    """Correct the chosen tables by past differences drawn at random."""
    listed = lists_changes(ring)
    for _ in range(times):
        row = below(rng, filled)
        if not listed:
            copy_codes(ring.parents[row], changes.parent)
            copy_codes(ring.children[row], changes.child)
        for e in range(tables.encodings.shape[0]):
            if not is_chosen(tables, e):
                continue
            if listed:
                count = recall_changes(ring, row, e, changes)
                find_rows(tables, e, changes, count, True)
            else:
                old, new = changes.parent, changes.child
                count = list_step(tables, e, layout, changes, old, new, True)
            _replay_one(tables, changes, ring.deltas[row], e, count)


@lean_kernel
def _replay_one(
    tables: Tables, changes: Changes, delta: Floats, e: int, count: int
) -> None:
    """Move the means towards one past difference; variances stay."""
    if count == 0:
        return
    total = uncertainty(tables, e, changes, count)
    scale = 1.0 / (total + tables.noise[e] + JITTER)
    stranger = tables.keys.shape[1] if tables.keys.shape[1] > 0 else -1
    for j in range(delta.shape[0]):
        error = delta[j] - predict(tables, e, changes, count, j)
        for k in range(count):
            a = changes.actions[k]
            if a == stranger:
                continue
            gain = tables.variance[e, a] * scale
            tables.mean[e, a, j] += changes.signs[k] * gain * error
