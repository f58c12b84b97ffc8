"""``Past``: points that were on a front once, so that its growth can be seen again."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Integers, Objectives
from divlearn.web.points import rough

#: Points that are remembered; of more, those that stayed longest.
MOST_POINTS = 3_000


class Past:
    """Rows that left a front, with when they came and when they went.

    Parameters
    ----------
    m
        Number of objectives.

    Attributes
    ----------
    values
        Their objectives in the user's senses, shape (k, m).
    came, went
        Evaluations after which each was on the front, and was no more, shape (k,).

    Examples
    --------
    >>> past = Past(2)
    >>> past.add(np.array([[1.0, 2.0]]), came=np.array([10]), went=30)
    >>> past.came.tolist(), past.went.tolist()
    ([10], [30])
    """

    def __init__(self, m: int) -> None:
        self.values: Objectives = np.zeros((0, m))
        self.came: Integers = np.zeros(0, np.int64)
        self.went: Integers = np.zeros(0, np.int64)

    def add(self, values: Objectives, came: Integers, went: int) -> None:
        """Remember rows, shapes (q, m) and (q,), that have just left."""
        self.values = np.vstack([self.values, values])
        self.came = np.concatenate([self.came, came])
        self.went = np.concatenate([self.went, np.full(len(came), went)])
        if len(self.came) > 2 * MOST_POINTS:
            stayed = np.argsort(self.came - self.went, kind="stable")
            kept = np.sort(stayed[:MOST_POINTS])
            self.values, self.came = self.values[kept], self.came[kept]
            self.went = self.went[kept]

    def told(self) -> dict[str, Any]:
        """All of it as plain data, column by column."""
        columns = rough(self.values).T.tolist()
        return {"F": columns, "came": self.came.tolist(), "went": self.went.tolist()}
