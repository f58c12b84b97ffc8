"""Scratch of the search inside learned values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.layout import Layout
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.quadratic.values import Values
from divlearn.methods.dl.kernels.models.quadratic.view import View, new_view
from divlearn.methods.dl.kernels.search.relaxation import Relaxation, new_relaxation
from divlearn.methods.dl.kernels.search.rows import Rows, new_rows

#: Cheapest changes of a member that are combined.
NUM_PICKS = 20
#: Numbers of a limit.
LOAD, PRICE = 0, 1


@viewed
class Around(NamedTuple):
    """Which members are near the origin of candidates."""

    centre: Floats  # (m,) objectives of the origin
    stops: Integers  # (3,) ranks where the inner ring, the outer one and the rest end


@viewed
class Walk(NamedTuple):
    """A walk through predicted solutions, and changes of a member to combine."""

    view: View  # the solution that the walk has come to
    around: Around  # members near the one it began with
    relax: Relaxation  # of the changes in view, for prices of constraints
    limit: Floats  # (2,) LOAD of the learned constraint in view, and its PRICE
    tabu: Integers  # (A,) step until which an action is not to come back
    trial: Codes  # (n,) a solution
    points: Floats  # (4, p) predicted outputs after up to three changes
    places: Integers  # (3,) positions of these changes
    news: Integers  # (3,) and their actions
    listed: Integers  # (1,) number of cheap changes listed
    picks: Integers  # (L,) cheapest changes of a member
    spots: Integers  # (L,) their positions
    cost: Floats  # (L,) their cost
    rows: Rows  # the constraints of these changes, if they are many


def new_walk(layout: Layout, values: Values, m: int, hidden: int) -> Walk:
    """Make the scratch for tables of this shape.

    Parameters
    ----------
    layout, values
        Positions, and the tables about them.
    m
        Number of objectives.
    hidden
        Number of constraints that are learned from a repair, 0 or 1.
    """
    num_actions, num_outputs = values.singles.mean.shape
    return Walk(
        new_view(layout, values),
        Around(np.zeros(m), np.zeros(3, np.int64)),
        new_relaxation(layout, m, num_outputs + hidden),
        np.zeros(2),
        np.zeros(num_actions, np.int64),
        np.zeros(len(layout.places), np.int64),
        np.zeros((4, num_outputs)),
        np.zeros(3, np.int64),
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
        np.zeros(NUM_PICKS, np.int64),
        np.zeros(NUM_PICKS, np.int64),
        np.zeros(NUM_PICKS),
        new_rows(
            layout,
            num_outputs - m,
            num_actions * (num_outputs - m),
        ),
    )
