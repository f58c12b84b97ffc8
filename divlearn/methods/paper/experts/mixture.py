"""How experts share the choices, and how all of them learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from divlearn.basics.checks import require_flag, require_number, require_one_of
from divlearn.errors import InputError
from divlearn.methods.paper.experts.base import Expert

UPDATES = ("never", "iteration", "evaluation")
MAX_EXPERTS = 3


@dataclass(frozen=True)
class Mixture:
    """Which experts choose, and how often each: ``(u h, 1 - u h)`` and a fixed third.

    At a position with uncertainty u in (0, 1] the first expert chooses with
    probability ``(1 - rho) h u``, the second with ``(1 - rho)(1 - h u)`` and the
    third with ``rho``.

    Parameters
    ----------
    experts
        One to three experts.
    third_share
        rho, share of the third expert; without a third one it does not matter.
    hybrid_ratio
        h, share of the first expert against the second when nothing is known.
    adaptive
        Whether the shares follow the uncertainty; otherwise u is 1 throughout.
    """

    experts: tuple[Expert, ...]
    third_share: float = 0.3
    hybrid_ratio: float = 0.5
    adaptive: bool = True

    def __post_init__(self) -> None:
        given = self.experts
        single = isinstance(given, Expert) or not isinstance(given, Iterable)
        object.__setattr__(self, "experts", (given,) if single else tuple(given))
        if not 1 <= len(self.experts) <= MAX_EXPERTS or not all(
            isinstance(expert, Expert) for expert in self.experts
        ):
            raise InputError(
                f"experts must be one to {MAX_EXPERTS} experts such as "
                f"divlearn.methods.paper.experts.UCB(), got {self.experts!r}."
            )
        require_number("third_share", self.third_share, 0, 1)
        require_number("hybrid_ratio", self.hybrid_ratio, 0, 1)


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
