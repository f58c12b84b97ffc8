"""How much small changes change the objectives: the constants L and C.

Both are found on a random sample of changes, so the true constants are at least as
large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.lab.theory.samples import Scale, costs_of, random_codes
from divlearn.methods.paper.cover import Cover
from divlearn.problems import Problem
from divlearn.spaces.base import Space

#: Moves that change a solution by a distance of 1, of each kind of segment.
UNIT_MOVES = ("adjacent swap", "flip", "set", "step")


@dataclass(frozen=True)
class Changes:
    """Changes of solutions inside windows, one per entry of each array.

    Attributes
    ----------
    distance
        delta(x, x') in the metric of the space.
    shared
        |S_k & O|, shared positions of the window.
    change
        Greatest |f_j(x') - f_j(x)| over the objectives, each on its scale.
    """

    distance: Floats
    shared: Integers
    change: Floats

    @property
    def units(self) -> Floats:
        """Changes of those that are a distance of 1 away."""
        return np.asarray(self.change[self.distance == 1.0])


def sample_changes(
    problem: Problem, scale: Scale, cover: Cover, moves: int, count: int, seed: int = 0
) -> Changes:
    """Change random solutions inside random windows by some unit moves each.

    Parameters
    ----------
    problem
        What is measured.
    scale
        Says what the range of each objective is.
    cover
        Windows over the positions of the problem.
    moves
        Unit moves per change, from 1 to this number at random.
    count, seed
        How many changes, and which.
    """
    rng = np.random.default_rng(seed)
    before = random_codes(problem, count, seed)
    picked = rng.integers(cover.num_subproblems, size=count)
    number = rng.integers(1, moves + 1, size=count)
    windows, shared = cover.subproblems, cover.shared_per_subproblem
    after = np.array(
        [
            _moved(problem.space, row, windows[k], int(many), rng)
            for row, k, many in zip(before, picked, number, strict=True)
        ]
    )
    old, new = costs_of(problem, before), costs_of(problem, after)
    change = (np.abs(new - old) / (scale.high - scale.low)).max(axis=1)
    return Changes(_distances(problem, before, after), shared[picked], change)


def _moved(
    space: Space, codes: Codes, window: Integers, many: int, rng: np.random.Generator
) -> Codes:
    """Make unit moves inside a window."""
    names = [name for name in space.move_names if name in UNIT_MOVES]
    value, inside = space.decode(codes), window.tolist()
    for _ in range(many):
        name, seed = names[rng.integers(len(names))], int(rng.integers(2**31))
        value = space.neighbour(value, seed=seed, move=name, positions=inside)
    return space.encode(value)


def _distances(problem: Problem, before: Codes, after: Codes) -> Floats:
    """Distances of solutions row by row, shape (q,)."""
    from divlearn.kernels.layout import distance

    layout = problem.space.layout
    return np.array(
        [distance(layout, x, y) for x, y in zip(before, after, strict=True)]
    )


def joined(*samples: Changes) -> Changes:
    """Several samples of changes as one."""
    columns = zip(*((s.distance, s.shared, s.change) for s in samples), strict=True)
    return Changes(*(np.concatenate(column) for column in columns))


def lipschitz(changes: Changes) -> float:
    """L: the greatest change per unit of distance.

    The distances of all spaces count unit moves on a shortest way. So with this L no
    change exceeds L delta(x, x'), and Assumption A.3 holds with C = 0.
    """
    apart = changes.distance > 0.0
    return float(np.max(changes.change[apart] / changes.distance[apart], initial=0.0))


def tightest(changes: Changes) -> tuple[float, float]:
    """L and C of the lowest plane above all changes: L delta + C |S & O|.

    Lowest in the mean over the changes, found by a linear program.

    Examples
    --------
    >>> distance, shared = np.array([1.0, 2.0, 3.0]), np.array([0, 4, 0])
    >>> slope, per_shared = tightest(Changes(distance, shared, distance + shared / 2))
    >>> round(slope, 6), round(per_shared, 6)
    (1.0, 0.5)
    """
    columns = np.column_stack([changes.distance, changes.shared])
    solution = need("scipy.optimize").linprog(
        columns.mean(axis=0), A_ub=-columns, b_ub=-changes.change, bounds=(0.0, None)
    )
    slope, per_shared = solution.x
    return float(slope), float(per_shared)
