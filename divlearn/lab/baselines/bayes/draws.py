"""Joint draws of the outputs, first of some solutions, then of any further one.

The draws of the first solutions are kept, and every further solution is drawn
conditionally on them, with the same random numbers for all. BoTorch's noisy acquisition
functions do the same with a cached root.
"""

from __future__ import annotations

import numpy as np
import torch
from botorch.utils.sampling import draw_sobol_normal_samples

from divlearn.basics.typing import Floats
from divlearn.lab.baselines.bayes.model import Posterior, factor


class Draws:
    """Sobol draws from the posterior of all outputs.

    Parameters
    ----------
    posterior
        The processes.
    features
        Solutions whose draws are shared by all further ones, shape (r, d).
    count
        Number of draws.
    seed
        Seed of the scrambled Sobol sequence.

    Attributes
    ----------
    shared
        Draws of the outputs of those solutions, shape (count, r, k).
    """

    def __init__(
        self, posterior: Posterior, features: Floats, count: int, seed: int
    ) -> None:
        self._posterior = posterior
        self._spot = posterior.at(features)
        k, r = self._spot.mean.shape
        normal = draw_sobol_normal_samples(
            (1 + r) * k, count, dtype=torch.double, seed=seed
        ).reshape(count, 1 + r, k)
        # The first dimensions of the sequence are the most even, so the candidate gets
        # them.
        self._normal = normal[:, 0].mT[:, None]  # (k, 1, count)
        self._root = self._spot.mean.new_zeros(k, 0, 0)
        self._weights = self._spot.mean.new_zeros(k, 0, count)
        if r:
            covariance = posterior.between(self._spot, self._spot)
            missing = self._spot.variance - covariance.diagonal(dim1=1, dim2=2)
            covariance = covariance + torch.diag_embed(missing)
            self._root = factor(covariance, self._spot.mean.new_full((k,), 1e-9))
            around = self._root @ normal[:, 1:].permute(2, 1, 0)  # (k, r, count)
            self._weights = torch.cholesky_solve(around, self._root)
        else:
            around = self._spot.mean.new_zeros(k, 0, count)
        self.shared: Floats = _in_order(self._spot.mean[..., None] + around)

    def at(self, features: Floats) -> Floats:
        """Draws of the outputs of further solutions, shape (count, q, k)."""
        spot = self._posterior.at(features)
        mean, variance = spot.mean[..., None], spot.variance
        if self._root.shape[1]:
            cross = self._posterior.between(self._spot, spot)  # (k, r, q)
            half = torch.linalg.solve_triangular(self._root, cross, upper=False)
            mean = mean + cross.mT @ self._weights
            variance = (variance - half.square().sum(1)).clamp_min(1e-10)
        return _in_order(mean + variance.sqrt()[..., None] * self._normal)


def _in_order(values: torch.Tensor) -> Floats:
    """From (k, q, count) to (count, q, k)."""
    return np.ascontiguousarray(values.permute(2, 1, 0).numpy())
