"""Bayesian optimization by noisy expected hypervolume improvement.

S. Daulton, M. Balandat, E. Bakshy, "Parallel Bayesian optimization of multiple noisy
objectives with expected hypervolume improvement", NeurIPS (2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from divlearn.lab.baselines.bayes.options import Bayes

if TYPE_CHECKING:
    from divlearn.lab.baselines.bayes.acquisition import Score, View


@dataclass(frozen=True)
class QNEHVI(Bayes):
    """Propose what is expected to add most to the front's hypervolume.

    See :class:`Bayes` for the options.

    Examples
    --------
    >>> import divlearn as dl
    >>> dl.lab.baselines.QNEHVI(draws=32).describe()["draws"]
    32
    """

    name: ClassVar[str] = "qnehvi"

    def score(self, view: View, rng: np.random.Generator) -> Score:
        """Logarithm of the noisy expected hypervolume improvement."""
        from divlearn.lab.baselines.bayes.acquisition import log_nehvi

        seed = int(rng.integers(2**31))
        return log_nehvi(view, self.baseline_points, self.draws, seed)
