"""How the statistics that all experts share learn from rewards."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.basics.checks import require_flag, require_number, require_one_of

UPDATES = ("never", "iteration", "evaluation")


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
        eta of EXP3's weights.
    least_probability
        p_min, clips the probability that rewards and losses are divided by.
    loss_cap
        Greatest importance-weighted loss of one update.
    temperature, temperature_decay
        Start, and factor per iteration.
    """

    update: str = "iteration"
    share_tables: bool = False
    learning_rate: float = 0.5
    least_probability: float = 0.01
    loss_cap: float = 100.0
    temperature: float = 1.0
    temperature_decay: float = 0.98

    def __post_init__(self) -> None:
        require_one_of("update", self.update, UPDATES)
        require_flag("share_tables", self.share_tables)
        require_number("learning_rate", self.learning_rate, 0)
        require_number("least_probability", self.least_probability, 1e-12, 1)
        require_number("loss_cap", self.loss_cap, 0)
        require_number("temperature", self.temperature, 0.01)
        require_number("temperature_decay", self.temperature_decay, 0, 1)
