"""A problem on which the assumptions of the theory hold, with a known optimum."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.checks import require_flag, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.basics.typing import Codes, Floats
from divlearn.kernels.jit import kernel
from divlearn.problems import Problem
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Categorical, Permutation


class AdditiveToy(Problem):
    """Choose an action at every position; each choice earns its own worth.

    The only objective, ``worth``, is the mean worth of the chosen actions, to be
    maximised. It is additive (Assumption A.5'), changes by at most 1 / n per changed
    position (A.2), has no coupling (A.3 with C = 0) and lies in [0, 1] (A.4).

    Parameters
    ----------
    worths
        Array of shape (n, actions) with numbers from 0 to 1.
    permutation
        Whether every action is taken exactly once; there must be n of them.

    Examples
    --------
    >>> toy = AdditiveToy([[0.25, 1.0], [0.5, 0.75]])
    >>> toy.best_value(), AdditiveToy(toy.worths, permutation=True).best_value()
    (0.875, 0.75)
    """

    def __init__(self, worths: Any, permutation: bool = False) -> None:
        self.worths = _read_worths(worths)
        require_flag("permutation", permutation)
        self.permutation = permutation
        n, actions = self.worths.shape
        if permutation and n != actions:
            raise InputError(
                f"a permutation needs as many actions as positions, got {n} positions "
                f"and {actions} actions."
            )
        space = Permutation(n) if permutation else Categorical(range(actions), n=n)
        kind = "orders" if permutation else "choices"
        super().__init__(
            space,
            None,
            {"worth": "max"},
            reference=[0.0],
            ideal=[1.0],
            name=f"additive-{kind}-{n}",
            compiled=Compiled(mean_worth, self.worths),
        )

    def best_value(self) -> float:
        """The greatest worth of any solution, exactly."""
        if not self.permutation:
            return float(self.worths.max(axis=1).mean())
        solve = need("scipy.optimize").linear_sum_assignment
        rows, columns = solve(self.worths, maximize=True)
        return float(self.worths[rows, columns].mean())

    def largest_spread(self) -> float:
        """R_max: the most that a choice at one position changes the worth."""
        spread = self.worths.max(axis=1) - self.worths.min(axis=1)
        return float(spread.max() / len(self.worths))


def random_toy(
    n: int, actions: int | None = None, permutation: bool = False, seed: int = 0
) -> AdditiveToy:
    """Draw worths uniform in [0, 1].

    Examples
    --------
    >>> random_toy(4, actions=3).worths.shape
    (4, 3)
    """
    n = require_whole("n", n, 1)
    actions = n if actions is None else require_whole("actions", actions, 1)
    rng = np.random.default_rng(seed)
    return AdditiveToy(rng.random((n, actions)), permutation)


def _read_worths(worths: Any) -> Floats:
    """Check worths, shape (n, actions)."""
    try:
        read = np.array(worths, np.float64)
    except (TypeError, ValueError):
        read = np.empty(0)
    if read.ndim != 2 or not read.size or not ((read >= 0.0) & (read <= 1.0)).all():
        raise InputError(
            "worths must be a matrix of numbers from 0 to 1, a row per position and a "
            f"column per action, got {worths!r}."
        )
    return read


@kernel
def mean_worth(x: Codes, table: Floats, y: Floats) -> None:
    """Write the mean of ``table[i, x[i]]`` over the positions."""
    total = 0.0
    for i in range(x.shape[0]):
        total += table[i, x[i]]
    y[0] = total / x.shape[0]
