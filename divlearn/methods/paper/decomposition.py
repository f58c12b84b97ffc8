"""How the positions are divided into overlapping subproblems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers

#: Overlap as a share of the subproblem size, as recommended by the paper.
OVERLAP_SHARE = 0.44
SIZES = ("table", "rule")


@dataclass(frozen=True)
class Decomposition:
    """Sliding windows with diminishing overlap, and nearest neighbours.

    Parameters
    ----------
    size
        s, positions per subproblem; a fraction up to 1.0 is a share of all positions,
        ``"table"`` is the paper's table by problem size, and ``"rule"`` its rule
        K* = sqrt(n / (Q R)).
    overlap
        o_0, positions that neighbouring windows share at first; a fraction up to 1.0
        is a share of the size, and None is the table, or 44 % of the size.
    decay
        alpha in o_t = floor(o_0 t^-alpha): 0.1 in the paper's table, 0.5 in its
        theory, 0 for constant overlap.
    windows
        Whether sliding windows are used.
    neighbourhoods
        Neighbour subproblems per iteration, each around a random index; None for one
        where the problem declares a distance. Needs that distance.
    count_neighbourhoods
        Whether neighbour subproblems count in k_i, the number of subproblems that
        contain a position, as those of the present iteration; otherwise windows do
        alone.
    groups
        Subproblems of your own instead of windows: lists of positions, which together
        hold all of them. Size and overlap are then those of neighbourhoods alone.
    regret
        R, greatest regret per position in the rule.

    Examples
    --------
    >>> Decomposition(size=0.5, overlap=0.44).size
    0.5
    >>> Decomposition(groups=[[0, 1, 2], [2, 3]]).groups
    ((0, 1, 2), (2, 3))
    """

    size: int | float | str = "table"
    overlap: int | float | None = None
    decay: float = 0.1
    windows: bool = True
    neighbourhoods: int | None = None
    count_neighbourhoods: bool = True
    groups: Sequence[Sequence[int]] | None = None
    regret: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.size, str):
            require_one_of("size", self.size, SIZES)
        elif not is_share(self.size):
            require_whole("size", self.size, 1)
        if self.overlap is not None and not is_share(self.overlap):
            require_whole("overlap", self.overlap, 0)
        require_number("decay", self.decay, 0)
        require_flag("windows", self.windows)
        if self.neighbourhoods is not None:
            require_whole("neighbourhoods", self.neighbourhoods, 0)
        require_flag("count_neighbourhoods", self.count_neighbourhoods)
        if self.groups is not None:
            object.__setattr__(self, "groups", read_groups(self.groups))
        require_number("regret", self.regret, 1e-9)


def is_share(value: object) -> bool:
    """Whether a size or an overlap is a fraction: 1.0 is one, and 1 is a position.

    Examples
    --------
    >>> is_share(0.5), is_share(1.0), is_share(1), is_share(15.0)
    (True, True, False, False)
    """
    return isinstance(value, float) and 0.0 < value <= 1.0


def read_groups(groups: object) -> tuple[tuple[int, ...], ...]:
    """Check lists of positions; the positions of each are put in order."""
    try:
        rows = [list(group) for group in groups]  # type: ignore[attr-defined]
        read = tuple(tuple(sorted(require_whole("", i) for i in row)) for row in rows)
    except (TypeError, InputError):
        read = ()
    if not read or not all(read) or any(len(set(row)) < len(row) for row in read):
        raise InputError(
            "groups must be lists of different positions, counted from 0, such as "
            f"[[0, 1, 2], [2, 3]], got {groups!r}."
        )
    return read


def best_size(n: int, overlap: int | None = None, regret: float = 1.0) -> int:
    """Subproblem size by the paper's rule K* = sqrt(n / (Q R)).

    Without a given overlap Q is 44 % of the size n / K, and the rule has the solution
    K = 1 / (0.44 R).

    Examples
    --------
    >>> best_size(100, overlap=4)
    20
    >>> best_size(100)
    44
    """
    if overlap is None:
        count = 1.0 / (OVERLAP_SHARE * regret)
    else:
        count = math.sqrt(n / (max(1, overlap) * regret))
    return min(n, max(2, round(n / max(1.0, count))))


def nearest(distance: Floats, size: int) -> Integers:
    """Indices nearest to each index, itself first, shape (k, size).

    Examples
    --------
    >>> nearest(np.array([[0., 1., 5.], [1., 0., 2.], [5., 2., 0.]]), 2)
    array([[0, 1],
           [1, 0],
           [2, 1]])
    """
    own = distance.copy()
    np.fill_diagonal(own, -np.inf)
    order = np.argsort(own, axis=1, kind="stable")
    return np.ascontiguousarray(order[:, : min(size, len(distance))], np.int64)
