"""What designs would be like, by a model of what was evaluated, and how sure that is.

The model is the one that explains what matters (:mod:`divlearn.result.importance`): a
Gaussian process over all parts of a design. Its uncertainty is scaled so that it fits
the errors on evaluated designs that it was fitted without
(:mod:`divlearn.result.calibration`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Value
from divlearn.result.calibration import posterior, trust_in
from divlearn.result.importance.factors import factors_of
from divlearn.result.importance.measure import FEWEST, LEAST_EXPLAINED, MOST_POSITIONS
from divlearn.result.importance.surrogate import MOST_USED, best_model
from divlearn.result.importance.targets import tamed
from divlearn.result.sample import Sample

#: Standard deviations on both sides of the mean within which 90 % lie.
NINETY_PERCENT = 1.6448536269514722


@dataclass(frozen=True)
class Estimate:
    """What is expected of one output of a design.

    Attributes
    ----------
    mean, std
        Expected value, and standard deviation of what would be measured.
    low, high
        Limits within which it lies with a probability of 90 %.
    explained
        How much of the variance of this output the model explains for evaluated designs
        that it was not shown: 1 is all of it, 0 or less is no better than the mean of
        all designs.
    """

    mean: float
    std: float
    low: float
    high: float
    explained: float


@dataclass(frozen=True, eq=False)
class Prediction:
    """What is expected of a design.

    Attributes
    ----------
    x
        The design.
    estimates
        By the names of objectives and constraints; empty where nothing can be said.
    measured
        Its values by name if it was evaluated, the mean of several; else None.
    designs
        Number of evaluated designs that the model is made of.
    note
        What to keep in mind; empty if the model explains all outputs fairly.
    """

    x: Value
    estimates: dict[str, Estimate]
    measured: dict[str, float] | None
    designs: int
    note: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        estimates = {name: asdict(one) for name, one in self.estimates.items()}
        return {**vars(self), "estimates": estimates}


class Moments(NamedTuple):
    """Means and deviations of one output for several designs, both (q,)."""

    mean: Floats
    std: Floats
    explained: float


def predict(
    sample: Sample, names: Sequence[str], designs: Sequence[Value]
) -> list[Prediction]:
    """Say what designs would be like.

    Parameters
    ----------
    sample
        Designs that were evaluated.
    names
        Names of their outputs.
    designs
        Designs of the same space.

    Examples
    --------
    >>> from divlearn import Integer
    >>> codes = np.arange(0, 40, 3)[:, None]
    >>> sample = Sample(Integer(0, 40), codes, 2.0 * codes)
    >>> (one,) = predict(sample, ["cost"], [20])
    >>> round(one.estimates["cost"].mean), one.note
    (40, '')
    """
    asked = np.array([sample.space.encode(x) for x in designs], np.int64)
    asked = asked.reshape(len(designs), sample.space.num_positions)
    found = moments(sample, asked) if len(designs) else None
    note = _note(sample, found, names)
    return [
        Prediction(
            x,
            {} if found is None else _estimates(found, names, row),
            _measured(sample, names, asked[row]),
            min(len(sample.codes), MOST_USED),
            note,
        )
        for row, x in enumerate(designs)
    ]


def moments(sample: Sample, asked: Codes) -> list[Moments] | None:
    """Means and deviations of all outputs for codes, shape (q, n).

    None if too few designs were evaluated, or they are too long for the model.
    """
    if len(sample.codes) < FEWEST or asked.shape[1] > MOST_POSITIONS:
        return None
    used = _used(sample.codes, asked)
    factors = factors_of(sample.space, np.concatenate((sample.codes[used], asked)))
    between = [factor.covariance()[0] for factor in factors]
    return [_moments(between, sample.outputs[used, j]) for j in range(_width(sample))]


def _width(sample: Sample) -> int:
    """Number of outputs."""
    return int(sample.outputs.shape[1])


def _used(codes: Codes, asked: Codes) -> Integers:
    """Which designs the model is made of: of many, those nearest, then any."""
    random = np.random.default_rng(0).permutation(len(codes))
    if len(codes) <= MOST_USED:
        return random
    apart = np.min([(codes != row).sum(axis=1) for row in asked], axis=0)
    near = random[np.argsort(apart[random], kind="stable")[: MOST_USED // 2]]
    others = random[~np.isin(random, near)][: MOST_USED - len(near)]
    return np.random.default_rng(1).permutation(np.concatenate((near, others)))


def _moments(between: list[Floats], values: Floats) -> Moments:
    """Means and deviations of one output; ``between`` has the asked designs last."""
    count = len(values)
    values = tamed(values)
    middle, size = float(values.mean()), float(values.std())
    asked = len(between[0]) - count if between else 0
    if not between or size <= 1e-12 * abs(middle):
        return Moments(np.full(asked, middle), np.zeros(asked), 1.0)
    y = (values - middle) / size
    own = [matrix[:count, :count] for matrix in between]
    model = best_model(own, y)
    across = [matrix[count:, :count] for matrix in between]
    mean, variance = posterior(model, y, across, [np.diag(m)[count:] for m in between])
    trust = trust_in(model, own, y)
    std = size * np.sqrt(variance * trust.surprise)
    return Moments(middle + size * mean, std, trust.explained)


def _estimates(
    found: Sequence[Moments], names: Sequence[str], row: int
) -> dict[str, Estimate]:
    """What is expected of one design."""
    estimates = {}
    for name, (means, stds, explained) in zip(names, found, strict=True):
        mean, std = float(means[row]), float(stds[row])
        wide = NINETY_PERCENT * std
        estimates[name] = Estimate(mean, std, mean - wide, mean + wide, explained)
    return estimates


def _measured(
    sample: Sample, names: Sequence[str], codes: Codes
) -> dict[str, float] | None:
    """Values of a design that was evaluated."""
    rows = np.flatnonzero((sample.codes == codes).all(axis=1))
    if not len(rows):
        return None
    means = sample.outputs[rows].mean(axis=0)
    return dict(zip(names, means.tolist(), strict=True))


def _note(sample: Sample, found: Sequence[Moments] | None, names: Sequence[str]) -> str:
    """What to keep in mind."""
    count = len(sample.codes)
    if count < FEWEST:
        return f"{count} designs have values; below {FEWEST} nothing is said of others."
    if found is None:
        return f"designs of more than {MOST_POSITIONS:,} positions are not predicted."
    pairs = zip(names, found, strict=True)
    weak = [name for name, one in pairs if one.explained < LEAST_EXPLAINED]
    if not weak:
        return ""
    return (
        f"the model explains less than {LEAST_EXPLAINED:.0%} of {', '.join(weak)}: "
        "little more than a guess."
    )
