"""Gaussian processes, one per output, fitted by BoTorch and then queried quickly.

BoTorch's ``SingleTaskGP`` holds the independent processes of all outputs as a batch.
Its posterior is computed here from one Cholesky factor, because a search by moves asks
for thousands of single points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from botorch.exceptions import ModelFittingError
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from gpytorch import settings
from gpytorch.constraints import GreaterThan
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.mlls import ExactMarginalLogLikelihood
from gpytorch.priors import LogNormalPrior

from divlearn.basics.typing import Floats
from divlearn.lab.baselines.bayes.features import Columns
from divlearn.lab.baselines.bayes.kernel import SolutionKernel

#: Limit on the steps of a fit; the next fit continues from there.
FIT_STEPS = 75
#: Smallest variance of the noise, in units of an output's variance.
LEAST_NOISE = 1e-4
LEAST_NUGGET = 1e-6

#: Constants of the model by name, as arrays.
Constants = dict[str, Floats]


class Data(NamedTuple):
    """What the processes are conditioned on."""

    features: Floats  # (q, d)
    outputs: Floats  # (q, k), each of mean 0 and variance 1
    noise: bool  # whether measurements repeat with other values


def build(columns: Columns, data: Data, constants: Constants | None) -> SingleTaskGP:
    """Make the processes, with constants of an earlier fit if there are any."""
    k = data.outputs.shape[1]
    batch = torch.Size([k] if k > 1 else [])
    likelihood = GaussianLikelihood(
        noise_prior=LogNormalPrior(-4.0, 1.0),
        noise_constraint=GreaterThan(
            LEAST_NOISE if data.noise else LEAST_NUGGET,
            transform=torch.exp,
            inv_transform=torch.log,
        ),
        batch_shape=batch,
    )
    model = SingleTaskGP(
        torch.as_tensor(data.features),
        torch.as_tensor(data.outputs),
        likelihood=likelihood,
        covar_module=SolutionKernel(columns, batch),
        outcome_transform=None,
        input_transform=None,
    )
    model.likelihood.noise = 1e-2
    if constants is not None:
        state = {name: torch.as_tensor(value) for name, value in constants.items()}
        model.load_state_dict(state, strict=False)
    return model


def fit(columns: Columns, data: Data, constants: Constants | None) -> Constants:
    """Find the constants of greatest posterior, starting from the given ones.

    A fit that fails leaves the constants as they were.
    """
    model = build(columns, data, constants)
    before = read_constants(model)
    goal = ExactMarginalLogLikelihood(model.likelihood, model)
    options = {"options": {"maxiter": FIT_STEPS}}
    try:
        with settings.max_cholesky_size(len(data.features) + 1):
            fit_gpytorch_mll(goal, optimizer_kwargs=options)
    except (ModelFittingError, RuntimeError, ValueError):
        return before
    after = read_constants(model)
    whole = all(np.isfinite(value).all() for value in after.values())
    return after if whole else before


def read_constants(model: SingleTaskGP) -> Constants:
    """Everything that a fit may change, as arrays."""
    return {
        name: value.detach().double().numpy().copy()
        for name, value in model.named_parameters()
    }


class Posterior:
    """Means and covariances of all outputs, given the data.

    If measurements have no noise, what a process calls noise is a property of the
    solution that the features do not explain, so it is part of the prediction.

    Parameters
    ----------
    columns
        Which columns of the features belong to which part.
    data
        What the processes are conditioned on.
    constants
        Constants of the kernel, the mean and the noise.
    """

    def __init__(self, columns: Columns, data: Data, constants: Constants) -> None:
        model = build(columns, data, constants)
        self._num_outputs = k = data.outputs.shape[1]
        self._kernel = model.covar_module
        with torch.no_grad():
            self._x = torch.as_tensor(data.features)
            noise = model.likelihood.noise.reshape(k)
            self._mean = model.mean_module.constant.reshape(k)
            residual = torch.as_tensor(data.outputs).mT - self._mean[:, None]
            covariance = self._covariance(self._x, self._x)
            self._root = factor(covariance, noise)
            self._weights = torch.cholesky_solve(residual[..., None], self._root)
            self._nugget = torch.zeros_like(noise) if data.noise else noise
            self._prior = self._kernel.constant("weight").sum(-1).reshape(k)

    def _covariance(self, x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
        """Covariances without noise, shape (k, q1, q2)."""
        covariance = self._kernel.forward(x1, x2)
        return covariance.reshape(self._num_outputs, len(x1), len(x2))

    def at(self, features: Floats) -> Spot:
        """Means, variances and what joint distributions need, of solutions."""
        with torch.no_grad():
            x = torch.as_tensor(features)
            cross = self._covariance(self._x, x)
            mean = self._mean[:, None] + (cross.mT @ self._weights)[..., 0]
            half = torch.linalg.solve_triangular(self._root, cross, upper=False)
            spread = self._prior[:, None] - half.square().sum(1)
            variance = spread.clamp_min(1e-10) + self._nugget[:, None]
            return Spot(x, half, mean, variance)

    def between(self, first: Spot, second: Spot) -> torch.Tensor:
        """Covariances of two lists of different solutions, shape (k, q1, q2)."""
        with torch.no_grad():
            prior = self._covariance(first.x, second.x)
            return prior - first.half.mT @ second.half


class Spot(NamedTuple):
    """Predictions for some solutions."""

    x: torch.Tensor  # (q, d) features
    half: torch.Tensor  # (k, n, q) covariances with the data, divided by the root
    mean: torch.Tensor  # (k, q)
    variance: torch.Tensor  # (k, q)


def factor(covariance: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
    """Cholesky factors of covariances with noise, increased as far as necessary."""
    eye = torch.eye(covariance.shape[-1], dtype=covariance.dtype)
    extra = 0.0
    for _ in range(8):
        root, failed = torch.linalg.cholesky_ex(
            covariance + (noise[:, None, None] + extra) * eye
        )
        if not failed.any():
            return root
        extra = max(1e-8, extra * 10.0)
    raise RuntimeError("a covariance matrix is not positive definite")
