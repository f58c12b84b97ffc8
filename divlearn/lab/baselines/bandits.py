"""Pure bandits: arms are whole solutions, so nothing is learned about their parts.

They are the controls of the paper's ablation. There are far more solutions than
evaluations, and a bandit that first tries every arm would be random search. So the arms
are a sample of random solutions, drawn when the search begins. Every pull of an arm is
an evaluation, even if it shows nothing new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.methods.others.base import AskTell
from divlearn.methods.others.random import RandomSolutions
from divlearn.methods.others.rehearsal import ask_once
from divlearn.methods.paper.scalarization import simplex_lattice
from divlearn.problems import Problem

#: Minimum number of weight vectors; pulls take them in turn.
NUM_WEIGHTS = 20
#: Arms of a search without a budget, and the limit with a budget.
USUAL_ARMS, MOST_ARMS = 500, 1_000
#: Share of the pulls of EXP3 that go to any arm.
ANY_ARM = 0.05


@dataclass(frozen=True)
class _PureBandit(AskTell):
    """What the three have in common.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    """

    quick: ClassVar[bool] = True
    arms: int | None = None

    def __post_init__(self) -> None:
        if self.arms is not None:
            require_whole("arms", self.arms, 1)

    def warm_up(self, problem: Problem) -> None:
        """Draw a solution."""
        ask_once(self, problem)

    def start(self, problem: Problem, budget: int | None, seed: int) -> Arms:
        """Draw the arms."""
        return Arms(self, problem, self.arms or usual_arms(budget), seed)

    def scores(self, arms: Arms, weight: int) -> Floats:
        """How much each arm deserves to be pulled, shape (K,); the highest one is."""
        raise NotImplementedError


def usual_arms(budget: int | None) -> int:
    """Half the budget, at most 1,000.

    Examples
    --------
    >>> usual_arms(100), usual_arms(10_000), usual_arms(None)
    (50, 1000, 500)
    """
    return USUAL_ARMS if budget is None else min(MOST_ARMS, max(1, budget // 2))


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
    """Pull the arm with the highest draw from the posterior of its mean reward.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    """

    name: ClassVar[str] = "pure-thompson"

    def scores(self, arms: Arms, weight: int) -> Floats:
        """Draws around the mean rewards, wider for arms with few pulls."""
        spread = 0.5 / np.sqrt(1.0 + arms.pulls)
        draws: Floats = arms.rewards(weight) + spread * arms.normal()
        return draws


@dataclass(frozen=True)
class PureEXP3(_PureBandit):
    """Exponential weights: an arm is drawn in proportion to them.

    The reward of a pull is divided by the probability of the pull, so that arms that
    are seldom drawn are not underrated.

    Parameters
    ----------
    arms
        Random solutions that are the arms; half the budget, at most 1,000, if None.
    rate
        Learning rate; ``sqrt(log K / (K t))`` after t pulls if None.
    """

    name: ClassVar[str] = "pure-exp3"
    rate: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rate is not None:
            require_number("rate", self.rate, 0)

    def scores(self, arms: Arms, weight: int) -> Floats:
        """Log probabilities plus Gumbel noise; the highest is a draw from them."""
        count = len(arms.pulls)
        usual = np.sqrt(np.log(count + 1) / (count * (1 + arms.pulls.sum())))
        rate = usual if self.rate is None else self.rate
        logs = rate * arms.estimates
        shares = np.exp(logs - logs.max())
        arms.chances = (1.0 - ANY_ARM) * shares / shares.sum() + ANY_ARM / count
        scores: Floats = np.log(arms.chances) + arms.gumbel()
        return scores


class Arms:
    """Arms with the rewards of their pulls, and the current weight.

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
    chances
        Probability of each arm at the last pull, shape (K,); 1 if arms are chosen and
        not drawn.
    estimates
        Sum of rewards divided by the probability of their pulls, shape (K,).
    """

    def __init__(
        self, method: _PureBandit, problem: Problem, count: int, seed: int
    ) -> None:
        self._method = method
        self._source = RandomSolutions(problem.space, seed)
        self._codes = self._source.propose(count, np.arange(count))
        self._random = np.random.default_rng([seed, count])
        self._m = problem.num_objectives
        self._weights = simplex_lattice(self._m, NUM_WEIGHTS)
        self._turn = 0
        self._pull_of: dict[int, tuple[int, int, float]] = {}
        self._sums = np.zeros((count, self._m))
        self._low = np.full(self._m, np.inf)
        self._high = np.full(self._m, -np.inf)
        self.pulls = np.zeros(count)
        self.chances = np.ones(count)
        self.estimates = np.zeros(count)

    def propose(self, count: int, numbers: Integers) -> Codes:
        """Pull arms, each under the next weight vector."""
        chosen = [self._pull(int(number)) for number in numbers]
        return self._codes[chosen]

    def _pull(self, number: int) -> int:
        """Return the next arm, if possible one that is not waiting for an answer."""
        weight = self._turn
        self._turn = (weight + 1) % len(self._weights)
        scores = self._method.scores(self, weight)
        waiting = [arm for arm, _, _ in self._pull_of.values()]
        free = scores.copy()
        free[waiting] = -np.inf
        arm = int(np.argmax(scores if np.isneginf(free).all() else free))
        self._pull_of[number] = arm, weight, float(self.chances[arm])
        return arm

    def observe(self, number: int, codes: Codes, outputs: Floats) -> None:
        """Learn from a pull; a bandit does not see constraints."""
        if number not in self._pull_of:
            return
        arm, weight, chance = self._pull_of.pop(number)
        values = outputs[: self._m]
        self._low = np.minimum(self._low, values)
        self._high = np.maximum(self._high, values)
        self._sums[arm] += values
        self.pulls[arm] += 1
        self.estimates[arm] += self._reward(values, weight) / chance

    def fail(self, number: int, codes: Codes) -> None:
        """Replace an arm that failed by another solution."""
        if number in self._pull_of:
            arm, _, _ = self._pull_of.pop(number)
            (self._codes[arm],) = self._source.propose(1, np.arange(1))
            self._sums[arm] = self.pulls[arm] = self.estimates[arm] = 0.0

    def _reward(self, values: Floats, weight: int) -> Any:
        """Reward of objectives, shape (m,) or (K, m), under a weight: 0 to 1."""
        width = np.where(self._high > self._low, self._high - self._low, 1.0)
        return 1.0 - (values - self._low) / width @ self._weights[weight]

    def rewards(self, weight: int) -> Floats:
        """Mean reward of each arm under a weight, shape (K,).

        Arms that were never pulled have the mean reward of the others.
        """
        pulled = self.pulls > 0
        if not pulled.any():
            return np.zeros(len(self.pulls))
        rewards = self._reward(self._sums / np.maximum(self.pulls, 1)[:, None], weight)
        means: Floats = np.where(pulled, rewards, rewards[pulled].mean())
        return means

    def normal(self) -> Floats:
        """Standard normal numbers, one for each arm."""
        return self._random.standard_normal(len(self.pulls))

    def gumbel(self) -> Floats:
        """Gumbel numbers, one for each arm."""
        return self._random.gumbel(size=len(self.pulls))
