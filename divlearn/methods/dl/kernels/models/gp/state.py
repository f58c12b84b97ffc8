"""All that the Gaussian processes remember, and their room to work.

Every output is modelled by a Gaussian process whose covariance falls with the
weighted differences of two solutions
(:mod:`divlearn.methods.dl.kernels.models.gp.columns`).
"""

from __future__ import annotations

import math
import statistics
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.layout import PERMUTATION, Layout
from divlearn.kernels.records import new_records
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.gp.columns import (
    SMOOTH,
    columns_of,
    first_columns,
)
from divlearn.methods.dl.kernels.models.gp.orders import (
    Shorts,
    blocks_of,
    num_items,
)
from divlearn.methods.dl.kernels.models.gp.settings import (
    MOST_TRIES,
    STEPS_PER_TRY,
    settings_for,
)
from divlearn.methods.dl.kernels.search.orders import Order, new_order

#: Shares of a number that may be rounding, and numbers that stand for 0 and infinity.
ROUNDING, TINY, HUGE = 1e-12, 1e-300, 1e300
#: Most points that the model is built on, and that its constants are fitted to.
MAX_ROWS, MAX_FITTED = 300, 160
#: Proposals without an answer that are remembered.
MAX_PENDING = 64
#: Directions along which a front of two objectives is measured, and most of them.
FEWEST_DIRECTIONS, MOST_DIRECTIONS = 200, 2000
#: Share of the usual optimism where values have a scale: most room is in corners far
#: from all points, where deviations are greatest, and optimism would always go there.
OPTIMISM_ON_SCALES = 0.35
#: Times as much of it where measurements have noise: one of them tells less.
OPTIMISM_IN_NOISE = 2.0
#: The same where something is permuted, where candidates far from all points abound.
OPTIMISM_ON_ORDERS = 0.65
#: Chance that all objectives are better than their optimistic bounds.
BETTER_THAN_BOUND = 0.0045
#: Pairs of positions with a weight of their own, and positions that may be in one.
MAX_PAIRS, MAX_PAIRED = 40, 40
#: Random points before the model speaks, at most, and candidates searched more closely.
MOST_INITIAL, MAX_STARTS = 20, 4

#: Optimism, tries and steps are those of a small space of two objectives; others follow
#: from the number of objectives and positions, see :func:`new_gp`.
_SETTINGS = {
    "num_initial": MOST_INITIAL,  # random points before the model speaks
    "kappa_median": 1.5,  # usual number of standard deviations below the mean
    "kappa_sd": 0.6,  # standard deviation of the logarithm of that number
    "weight_sd": 1.2,  # prior of the logarithms of features' weights; 0: all are equal
    "num_pairs": MAX_PAIRS,  # most pairs of positions with weights of their own
    "num_new_pairs": 3,  # so many of them are tried at a time
    "least_evidence": 1.0,  # what a pair must add to the logarithm of the evidence
    "warp": 1,  # 1: outputs may be warped by a logarithm
    "smooth": SMOOTH,  # outputs may be as smooth in ordered values, up to MATERN
    "least_noise": 1e-4,  # variance of the noise over that of the signal, at least
    "box_margin": 0.3,  # how far the reference lies beyond the front, in its extents
    "num_tries": MOST_TRIES,  # candidates per proposal
    "random_share": 0.3,  # of them, drawn anywhere; the others around the front
    "num_starts": MAX_STARTS,  # so many of them are improved further
    "num_steps": STEPS_PER_TRY * MOST_TRIES,  # predictions for that
    "num_joint": 0,  # steps at many positions at once, from the best one
    "most_effort": 1.0,  # times as many of all while rows are few
    "num_guided": 0,  # orders per proposal that follow slopes of the model
    "fit_steps": 12,  # steps on the evidence per fit
    "fit_growth": 0.03,  # growth of the number of points between fits
}
_CURSOR = (
    "num_objectives",
    "taken",  # points so far
    "num_pending",
    "fitted",  # points at the last fit
    "compared",  # points when smooth and rough were compared last
    "num_rows",
    "num_front",
)
CONTROL = np.dtype(
    [(name, "f8" if isinstance(v, float) else "i8") for name, v in _SETTINGS.items()]
    + [(name, "i8") for name in _CURSOR]
    + [("kappa", "f8")]  # standard deviations below the mean in the present proposal
)
#: What is known of one output.
OUTPUT = np.dtype(
    [
        ("log_noise", "f8"),  # variance of the noise over that of the signal
        ("log_rate", "f8"),  # fall of the covariance over the whole distance
        ("num_pairs", "i8"),  # pairs with weights of their own
        ("smooth", "i8"),  # ROUGH, SMOOTH or MATERN in ordered values
        ("warp", "f8"),  # share of the lower half's extent; 0: not warped
        ("low", "f8"),  # least value
        ("warp_scale", "f8"),  # r of the warp, in units of the output
        ("centre", "f8"),  # mean of the warped values
        ("scale", "f8"),  # and their standard deviation
        ("level", "f8"),  # mean of the process, standardised
        ("signal", "f8"),  # standard deviation of the process
        ("predicted", "f8"),  # mean at the present candidate
        ("deviation", "f8"),  # standard deviation there
        ("prior_variance", "f8"),  # covariance of the candidate with itself, signal 1
        ("corner", "f8"),  # reference of the box around the front
        ("unit", "f8"),  # 1 over the extent of the front
    ]
)


