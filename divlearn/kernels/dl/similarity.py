"""The similarity expert: proposals from few points on spaces of any kind.

Every output is a Gaussian process over position-value similarities; a proposal is the
unseen solution around the front that promises to add most to it.
"""

from __future__ import annotations

from divlearn.kernels.archive import Archive
from divlearn.kernels.dl.candidates import climb, draw_candidate, is_seen, keep_best
from divlearn.kernels.dl.gains import (
    draw_directions,
    draw_normals,
    find_front,
    merit,
    set_box,
)
from divlearn.kernels.dl.points import (
    UNSAVED_SIMILARITY,
    Similarity,
    copy_codes,
    new_similarity,
    num_points,
    take_pending,
    take_point,
)
from divlearn.kernels.dl.posterior import condition, fit_if_due, load_rows, predict_all
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout, sample
from divlearn.typing import Codes, Words

__all__ = [
    "UNSAVED_SIMILARITY",
    "Similarity",
    "new_similarity",
    "propose_similar",
    "take_point",
]

#: Draws before a space counts as exhausted.
NUM_DRAWS = 200


@lean_kernel
def propose_similar(
    sim: Similarity,
    layout: Layout,
    archive: Archive,
    archive_size: int,
    words: Words,
    x: Codes,
) -> bool:
    """Write an unseen solution into ``x``, shape (n,), and remember it as pending.

    The first ones are random. Proposals may be asked for before earlier ones are
    answered: those are believed to come out as predicted.

    Returns
    -------
    False if no unseen solution was found; ``x`` then holds anything.
    """
    control = sim.control[0]
    total = num_points(sim) + control.num_pending
    found = False
    if total >= control.num_initial and num_points(sim) >= 2:
        found = _propose_learned(sim, layout, archive, archive_size, words, x)
    for _ in range(NUM_DRAWS):
        if found:
            break
        sample(layout, words, x)
        found = not is_seen(sim, archive, archive_size, x)
    if found:
        take_pending(sim, x)
    return found


@lean_kernel
def _propose_learned(
    sim: Similarity,
    layout: Layout,
    archive: Archive,
    archive_size: int,
    words: Words,
    x: Codes,
) -> bool:
    """Write the most promising solution into ``x``; False if all were seen."""
    control, m = sim.control[0], archive.keys.shape[1]
    choose_rows(sim, archive, archive_size)
    load_rows(sim, layout)
    fit_if_due(sim, m)
    for o in range(sim.outputs.shape[0]):
        condition(sim, o)
    find_front(sim, m)
    if control.num_front > 0:
        set_box(sim, m)
        draw_directions(sim, m, words)
    draw_normals(sim, m, words)
    kept = 0
    for _ in range(control.num_tries):
        draw_candidate(sim, layout, words, x)
        if not is_seen(sim, archive, archive_size, x):
            predict_all(sim, layout, x)
            kept = keep_best(sim, x, merit(sim, m), kept)
    best, chosen = -1e300, -1
    for b in range(kept):
        start, num_steps = sim.starts[b], control.num_steps // kept
        value = climb(
            sim,
            layout,
            archive,
            archive_size,
            m,
            start,
            sim.merits[b],
            num_steps,
            words,
        )
        if value > best:
            best, chosen = value, b
    if chosen >= 0:
        copy_codes(sim.starts[chosen], x)
    return chosen >= 0


@lean_kernel
def choose_rows(sim: Similarity, archive: Archive, archive_size: int) -> None:
    """Choose the points that the model is built on.

    All while they fit, else those least behind the front, and the latest.
    """
    control, count = sim.control[0], num_points(sim)
    most = sim.rows.shape[0] - sim.pending.shape[0]
    if count <= most:
        control.num_rows = count
        for i in range(count):
            sim.rows[i] = i
        return
    control.num_rows = most
    for i in range(most):
        sim.rows[i] = count - most + i
