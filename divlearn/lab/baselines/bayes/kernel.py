"""The covariance of two solutions: a sum over the parts of a space, and their product.

Permutations have the Kendall kernel and the Mallows kernel, its exponential, or one of
the two (for tours, perhaps the same with common edges); ordered values and bits have
Matern 5/2 with a length per position; categories have the exponential of the
differences.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from gpytorch.constraints import GreaterThan
from gpytorch.kernels import Kernel
from gpytorch.priors import LogNormalPrior

from divlearn.lab.baselines.bayes.features import Columns

#: Least value of a length or a weight.
LEAST = 1e-4


class SolutionKernel(Kernel):
    """Covariance over the features of an :class:`Encoder`.

    Parameters
    ----------
    columns
        Which columns belong to which part.
    batch_shape
        One set of constants per output, as gpytorch means it.
    """

    def __init__(self, columns: Columns, batch_shape: torch.Size) -> None:
        super().__init__(batch_shape=batch_shape)
        self.columns = columns
        self.register_buffer("owner", torch.tensor(columns.owner, dtype=torch.long))
        self.linear = columns.kernel != "mallows"
        self.exponential = columns.kernel != "kendall"
        if columns.similar and self.exponential:
            # Narrow: with a short reach the model sees nothing but known solutions.
            self._add("reach", len(columns.similar), 0.0, 0.25)
        if d := columns.num_ordered:
            # BoTorch's prior for many dimensions.
            self._add("length", d, math.sqrt(2) + math.log(d) / 2, math.sqrt(3))
        if d := columns.num_categories:
            self._add("contrast", d, math.sqrt(2) + math.log(d), math.sqrt(3))
        terms = self._count_terms()
        self._add("weight", terms, -math.log(terms), 1.0)

    def _count_terms(self) -> int:
        """One or two per permutation, one per other part, one for all together."""
        columns = self.columns
        others = bool(columns.num_ordered) + bool(columns.num_categories)
        parts = len(columns.similar) + others
        each = self.linear + self.exponential
        return each * len(columns.similar) + others + (parts > 1)

    def _add(self, name: str, size: int, location: float, scale: float) -> None:
        """Register a positive constant, optimized by its logarithm."""
        raw = torch.nn.Parameter(torch.zeros(*self.batch_shape, 1, size))
        self.register_parameter(f"raw_{name}", raw)
        start = math.exp(location - scale**2 / 2)
        self.register_constraint(
            f"raw_{name}",
            GreaterThan(LEAST, transform=torch.exp, inv_transform=torch.log),
        )

        def read(kernel: Any) -> Any:
            return kernel.constant(name)

        def write(kernel: Any, value: Any) -> None:
            kernel.set_constant(name, value)

        self.register_prior(
            f"{name}_prior", LogNormalPrior(location, scale), read, write
        )
        self.set_constant(name, start)

    def constant(self, name: str) -> torch.Tensor:
        """Value of a constant, shape (*batch, 1, size)."""
        constraint = getattr(self, f"raw_{name}_constraint")
        value: torch.Tensor = constraint.transform(getattr(self, f"raw_{name}"))
        return value

    def set_constant(self, name: str, value: Any) -> None:
        """Set a constant to a number, or to an array of its shape."""
        raw = getattr(self, f"raw_{name}")
        value = torch.as_tensor(value).to(raw).expand_as(raw)
        constraint = getattr(self, f"raw_{name}_constraint")
        self.initialize(**{f"raw_{name}": constraint.inverse_transform(value)})

    def forward(
        self,
        x1: torch.Tensor,
        x2: torch.Tensor,
        diag: bool = False,
        **_: Any,
    ) -> torch.Tensor:
        """Covariances, shape (*batch, q1, q2), or (*batch, q1) of equal rows."""
        weight = self.constant("weight")
        if diag:
            batch = torch.broadcast_shapes(self.batch_shape, x1.shape[:-2])
            return weight.sum(-1).expand(*batch, x1.shape[-2])
        total: Any = 0.0
        product: Any = 1.0
        at = 0
        for term, joins in self._terms(x1, x2):
            total = total + weight[..., at : at + 1] * term
            if joins:
                product = product * term
            at += 1
        if at < weight.shape[-1]:
            total = total + weight[..., at : at + 1] * product
        return total

    def _terms(self, x1: torch.Tensor, x2: torch.Tensor) -> Any:
        """Yield each covariance, and whether it is a factor of the product."""
        columns = self.columns
        for k, (a, b) in enumerate(columns.similar):
            tau = x1[..., a:b] @ x2[..., a:b].mT
            if self.linear:
                yield tau, not self.exponential
            if self.exponential:
                reach = self.constant("reach")[..., k : k + 1]
                yield ((tau - 1.0) / reach).exp(), True
        if columns.num_ordered:
            a, b = columns.ordered
            length = self.constant("length")
            yield matern(x1[..., a:b] / length, x2[..., a:b] / length), True
        if columns.num_categories:
            a, b = columns.category
            price = 1.0 / self.constant("contrast")
            common = (x1[..., a:b] * price[..., self.owner]) @ x2[..., a:b].mT
            yield (common - price.sum(-1, keepdim=True)).exp(), True


def matern(x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
    """Matern 5/2 of scaled points, shape (*batch, q1, q2)."""
    # Centring loses fewer digits in squares.
    centre = x1.mean(-2, keepdim=True)
    x1, x2 = x1 - centre, x2 - centre
    squares = x1.square().sum(-1, keepdim=True) + x2.square().sum(-1)[..., None, :]
    distance = (5.0 * (squares - 2.0 * x1 @ x2.mT).clamp_min(1e-15)).sqrt()
    return (1.0 + distance + distance.square() / 3.0) * (-distance).exp()
