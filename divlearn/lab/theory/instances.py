"""The instances on which the theory is measured, by name."""

from __future__ import annotations

from divlearn.lab.theory.toys import random_toy
from divlearn.problems import Problem, get

#: Toys by name. All assumptions hold for free choices. Orders earn a sum as well, but
#: an item at one position is missing at all others, so that the exogeneity of A.5'
#: fails.
CHOICES, ORDERS = "additive-choices-20", "additive-orders-20"
#: Instances whose optimum is known.
WITH_OPTIMUM = (CHOICES, ORDERS, "bikp-50", "bitsp-20")
#: Instances on which assumptions are tested.
TESTED = (
    *WITH_OPTIMUM,
    *("tritsp-20", "conflicttsp-20", "bicvrp-20", "qap-20", "bifsp-20"),
    *("synkp-50", "ubqp-50", "mnk-50", "mixed-20"),
)
#: Actions at each of the 20 positions of the toy of choices.
ACTIONS = 10


def theory_instance(name: str) -> Problem:
    """Instance 0 of a problem by name.

    Examples
    --------
    >>> theory_instance("additive-choices-20").worths.shape
    (20, 10)
    """
    if name == CHOICES:
        return random_toy(20, ACTIONS)
    if name == ORDERS:
        return random_toy(20, permutation=True)
    return get(name)
