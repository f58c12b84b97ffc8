"""PPLS/D-C: Pareto local search by regions that cooperate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.baselines.base import Ledger, WholeSolver
from divlearn.baselines.local_search.moves import Moves, moves_for, require_moves
from divlearn.baselines.local_search.regions import NOBODY, Regions
from divlearn.baselines.weights import spread_weights
from divlearn.checks import require_whole
from divlearn.typing import Codes, Floats, Integers

#: Slots of the archive at the beginning.
SLOTS = 1_024
#: Evaluations after which the books are brought up to date, so that Ctrl-C is heard.
OFTEN = 1_000_000
#: More neighbours than any solution has.
MOST = 2**62


@dataclass(frozen=True)
class ParetoLocalSearch(WholeSolver):
    """Pareto local search in regions of the front, which share what they find.

    Every region has a weight vector. It begins with a solution built for its weights,
    and moves on to a neighbour whenever that makes its weighted sum better. After that
    it takes the best solution of its own that has not been explored, and tries all of
    its neighbours; those that no known solution covers are kept. Every ``period``
    rounds the regions share what they found, and a region that gained nothing moves
    to a sparse part of the front, where it begins with the best solution known there,
    a part of it changed by chance.

    Neighbours are stretches of a tour turned around (2-opt) and, if ways there and back
    differ, a few cities moved elsewhere; one more item in a knapsack, or one for
    another; stretches of a vehicle route turned around, and customers moved to another
    route or one of their own. They are computed by their difference to the solution,
    in compiled code, and each of them counts as an evaluation. What does not fit into a
    knapsack or vehicle is not evaluated.

    With a budget it goes on until that is spent. Otherwise it ends when all weight
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
        Least number of weight vectors to which regions may move, of a lattice.

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


