"""Pure bandits: arms are whole solutions, so that nothing is learned about their parts.

They are the controls of the paper's ablation. There are far more solutions than
evaluations, and a bandit that first tries every arm would be random search; so the arms
are a sample of random solutions, drawn when the search begins, and every pull of an arm
is an evaluation, also where it gives nothing new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from divlearn.baselines.base import AskTell
from divlearn.baselines.random import RandomSolutions
from divlearn.checks import require_number, require_whole
from divlearn.problems import Problem
from divlearn.scalarization import simplex_lattice
from divlearn.typing import Codes, Floats, Integers

#: Weight vectors, at least; pulls take them in turn.
NUM_WEIGHTS = 20
#: Arms of a search without a budget.
USUAL_ARMS = 500


@dataclass(frozen=True)
class _PureBandit(AskTell):
    """What the three have in common.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    """

    arms: int | None = None

    def __post_init__(self) -> None:
        if self.arms is not None:
            require_whole("arms", self.arms, 1)

    def start(self, problem: Problem, budget: int | None, seed: int) -> Arms:
        """Draw the arms."""
        usual = USUAL_ARMS if budget is None else min(1_000, max(1, budget // 2))
        return Arms(self, problem, self.arms or usual, seed)

    def scores(self, arms: Arms, weight: int) -> Floats:
        """How much each arm deserves to be pulled, shape (K,); the highest is."""
        raise NotImplementedError


@dataclass(frozen=True)
class PureUCB(_PureBandit):
    """The highest upper confidence bound of the mean reward.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    width
        Factor of the confidence width.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bitsp-20")
    >>> dl.solve(problem, budget=60, method="pure-ucb").evaluations
    60
    """

    name: ClassVar[str] = "pure-ucb"
    width: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number("width", self.width, 0)

    def scores(self, arms: Arms, weight: int) -> Floats:
        """Mean reward plus confidence width; arms not pulled yet come first."""
        pulls = np.maximum(arms.pulls, 1)
        width = self.width * np.sqrt(2.0 * np.log(1 + arms.pulls.sum()) / pulls)
        bounds: Floats = arms.rewards(weight) + width
        return np.where(arms.pulls > 0, bounds, np.inf)


@dataclass(frozen=True)
class PureThompson(_PureBandit):
    """The highest draw of what each mean reward may be, given what was seen.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    """

    name: ClassVar[str] = "pure-thompson"

    def scores(self, arms: Arms, weight: int) -> Floats:
        """Draws around the mean rewards, of which those of few pulls are wide."""
        spread = 0.5 / np.sqrt(1.0 + arms.pulls)
        draws: Floats = arms.rewards(weight) + spread * arms.normal()
        return draws


@dataclass(frozen=True)
class PureEXP3(_PureBandit):
    """Exponential weights: an arm is drawn in proportion to them.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    rate
        Learning rate; ``sqrt(log K / (K T))`` with T pulls made so far if None.
    """

    name: ClassVar[str] = "pure-exp3"
    rate: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rate is not None:
            require_number("rate", self.rate, 0)

    def scores(self, arms: Arms, weight: int) -> Floats:
        """Log weights plus Gumbel noise, whose highest is a draw in proportion."""
        count = len(arms.pulls)
        usual = np.sqrt(np.log(count + 1) / (count * (1 + arms.pulls.sum())))
        rate = usual if self.rate is None else self.rate
        # Of a bandit that is pulled in proportion to its weights, the importance-
        # weighted sum of rewards is about the number of rounds times the mean.
        rounds = arms.pulls.sum()
        logs: Floats = rate * rounds * arms.rewards(weight) + arms.gumbel()
        return logs


class Arms:
    """Arms with what their pulls gave, and the weight whose turn it is.

    Parameters
    ----------
    method
        Which arm is next.
    problem
        What the arms are solutions of.
    count
        Number of arms, K.
    seed
        Seed of arms and choices.

    Attributes
    ----------
    pulls
        Answers of each arm, shape (K,).
    """

    def __init__(
        self, method: _PureBandit, problem: Problem, count: int, seed: int
    ) -> None:
        self._method = method
        self._codes = RandomSolutions(problem.space, seed).propose(count, np.arange(0))
        self._random = np.random.default_rng([seed, count])
        self._m = problem.num_objectives
        self._weights = simplex_lattice(self._m, NUM_WEIGHTS)
        self._turn = 0
        self._arm_of: dict[int, int] = {}
        self._sums = np.zeros((count, self._m))
        self._low = np.full(self._m, np.inf)
        self._high = np.full(self._m, -np.inf)
        self.pulls = np.zeros(count)

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Pull arms, each under the next weight vector."""
        chosen = [self._pull() for _ in range(count)]
        self._arm_of.update(zip(map(int, numbers), chosen, strict=True))
        return self._codes[chosen]

    def _pull(self) -> int:
        """Return the next arm; among those that wait for an answer, the others."""
        scores = self._method.scores(self, self._turn)
        self._turn = (self._turn + 1) % len(self._weights)
        waiting = list(self._arm_of.values())
        fewest = scores.copy()
        fewest[waiting] = -np.inf
        if np.isneginf(fewest).all():
            fewest = scores
        return int(np.argmax(fewest))

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Learn what a pull gave; constraints are not seen by a bandit."""
        arm = self._arm_of.pop(number, None)
        if arm is None:
            return
        values = outputs[: self._m]
        self._low = np.minimum(self._low, values)
        self._high = np.maximum(self._high, values)
        self._sums[arm] += values
        self.pulls[arm] += 1

    def fail(self, number: int, codes: Codes) -> None:
        """Take an arm that failed for the worst that was seen."""
        if np.isfinite(self._high).all():
            self.observe(number, codes, self._high)
        else:
            self._arm_of.pop(number, None)

    def rewards(self, weight: int) -> Floats:
        """Mean reward of each arm under a weight, from 0 to 1, shape (K,).

        Arms that were never pulled have the mean reward of the others.
        """
        if not self.pulls.any():
            return np.zeros(len(self.pulls))
        width = np.where(self._high > self._low, self._high - self._low, 1.0)
        means = self._sums / np.maximum(self.pulls, 1)[:, None]
        rewards: Floats = 1.0 - (means - self._low) / width @ self._weights[weight]
        pulled = self.pulls > 0
        return np.where(pulled, rewards, rewards[pulled].mean())

    def normal(self) -> Floats:
        """Standard normal numbers, one for each arm."""
        return self._random.standard_normal(len(self.pulls))

    def gumbel(self) -> Floats:
        """Gumbel numbers, one for each arm."""
        return self._random.gumbel(size=len(self.pulls))