@viewed
class GaussianProcess(NamedTuple):
    """Memory and workroom of the Gaussian process.

    The arrays from ``rows`` on are scratch; see ``SCRATCH_FROM`` in
    :mod:`divlearn.kernels.records`.
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
    reference: Floats  # (m,) corner of what counts, minimised; nan: not known
    columns: Records  # (C,) of COLUMN
    first: Integers  # (s,) first column of each segment
    blocks: Records  # (B,) of BLOCK, how orders are compared
    rows: Integers  # (M,) points in the model, then pending ones
    ages: Integers  # (M,) numbers of those points, from 0 on
    conditioned: Integers  # (2 + M,) rows that the factors hold, fit, numbers of points
    coordinates: Floats  # (C, M) of those rows
    means: Floats  # (C, M) mean similarities of those coordinates
    row: Floats  # (C,) coordinates of a candidate
    row_means: Floats  # (C,) their mean similarities
    centred: Floats  # (C, M) centred similarities of a row or candidate to all rows
    changed: Floats  # (M,) the same of a changed coordinate
    interactions: Floats  # (P, M) what pairs add to the covariances of a candidate
    paired: Integers  # (MAX_PAIRED,) columns that may be in a pair
    weights: Floats  # (P, C) weight of each column
    targets: Floats  # (P, M) warped and standardised outputs
    fitted: Floats  # (P, M) outputs without noise, in their own units
    factors: Floats  # (P, M, M) inverse factors of the covariances, transposed
    alphas: Floats  # (P, M) inverse covariances times centred targets
    kernel: Floats  # (M, M) covariance without noise
    base: Floats  # (M, M) its part that all features make
    falls: Floats  # (M, M) how fast that falls with weighted differences
    upper: Floats  # (M, M) its factor
    lower: Floats  # (M, M) the inverse of that
    inverse: Floats  # (M, M) inverse covariance
    distances: Floats  # (P, M) weighted differences of a candidate from the rows
    covariances: Floats  # (P, M) of a candidate, which may be changed
    diagonals: Floats  # (P, M) covariances of rows with themselves, noise included
    anchors: Floats  # (P, M) inverse covariances times those of the anchor
    anchored: Floats  # (P,) what the rows explain of its variance; HUGE: no anchor
    own_variances: Floats  # (P,) prior_variance of a candidate that may be changed
    whitened: Floats  # (M,) inverse factor times something
    sums: Floats  # (M,) running sums
    gradient: Floats  # (T,) of the evidence, T = F + 2 + MAX_PAIRS
    steps: Floats  # (T,) size of the next step
    signs: Floats  # (T,) of the last step
    theta: Floats  # (T,) logarithms of features' weights, rate, noise, pairs' weights
    best_theta: Floats  # (T,)
    other_theta: Floats  # (T,) of the best model so far where models compete
    start_theta: Floats  # (T,) where the others begin
    directions: Floats  # (P + 2, K) one over the components of each; two rows to work
    lengths: Floats  # (K,) power of the length to the front
    place: Floats  # (P,) a predicted point in the box
    front: Integers  # (M,) rows on the estimated front
    starts: Codes  # (MAX_STARTS + 1, n) candidates to improve, and one at work
    acquisitions: Floats  # (MAX_STARTS,)
    loaded: Codes  # (M, n) solutions whose likenesses are known, where orders are
    stands: Shorts  # (Q, M) position of each item in those rows
    follows: Shorts  # (Q, M) item after each item
    standing: Shorts  # (M, Q) positions again, those of a row together
    counts: Shorts  # (M,) what a candidate and the rows have in common
    heard: Integers  # (B,) 1: some output is about what the block compares
    own_stands: Integers  # (Q,) the same of a candidate
    own_follows: Integers  # (Q,)
    likeness: Floats  # (B, M, M) of the orders of two rows
    alike: Floats  # (B, M) of a candidate and the rows
    shares: Floats  # (P, B + 1) p_b of each block, p_0 last
    rates: Floats  # (P, B) w_b of each block
    guides: Floats  # (B, M) slope of a candidate's bound by its likenesses
    order: Order  # an order that is being improved


def usual_kappa(num_objectives: int) -> float:
    """Standard deviations below the mean of an objective's optimistic bound.

    To be as lucky in many objectives at once is rarer than in one: the chance that all
    are better than their bounds is the same for any number of them.

    Examples
    --------
    >>> [round(usual_kappa(m), 1) for m in (1, 2, 4)]
    [2.6, 1.5, 0.6]
    """
    each = BETTER_THAN_BOUND ** (1.0 / num_objectives)
    return max(0.0, statistics.NormalDist().inv_cdf(1.0 - each))


def _num_directions(num_objectives: int) -> int:
    """Directions that measure a front: three times as many per objective above two."""
    wanted = FEWEST_DIRECTIONS * 3 ** max(0, num_objectives - 2)
    return int(min(wanted, MOST_DIRECTIONS))


def new_gp(
    layout: Layout,
    num_objectives: int,
    num_outputs: int,
    capacity: int,
    searched: bool = True,
    noisy: bool = False,
    **settings: float,
) -> GaussianProcess:
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
    searched
        Whether candidates are made: that needs room for all pairs of items.
    noisy
        Whether measurements are known to have noise.
    settings
        Other values for the settings of ``CONTROL``.

    Examples
    --------
    >>> from divlearn import Binary
    >>> new_gp(Binary(3).layout, 2, num_outputs=2, capacity=9).points.shape
    (9, 3)
    """
    n, p = layout.places.shape[0], num_outputs
    columns, num_features = columns_of(layout)
    blocks = blocks_of(layout)
    num_features += 2 * len(blocks)
    rows = min(capacity, MAX_ROWS) + MAX_PENDING
    outputs = new_records(p, OUTPUT)
    outputs.log_rate, outputs.log_noise = math.log(2.0), math.log(0.02)
    return GaussianProcess(
        control=_new_control(num_objectives, layout, noisy, settings),
        points=np.zeros((capacity, n), np.int64),
        values=np.zeros((capacity, p)),
        pending=np.zeros((MAX_PENDING, n), np.int64),
        pending_since=np.zeros(MAX_PENDING, np.int64),
        log_weights=np.zeros((p, num_features)),
        pairs=np.zeros((p, MAX_PAIRS, 2), np.int64),
        log_pairs=np.zeros((p, MAX_PAIRS)),
        outputs=outputs,
        reference=np.full(num_objectives, np.nan),
        columns=columns,
        first=first_columns(layout),
        blocks=blocks,
        rows=np.zeros(rows, np.int64),
        ages=np.zeros(rows, np.int64),
        conditioned=np.zeros(2 + rows, np.int64),
        paired=np.zeros(MAX_PAIRED, np.int64),
        front=np.zeros(rows, np.int64),
        starts=np.zeros((MAX_STARTS + 1, n), np.int64),
        acquisitions=np.zeros(MAX_STARTS),
        **_scratch(rows, len(columns), p),
        **_scratch_of_fits(num_features + 2 + MAX_PAIRS),
        **_scratch_of_box(_num_directions(num_objectives), p),
        **_scratch_of_orders(blocks, rows, n, p, searched),
    )


