"""Gradient ascent of the expected score of draws, by REINFORCE and Adam."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.bayes.acquisition import Score
from divlearn.lab.baselines.bayes.distribution import SolutionDistribution
from divlearn.lab.baselines.bayes.search import Pool, Variation, children

if TYPE_CHECKING:
    from divlearn.lab.baselines.bayes.bopr import BOPR

#: Weight of the past in the moving baseline.
MEMORY = 0.8


class Ascent:
    """One search for a candidate.

    Parameters
    ----------
    method
        Options.
    variation
        Repairs draws, and draws random solutions.
    score
        What is to be large.
    seen
        Codes, as bytes, that may not be proposed.
    rng
        Random numbers.
    """

    def __init__(
        self,
        method: BOPR,
        variation: Variation,
        score: Score,
        seen: set[bytes],
        rng: np.random.Generator,
    ) -> None:
        self._method, self._variation, self._rng = method, variation, rng
        self._pool, self._seen = Pool(score, seen), seen
        layout = variation.layout
        self._spread = SolutionDistribution(layout, method.temperature)

    def run(self, front: Integers) -> Codes:
        """Climb from around the front, shape (p, n), and around other solutions."""
        method = self._method
        parameters = torch.as_tensor(self._starts(front))
        adam = torch.optim.Adam([parameters], lr=method.rate)
        usual: Floats | None = None
        for _ in range(method.steps):
            current = parameters.numpy().copy()
            draws = self._spread.draw(current, method.samples, self._rng)
            scores = self._score(draws)
            mean = scores.mean(axis=1)
            usual = mean if usual is None else MEMORY * usual + (1 - MEMORY) * mean
            parameters.grad = torch.as_tensor(
                -reinforce(self._spread.score(current, draws), scores, usual)
            )
            adam.step()
        if len(self._pool.codes):
            best: Codes = self._pool.best(1)[0]
            return best
        return self._variation.unseen(self._seen)

    def _starts(self, front: Integers) -> Floats:
        """Parameters to begin with, shape (restarts, size).

        Around the best of some neighbours of the front and random solutions.
        """
        method = self._method
        count = max(method.population, method.restarts)
        self._pool.add(children(self._variation, front, self._rng, count))
        rows = self._rng.normal(0.0, 0.5, (method.restarts, self._spread.size))
        for row, codes in zip(rows, self._pool.best(len(rows)), strict=False):
            row[:] = self._spread.around(codes)
        return np.asarray(rows)

    def _score(self, draws: Integers) -> Floats:
        """Scores of the repaired draws, shape (restarts, samples).

        Solutions that were seen before or may not be tried get the worst score.
        """
        # A copy, because repairs work in place and gradients belong to what was drawn.
        flat = draws.reshape(-1, draws.shape[2]).copy()
        rows = [self._variation.repaired(self._variation.limited(x)) for x in flat]
        self._pool.add([row for row in rows if row is not None])
        found = np.array([self._pool.score_of(row) for row in rows])
        worst = found.min(initial=0.0, where=np.isfinite(found))
        return np.where(np.isfinite(found), found, worst).reshape(draws.shape[:2])


def reinforce(slopes: Floats, scores: Floats, baseline: Floats) -> Floats:
    """Estimate the gradient of the expected score.

    Parameters
    ----------
    slopes
        Gradients of the log-probabilities of the draws, shape (r, count, size).
    scores
        Their scores, shape (r, count), which are scaled by their deviation.
    baseline
        Mean score so far, shape (r,), which is subtracted to reduce variance.

    Returns
    -------
    Shape (r, size).
    """
    ahead = scores - baseline[:, None]
    scale = np.sqrt(np.square(ahead).mean(axis=1, keepdims=True))
    ahead = ahead / np.maximum(scale, 1e-12)
    return np.asarray((ahead[..., None] * slopes).mean(axis=1))
