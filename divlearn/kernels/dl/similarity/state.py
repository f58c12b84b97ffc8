"""Similarity: all that the similarity expert remembers, and its room to work.

The expert models every output as a Gaussian process whose covariance falls with the
weighted differences of two solutions (:mod:`divlearn.kernels.dl.similarity.columns`).
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np

from divlearn.kernels.dl.similarity.columns import columns_of, first_columns
from divlearn.kernels.layout import Layout
from divlearn.kernels.state import new_records
from divlearn.typing import Codes, Floats, Integers, Records

#: Most points that the model is built on; beyond, the latest.
MAX_ROWS = 300
#: Proposals without an answer that are remembered.
MAX_PENDING = 64
#: Directions along which the front is measured.
NUM_DIRECTIONS = 200
#: Pairs of positions with a weight of their own, and positions that may be in one.
MAX_PAIRS, MAX_PAIRED = 40, 40
#: Best candidates kept for a closer search.
MAX_STARTS = 4

_SETTINGS = {
    "num_initial": 10,  # random points before the model speaks
    "optimism": 1.5,  # standard deviations below the mean
    "spread": 0.7,  # of the logarithms of the features' weights; 0: all weights equal
    "num_pairs": MAX_PAIRS,  # most pairs of positions with weights of their own
    "bend": 1,  # 1: outputs may be bent by a logarithm
    "slack": 0.3,  # how far the reference lies beyond the front, in its extents
    "num_tries": 150,  # candidates around the front per proposal
    "num_starts": 2,  # of which so many are improved further
    "num_steps": 400,  # predictions for that
    "fit_steps": 12,  # steps on the evidence per fit
    "fit_growth": 0.03,  # growth of the number of points between fits
}
_CURSOR = ("num_objectives", "taken", "num_pending", "fitted", "num_rows", "num_front")
CONTROL = np.dtype(
    [(name, "f8" if isinstance(v, float) else "i8") for name, v in _SETTINGS.items()]
    + [(name, "i8") for name in _CURSOR]
)
#: What is known of one output.
OUTPUT = np.dtype(
    [
        ("log_noise", "f8"),  # variance of the noise over that of the signal
        ("log_rate", "f8"),  # fall of the covariance over the whole distance
        ("num_pairs", "i8"),  # pairs with weights of their own
        ("bend", "f8"),  # share of the lower half's extent; 0: not bent
        ("low", "f8"),  # least value
        ("reach", "f8"),  # unit of the bend in the output's own units
        ("centre", "f8"),  # mean of the bent values
        ("scale", "f8"),  # and their standard deviation
        ("level", "f8"),  # mean of the process, standardised
        ("signal", "f8"),  # standard deviation of the process
        ("predicted", "f8"),  # mean at the present candidate
        ("deviation", "f8"),  # standard deviation there
        ("own", "f8"),  # covariance of the candidate with itself, signal 1
        ("corner", "f8"),  # reference of the box around the front
        ("unit", "f8"),  # 1 over the extent of the front
    ]
)


class Similarity(NamedTuple):
    """Memory and workroom of the similarity expert.

    The arrays from ``rows`` on are scratch; see ``SCRATCH_FROM`` in
    :mod:`divlearn.kernels.state`.
    """

    control: Records  # (1,) of CONTROL: settings and cursor
    points: Codes  # (capacity, n) evaluated solutions, the oldest replaced first
    values: Floats  # (capacity, P) their outputs: objectives, raw constraints
    pending: Codes  # (MAX_PENDING, n) proposals without an answer, oldest first
    pending_since: Integers  # (MAX_PENDING,) points taken when they were made
    log_weights: Floats  # (P, F) logarithm of each feature's weight
    pairs: Integers  # (P, MAX_PAIRS, 2) columns that act together
    log_pairs: Floats  # (P, MAX_PAIRS) logarithm of each pair's weight
    outputs: Records  # (P,) of OUTPUT
    columns: Records  # (C,) of COLUMN
    first: Integers  # (s,) first column of each segment
    rows: Integers  # (M,) points in the model, then pending ones
    coordinates: Floats  # (C, M) of those rows
    means: Floats  # (C, M) mean similarities of those coordinates
    row: Floats  # (C,) coordinates of a candidate
    row_means: Floats  # (C,) their mean similarities
    alike: Floats  # (C, M) centred similarities of a row or candidate to all rows
    changed: Floats  # (M,) the same of a changed coordinate
    together: Floats  # (P, M) what pairs add to the covariances of a candidate
    paired: Integers  # (MAX_PAIRED,) columns that may be in a pair
    weights: Floats  # (P, C) weight of each column
    targets: Floats  # (P, M) bent and standardised outputs
    fitted: Floats  # (P, M) outputs without noise, in their own units
    factors: Floats  # (P, M, M) inverse factors of the covariances, transposed
    alphas: Floats  # (P, M) inverse covariances times centred targets
    kernel: Floats  # (M, M) covariance without noise
    base: Floats  # (M, M) its part that all features make
    upper: Floats  # (M, M) its factor
    lower: Floats  # (M, M) the inverse of that
    inverse: Floats  # (M, M) inverse covariance
    distances: Floats  # (P, M) weighted differences of a candidate from the rows
    similar: Floats  # (M,) exp(-distances) of one output
    sums: Floats  # (M,) running sums
    gradient: Floats  # (T,) of the evidence, T = F + 2 + MAX_PAIRS
    steps: Floats  # (T,) size of the next step
    signs: Floats  # (T,) of the last step
    theta: Floats  # (T,) logarithms of features' weights, rate, noise, pairs' weights
    best_theta: Floats  # (T,)
    directions: Floats  # (K, P) one over the components of a direction
    lengths: Floats  # (K,) power of the length to the front
    place: Floats  # (P,) a predicted point in the box
    front: Integers  # (M,) rows on the estimated front
    starts: Codes  # (MAX_STARTS + 1, n) candidates to improve, and one at work
    merits: Floats  # (MAX_STARTS,)


#: Where it is kept, see :mod:`divlearn.kernels.pointer`; item 0 is it.
Place: TypeAlias = tuple[Similarity]


def new_similarity(
    layout: Layout,
    num_objectives: int,
    num_outputs: int,
    capacity: int,
    **settings: float,
) -> Similarity:
    """Make an empty memory.

    Parameters
    ----------
    layout
        Layout of the space, n positions.
    num_objectives
        Outputs that are minimised; the others are constraints.
    num_outputs
        Objectives and constraints together, P.
    capacity
        Points to remember; the oldest are replaced.
    settings
        Other values for the settings of ``CONTROL``.

    Examples
    --------
    >>> from divlearn import Binary
    >>> new_similarity(Binary(3).layout, 2, num_outputs=2, capacity=9).points.shape
    (9, 3)
    """
    n, p, m = layout.places.shape[0], num_outputs, min(capacity, MAX_ROWS) + MAX_PENDING
    columns, num_features = columns_of(layout)
    c, theta = columns.shape[0], num_features + 2 + MAX_PAIRS
    control = new_records(1, CONTROL)
    for name, value in (_SETTINGS | settings).items():
        control[name] = value
    control.num_objectives = num_objectives
    outputs = new_records(p, OUTPUT)
    outputs.log_rate, outputs.log_noise = math.log(2.0), math.log(0.02)
    return Similarity(
        control=control,
        points=np.zeros((capacity, n), np.int64),
        values=np.zeros((capacity, p)),
        pending=np.zeros((MAX_PENDING, n), np.int64),
        pending_since=np.zeros(MAX_PENDING, np.int64),
        log_weights=np.zeros((p, num_features)),
        pairs=np.zeros((p, MAX_PAIRS, 2), np.int64),
        log_pairs=np.zeros((p, MAX_PAIRS)),
        outputs=outputs,
        columns=columns,
        first=first_columns(layout),
        rows=np.zeros(m, np.int64),
        coordinates=np.zeros((c, m)),
        means=np.zeros((c, m)),
        row=np.zeros(c),
        row_means=np.zeros(c),
        alike=np.zeros((c, m)),
        changed=np.zeros(m),
        together=np.zeros((p, m)),
        paired=np.zeros(MAX_PAIRED, np.int64),
        weights=np.zeros((p, c)),
        targets=np.zeros((p, m)),
        fitted=np.zeros((p, m)),
        factors=np.zeros((p, m, m)),
        alphas=np.zeros((p, m)),
        kernel=np.zeros((m, m)),
        base=np.zeros((m, m)),
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
        place=np.zeros(p),
        front=np.zeros(m, np.int64),
        starts=np.zeros((MAX_STARTS + 1, n), np.int64),
        merits=np.zeros(MAX_STARTS),
    )
