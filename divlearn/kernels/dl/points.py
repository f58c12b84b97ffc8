"""Similarity: all that the similarity expert remembers, and its room to work.

The expert models every output as a Gaussian process whose covariance falls with the
weighted differences of two solutions (:mod:`divlearn.kernels.dl.columns`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.kernels.dl.columns import columns_of, first_columns
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.state import new_records
from divlearn.typing import Codes, Floats, Integers, Records

#: Most points that the model is built on; beyond, those nearest to the front.
MAX_ROWS = 300
#: Proposals without an answer that are remembered, and for how many answers.
MAX_PENDING, PATIENCE = 64, 100
#: Directions along which the front is measured, and draws of the prediction.
NUM_DIRECTIONS, MAX_DRAWS = 200, 32
#: Best candidates kept for a closer search.
MAX_STARTS = 4

_SETTINGS = {
    "num_initial": 10,  # random points before the model speaks
    "optimism": 1.0,  # standard deviations below the mean
    "spread": 0.7,  # of the logarithms of the features' weights; 0: all weights equal
    "bend": 1,  # 1: outputs may be bent by a logarithm
    "num_draws": 0,  # draws per prediction; 0: its optimistic point alone
    "slack": 0.1,  # how far the reference lies beyond the front, in its extents
    "num_tries": 150,  # candidates around the front per proposal
    "num_starts": 2,  # of which so many are improved further
    "num_steps": 400,  # predictions for that
    "fit_steps": 6,  # steps on the evidence per fit
    "fit_growth": 0.03,  # growth of the number of points between fits
}
_CURSOR = ("taken", "num_pending", "fitted", "num_rows", "num_front")
CONTROL = np.dtype(
    [(name, "f8" if isinstance(v, float) else "i8") for name, v in _SETTINGS.items()]
    + [(name, "i8") for name in _CURSOR]
)
#: What is known of one output.
OUTPUT = np.dtype(
    [
        ("log_noise", "f8"),  # variance of the noise over that of the signal
        ("log_rate", "f8"),  # fall of the covariance over the whole distance
        ("bend", "f8"),  # share of the lower half's extent; 0: not bent
        ("low", "f8"),  # least value
        ("reach", "f8"),  # unit of the bend in the output's own units
        ("centre", "f8"),  # mean of the bent values
        ("scale", "f8"),  # and their standard deviation
        ("level", "f8"),  # mean of the process, standardised
        ("signal", "f8"),  # standard deviation of the process
        ("predicted", "f8"),  # mean at the present candidate
        ("deviation", "f8"),  # standard deviation there
        ("corner", "f8"),  # reference of the box around the front
        ("unit", "f8"),  # 1 over the extent of the front
    ]
)


class Similarity(NamedTuple):
    """Memory and workroom of the similarity expert.

    The arrays from ``rows`` on are scratch; see ``UNSAVED_SIMILARITY``.
    """

    control: Records  # (1,) of CONTROL: settings and cursor
    points: Codes  # (capacity, n) evaluated solutions, the oldest replaced first
    values: Floats  # (capacity, P) their outputs: objectives, raw constraints
    pending: Codes  # (MAX_PENDING, n) proposals without an answer, oldest first
    pending_since: Integers  # (MAX_PENDING,) points taken when they were made
    log_weights: Floats  # (P, F) logarithm of each feature's weight
    outputs: Records  # (P,) of OUTPUT
    columns: Records  # (C,) of COLUMN
    first: Integers  # (s,) first column of each segment
    rows: Integers  # (M,) points in the model, then pending ones
    coordinates: Floats  # (C, M) of those rows
    row: Floats  # (C,) coordinates of a candidate
    weights: Floats  # (P, C) weight of each column
    targets: Floats  # (P, M) bent and standardised outputs
    fitted: Floats  # (P, M) outputs without noise, in their own units
    factors: Floats  # (P, M, M) inverse factors of the covariances, transposed
    alphas: Floats  # (P, M) inverse covariances times centred targets
    kernel: Floats  # (M, M) covariance without noise
    upper: Floats  # (M, M) its factor
    lower: Floats  # (M, M) the inverse of that
    inverse: Floats  # (M, M) inverse covariance
    distances: Floats  # (P, M) weighted differences of a candidate from the rows
    similar: Floats  # (M,) exp(-distances) of one output
    sums: Floats  # (M,) running sums
    gradient: Floats  # (F + 2,) of the evidence
    steps: Floats  # (F + 2,) size of the next step
    signs: Floats  # (F + 2,) of the last step
    theta: Floats  # (F + 2,) logarithms of weights, rate and noise
    best_theta: Floats  # (F + 2,)
    directions: Floats  # (K, P) one over the components of a direction
    lengths: Floats  # (K,) power of the length to the front
    draws: Floats  # (MAX_DRAWS, P) standard normal
    place: Floats  # (P,) a predicted point in the box
    front: Integers  # (M,) rows on the estimated front
    starts: Codes  # (MAX_STARTS + 1, n) candidates to improve, and one at work
    merits: Floats  # (MAX_STARTS,)


#: Arrays that every proposal computes anew.
UNSAVED_SIMILARITY = Similarity._fields[Similarity._fields.index("rows") :]


def new_similarity(
    layout: Layout, num_outputs: int, capacity: int, **settings: float
) -> Similarity:
    """Make an empty memory.

    Parameters
    ----------
    layout
        Layout of the space, n positions.
    num_outputs
        Objectives and constraints together, P.
    capacity
        Points to remember; the oldest are replaced.
    settings
        Other values for the settings of ``CONTROL``.

    Examples
    --------
    >>> from divlearn import Binary
    >>> new_similarity(Binary(3).layout, num_outputs=2, capacity=10).points.shape
    (10, 3)
    """
    n, p, m = layout.places.shape[0], num_outputs, min(capacity, MAX_ROWS) + MAX_PENDING
    columns, num_features = columns_of(layout)
    c, theta = columns.shape[0], num_features + 2
    control = new_records(1, CONTROL)
    for name, value in (_SETTINGS | settings).items():
        control[name] = value
    outputs = new_records(p, OUTPUT)
    outputs.log_rate, outputs.log_noise = math.log(2.0), math.log(0.02)
    return Similarity(
        control=control,
        points=np.zeros((capacity, n), np.int64),
        values=np.zeros((capacity, p)),
        pending=np.zeros((MAX_PENDING, n), np.int64),
        pending_since=np.zeros(MAX_PENDING, np.int64),
        log_weights=np.zeros((p, num_features)),
        outputs=outputs,
        columns=columns,
        first=first_columns(layout),
        rows=np.zeros(m, np.int64),
        coordinates=np.zeros((c, m)),
        row=np.zeros(c),
        weights=np.zeros((p, c)),
        targets=np.zeros((p, m)),
        fitted=np.zeros((p, m)),
        factors=np.zeros((p, m, m)),
        alphas=np.zeros((p, m)),
        kernel=np.zeros((m, m)),
        upper=np.zeros((m, m)),
        lower=np.zeros((m, m)),
        inverse=np.zeros((m, m)),
        distances=np.zeros((p, m)),
        similar=np.zeros(m),
        sums=np.zeros(m),
        gradient=np.zeros(theta),
        steps=np.zeros(theta),
        signs=np.zeros(theta),
        theta=np.zeros(theta),
        best_theta=np.zeros(theta),
        directions=np.zeros((NUM_DIRECTIONS, p)),
        lengths=np.zeros(NUM_DIRECTIONS),
        draws=np.zeros((MAX_DRAWS, p)),
        place=np.zeros(p),
        front=np.zeros(m, np.int64),
        starts=np.zeros((MAX_STARTS + 1, n), np.int64),
        merits=np.zeros(MAX_STARTS),
    )


@lean_kernel
def same(a: Codes, b: Codes) -> bool:
    """Whether two solutions are equal."""
    i, n = 0, a.shape[0]
    while i < n and a[i] == b[i]:
        i += 1
    return bool(i == n)


@lean_kernel
def copy_codes(source: Codes, target: Codes) -> None:
    """Copy a solution."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@lean_kernel