def _new_control(
    num_objectives: int, layout: Layout, noisy: bool, settings: dict[str, float]
) -> Records:
    """Settings, and the cursor at zero."""
    control = new_records(1, CONTROL)
    kappa, places = usual_kappa(num_objectives), layout.places
    if (places.arity < places.levels).any():
        kappa *= OPTIMISM_ON_SCALES * (OPTIMISM_IN_NOISE if noisy else 1.0)
    elif (layout.segments.kind == PERMUTATION).any():
        kappa *= OPTIMISM_ON_ORDERS
    usual = _SETTINGS | {"kappa_median": kappa} | settings_for(layout)
    for name, value in (usual | settings).items():
        control[name] = value
    control.num_objectives = num_objectives
    return control


def _scratch(m: int, c: int, p: int) -> dict[str, Any]:
    """Room for covariances of ``m`` rows of ``c`` columns, ``p`` outputs."""
    by_column = ("coordinates", "means", "centred")
    by_output = ("interactions", "targets", "fitted", "alphas", "distances")
    of_candidates = ("covariances", "diagonals", "anchors")
    squares = ("kernel", "base", "falls", "upper", "lower", "inverse")
    return {
        **{name: np.zeros((c, m)) for name in by_column},
        **{name: np.zeros((p, m)) for name in by_output + of_candidates},
        **{name: np.zeros((m, m)) for name in squares},
        **{name: np.zeros(m) for name in ("changed", "whitened", "sums")},
        **{name: np.zeros(c) for name in ("row", "row_means")},
        **{name: np.zeros(p) for name in ("anchored", "own_variances")},
        "weights": np.zeros((p, c)),
        "factors": np.zeros((p, m, m)),
    }