class LocalSearch:
    """A running search: the shared archive, and what each region does next.

    Parameters
    ----------
    problem, moves, regions, ledger, seed
        What to search, how, for what, by whose books, and by what chance.
    """

    def __init__(
        self, problem: Any, moves: Moves, regions: Regions, ledger: Ledger, seed: int
    ) -> None:
        from divlearn.kernels.archive import new_archive
        from divlearn.kernels.baselines.local_search.front import Front

        self.problem, self.moves, self.regions = problem, moves, regions
        self.ledger = ledger
        self.rng = np.random.default_rng(seed)
        self.pending = 0  # evaluations that are not in the books yet
        m = len(moves.units)
        archive = new_archive(SLOTS, moves.length, m, 0)
        self.front = Front(archive, np.zeros(SLOTS, bool), np.zeros(1, np.int64))
        self.explored = np.zeros(SLOTS, np.bool_)
        self.is_taken = np.zeros(SLOTS, np.bool_)
        self.owner = np.full(SLOTS, NOBODY)

    @property
    def members(self) -> Integers:
        """Slots of the archive that are in use."""
        used: Integers = self.front.archive.order[: self.front.size[0]]
        return used

    @property
    def left(self) -> int:
        """Evaluations that are left."""
        return int(min(self.ledger.left - self.pending, MOST))

    def explore_all(self) -> None:
        """Let every region explore once."""
        for region in range(len(self.regions.weights)):
            if self.pending >= OFTEN or self.left < 1:
                self.settle()
            if self.regions.is_fresh[region]:
                self.begin(region)
            else:
                self.explore(region)

    def begin(self, region: int) -> None:
        """Begin at a new place: descend from a solution that is made for it."""
        weights, members = self.regions.weights[region], self.members
        self.regions.is_fresh[region] = False
        if not np.isfinite(self.regions.best[region]):
            x = self.moves.start(weights, self.rng)
        else:
            sums = self.front.archive.outputs[members] @ weights
            best = self.front.archive.solutions[members[sums.argmin()]]
            x = self.moves.kick(best, weights, self.rng)
        y = self.moves.evaluate(x)
        self.pending += 1
        self.enter(region, x, y)
        self.scan(region, x, y, float(weights @ y))

    def explore(self, region: int) -> None:
        """Try all neighbours of the region's best member that is not explored."""
        archive, members = self.front.archive, self.members
        open_ones = members[(self.owner[members] == region) & ~self.explored[members]]
        if not len(open_ones):
            return
        sums = archive.outputs[open_ones] @ self.regions.weights[region]
        slot = open_ones[sums.argmin()]
        self.explored[slot] = True
        x, y = archive.solutions[slot].copy(), archive.outputs[slot].copy()
        self.scan(region, x, y, float(self.regions.best[region]))

    def scan(self, region: int, x: Codes, y: Floats, aim: float) -> None:
        """Try all neighbours of ``x``, and of those that beat the aim."""
        from divlearn.kernels.baselines.local_search.front import Scan

        weights = self.regions.weights[region].copy()
        scan = Scan(
            x,
            y,
            weights,
            np.array([aim]),
            np.zeros(4, np.int64),
            np.empty_like(x),
            np.empty_like(y),
        )
        self.moves.begin(scan, self.rng)
        while not scan.place[3] and self.left > 0:
            self.make_room()
            self.pending += self.moves.scan(self.front, scan, min(self.left, OFTEN))
            self.welcome(region)
            if self.pending >= OFTEN:
                self.settle()
        if scan.place[3]:
            members = self.members
            same = (self.front.archive.solutions[members] == x).all(axis=1)
            self.explored[members[same]] = True
        self.regions.best[region] = min(self.regions.best[region], scan.aim[0])

    def enter(self, region: int, x: Codes, y: Floats) -> None:
        """Offer a solution to the archive."""
        from divlearn.kernels.baselines.local_search.front import enter

        self.make_room()
        enter(self.front, x, y)
        self.welcome(region)

    def welcome(self, region: int) -> None:
        """Note what entered the archive, and whether the region may keep it."""
        new = np.flatnonzero(self.front.is_new)
        points = self.front.archive.outputs[new]
        mine = self.regions.owners(points) == region
        self.owner[new] = np.where(mine, region, NOBODY)
        self.explored[new] = False
        self.is_taken[new] = False
        self.front.is_new[new] = False

    def make_room(self) -> None:
        """Double the archive if it is full."""
        from divlearn.kernels.archive import enlarged
        from divlearn.kernels.baselines.local_search.front import has_room

        if has_room(self.front):
            return
        more = np.zeros(len(self.explored), np.bool_)
        self.front = self.front._replace(
            archive=enlarged(self.front.archive),
            is_new=np.concatenate([self.front.is_new, more]),
        )
        self.explored = np.concatenate([self.explored, more])
        self.is_taken = np.concatenate([self.is_taken, more])
        self.owner = np.concatenate([self.owner, np.full(len(more), NOBODY)])

    def cooperate(self) -> bool:
        """Share what was found; returns whether there is nothing left to do."""
        self.settle()
        members = self.members
        points = self.front.archive.outputs[members]
        done = self.explored[members].all() and self.regions.visits.min() > 0
        self.owner[members] = self.regions.cooperate(points, self.explored[members])
        return bool(done and self.ledger.budget is None)

    def settle(self) -> None:
        """Bring the books up to date."""
        for slot in self.members:
            if not self.is_taken[slot]:
                self.is_taken[slot] = True
                codes = self.moves.codes(self.front.archive.solutions[slot])
                self.ledger.take(codes, self.outputs(codes))
        pending, self.pending = self.pending, 0
        self.ledger.count(pending)

    def outputs(self, codes: Codes) -> Floats:
        """Evaluate as the problem does: objectives minimised, then constraints."""
        compiled, problem = self.problem.compiled, self.problem
        outputs = np.empty(len(problem.outputs))
        compiled.objective(codes, compiled.table, outputs)
        outputs[: problem.num_objectives] *= problem.sign
        return outputs
