"""Planned orders: the next one of a front that the tables of positions know exactly.

It counts as a candidate of the tables. It is a part of its own because few searches
have enough evaluations to know their tables so well.
"""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.random import below
from divlearn.methods.dl.kernels.answers import adopt
from divlearn.methods.dl.kernels.arms.bandit import TABLES
from divlearn.methods.dl.kernels.models.positions import refresh_positions
from divlearn.methods.dl.kernels.search.planned_orders import plan_orders
from divlearn.methods.dl.kernels.state import DifferenceState


@lean_kernel
def propose_planned(state: DifferenceState, x: Codes, ticket: Integers) -> None:
    """Write the next planned order and its ticket; -1 for its arm if there is none."""
    ticket[0] = -1
    refresh_positions(state)
    if plan_orders(state, x):
        size = state.control[0].archive_size
        slot = int(state.archive.order[below(state.rng, size)])
        ticket[0], ticket[1] = TABLES, adopt(state, slot)
