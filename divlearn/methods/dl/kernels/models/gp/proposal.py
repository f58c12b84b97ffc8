"""Proposals from few points, on spaces of any kind.

Every output is a Gaussian process over what solutions have in common; a proposal is the
unseen solution around the front that promises to add most to it. A compiler handles a
kernel again in each one that calls it, so that few large ones are called from here.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout, sample
from divlearn.methods.dl.kernels.memory import hash_solution, mark_seen
from divlearn.methods.dl.kernels.models.gp.fitting import fit_model, is_due
from divlearn.methods.dl.kernels.models.gp.order_search import find_best_order
from divlearn.methods.dl.kernels.models.gp.points import (
    choose_rows,
    num_points,
    take_pending,
)
from divlearn.methods.dl.kernels.models.gp.search import find_best
from divlearn.methods.dl.kernels.models.gp.state import MAX_FITTED, GaussianProcess

#: Draws before a space counts as exhausted.
NUM_DRAWS = 200


def propose_gp(
    gp: GaussianProcess, layout: Layout, seen: Words, rng: Words, x: Codes
) -> bool:
    """Write an unseen solution into ``x``, shape (n,), and mark it as seen.

    The first ones are random. Proposals may be asked for before earlier ones are
    answered: those are believed to come out as predicted.

    Parameters
    ----------
    gp
        What is known.
    layout
        Layout of the space.
    seen
        Hashes of solutions, see :mod:`divlearn.methods.dl.kernels.memory`; one more
        must fit.
    rng
        State of the random numbers, shape (4,).
    x
        Output.

    Returns
    -------
    False if no unseen solution was found; ``x`` then holds anything.
    """
    control, count = gp.control[0], num_points(gp)
    found = False
    if count >= 2 and count + control.num_pending >= control.num_initial:
        if is_due(gp):
            choose_rows(gp, MAX_FITTED)
            fit_model(gp, layout)
        choose_rows(gp)
        find = find_best_order if len(gp.blocks) else find_best
        found = find(gp, layout, seen, rng, x) and claim(layout, seen, x)
    tries = 0
    while not found and tries < NUM_DRAWS:
        sample(layout, rng, x)
        found = claim(layout, seen, x)
        tries += 1
    if found:
        take_pending(gp, x)
    return found


@lean_kernel
def claim(layout: Layout, seen: Words, x: Codes) -> bool:
    """Mark ``x`` as seen; False if it was so before."""
    return mark_seen(seen, hash_solution(layout, x, False))
