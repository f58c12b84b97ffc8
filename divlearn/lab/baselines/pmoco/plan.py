"""``Plan``: all choices of a training, as plain data."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Any

from divlearn.basics.checks import require_number, require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.lab.baselines.pmoco.shape import Shape

#: Families that there is a task for.
FAMILIES = ("bitsp", "tritsp", "bikp", "bicvrp")
#: How objectives and a preference become one number.
SCALARIZATIONS = ("tchebycheff", "weighted-sum")
#: Largest size to train for; memory grows with its cube.
MAX_SIZE = 200


@dataclass(frozen=True)
class Plan:
    """All choices of a training; the same plan gives the same network.

    Parameters
    ----------
    problem
        Family and size of the instances to draw, such as ``"bitsp-20"``.
    epochs
        Length of the training, over which the learning rate falls to almost nothing.
    steps
        Steps per epoch.
    preferences
        Preferences drawn for a step.
    instances
        Instances drawn for each of them.
    starts
        Solutions built for each instance, from starts drawn anew in every step; one
        from each start if 0.
    rate
        Highest learning rate.
    scalarization
        ``"tchebycheff"``, the greatest weighted distance from an ideal point, or
        ``"weighted-sum"``.
    seed
        Seed of all random numbers.
    shape
        How large the network is.
    start
        Hash of the file of the network that it begins with, see
        :func:`divlearn.lab.baselines.pmoco.session.begin_with`; random parameters if
        empty.

    Examples
    --------
    >>> plan = Plan("bitsp-20", epochs=3)
    >>> plan.family, plan.size, plan.total_steps
    ('bitsp', 20, 300)
    """

    problem: str
    epochs: int = 100
    steps: int = 100
    preferences: int = 16
    instances: int = 4
    starts: int = 0
    rate: float = 2e-3
    scalarization: str = SCALARIZATIONS[0]
    seed: int = 0
    shape: Shape = field(default_factory=Shape)
    start: str = ""

    def __post_init__(self) -> None:
        require_one_of("scalarization", self.scalarization, SCALARIZATIONS)
        for name in ("epochs", "steps", "preferences", "instances"):
            require_whole(name, getattr(self, name), least=1)
        require_whole("starts", self.starts, least=0)
        require_number("rate", self.rate, least=0.0)
        require_whole("seed", self.seed, least=0)
        match = re.fullmatch(r"([a-z]+)-([0-9]{1,9})", str(self.problem))
        if match is None or match[1] not in FAMILIES:
            raise InputError(
                f"problem must be one of {', '.join(f'{f}-N' for f in FAMILIES)} with "
                f"a size for N, such as bitsp-20; got {self.problem!r}."
            )
        require_whole(f"the size of {match[1]}-N", int(match[2]), 2, MAX_SIZE)

    @property
    def family(self) -> str:
        """Family of the instances."""
        return self.problem.partition("-")[0]

    @property
    def size(self) -> int:
        """Size of the instances."""
        return int(self.problem.partition("-")[2])

    @property
    def total_steps(self) -> int:
        """Steps of the whole training."""
        return self.epochs * self.steps

    def describe(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return asdict(self)


def plan_from(data: dict[str, Any]) -> Plan:
    """Make the plan that ``describe`` described.

    Examples
    --------
    >>> plan_from(Plan("bikp-50").describe()) == Plan("bikp-50")
    True
    """
    return Plan(**{**data, "shape": Shape(**data["shape"])})
