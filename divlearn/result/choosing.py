"""``Choosing``: which solution of a result to take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats
from divlearn.metrics.dominance import SIGNS, read_point
from divlearn.result import choice, report
from divlearn.result.choice import Choice

if TYPE_CHECKING:
    from divlearn.result.front import Result


class Choosing:
    """The part of :class:`divlearn.Result` that picks solutions."""

    X: Any
    F: Any
    G: Any
    objectives: dict[str, str]
    units: dict[str, str]
    constraints: tuple[str, ...]
    extras: dict[str, list[Any]]
    trials: list[int] | None
    sources: list[str | None] | None

    @property
    def sign(self) -> Floats:
        """1 for an objective that is minimised and -1 for one that is maximised."""
        return np.array([SIGNS[sense] for sense in self.objectives.values()])

    def knee(self) -> Choice:
        """Return a balanced solution, beyond which trading objectives stops paying.

        Each objective is scaled to the front's range. The knee is the solution that
        bulges out farthest towards the best corner, which has the smallest sum of
        losses. If the front is straight or hollow, nothing bulges; then the knee is the
        most balanced solution, the one whose greatest loss is smallest.
        """
        self._require_solutions()
        return self._choice(choice.knee_index(self.F, self.sign))

    def best(self, objective: str) -> Choice:
        """Return the solution with the best value of one objective."""
        return self.cheapest(objective)

    def cheapest(
        self,
        objective: str,
        /,
        *,
        limits: Mapping[str, tuple[float | None, float | None]] | None = None,
        **named: tuple[float | None, float | None],
    ) -> Choice:
        """Return the solution with the best value of one objective within limits.

        Parameters
        ----------
        objective
            Name of the objective; for one that is maximised the greatest value is
            the best.
        limits
            ``{name: (low, high)}`` for objectives, constraints or extra metrics, None
            for an open side.
        named
            The same as keywords: ``cheapest("cost", time=(None, 100))``.
        """
        self._require_solutions()
        if objective not in self.objectives:
            raise InputError(
                f"objective must be one of {', '.join(self.objectives)}, "
                f"got {objective!r}."
            )
        columns = self._limitable()
        checked = choice.read_limits({**(limits or {}), **named}, columns)
        inside = choice.limits_mask(checked, columns, len(self.F))
        sign = SIGNS[self.objectives[objective]]
        total = choice.losses(self.F, self.sign).sum(axis=1)
        return self._choice(
            choice.cheapest_index(columns[objective] * sign, inside, total)
        )

    def closest(self, target: Sequence[float] | Mapping[str, float]) -> Choice:
        """Return the solution nearest to wished-for objective values.

        Parameters
        ----------
        target
            One number per objective, shape (m,), or a dict by name; objectives that are
            not in the dict do not count. Distances are measured in units of the front's
            range in each objective.
        """
        self._require_solutions()
        names = list(self.objectives)
        if isinstance(target, Mapping):
            if not target or any(name not in self.objectives for name in target):
                raise InputError(
                    f"target must name some of the objectives {', '.join(names)}, "
                    f"got {list(target)}."
                )
            names, target = list(target), list(target.values())
        point = read_point(target, len(names), "target")
        kept = [list(self.objectives).index(name) for name in names]
        return self._choice(choice.closest_index(self.F[:, kept], point))

    def _choice(self, index: int) -> Choice:
        """Make the choice of one row."""
        f = dict(zip(self.objectives, self.F[index].tolist(), strict=True))
        g = dict(zip(self.constraints, self.G[index].tolist(), strict=True))
        extras = {name: values[index] for name, values in self.extras.items()}
        trial = None if self.trials is None else self.trials[index]
        source = None if self.sources is None else self.sources[index]
        return Choice(self.X[index], f, g, index, extras, trial, source, self.units)

    def _columns(self) -> dict[str, Floats]:
        """Objective and constraint values by name, shape (k,) each."""
        names = (*self.objectives, *self.constraints)
        return dict(zip(names, np.hstack([self.F, self.G]).T, strict=True))

    def _limitable(self) -> dict[str, Floats]:
        """All columns of numbers by name; NaN if a solution has none."""
        extras = {
            name: np.array([math.nan if v is None else v for v in values])
            for name, values in self.extras.items()
            if not any(isinstance(v, str) for v in values)
        }
        return self._columns() | extras

    def _require_solutions(self) -> None:
        """Raise if there is nothing to choose from."""
        if not len(self.F):
            raise InputError(
                f"the front is empty: {report.why_empty(cast('Result', self))}."
            )
