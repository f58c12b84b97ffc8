"""WS-2opt: tours shortened by 2-opt under each of many weighted sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.typing import Codes, Floats
from divlearn.lab.baselines.weighted_distances import (
    in_mean_distances,
    require_tours,
    weighted_matrix,
)
from divlearn.lab.baselines.weights import spread_weights
from divlearn.methods.others.base import Ledger, WholeSolver
from divlearn.methods.others.rehearsal import rehearse

#: Without a budget, more neighbours than any descent tries.
MOST = 2**62


@dataclass(frozen=True)
class WeightedTwoOpt(WholeSolver):
    """Weighted sums of distance matrices, each solved by 2-opt from random tours.

    This is what the paper's text describes under the name WS-LKH. For every weight
    vector a random tour is improved by reversing stretches of it until no such move
    makes the weighted sum shorter; the last tour is kept.

    Every tour that is examined counts as an evaluation: the random one, and each
    neighbour, although only the change of its length is computed.

    Parameters
    ----------
    num_weights
        Minimum number of weight vectors, of a lattice on the simplex: 40 gives 40 for
        two objectives and 45 for three.
    starts
        Random tours per weight vector.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.lab.baselines.weighted_two_opt import WeightedTwoOpt
    >>> problem = dl.problems.get("bitsp-20")
    >>> result = dl.solve(problem, method=WeightedTwoOpt(num_weights=5))
    >>> len(result.F) <= 5
    True
    """

    name: ClassVar[str] = "ws-2opt"

    num_weights: int = 40
    starts: int = 1

    def __post_init__(self) -> None:
        require_whole("num_weights", self.num_weights, least=1)
        require_whole("starts", self.starts, least=1)

    def require(self, problem: Any) -> None:
        """Refuse everything but tours with known distances."""
        require_tours(problem, self.name, least=4)

    def warm_up(self, problem: Any) -> None:
        """Try a few neighbours."""
        rehearse(self, problem)

    def solve(self, problem: Any, ledger: Ledger, seed: int) -> None:
        """Improve random tours for one weight vector after another."""
        distances = in_mean_distances(problem.distances)
        rng = np.random.default_rng(seed)
        weights = spread_weights(problem.num_objectives, self.num_weights)
        for _ in range(self.starts):
            for row in weights:
                if ledger.left < 1:
                    return
                combined = weighted_matrix(row, distances)
                tour = rng.permutation(len(combined))
                _improve(problem, ledger, tour, combined)


def _improve(problem: Any, ledger: Ledger, tour: Codes, distances: Floats) -> None:
    """Descend from ``tour`` until done or out of budget, and keep the last tour."""
    from divlearn.lab.kernels.two_opt import descend

    limit = int(min(ledger.left - 1, MOST))
    tried = descend(tour, distances, np.empty(len(tour)), limit)
    outputs = np.empty(problem.num_objectives)
    problem.compiled.objective(tour, problem.compiled.table, outputs)
    ledger.take(tour, outputs)
    ledger.count(1 + tried)
