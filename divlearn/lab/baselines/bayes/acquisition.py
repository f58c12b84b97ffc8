"""How promising a solution is: the logarithm of its expected improvement.

Both functions average over joint draws of the candidate and the best known solutions,
which takes noise and pending candidates into account. If hardly any draw improves, the
logarithm continues with how much is missing, so that a search finds its way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.lab.baselines.bayes.boxes import Boxes
from divlearn.lab.baselines.bayes.draws import Draws
from divlearn.lab.baselines.bayes.features import Encoder
from divlearn.lab.baselines.bayes.model import Posterior
from divlearn.metrics import non_dominated

#: Width of the step from feasible to infeasible, in deviations of a constraint.
STEP = 0.01
#: How far beyond the worst value known any other may be, in deviations.
BEYOND = 6.0
#: What a point at the border is worth, as a share of the scale of improvements.
TAIL = 1e-9
#: How fast that fades with the distance to the border, in deviations.
FADE = 5.0

#: Scores of solutions, shape (q, n) to (q,): the greater the better.
Score = Callable[[Integers], Floats]


class View(NamedTuple):
    """What is known when a candidate is chosen.

    Outputs are in units of their deviation; 0 is their mean or, for a constraint, its
    limit.
    """

    posterior: Posterior
    encode: Encoder
    codes: Integers  # (q, n) solutions that were measured
    outputs: Floats  # (q, m + c)
    shift: Floats  # (m + c,) zero of the processes
    reference: Floats  # (m,)
    noise: bool
    pending: Integers  # (p, n) solutions with pending answers

    @property
    def num_objectives(self) -> int:
        """Number of objectives, m."""
        return len(self.reference)

    def estimates(self) -> Floats:
        """Outputs of the known solutions: as measured, or under noise as predicted."""
        if not self.noise:
            return self.outputs
        mean = self.posterior.at(self.encode(self.codes)).mean.mT.numpy()
        return np.asarray(mean + self.shift)


def log_nehvi(view: View, baseline_points: int, draws: int, seed: int) -> Score:
    """Logarithm of the noisy expected hypervolume improvement.

    Parameters
    ----------
    view
        What is known.
    baseline_points
        Limit on the known solutions whose front is to be improved.
    draws
        Number of draws.
    seed
        Seed of the draws.

    Returns
    -------
    A function from codes, shape (q, n), to scores, shape (q,).
    """
    m, reference = view.num_objectives, view.reference
    estimates = view.estimates()
    chosen = choose_front(estimates, reference, baseline_points, fill=view.noise)
    samples, fronts = _draw(view, estimates, chosen, draws, seed)
    boxes = Boxes(_hide_infeasible(fronts, reference), reference)
    best = np.minimum(estimates[:, :m].min(axis=0), reference - 1e-9)
    unit = float(np.prod(reference - best))

    def score(codes: Integers) -> Floats:
        values = samples.at(view.encode(codes)) + view.shift
        share, excess = _feasibility(values[:, :, m:])
        gain = (boxes.gains(values[:, :, :m]) * share).mean(axis=0)
        lack = excess
        rare = np.flatnonzero(gain < 1e3 * TAIL * unit)
        if len(rare):
            lack[:, rare] += boxes.shortfalls(values[:, rare, :m])
        return _logarithm(gain, lack, unit)

    return score


def log_nei(
    view: View, weights: Floats, rho: float, baseline_points: int, draws: int, seed: int
) -> Score:
    """Logarithm of the noisy expected improvement of one Tchebycheff scalarization.

    Parameters
    ----------
    view
        What is known.
    weights
        One per objective, of sum 1.
    rho
        Weight of the sum relative to the maximum.
    baseline_points
        Limit on the known solutions whose best is to be improved.
    draws
        Number of draws.
    seed
        Seed of the draws.

    Returns
    -------
    A function from codes, shape (q, n), to scores, shape (q,).
    """
    m = view.num_objectives
    estimates = view.estimates()
    ideal, span = _range_of_front(estimates, m)

    def join(outputs: Floats) -> Floats:
        weighed = weights * (outputs[..., :m] - ideal) / span
        return np.asarray(weighed.max(axis=-1) + rho * weighed.sum(axis=-1))

    joined = join(estimates)
    # If nothing feasible is known, anything feasible is an improvement.
    bound = joined.max() + BEYOND * joined.std()
    joined = np.where((estimates[:, m:] <= 0.0).all(axis=1), joined, joined.max())
    chosen = np.argsort(joined, kind="stable")[:baseline_points]
    samples, fronts = _draw(view, estimates, chosen, draws, seed)
    feasible = (fronts[:, :, m:] <= 0.0).all(axis=2)
    best = np.where(feasible, join(fronts), np.inf).min(axis=1)
    best = np.where(np.isfinite(best), best, bound)

    def score(codes: Integers) -> Floats:
        values = samples.at(view.encode(codes)) + view.shift
        share, lack = _feasibility(values[:, :, m:])
        ahead = best[:, None] - join(values)
        lack += np.maximum(-ahead, 0.0)
        return _logarithm((np.maximum(ahead, 0.0) * share).mean(axis=0), lack, 1.0)

    return score


def choose_front(
    outputs: Floats, reference: Floats, most: int, fill: bool = False
) -> Integers:
    """Choose non-dominated feasible solutions that cover the hypervolume best.

    Parameters
    ----------
    outputs
        Objectives, then constraints, shape (q, m + c).
    reference
        Reference point, shape (m,).
    most
        Greatest number of solutions; if there are more, those that add most to the
        hypervolume of the earlier ones are kept.
    fill
        Whether to fill up to this number with solutions of further fronts.

    Returns
    -------
    Their numbers.
    """
    m = len(reference)
    left = np.flatnonzero((outputs[:, m:] <= 0.0).all(axis=1))
    chosen: list[int] = []
    while len(left) and len(chosen) < most:
        layer = left[non_dominated(outputs[left, :m])]
        room = most - len(chosen)
        if len(layer) > room:
            layer = layer[_spread(outputs[layer, :m], reference, room)]
        chosen.extend(layer.tolist())
        left = np.setdiff1d(left, layer)
        if not fill:
            break
    return np.array(chosen, np.int64)


def _spread(points: Floats, reference: Floats, count: int) -> Integers:
    """Choose points one by one, each adding most to those before it."""
    chosen: list[int] = []
    for _ in range(count):
        gains = Boxes(points[None, chosen], reference).gains(points[None])[0]
        gains[chosen] = -1.0
        chosen.append(int(np.argmax(gains)))
    return np.array(chosen, np.int64)


def _draw(
    view: View, estimates: Floats, chosen: Integers, count: int, seed: int
) -> tuple[Draws, Floats]:
    """Draw the uncertain outputs of the baseline and of pending candidates.

    Returns
    -------
    The draws, and outputs of the baseline in each of them, shape (count or 1, p, k).
    """
    uncertain = view.codes[chosen] if view.noise else view.codes[:0]
    shared = np.vstack([uncertain, view.pending])
    samples = Draws(view.posterior, view.encode(shared), count, seed)
    fronts = samples.shared + view.shift
    if not view.noise:
        known = estimates[chosen]
        if not len(shared):
            return samples, known[None]
        known = np.broadcast_to(known, (count, *known.shape))
        fronts = np.concatenate([known, fronts], axis=1)
    return samples, fronts


def _hide_infeasible(fronts: Floats, reference: Floats) -> Floats:
    """Objectives of the baseline; infeasible ones are at the reference point."""
    m = len(reference)
    feasible = (fronts[:, :, m:] <= 0.0).all(axis=2, keepdims=True)
    return np.where(feasible, fronts[:, :, :m], reference)


def _feasibility(values: Floats) -> tuple[Floats, Floats]:
    """Share of each draw that counts, and its distance to feasibility, (s, q) each."""
    odds = np.clip(values / STEP, -50.0, 50.0)
    share = np.prod(1.0 / (1.0 + np.exp(odds)), axis=2)
    return share, np.maximum(values, 0.0).sum(axis=2)


def _logarithm(gain: Floats, lack: Floats, unit: float) -> Floats:
    """Combine the mean improvement, shape (q,), with the shortfall, shape (s, q)."""
    near = np.exp(-FADE * np.minimum(lack, 50.0)).mean(axis=0)
    return np.asarray(np.log(gain / unit + TAIL * near + 1e-200))


def _range_of_front(outputs: Floats, m: int) -> tuple[Floats, Floats]:
    """Best value and range of each objective over the known front."""
    feasible = np.flatnonzero((outputs[:, m:] <= 0.0).all(axis=1))
    points = outputs[feasible if len(feasible) else slice(None), :m]
    front = points[non_dominated(points)]
    if len(front) < 2:
        front = points
    ideal, span = front.min(axis=0), np.ptp(front, axis=0)
    return ideal, np.where(span > 1e-9, span, 1.0)