def num_points(sim: Similarity) -> int:
    """Number of points that are remembered now."""
    return int(min(sim.control[0].taken, sim.points.shape[0]))


@lean_kernel
def take_point(sim: Similarity, layout: Layout, x: Codes, y: Floats) -> None:
    """Remember that ``x``, shape (n,), has outputs ``y``, shape (P,).

    Outputs are objectives (minimised), then raw constraints (feasible up to 0).
    """
    control = sim.control[0]
    slot = control.taken % sim.points.shape[0]
    copy_codes(x, sim.points[slot])
    for j in range(y.shape[0]):
        sim.values[slot, j] = y[j]
    control.taken += 1
    p = 0
    while p < control.num_pending:
        overdue = control.taken - sim.pending_since[p] > PATIENCE
        if overdue or same(sim.pending[p], x):
            _drop_pending(sim, p)
        else:
            p += 1


@lean_kernel
def take_pending(sim: Similarity, x: Codes) -> None:
    """Remember that ``x`` was proposed; the oldest proposal may make room."""
    control = sim.control[0]
    if control.num_pending == sim.pending.shape[0]:
        _drop_pending(sim, 0)
    copy_codes(x, sim.pending[control.num_pending])
    sim.pending_since[control.num_pending] = control.taken
    control.num_pending += 1


@lean_kernel
def _drop_pending(sim: Similarity, p: int) -> None:
    """Forget a proposal and close the gap."""
    control = sim.control[0]
    for q in range(p, control.num_pending - 1):
        copy_codes(sim.pending[q + 1], sim.pending[q])
        sim.pending_since[q] = sim.pending_since[q + 1]
    control.num_pending -= 1


@lean_kernel
def is_known(sim: Similarity, x: Codes) -> bool:
    """Whether ``x`` is remembered as evaluated or proposed."""
    i, count = 0, num_points(sim)
    while i < count and not same(sim.points[i], x):
        i += 1
    p, num_pending = 0, sim.control[0].num_pending
    while p < num_pending and not same(sim.pending[p], x):
        p += 1
    return bool(i < count or p < num_pending)
