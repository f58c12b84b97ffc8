"""``LocalSearch``: Pareto local search at work."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.local_search.moves import Moves
from divlearn.lab.baselines.local_search.regions import NOBODY, Regions
from divlearn.methods.others.base import Ledger

#: Slots of the archive at the beginning.
SLOTS = 1_024
#: Evaluations after which counts are updated, so that Ctrl-C is noticed.
OFTEN = 1_000_000
#: More neighbours than any solution has.
MOST = 2**62


class LocalSearch:
    """A running search: the shared archive, and what each region does next.

    Parameters
    ----------
    problem, moves, regions, ledger, seed
        What to search, its moves, its regions, who counts, and the random seed.
    """

    def __init__(
        self, problem: Any, moves: Moves, regions: Regions, ledger: Ledger, seed: int
    ) -> None:
        from divlearn.kernels.archive import new_archive
        from divlearn.lab.kernels.local_search.front import Front

        self.problem, self.moves, self.regions = problem, moves, regions
        self.ledger = ledger
        self.rng = np.random.default_rng(seed)
        self.pending = 0  # evaluations that are not counted yet
        m = len(moves.units)
        archive = new_archive(SLOTS, moves.length, m, 0)
        self.front = Front(archive, np.zeros(SLOTS, bool), np.zeros(1, np.int64))
        self.explored = np.zeros(SLOTS, np.bool_)
        self.is_taken = np.zeros(SLOTS, np.bool_)
        self.owner = np.full(SLOTS, NOBODY)
        if moves.first is not None:
            self.enter(NOBODY, moves.first)

    @property
    def members(self) -> Integers:
        """Slots of the archive that are in use."""
        used: Integers = self.front.archive.order[: self.front.size[0]]
        return used

    @property
    def left(self) -> int:
        """Evaluations left, without those that members still need."""
        spent = self.pending
        if self.moves.decodes:
            spent += int(np.count_nonzero(~self.is_taken[self.members]))
        return int(min(self.ledger.left - spent, MOST))

    @property
    def limit(self) -> int:
        """Neighbours to evaluate at a time: each may need one more evaluation."""
        left = max(1, self.left // 2) if self.moves.decodes else self.left
        return min(left, OFTEN)

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
        """Begin at a new place: descend from a solution made for it."""
        weights, members = self.regions.weights[region], self.members
        self.regions.is_fresh[region] = False
        if not np.isfinite(self.regions.best[region]):
            x = self.moves.start(weights, self.rng)
        else:
            sums = self.front.archive.outputs[members] @ weights
            best = self.front.archive.solutions[members[sums.argmin()]]
            x = self.moves.kick(best, weights, self.rng)
        x, y = self.enter(region, x)
        self.scan(region, x, y, float(weights @ y))

    def explore(self, region: int) -> None:
        """Try all neighbours of the region's best unexplored member."""
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
        from divlearn.lab.kernels.local_search.front import Scan

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
            self.pending += self.moves.scan(self.front, scan, self.limit)
            self.welcome(region)
            if self.pending >= OFTEN:
                self.settle()
        if scan.place[3]:
            members = self.members
            same = (self.front.archive.solutions[members] == x).all(axis=1)
            self.explored[members[same]] = True
        self.regions.best[region] = min(self.regions.best[region], scan.aim[0])

    def enter(self, region: int, x: Codes) -> tuple[Codes, Floats]:
        """Evaluate a solution and offer it to the archive.

        Returns
        -------
        The solution that the problem decodes it into, and its objectives.
        """
        from divlearn.lab.kernels.local_search.front import enter

        if self.moves.decodes:
            codes = self.moves.codes(x)
            outputs = self.outputs(codes)
            self.ledger.take(codes, outputs)
            x, y = self.moves.decoded(codes), outputs[: self.problem.num_objectives]
        else:
            y = self.moves.evaluate(x)
        self.pending += 1
        self.make_room()
        enter(self.front, x, y)
        new = np.flatnonzero(self.front.is_new)
        self.welcome(region)
        self.is_taken[new] = self.moves.decodes
        return x, y

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
        from divlearn.lab.kernels.local_search.front import has_room

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
        """Share what was found; return whether there is nothing left to do."""
        self.settle()
        members = self.members
        points = self.front.archive.outputs[members]
        done = self.explored[members].all() and self.regions.visits.min() > 0
        self.owner[members] = self.regions.cooperate(points, self.explored[members])
        return bool(done and self.ledger.budget is None)

    def settle(self) -> None:
        """Update the counts."""
        for slot in self.members[~self.is_taken[self.members]]:
            if self.moves.decodes:
                if self.ledger.left <= self.pending:
                    break  # the very last neighbour, for which no evaluation is left
                self.pending += 1
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
