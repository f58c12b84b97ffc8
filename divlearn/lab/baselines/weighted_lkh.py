"""WS-LKH: the shortest tour under each of many weighted sums, by LKH."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.extras import need
from divlearn.basics.typing import Codes, Floats
from divlearn.lab.baselines.weighted_distances import (
    in_mean_distances,
    require_tours,
    weighted_matrix,
)
from divlearn.lab.baselines.weights import spread_weights
from divlearn.methods.others.base import Ledger, WholeSolver

#: The longest distance as a whole number, which is what LKH reads. It multiplies sums
#: by 100 inside, and they must stay below 2**31 / 4.
LONGEST = 1_000_000


@dataclass(frozen=True)
class WeightedLKH(WholeSolver):
    """Weighted sums of distance matrices, each solved by the heuristic of Helsgaun.

    LKH comes with the package elkai. Both are free for non-commercial use only, so no
    extra of divlearn installs them: run ``pip install elkai`` if that applies to you.

    Every weight vector is one call of LKH and one evaluation of the resulting tour. LKH
    sees the whole instance, and what it examines inside is not counted. With a budget
    below the number of weight vectors, a spread-out selection is used. elkai fixes the
    seed of LKH; here the seed renumbers the cities for each call.

    K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman
    heuristic", European Journal of Operational Research 126 (2000).

    Parameters
    ----------
    num_weights
        Minimum number of weight vectors, of a lattice on the simplex: 101 gives 101 for
        two objectives and 105 for three.
    runs
        Runs of LKH per weight vector, of which the best counts.

    Examples
    --------
    >>> from divlearn.lab.baselines.weighted_lkh import WeightedLKH
    >>> WeightedLKH(num_weights=11).runs
    1
    """

    name: ClassVar[str] = "ws-lkh"

    num_weights: int = 101
    runs: int = 1

    def __post_init__(self) -> None:
        require_whole("num_weights", self.num_weights, least=1)
        require_whole("runs", self.runs, least=1)

    def require(self, problem: Any) -> None:
        """Refuse everything but tours with known distances."""
        require_tours(problem, self.name, least=3)
        _import_elkai()

    def solve(self, problem: Any, ledger: Ledger, seed: int) -> None:
        """Solve one weighted sum after another."""
        distances = in_mean_distances(problem.distances)
        rng = np.random.default_rng(seed)
        for weights in spread_weights(problem.num_objectives, self.num_weights):
            if ledger.left < 1:
                return
            names = rng.permutation(len(distances[0]))
            ledger.call_solver("LKH")
            rows = whole_distances(weighted_matrix(weights, distances), names)
            ledger.evaluate(names[shortest_tour(rows, self.runs)])


def whole_distances(distances: Floats, names: Codes) -> list[list[int]]:
    """Distances, shape (n, n), as LKH reads them, if city ``names[i]`` is called i."""
    named = distances[np.ix_(names, names)]
    whole = np.rint(named * (LONGEST / (named.max() or 1.0)))
    rows: list[list[int]] = whole.astype(np.int64).tolist()
    return rows


def shortest_tour(rows: list[list[int]], runs: int) -> Codes:
    """Return the tour that LKH finds, shape (n,)."""
    closed = _import_elkai().DistanceMatrix(rows).solve_tsp(runs=int(runs))
    return np.array(closed[:-1], np.int64)


def _import_elkai() -> Any:
    """Import elkai, or say how to install it and under which licence."""
    terms = (
        "Its licence, and that of LKH inside it, allow non-commercial use only; "
        "ws-2opt needs no package."
    )
    return need("elkai", None, terms)
