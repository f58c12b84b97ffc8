"""Search inside the model: the unseen solution of greatest merit that is found."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.acquisition import (
    draw_directions,
    draw_hope,
    find_front,
    merit,
    set_box,
)
from divlearn.methods.dl.kernels.models.gp.candidates import draw_candidate
from divlearn.methods.dl.kernels.models.gp.climbing import climb
from divlearn.methods.dl.kernels.models.gp.posterior import condition, predict_all
from divlearn.methods.dl.kernels.models.gp.state import Similarity
from divlearn.methods.dl.kernels.variation import copy_codes


@lean_kernel
def find_best(
    sim: Similarity, layout: Layout, seen: Words, words: Words, x: Codes
) -> bool:
    """Write the most promising solution into ``x``, shape (n,).

    Variations of the front and random solutions are compared, and the best improved.

    Returns
    -------
    False if all of them were seen before.
    """
    control, kept = sim.control[0], 0
    for o in range(sim.outputs.shape[0]):
        condition(sim, o)
    find_front(sim)
    if control.num_front > 0:
        set_box(sim)
        draw_directions(sim, words)
        draw_hope(sim, words)
    for _ in range(control.num_tries):
        draw_candidate(sim, layout, words, x)
        if not is_seen(seen, hash_solution(layout, x, False)):
            predict_all(sim, layout, x)
            kept = keep_best(sim, x, merit(sim), kept)
    best, chosen = -1e300, -1
    for b in range(kept):
        start, steps = sim.starts[b], control.num_steps // kept
        value = climb(sim, layout, seen, start, sim.merits[b], steps, words)
        if value > best:
            best, chosen = value, b
    if chosen >= 0:
        copy_codes(sim.starts[chosen], x)
    return chosen >= 0


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
