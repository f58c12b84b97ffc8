"""How a front was on the way: measured during a run, at equal distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from divlearn.basics.typing import Floats
from divlearn.lab.bench.fronts import FRONT_MEASURES
from divlearn.optimizer.stop import Criterion, SearchStatus

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer

#: Name of the series in a store, and its columns beside evaluations and front size.
SNAPSHOTS = "snapshots"
ON_THE_WAY = ("coverage", "adjusted_diversity", "knn_diversity")


class Snapshots(Criterion):
    """Looks at a search from time to time, and never stops it.

    Parameters
    ----------
    budget
        Evaluations of the run.
    count
        How often to look, the end included.
    """

    def __init__(self, budget: int, count: int) -> None:
        self._interval = max(1, budget // count)
        self._seen: dict[int, tuple[Floats, list[Any]]] = {}

    @property
    def interval(self) -> int:
        """Evaluations between two looks."""
        return self._interval

    def check(self, progress: SearchStatus) -> None:
        """Keep the front of this moment; nothing is measured while the clock runs."""
        if progress.evaluations:
            self._keep(progress)  # type: ignore[arg-type]

    def _keep(self, optimizer: Optimizer) -> None:
        if optimizer.evaluations % self._interval:
            return
        front = optimizer.front_objectives
        decode = optimizer.problem.space.decode
        solutions = [decode(codes) for codes in optimizer.search.front_codes()]
        self._seen[optimizer.evaluations] = (front, solutions)

    def series(self, problem: Any) -> dict[str, list[float]]:
        """Measures by name, a number for each look."""
        found: dict[str, list[float]] = {"evaluations": [], "front_size": []}
        found |= {name: [] for name in ON_THE_WAY}
        for evaluations, (front, solutions) in self._seen.items():
            found["evaluations"].append(evaluations)
            found["front_size"].append(len(front))
            for name in ON_THE_WAY:
                value = FRONT_MEASURES[name](front, solutions, problem)
                found[name].append(value)
        return found
