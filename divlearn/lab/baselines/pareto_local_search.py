"""PPLS/D-C: Pareto local search by regions that cooperate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.checks import require_whole
from divlearn.lab.baselines.local_search.moves import moves_for, require_moves
from divlearn.lab.baselines.local_search.regions import Regions
from divlearn.lab.baselines.local_search.search import LocalSearch
from divlearn.lab.baselines.weights import spread_weights
from divlearn.methods.others.base import Ledger, WholeSolver
from divlearn.methods.others.rehearsal import rehearse


@dataclass(frozen=True)
class ParetoLocalSearch(WholeSolver):
    """Pareto local search in regions of the front, which share what they find.

    Every region has a weight vector. It begins with a solution built for its weights,
    and moves on to a neighbour whenever that improves its weighted sum. After that it
    takes its best unexplored solution and tries all of its neighbours; those that no
    known solution covers are kept. Every ``period`` rounds the regions share what they
    found. A region that gained nothing moves to a sparse part of the front, where it
    begins with the best known solution, part of which is changed at random.

    Neighbours have a stretch of a tour reversed (2-opt) or, if distances there and back
    differ, a few cities moved elsewhere; one more item in a knapsack, or one exchanged
    for another; a stretch of a vehicle route reversed, or a customer moved to another
    or a new route. They are computed by their difference to the solution, in compiled
    code, and each counts as an evaluation. What does not fit into a knapsack or vehicle
    is not evaluated. The cap split of routes cuts what enters the front again, perhaps
    into other routes, which is one more evaluation.

    With a budget the search runs until that is spent. Otherwise it ends when all weight
    vectors were visited and everything on the front is explored.

    After J. Shi, Q. Zhang, J. Sun, "PPLS/D: parallel Pareto local search based on
    decomposition", IEEE Transactions on Cybernetics 50 (2020), and the description in
    *Divide and Learn*. The regions take turns in one process.

    Parameters
    ----------
    regions
        Number of regions.
    period
        Rounds between two cooperations; in a round every region explores once.
    num_weights
        Minimum number of weight vectors, of a lattice, to which regions may move.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bitsp-20")
    >>> result = dl.solve(problem, budget=5_000, method="ppls-dc")
    >>> result.evaluations, bool(result.hypervolume() > 0.55)
    (5000, True)
    """

    name: ClassVar[str] = "ppls-dc"

    regions: int = 10
    period: int = 2
    num_weights: int = 100

    def __post_init__(self) -> None:
        require_whole("regions", self.regions, least=1)
        require_whole("period", self.period, least=1)
        require_whole("num_weights", self.num_weights, least=1)

    def require(self, problem: Any) -> None:
        """Refuse a problem for which there are no moves."""
        require_moves(problem, self.name)

    def warm_up(self, problem: Any) -> None:
        """Try a few neighbours."""
        rehearse(self, problem)

    def solve(self, problem: Any, ledger: Ledger, seed: int) -> None:
        """Explore in turn, and cooperate, until done."""
        moves = moves_for(problem)
        lattice = spread_weights(problem.num_objectives, self.num_weights)
        regions = Regions(lattice / moves.units, self.regions)
        search = LocalSearch(problem, moves, regions, ledger, seed)
        done = False
        while not done:
            for _ in range(self.period):
                search.explore_all()
            done = search.cooperate()
