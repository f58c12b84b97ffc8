"""``Walking``: a result as a row of solutions, to filter, compare and walk along."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.typing import Integers
from divlearn.basics.units import unit_of, with_unit
from divlearn.problems.drawings import drawing_from
from divlearn.result.choice import Choice, losses, read_limits
from divlearn.result.choosing import Choosing
from divlearn.result.comparison import Comparison, TradeOff, TradeOffs
from divlearn.result.inputs import stacked
from divlearn.result.table import column_paths, to_rows
from divlearn.spaces.whole import whole_design

if TYPE_CHECKING:
    from divlearn.result.front import Result


class Walking(Choosing):
    """The part of :class:`divlearn.Result` that goes through its solutions.

    Solutions are numbered from 0 in the order of the front.
    """

    insights: dict[str, Any]
    drawing: dict[str, Any] | None

    def __len__(self) -> int:
        return len(self.F)

    def __bool__(self) -> bool:
        return True  # a result without solutions is a result

    def __iter__(self) -> Iterator[Choice]:
        return (self._choice(i) for i in range(len(self)))

    def __getitem__(self, index: int) -> Choice:
        """The solution with a number; negative ones count from the end."""
        return self._choice(self._row("index", index))

    def where(self, limits: Mapping[str, Any] | None = None, /, **named: Any) -> Result:
        """Return a result with the solutions that keep limits.

        Parameters
        ----------
        limits
            By name, for objectives, constraints, extra metrics and the columns of x
            that :meth:`to_records` has: ``(low, high)``, None for an open side; or,
            for columns of x, the one value, or a list of values, that it may have.
        named
            The same as keywords: ``where(cost=(None, 5), material="steel")``.

        Returns
        -------
        As this one, with fewer solutions; none if no solution keeps all limits.

        Examples
        --------
        >>> import divlearn as dl
        >>> result = dl.Result(
        ...     [{"blades": 3}, {"blades": 5}, {"blades": 7}],
        ...     [[1, 9], [2, 3], [6, 1]],
        ...     objectives=["cost", "time"],
        ... )
        >>> result.where(cost=(None, 5), blades=(4, None)).X
        [{'blades': 5}]
        """
        given = {**(limits or {}), **named}
        inside = np.ones(len(self), bool)
        for name, wanted in given.items():
            inside &= self._keeps(name, wanted)
        return self._kept(np.flatnonzero(inside))

    def compare(self, *rows: int) -> Comparison:
        """Say what differs between solutions, and what it buys.

        Parameters
        ----------
        rows
            Numbers of two or more solutions.
        """
        numbers = tuple(self._row("rows", row) for row in rows)
        if len(numbers) < 2:
            raise InputError(
                f"rows must be the numbers of two or more solutions, got {rows!r}."
            )
        designs = [self.designs()[i] for i in numbers]
        values = {name: tuple(x[name] for x in designs) for name in designs[0]}
        differing = {
            n: row for n, row in values.items() if len(set(map(repr, row))) > 1
        }
        columns = self._columns() | self.extras
        outcome = {n: tuple(_plain(v[i]) for i in numbers) for n, v in columns.items()}
        labels = {n: self.label(n) for n in (*differing, *outcome)}
        return Comparison(numbers, differing, outcome, labels)

    def neighbours(self, row: int, count: int = 2) -> list[Choice]:
        """Return the solutions nearest to one in objective values, nearest first.

        Distances are measured in units of the front's range in each objective.
        """
        number = self._row("row", row)
        count = require_whole("count", count, 1)
        return [self._choice(int(i)) for i in self._nearest(number)[:count]]

    def trade_offs(self) -> TradeOffs:
        """Return what each step along the front gains and what it costs.

        With two objectives the steps go from solution to solution, as they are sorted;
        with more from each solution to its nearest neighbour.
        """
        last = len(self) - 1
        if len(self.objectives) == 2:
            steps = [(i, i + 1) for i in range(last)]
        else:
            steps = [(i, int(self._nearest(i)[0])) for i in range(last + 1) if last > 0]
        return TradeOffs(self._step(i, j) for i, j in steps)

    def designs(self) -> list[dict[str, Any]]:
        """Return the columns of x that :meth:`to_records` has, a dict per solution.

        A part that exists only sometimes has its column in any case, None where it does
        not exist.

        Examples
        --------
        >>> import divlearn as dl
        >>> result = dl.Result([{"size": 3, "pitch": [2, 5]}], [[1]], objectives=["f"])
        >>> result.designs()
        [{'size': 3, 'pitch0': 2, 'pitch1': 5}]
        """
        none = np.zeros((len(self), 0))
        return to_rows(list(self.X), none, [], whole=self._whole())

    def label(self, name: str) -> str:
        """Name of an output, or of a column of x, with its unit if it has one.

        Examples
        --------
        >>> import divlearn as dl
        >>> result = dl.Result(
        ...     [{"pitch": [2, 5]}],
        ...     [[1]],
        ...     objectives=["cost"],
        ...     units={"cost": "EUR", "pitch": "mm"},
        ... )
        >>> result.label("cost"), result.label("pitch0")
        ('cost [EUR]', 'pitch0 [mm]')
        """
        path = name
        if self.units and name not in self.units and len(self):
            path = column_paths(self.X, self._whole()).get(name, name)
        return with_unit(name, unit_of(self.units, path))

    def sketch(self, row: int) -> dict[str, Any] | None:
        """Return what a picture of a solution is made of; None if it has none.

        Tours, routes, schedules, choices, groups, graphs and the like have one, see
        :mod:`divlearn.problems.drawings` for how to read it.

        Parameters
        ----------
        row
            Number of the solution.

        Examples
        --------
        >>> import divlearn as dl
        >>> places = [(0, 0), (0, 1), (1, 1), (1, 0)]
        >>> problem = dl.Problem(
        ...     dl.Permutation(4),
        ...     lambda x: (x[0], x[3]),
        ...     ["first", "last"],
        ...     drawing=dl.problems.drawings.Tour(places),
        ... )
        >>> dl.solve(problem, 50, progress=False).sketch(0)["kind"]
        'tour'
        """
        number, drawing = self._row("row", row), drawing_from(self.drawing)
        return None if drawing is None else drawing.sketch(self.X[number])

    def _repr_html_(self) -> str:
        """The summary and the front as a table, for notebooks."""
        from html import escape

        records = cast("Result", self).to_records()
        titles = list(records[0]) if records else []
        named = ["", *(self.label(str(title)) for title in titles)]
        head = "".join(f"<th>{escape(title)}</th>" for title in named)
        body = "".join(
            f"<tr><th>{i}</th>"
            + "".join(f"<td>{escape(_cell(value))}</td>" for value in record.values())
            + "</tr>"
            for i, record in enumerate(records[:MOST_ROWS])
        )
        more = len(records) - MOST_ROWS
        rest = f"<p>and {more:,} more</p>" if more > 0 else ""
        summary = escape(cast("Result", self).summary())
        return f"<pre>{summary}</pre><table><tr>{head}</tr>{body}</table>{rest}"

    # --- parts of it

    def _row(self, argument: str, number: Any) -> int:
        """The number of a solution, counted from the end if it is negative."""
        self._require_solutions()
        size = len(self)
        row = require_whole(argument, number, -size, size - 1)
        return row % size

    def _whole(self) -> Any:
        """A design with all parts; None if all parts always exist."""
        space = cast("Result", self)._space()
        return None if space is None else whole_design(space)

    def _keeps(self, name: str, wanted: Any) -> Any:
        """Which solutions keep one limit, shape (k,)."""
        numbers, designs = self._limitable(), self.designs()
        values = [design.get(name) for design in designs]
        if name not in numbers:
            known = [*numbers, *(designs[0] if designs else {})]
            if designs:
                require_one_of("limits", name, known)
            if not isinstance(wanted, tuple):
                allowed = wanted if isinstance(wanted, list) else [wanted]
                return np.array([value in allowed for value in values], bool)
            numbers[name] = np.array([_number(value) for value in values])
        ((low, high),) = read_limits({name: wanted}, numbers).values()
        return (numbers[name] >= low) & (numbers[name] <= high)

    def _kept(self, rows: Integers) -> Result:
        """A result with some of the solutions; what is understood is left behind."""
        other = cast("Result", copy.copy(self))
        kept = [self.X[i] for i in rows]
        other.X = stacked(kept) if kept else kept
        other.F, other.G = self.F[rows], self.G[rows]
        other.extras = {n: [v[i] for i in rows] for n, v in self.extras.items()}
        if self.trials is not None:
            other.trials = [self.trials[i] for i in rows]
        if self.sources is not None:
            other.sources = [self.sources[i] for i in rows]
        other.insights = {}
        return other

    def _nearest(self, row: int) -> Integers:
        """All other solutions, the nearest in objective values first."""
        scaled = losses(self.F, self.sign)
        apart = np.square(scaled - scaled[row]).sum(axis=1)
        order: Integers = np.argsort(apart, kind="stable")
        others: Integers = order[order != row]
        return others

    def _step(self, start: int, end: int) -> TradeOff:
        """What a step gains and what it costs."""
        change = (self.F[end] - self.F[start]) * self.sign
        scaled = losses(self.F, self.sign)
        shares = scaled[end] - scaled[start]
        named = list(zip(self.objectives, change.tolist(), strict=True))
        gain = max(-float(shares.min()), 1e-300)
        return TradeOff(
            start,
            end,
            {name: -value for name, value in named if value < 0.0},
            {name: value for name, value in named if value > 0.0},
            max(0.0, float(shares.max())) / gain,
            {name: unit_of(self.units, name) for name in self.objectives},
        )


#: Solutions in a notebook.
MOST_ROWS = 50


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _number(value: Any) -> float:
    """A value of a design as a number; NaN for what is none."""
    return float(value) if isinstance(value, (int, float)) else np.nan


def _cell(value: Any) -> str:
    """A value in a table."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
