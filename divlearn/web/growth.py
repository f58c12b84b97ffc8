"""``Growth``: a front and its history, while evaluations come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.typing import Integers, Objectives
from divlearn.metrics.dominance import SIGNS, non_dominated
from divlearn.metrics.hypervolume import hypervolume
from divlearn.web.past import Past

#: Rows of the history; beyond them every other one is dropped.
MOST_ROWS = 160
#: Rows that are compared with the front one by one.
FEW = 16
#: Points up to which a volume is measured at every step, by number of objectives.
MOST_MEASURED = {1: 10**9, 2: 10**9, 3: 20_000, 4: 1_500, 5: 400}


class Growth:
    """The non-dominated rows among all that came in, and how they grew.

    Parameters
    ----------
    senses
        ``"min"`` or ``"max"`` per objective, m of them.
    reference, ideal
        Points for the hypervolume, shape (m,), or None.

    Attributes
    ----------
    numbers
        Numbers of the rows on the front, ascending, shape (k,).
    values
        Their objectives in the user's senses, shape (k, m).
    since
        Evaluations after which each was there, shape (k,).
    past
        Rows that were on the front and are no more.
    volume, ratio
        Hypervolume of the front, and its share of the box between both points; None
        where it is not known.
    history
        Lists of equal length: ``evaluations``, ``seconds``, ``front_size``,
        ``hypervolume`` (None where it is not measured) and ``best``, a list per
        objective.

    Examples
    --------
    >>> growth = Growth(["min", "min"], reference=(4.0, 4.0))
    >>> values = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 3.0]])
    >>> growth.add(np.arange(3), values, evaluations=3, seconds=1.0)
    True
    >>> growth.numbers.tolist(), growth.history["hypervolume"]
    ([0, 1], [5.0])
    """

    def __init__(
        self,
        senses: Sequence[str],
        reference: Any = None,
        ideal: Any = None,
    ) -> None:
        self._senses = tuple(senses)
        self._sign = np.array([SIGNS[sense] for sense in senses])
        self._points = (reference, ideal)
        m = len(self._sign)
        self.numbers: Integers = np.zeros(0, np.int64)
        self.values: Objectives = np.zeros((0, m))
        self.since: Integers = np.zeros(0, np.int64)
        self.past: Past = Past(m)
        self._best = np.full(m, np.inf)
        self.volume: float | None = None
        self.ratio: float | None = None
        names = ("evaluations", "seconds", "front_size", "hypervolume")
        self.history: dict[str, list[Any]] = {name: [] for name in names}
        self.history["best"] = [[] for _ in range(m)]

    def add(
        self, numbers: Integers, values: Objectives, evaluations: int, seconds: float
    ) -> bool:
        """Take in feasible rows; say whether the front changed.

        Parameters
        ----------
        numbers, values
            The rows, shapes (q,) and (q, m).
        evaluations, seconds
            What all rows so far have cost.
        """
        fresh = self._undominated(values)
        changed = bool(fresh.any()) and self._merge(
            numbers[fresh], values[fresh], evaluations
        )
        if len(values):
            signed = (values * self._sign).min(axis=0)
            self._best = np.minimum(self._best, signed)
        if changed:
            self._measure()
        self._record(evaluations, seconds)
        return changed

    def _measure(self) -> None:
        """Measure the hypervolume, where there are points of comparison."""
        reference, ideal = self._points
        self.volume = self.ratio = None
        if reference is None or not self._measurable:
            return
        volume = hypervolume(self.values, reference, None, self._senses)
        self.volume = volume if np.isfinite(volume) else None
        if ideal is not None:
            ratio = hypervolume(self.values, reference, ideal, self._senses)
            self.ratio = ratio if np.isfinite(ratio) else None

    @property
    def _measurable(self) -> bool:
        """Whether a volume of so many points is quickly measured."""
        most = MOST_MEASURED.get(len(self._sign), 100)
        return 0 < len(self.numbers) <= most

    def _undominated(self, values: Objectives) -> NDArray[np.bool_]:
        """Which rows no point of the front dominates, shape (q,)."""
        front = self.values * self._sign
        if len(values) > FEW:  # the merge is quicker
            return np.ones(len(values), np.bool_)
        return np.array(
            [not (front <= row).all(axis=1).any() for row in values * self._sign],
            np.bool_,
        )

    def _merge(self, numbers: Integers, values: Objectives, evaluations: int) -> bool:
        """Put rows into the front; say whether it changed."""
        old = len(self.numbers)
        every = np.concatenate([self.numbers, numbers])
        both = np.vstack([self.values, values])
        since = np.concatenate([self.since, np.full(len(numbers), evaluations)])
        kept = non_dominated(both, self._senses)
        changed = bool(kept[old:].any() or not kept.all())
        gone = np.flatnonzero(~kept[:old])
        self.past.add(both[gone], since[gone], evaluations)
        order = np.flatnonzero(kept)[np.argsort(every[kept], kind="stable")]
        self.numbers, self.values, self.since = every[order], both[order], since[order]
        return changed

    def _record(self, evaluations: int, seconds: float) -> None:
        """Write a row of the history; a crowded one loses every other row."""
        rows = self.history
        rows["evaluations"].append(evaluations)
        rows["seconds"].append(seconds)
        rows["front_size"].append(len(self.numbers))
        rows["hypervolume"].append(self.volume if self.ratio is None else self.ratio)
        for column, best in zip(rows["best"], self._best * self._sign, strict=True):
            column.append(float(best) if np.isfinite(best) else None)
        if len(rows["evaluations"]) > MOST_ROWS:
            self._thin()

    def _thin(self) -> None:
        """Drop every other row, but keep the last."""
        keep = slice((len(self.history["evaluations"]) - 1) % 2, None, 2)
        for name, column in self.history.items():
            if name == "best":
                self.history[name] = [values[keep] for values in column]
            else:
                self.history[name] = column[keep]