def _scratch_of_fits(size: int) -> dict[str, Any]:
    """Room for so many hyperparameters of one output."""
    thetas = ("theta", "best_theta", "other_theta", "start_theta")
    return {name: np.zeros(size) for name in ("gradient", "steps", "signs", *thetas)}


def _scratch_of_box(k: int, p: int) -> dict[str, Any]:
    """Room for ``k`` directions in which a front is measured."""
    return {
        "directions": np.zeros((p + 2, k)),
        "lengths": np.zeros(k),
        "place": np.zeros(p),
    }


def _scratch_of_orders(
    blocks: Records, m: int, n: int, p: int, searched: bool
) -> dict[str, Any]:
    """Room to compare the orders of ``m`` rows of ``n`` positions."""
    q, b = num_items(blocks), len(blocks)
    longest = int(blocks.length.max()) if b and searched else 0
    return {
        "loaded": np.zeros((m if b else 0, n), np.int64),
        **{name: np.zeros((q, m), np.int16) for name in ("stands", "follows")},
        "standing": np.zeros((m, q), np.int16),
        "counts": np.zeros(m, np.int16),
        "heard": np.zeros(b, np.int64),
        **{name: np.zeros(q, np.int64) for name in ("own_stands", "own_follows")},
        "likeness": np.zeros((b, m, m)),
        **{name: np.zeros((b, m)) for name in ("alike", "guides")},
        "shares": np.zeros((p, b + 1)),
        "rates": np.zeros((p, b)),
        "order": new_order(longest),
    }
