"""Pairing: a model of pairs of positions and pairs of items, and what it is made of.

The model is f(x) = c + sum over positions i < j of A[i, j] B[x_i, x_j], with both
matrices unknown, as in quadratic assignment. One of the two may be the same for all
objectives, which takes fewer solutions to find out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.views import viewed

#: Phases: looking for the structure, sampling for a fit, model in use, no model.
PROBING, SAMPLING, IN_USE, NO_MODEL = 0, 1, 2, 3
#: Which matrix all objectives have in common: that of items, of positions, or none.
ITEMS_SHARED, POSITIONS_SHARED, NOTHING_SHARED = 0, 1, 2
MODE_NAMES = ("distances between items", "flows between positions", "nothing")

#: Solutions of a probe.
NUM_PROBES = 8
#: Per pair of items: candidates before the first probe, solutions of an ordinary search
#: before random ones, and both together at the first fit.
SEARCHED_BEFORE_PROBES, SEARCHED, FIRST_FIT = 0.8, 1.65, 2.5
#: Stored solutions, by the random solutions that may be spent.
STORED = 3
#: Rows of sums are as long as a multiple of this: processors add so many at once.
LANES = 32
#: Models that leave less of what was held out are used; a first fit ends at the second,
#: and below the third a model is exact.
ADMITTED, GOOD, EXACT = 0.1, 1e-3, 1e-6

PAIRING = np.dtype(
    [
        ("limit", "i8"),  # random solutions spent at most; 0 for no model
        ("phase", "i8"),
        ("mode", "i8"),
        ("stored", "i8"),  # solutions kept
        ("sampled", "i8"),  # of them random ones, with probes and known designs
        ("handed", "i8"),  # solutions of the present probe handed out
        ("passed", "i8"),  # probes answered
        ("empty", "i8"),  # of them without any second difference
        ("placed", "i8"),  # of them in which positions explain everything
        ("next_fit", "i8"),  # solutions at which the next fit is due
        ("fits", "i8"),  # fits made
        ("turn", "i8"),  # candidates looked for
        ("failures", "i8"),  # times in a row that nothing was found
        ("unlike", "f8"),  # share of second differences that pairs do not explain
        ("error", "f8"),  # worst held-out error over the objectives
    ]
)


@viewed
class Pairing(NamedTuple):
    """Stored solutions and their values, both matrices, and room to work."""

    record: Records  # (1,) of PAIRING
    solutions: Words  # (N, n) item at each position; unsigned, which indexes faster
    inverses: Words  # (N, n) position of each item
    values: Floats  # (m, N) objectives, minimised
    parents: Integers  # (N,) earlier row that is most like it; -1 of random solutions
    worths: Floats  # (N,) weight of a row in the fit
    positions: Floats  # (m, n, n) A of each objective, symmetric
    items: Floats  # (m, n, n) B of each objective, symmetric
    centres: Floats  # (m,) value of an objective where the model says 0
    scales: Floats  # (m,) what one unit of the model is in an objective
    errors: Floats  # (m,) held-out error, 1 for the mean
    probes: Codes  # (8, n) solutions of the present probe
    answers: Floats  # (8, m) their objectives
    answered: Integers  # (8,) 1 if known
    mixed: Integers  # (m,) probes with a second difference
    targets: Floats  # (m, N) scratch of the fit
    line: Floats  # (N,) scratch of the fit
    work: Floats  # (3, n, n) scratch of the fit
    pairs: Floats  # (2, n (n - 1) / 2) scratch of the fit
    squares: Floats  # (3, n, n) scratch of the fit
    halves: Floats  # (n,) scratch of the fit
    weights: Floats  # (m,) scratch of the search
    flows: Floats  # (m, n, n) scratch of the search: A under weights
    routes: Floats  # (m, n, n) scratch of the search: B under weights
    sums: Floats  # (m, n, L) the same: items at positions; L is n rounded up
    crossed: Floats  # (n, L) scratch of the search: two items, each where the other is
    own: Floats  # (L,) scratch of the search: items where they are
    banned: Floats  # (n, L) scratch of the search: last step without an exchange
    until: Floats  # (n, n) scratch of the search: the same of an item at a position
    least: Floats  # (L,) scratch of the search: least price of each column
    flow_step: Floats  # (L,) scratch of the search: how sums change along positions
    route_step: Floats  # (L,) scratch of the search: how they change along items
    reached: Floats  # (m,) scratch of the search: values by the model
    kept: Codes  # (2, n) scratch of the search


def new_pairing(n: int, m: int, limit: int) -> Pairing:
    """Room for the model of a permutation of ``n`` items; none if ``limit`` is 0."""
    if limit == 0:
        n = 0
    rows = STORED * limit
    record = np.zeros(1, PAIRING).view(np.recarray)
    record.limit, record.error = limit, 1.0
    record.phase = NO_MODEL if limit == 0 else PROBING
    matrices, lanes = [np.zeros((m, n, n)) for _ in range(4)], -(-n // LANES) * LANES
    return Pairing(
        record=record,
        solutions=np.zeros((rows, n), np.uint64),
        inverses=np.zeros((rows, n), np.uint64),
        values=np.zeros((m, rows)),
        parents=np.zeros(rows, np.int64),
        worths=np.zeros(rows),
        positions=matrices[0],
        items=matrices[1],
        centres=np.zeros(m),
        scales=np.ones(m),
        errors=np.ones(m),
        probes=np.zeros((NUM_PROBES, n), np.int64),
        answers=np.zeros((NUM_PROBES, m)),
        answered=np.zeros(NUM_PROBES, np.int64),
        mixed=np.zeros(m, np.int64),
        targets=np.zeros((m, rows)),
        line=np.zeros(rows),
        work=np.zeros((3, n, n)),
        pairs=np.zeros((2, n * (n - 1) // 2)),
        squares=np.zeros((3, n, n)),
        halves=np.zeros(n),
        weights=np.ones(m),
        flows=matrices[2],
        routes=matrices[3],
        sums=np.zeros((m, n, lanes)),
        crossed=np.zeros((n, lanes)),
        own=np.zeros(lanes),
        banned=np.zeros((n, lanes)),
        until=np.zeros((n, n)),
        least=np.zeros(lanes),
        flow_step=np.zeros(lanes),
        route_step=np.zeros(lanes),
        reached=np.zeros(m),
        kept=np.zeros((2, n), np.int64),
    )


@lean_kernel
def per_pair(pairing: Pairing, share: float) -> int:
    """So many for each pair of items."""
    n = pairing.solutions.shape[1]
    return int(share * n * (n - 1) / 2)
