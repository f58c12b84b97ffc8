"""Search inside the model: the unseen solution of greatest merit that is found."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.acquisition import (
    acquisition,
    draw_directions,
    draw_kappa,
    find_front,
    set_box,
)
from divlearn.methods.dl.kernels.models.gp.candidates import draw_candidate
from divlearn.methods.dl.kernels.models.gp.climbing import climb
from divlearn.methods.dl.kernels.models.gp.posterior import condition, predict_all
from divlearn.methods.dl.kernels.models.gp.state import HUGE, GaussianProcess
from divlearn.methods.dl.kernels.variation import copy_codes


@lean_kernel
def find_best(
    gp: GaussianProcess, layout: Layout, seen: Words, rng: Words, x: Codes
) -> bool:
    """Write the most promising solution into ``x``, shape (n,).

    Variations of the front and random solutions are compared, and the best improved.

    Returns
    -------
    False if all of them were seen before.
    """
    control, kept = gp.control[0], 0
    for o in range(gp.outputs.shape[0]):
        condition(gp, o)
    find_front(gp)
    if control.num_front > 0:
        set_box(gp)
        draw_directions(gp, rng)
        draw_kappa(gp, rng)
    for _ in range(control.num_tries):
        draw_candidate(gp, layout, rng, x)
        if not is_seen(seen, hash_solution(layout, x, False)):
            predict_all(gp, layout, x)
            kept = keep_best(gp, x, acquisition(gp), kept)
    best, chosen = -HUGE, -1
    for b in range(kept):
        start, steps = gp.starts[b], control.num_steps // kept
        value = climb(gp, layout, seen, start, gp.acquisitions[b], steps, rng)
        if value > best:
            best, chosen = value, b
    if chosen >= 0:
        copy_codes(gp.starts[chosen], x)
    return chosen >= 0


@lean_kernel
def keep_best(gp: GaussianProcess, x: Codes, value: float, kept: int) -> int:
    """Insert ``x`` among the best candidates; returns how many there are."""
    most = gp.control[0].num_starts
    if kept == most and value <= gp.acquisitions[kept - 1]:
        return kept
    b = min(kept, most - 1)
    while b > 0 and value > gp.acquisitions[b - 1]:
        gp.acquisitions[b] = gp.acquisitions[b - 1]
        copy_codes(gp.starts[b - 1], gp.starts[b])
        b -= 1
    gp.acquisitions[b] = value
    copy_codes(x, gp.starts[b])
    return int(min(kept + 1, most))
