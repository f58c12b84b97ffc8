"""Search inside the model: the unseen solution of greatest merit that is found."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.gp.acquisition import (
    draw_directions,
    draw_kappa,
    find_front,
    set_box,
)
from divlearn.methods.dl.kernels.models.gp.candidates import draw_candidate
from divlearn.methods.dl.kernels.models.gp.climbing import climb
from divlearn.methods.dl.kernels.models.gp.covariance import load_rows
from divlearn.methods.dl.kernels.models.gp.merit import merit_of
from divlearn.methods.dl.kernels.models.gp.posterior import condition_all
from divlearn.methods.dl.kernels.models.gp.state import HUGE, GaussianProcess
from divlearn.methods.dl.kernels.models.gp.wandering import wander
from divlearn.methods.dl.kernels.variation import copy_codes

#: Rows with which the usual effort is made; with others its time stays the same, within
#: limits: this is the least share of it.
FULL_ROWS, LEAST_SHARE = 150, 0.2


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
    prepare(gp, layout, rng)
    for _ in range(int(share_of_effort(gp) * control.num_tries)):
        draw_candidate(gp, layout, rng, x)
        if not is_seen(seen, hash_solution(layout, x, False)):
            enough = kept == control.num_starts
            least = gp.acquisitions[kept - 1] if enough else -HUGE
            kept = keep_best(gp, x, merit_of(gp, layout, x, least), kept)
    return climb_from_best(gp, layout, seen, rng, x, kept)


@lean_kernel
def climb_from_best(
    gp: GaussianProcess, layout: Layout, seen: Words, rng: Words, x: Codes, kept: int
) -> bool:
    """Improve the ``kept`` best candidates, and write the best of all into ``x``.

    The best one is improved further, by steps at many positions at once.

    Returns
    -------
    False if there are none.
    """
    best, chosen = -HUGE, -1
    effort = int(share_of_effort(gp) * gp.control[0].num_steps)
    for b in range(kept):
        start, value = gp.starts[b], gp.acquisitions[b]
        value = climb(gp, layout, seen, start, value, effort // kept, rng)
        if value > best:
            best, chosen = value, b
    if chosen >= 0:
        copy_codes(gp.starts[chosen], x)
        joint = int(share_of_effort(gp) * gp.control[0].num_joint)
        wander(gp, layout, seen, x, best, joint, rng)
    return chosen >= 0


@lean_kernel
def prepare(gp: GaussianProcess, layout: Layout, rng: Words) -> None:
    """Condition all outputs, and find what a candidate is measured by."""
    load_rows(gp, layout)
    condition_all(gp)
    find_front(gp)
    if gp.control[0].num_front > 0:
        set_box(gp)
        draw_directions(gp, rng)
        draw_kappa(gp, rng)


@lean_kernel
def share_of_effort(gp: GaussianProcess) -> float:
    """Share of the usual candidates and steps: less where predictions take long."""
    rows, most = gp.control[0].num_rows, gp.control[0].most_effort
    return float(min(most, max(LEAST_SHARE, (FULL_ROWS / max(1, rows)) ** 2)))


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
