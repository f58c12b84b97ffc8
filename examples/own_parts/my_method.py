"""Methods of one's own: what they need to run in ``divlearn bench`` and ``solve``.

divlearn bench mine.toml
divlearn solve bitsp-20 --method my_method:Climber --budget 2000
"""

from dataclasses import dataclass

import numpy as np

import divlearn as dl


@dataclass(frozen=True)
class Climber(dl.WholeSolver):
    """Climb by random moves in the sum of all objectives; it runs in one go."""

    name = "climber"

    def solve(self, problem, ledger, seed):
        """Search until the ledger says that nothing is left."""
        space, x = problem.space, problem.space.sample(seed)
        value = ledger.evaluate(space.encode(x)).sum()
        while True:
            seed += 1
            other = space.neighbour(x, seed)
            cost = ledger.evaluate(space.encode(other)).sum()
            if cost <= value:
                x, value = other, cost


@dataclass(frozen=True)
class Walk(dl.AskTell):
    """Move away from what improved last; it can be asked, so studies take it too.

    Parameters
    ----------
    patience
        Answers without improvement after which it begins anew.
    """

    name = "walk"
    patience: int = 50

    def start(self, problem, budget, seed):
        """Begin a search."""
        return Walking(problem.space, self.patience, seed)


class Walking:
    """A running walk."""

    def __init__(self, space, patience, seed):
        self.space, self.patience = space, patience
        self.seeds = np.random.default_rng(seed)
        self.best, self.value, self.failures = None, np.inf, 0

    def _seed(self):
        return int(self.seeds.integers(2**62))

    def propose(self, count, numbers):
        """So many candidates, shape (count, n)."""
        start = self.best
        draw = self.space.sample if start is None else None
        found = [draw(self._seed()) if draw else self._near(start) for _ in numbers]
        return np.array([self.space.encode(x) for x in found])

    def _near(self, start):
        return self.space.neighbour(start, self._seed())

    def observe(self, number, codes, outputs):
        """Learn from an answer; objectives are minimised."""
        value = outputs.sum()
        self.failures += 1
        if value < self.value or self.failures > self.patience:
            self.best, self.value = self.space.decode(codes), value
            self.failures = 0

    def fail(self, number, codes):
        """Nothing is learned of a design without values."""
