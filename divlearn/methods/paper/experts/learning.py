"""How the statistics that all experts share learn from rewards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.checks import require_flag, require_number, require_one_of
from divlearn.basics.typing import Floats, Integers

UPDATES = ("never", "iteration", "evaluation")
PROBABILITIES = ("own", "mixture")
_RATES = ("a number of at least 0", "theory")


@dataclass(frozen=True)
class Learning:
    """UpdateExperts: when the shared tables learn, and how fast.

    Parameters
    ----------
    update
        ``"iteration"`` as in Algorithm 1, ``"evaluation"`` or ``"never"``.
    share_tables
        Keep the tables when the weight vector changes; Algorithm 1 resets them.
    learning_rate
        eta of EXP3's weights, which are multiplied by ``exp(eta r / (p n))``. With
        ``"theory"`` they are multiplied by ``exp(eta r / p)`` as in the theorem, where
        ``eta = sqrt(2 C^2 log d / (T B^2))``: C is ``least_probability``, B = 1 bounds
        the rewards, d counts the actions of the position, and T the updates until the
        tables are reset.
    probability
        p, which rewards and losses are divided by: ``"own"`` is the share of EXP3's
        weight, as in Algorithm 4; ``"mixture"`` is the probability of the action under
        all experts, as the paper's text has it. Both are taken over all actions of a
        position, whether or not another position has taken one of them.
    least_probability
        p_min, clips that probability.
    loss_cap
        Greatest importance-weighted loss of one update.
    temperature, temperature_decay
        Start, and factor per iteration.
    """

    update: str = "iteration"
    share_tables: bool = False
    learning_rate: float | str = 0.5
    probability: str = "own"
    least_probability: float = 0.01
    loss_cap: float = 100.0
    temperature: float = 1.0
    temperature_decay: float = 0.98

    def __post_init__(self) -> None:
        require_one_of("update", self.update, UPDATES)
        require_flag("share_tables", self.share_tables)
        if isinstance(self.learning_rate, str):
            require_one_of("learning_rate", self.learning_rate, ["theory"], _RATES)
        else:
            require_number("learning_rate", self.learning_rate, 0)
        require_one_of("probability", self.probability, PROBABILITIES)
        require_number("least_probability", self.least_probability, 1e-12, 1)
        require_number("loss_cap", self.loss_cap, 0)
        require_number("temperature", self.temperature, 0.01)
        require_number("temperature_decay", self.temperature_decay, 0, 1)

    def rates(self, num_actions: Integers, horizon: int) -> Floats:
        """The learning rate of each position, shape (n,), for updates with 1/n.

        Parameters
        ----------
        num_actions
            d of each position, shape (n,).
        horizon
            T, updates until the tables are reset.
        """
        n = len(num_actions)
        if self.learning_rate != "theory":
            return np.full(n, float(self.learning_rate))
        clip = self.least_probability
        return np.asarray(n * np.sqrt(2.0 * clip**2 * np.log(num_actions) / horizon))
