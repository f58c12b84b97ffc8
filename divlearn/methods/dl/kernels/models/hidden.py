"""A linear constraint that nobody stated, learned from yes and no.

Where a repair leaves a solution alone, or ``valid`` accepts it, the solution is
*allowed*. With z for its features (as of pairs of values: -1 or 1 for a bit) the model
is that x is allowed where

    g(x) = sum of w[f] z[f](x) + w[0]  <=  0

for weights w that are not known. What is known of them is a normal distribution with
mean mu and covariance C. An answer about x cuts it in two; the part that agrees is
replaced by the normal distribution with the same mean and covariance (assumed density
filtering). With s = z' C z, t = a mu' z / sqrt(s), a = 1 for a refused solution and -1
for an allowed one, and r = density(t) / distribution(t) of the standard normal:

    mu += a r C z / sqrt(s),    C -= r (r + t) (C z)(C z)' / s

Solutions on the border, of which mu says nothing, halve what is possible each time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.cells import row_of
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.quadratic.pairs import MAX_FEATURES, features_of

#: Variance that is added to that of an answer, for rounding.
ROUNDING = 1e-9
#: Deviations beyond which the ratio of density and distribution is minus them.
FAR = -8.0
#: Weight of the newest question about the border in the share of right predictions.
RATE = 0.02
#: That share from which on the constraint counts as known, and below which no longer.
KNOWN, LOST = 0.85, 0.6
#: Questions per weight after which no linear constraint is expected any more.
PATIENCE = 80

#: What became of the constraint: it is being learned, known, or not to be had.
LEARNING, TRUSTED, GIVEN_UP = 0, 1, 2
HIDDEN_STAGES = ("not known yet", "linear", "not linear")

HIDDEN = np.dtype(
    [
        ("stage", "i8"),  # one of LEARNING, TRUSTED, GIVEN_UP
        ("asked", "i8"),  # questions about the border while it is being learned
        ("mistakes", "i8"),  # predictions that were wrong, at any time
        ("right", "f8"),  # share of them that was predicted, of late
    ]
)


@viewed
class Hidden(NamedTuple):
    """What is known of the weights; empty where nothing is repaired or refused."""

    record: Records  # (1,) of HIDDEN
    mean: Floats  # (F + 1,) of the weights, that of the constant last
    covariance: Floats  # (F + 1, F + 1)
    feature: Integers  # (A,) feature that an action sets
    level: Floats  # (A,) value that it gives it
    z: Floats  # (F + 1,) scratch: features of a solution
    cz: Floats  # (F + 1,) scratch: the covariance times them
    x: Codes  # (n,) scratch: a solution to ask about
    kept: Codes  # (n,) scratch: a solution before it was repaired


def new_hidden(layout: Layout, n: int, wanted: bool) -> Hidden:
    """Make a belief that knows nothing.

    Parameters
    ----------
    layout
        Positions; without any there is no belief, but room to ask.
    n
        Positions of a solution.
    wanted
        Whether a constraint is to be learned.
    """
    feature, level, count = features_of(layout)
    size = count + 1 if wanted and 0 < count <= MAX_FEATURES else 0
    record = np.zeros(1, HIDDEN).view(np.recarray)
    record.right = 0.5
    record.stage = LEARNING if size else GIVEN_UP
    return Hidden(
        record,
        np.zeros(size),
        np.eye(size),
        feature,
        level,
        np.zeros(size),
        np.zeros(size),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )


@lean_kernel
def is_trusted(hidden: Hidden) -> bool:
    """Whether the constraint is known."""
    return bool(hidden.record[0].stage == TRUSTED)


@lean_kernel
def is_learning(hidden: Hidden) -> bool:
    """Whether more questions would help."""
    return bool(hidden.record[0].stage == LEARNING)


@lean_kernel
def constant_of(hidden: Hidden) -> float:
    """What is added whatever the solution: its feature is as large as all others."""
    last = hidden.mean.shape[0] - 1
    return float(hidden.mean[last] * math.sqrt(last))


@lean_kernel
def weight_of(hidden: Hidden, action: int) -> float:
    """What an action adds."""
    return float(hidden.mean[hidden.feature[action]] * hidden.level[action])


@lean_kernel
def excess_of(hidden: Hidden, layout: Layout, x: Codes) -> float:
    """By how much ``x`` is expected to violate the constraint, g(x)."""
    total = constant_of(hidden)
    for i in range(x.shape[0]):
        total += weight_of(hidden, row_of(layout, i, x[i]))
    return total


@lean_kernel
def learn_answer(hidden: Hidden, layout: Layout, x: Codes, allowed: bool) -> bool:
    """Learn whether ``x`` is allowed; return whether that was predicted.

    A constraint that is known learns from mistakes only.
    """
    right = (excess_of(hidden, layout, x) <= 0.0) == allowed
    if not (right and is_trusted(hidden)):
        _set_features(hidden, layout, x)
        _condition(hidden, -1.0 if allowed else 1.0)
        hidden.record[0].mistakes += int(not right)
    return right


@lean_kernel
def _set_features(hidden: Hidden, layout: Layout, x: Codes) -> None:
    """Write the features of ``x``, the constant last."""
    z, last = hidden.z, hidden.z.shape[0] - 1
    for f in range(last):
        z[f] = 0.0
    for i in range(x.shape[0]):
        action = row_of(layout, i, x[i])
        z[hidden.feature[action]] += hidden.level[action]
    z[last] = math.sqrt(last)


@lean_kernel
def _condition(hidden: Hidden, sign: float) -> None:
    """Cut off the weights that disagree with an answer about the features ``z``."""
    mean, covariance, z, cz = hidden.mean, hidden.covariance, hidden.z, hidden.cz
    size, variance, value = mean.shape[0], ROUNDING, 0.0
    for f in range(size):
        total = 0.0
        for e in range(size):
            total += covariance[f, e] * z[e]
        cz[f] = total
        variance += z[f] * total
        value += mean[f] * z[f]
    variance = max(variance, ROUNDING)
    deviation = math.sqrt(variance)
    t = sign * value / deviation
    ratio = -t
    if t > FAR:
        ratio = math.exp(-0.5 * t * t) / math.sqrt(0.5 * math.pi)
        ratio /= math.erfc(-t / math.sqrt(2.0))
    step, shrink = sign * ratio / deviation, ratio * (ratio + t) / variance
    for f in range(size):
        mean[f] += step * cz[f]
        for e in range(size):
            covariance[f, e] -= shrink * cz[f] * cz[e]


@lean_kernel
def judge(hidden: Hidden, right: bool) -> None:
    """Take note of whether an answer about the border was predicted."""
    record = hidden.record[0]
    record.asked += int(record.stage == LEARNING)
    record.right += RATE * ((1.0 if right else 0.0) - record.right)
    if record.stage == LEARNING and record.right > KNOWN:
        record.stage = TRUSTED
    elif record.stage == TRUSTED and record.right < LOST:
        record.stage = LEARNING
    if record.stage == LEARNING and record.asked > PATIENCE * hidden.mean.shape[0]:
        record.stage = GIVEN_UP
