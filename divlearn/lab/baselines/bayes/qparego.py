"""Bayesian optimization of random Tchebycheff scalarizations.

J. Knowles, "ParEGO: a hybrid algorithm with on-line landscape approximation for
expensive multiobjective optimization problems", IEEE Transactions on Evolutionary
Computation 10 (2006); with noisy expected improvement as in BoTorch's qNParEGO.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from divlearn.basics.checks import require_number
from divlearn.lab.baselines.bayes.options import Bayes

if TYPE_CHECKING:
    from divlearn.lab.baselines.bayes.acquisition import Score, View


@dataclass(frozen=True)
class QParEGO(Bayes):
    """Propose what is expected to improve a scalarization, a new one each time.

    See :class:`Bayes` for the other options.

    Parameters
    ----------
    concentration
        Parameter of the Dirichlet distribution of weights; below 1, extreme weights are
        frequent.
    rho
        Weight of the sum relative to the maximum.

    Examples
    --------
    >>> import divlearn as dl
    >>> dl.lab.baselines.QParEGO(rho=0.01).describe()["rho"]
    0.01
    """

    name: ClassVar[str] = "qparego"
    concentration: float = 0.8
    rho: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number("concentration", self.concentration, least=1e-3)
        require_number("rho", self.rho, least=0.0)

    def score(self, view: View, rng: np.random.Generator) -> Score:
        """Logarithm of the noisy expected improvement under random weights."""
        from divlearn.lab.baselines.bayes.acquisition import log_nei

        m = view.num_objectives
        weights = rng.dirichlet(np.full(m, self.concentration))
        seed = int(rng.integers(2**31))
        return log_nei(view, weights, self.rho, self.baseline_points, self.draws, seed)
