"""WS-DP: the best choice under each of many weighted sums, by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_number, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.baselines.weights import spread_weights
from divlearn.methods.others.base import Ledger, WholeSolver
from divlearn.problems.built_in.knapsack import Knapsack

#: Units of the heaviest item at fine scale, if weights are not whole numbers.
FINE = 4_000
#: Largest capacity that is used without scaling.
MOST_WHOLE = 100_000
#: Limit on the bytes that record what was taken at each load.
MOST_BYTES = 2_000_000_000


@dataclass(frozen=True)
class WeightedKnapsack(WholeSolver):
    """Weighted sums of values, each maximised exactly over whole-number weights.

    Weights are multiplied by ``scale`` and rounded up, and the capacity is rounded
    down, so every choice fits; the finer the scale, the less room is lost. For each
    weight vector a dynamic program over items and loads finds a choice of greatest
    value.

    Every weight vector is one call of the program and one evaluation of the resulting
    choice. With a budget below the number of weight vectors, a spread-out selection is
    used. Nothing in it is random, so the seed changes nothing.

    Parameters
    ----------
    num_weights
        Minimum number of weight vectors, of a lattice on the simplex.
    scale
        Units per unit of weight: 30 is the paper's. ``"fine"`` takes weights that are
        whole numbers as they are, and otherwise divides the heaviest item into 4,000
        units.

    Examples
    --------
    >>> import divlearn as dl
    >>> from divlearn.lab.baselines.weighted_knapsack import WeightedKnapsack
    >>> problem = dl.problems.Knapsack([2, 3, 4], [[5, 1], [1, 5], [3, 3]], 6)
    >>> dl.solve(problem, method=WeightedKnapsack(num_weights=3)).F
    array([[8., 4.],
           [6., 6.]])
    """

    name: ClassVar[str] = "ws-dp"

    num_weights: int = 101
    scale: float | str = "fine"

    def __post_init__(self) -> None:
        require_whole("num_weights", self.num_weights, least=1)
        if isinstance(self.scale, str):
            if self.scale != "fine":
                raise InputError(
                    f"scale must be a positive number or 'fine', got {self.scale!r}."
                )
        elif require_number("scale", self.scale, least=0.0, most=1e9) == 0.0:
            raise InputError("scale must be above 0, got 0.")

    def require(self, problem: Any) -> None:
        """Refuse everything but knapsacks with one capacity that fit into memory."""
        if not isinstance(problem, Knapsack) or problem.weights.shape[1] != 1:
            raise InputError(
                f"{self.name} handles Knapsack problems with one capacity, such as "
                f"bikp-50, got {getattr(problem, 'name', problem)!r}; use dl or nsga2."
            )
        loads, capacity = self.whole_units(problem)
        size = len(loads) * (capacity / 8 + 1)
        if size > MOST_BYTES:
            raise InputError(
                f"{self.name} would need {size / 1e9:.1f} GB "
                f"for {len(loads)} items and a capacity of {capacity:,} units at "
                f"scale={self.scale!r}; take a smaller scale."
            )

    def solve(self, problem: Any, ledger: Ledger, seed: int) -> None:
        """Solve one weighted sum after another."""
        loads, capacity = self.whole_units(problem)
        means = problem.values.mean(axis=0)
        values = problem.values / np.where(means > 0.0, means, 1.0)
        for weights in spread_weights(problem.num_objectives, self.num_weights):
            if ledger.left < 1:
                return
            ledger.call_solver("dynamic program")
            choice = best_choice(loads, values @ weights, capacity)
            ledger.evaluate(problem.repair_codes(choice))

    def whole_units(self, problem: Knapsack) -> tuple[Integers, int]:
        """Weights, shape (n,), and the capacity in whole units."""
        weights, capacity = problem.weights[:, 0], float(problem.capacity[0])
        whole = (weights == np.rint(weights)).all() and capacity <= MOST_WHOLE
        scale = self.scale
        if isinstance(scale, str):
            scale = 1.0 if whole else FINE / (weights.max() or 1.0)
        loads = np.ceil(np.minimum(weights, 2.0 * capacity) * scale)
        return loads.astype(np.int64), int(capacity * scale)


def best_choice(loads: Integers, values: Floats, capacity: int) -> Codes:
    """Find a choice of greatest value whose loads sum to at most the capacity.

    Parameters
    ----------
    loads
        Whole numbers from 0 on, shape (n,).
    values
        Numbers from 0 on, shape (n,).
    capacity
        A whole number from 0 on.

    Returns
    -------
    0 or 1 per item, shape (n,). Items without value are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from divlearn.lab.baselines.weighted_knapsack import best_choice
    >>> best_choice(np.array([2, 3, 4]), np.array([3.0, 3.0, 5.0]), 6)
    array([1, 0, 1])
    """
    most = np.zeros(capacity + 1)  # greatest value at each load
    taken = np.zeros((len(loads), capacity // 8 + 1), np.uint8)  # a bit per load
    better = np.zeros(capacity + 1, np.bool_)
    for item, (load, value) in enumerate(zip(loads, values, strict=True)):
        if load <= capacity:
            more = most[: capacity + 1 - load] + value
            better[:load] = False
            np.greater(more, most[load:], out=better[load:])
            np.maximum(more, most[load:], out=most[load:])
            taken[item] = np.packbits(better, bitorder="little")
    choice = np.zeros(len(loads), np.int64)
    room = capacity
    for item in range(len(loads) - 1, -1, -1):
        if taken[item, room // 8] >> (room % 8) & 1:
            choice[item] = 1
            room -= int(loads[item])
    return choice
