"""``Result``: the front, how it was found, and what you can do with it."""

from __future__ import annotations

import dataclasses
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import storable
from divlearn.basics.typing import Floats
from divlearn.basics.wrapping import columns, wrapped
from divlearn.metrics import hypervolume
from divlearn.metrics.dominance import read_point
from divlearn.result import explanation, file, inputs, report, table
from divlearn.result.sample import Sample
from divlearn.result.trace import Trace
from divlearn.result.understanding import Understanding
from divlearn.result.walking import Walking


@dataclass(eq=False, repr=False)
class Result(Walking, Understanding):
    """The non-dominated solutions that a search found.

    ``print(result)`` gives a summary. Solutions are sorted by the first objective.

    Parameters
    ----------
    X
        Solutions as the user declared them: one array, shape (k, n), if they are arrays
        of numbers of equal length, otherwise a list of k values.
    F
        Objective values in the user's senses, shape (k, m).
    G
        Constraint values, shape (k, c); feasible is <= 0.
    objectives
        Names with their senses, as in :class:`divlearn.Problem`.
    constraints
        Names of the constraint values.
    evaluations, seconds
        What the search cost.
    seed, method, settings
        How to repeat it.
    stopped
        Why it ended.
    history
        Lists of equal length: ``evaluations``, ``seconds``, ``front_size`` and
        ``hypervolume`` (NaN if the problem has no reference point).
    problem
        Name of the problem.
    reference, ideal
        The problem's points for the hypervolume, shape (m,), or None.
    drawing
        How solutions are drawn, as plain data, see :meth:`sketch`; None if they cannot.
    units
        Units of outputs and of parts of a solution by name, as in
        :class:`divlearn.Problem`.
    learned
        What the search says about the problem.
    counts
        Evaluations by how they ended: ``ok``, ``infeasible``, ``failed``, ``timed
        out``; ``reused`` counts those answered from a study's file, and ``known``
        designs that cost no evaluation. Empty if not counted.
    failures
        Why evaluations gave no values, the most frequent reasons first: dicts with
        ``kind``, ``message`` and ``count``.
    extras
        Extra metrics of the solutions by name, a list of k each; None if a solution has
        none.
    trials
        Numbers of the solutions in their study, k of them; None without a study.
    sources
        Where the values of solutions that were known before come from, k texts; None
        for each solution that the search found, and for all if none was known.
    trace
        What happened, iteration by iteration; None if the method did not record it.
    versions
        Versions of divlearn and of the packages it uses.
    sample
        Some of all that was evaluated, for :meth:`importance`; None if not known, as
        in a result from a file.
    insights
        What :meth:`importance` and :meth:`common` found, as plain data; filled in when
        they are first called, or by :meth:`save`.

    Examples
    --------
    >>> from divlearn import Result
    >>> result = Result(
    ...     ["slow", "fast", "middle"],
    ...     [[1, 9], [6, 1], [2, 3]],
    ...     objectives={"cost": "min", "time": "min"},
    ... )
    >>> result.X
    ['slow', 'middle', 'fast']
    >>> result.knee().x
    'middle'
    >>> result.cheapest("cost", time=(None, 2)).x
    'fast'
    >>> result.closest((1, 8)).x
    'slow'
    >>> result.hypervolume(reference=(10, 10))
    65.0
    """

    X: Any
    F: Any
    G: Any = None
    _: KW_ONLY
    objectives: dict[str, str]
    constraints: tuple[str, ...] = ()
    evaluations: int = 0
    seconds: float = 0.0
    seed: int | None = None
    method: str = ""
    stopped: str = ""
    history: dict[str, list[Any]] = field(default_factory=dict)
    problem: str = ""
    reference: Floats | None = None
    ideal: Floats | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    learned: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)
    extras: dict[str, list[Any]] = field(default_factory=dict)
    trials: list[int] | None = None
    sources: list[str | None] | None = None
    trace: Trace | None = None
    sample: Sample | None = None
    insights: dict[str, Any] = field(default_factory=dict)
    drawing: dict[str, Any] | None = None
    units: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.objectives = inputs.read_objectives(self.objectives)
        self.constraints = tuple(self.constraints)
        count, m = len(self.X), len(self.objectives)
        self.F = inputs.read_matrix("F", self.F, count, m)
        self.G = inputs.read_matrix("G", self.G, count, len(self.constraints))
        for name in ("reference", "ideal"):
            if (point := getattr(self, name)) is not None:
                setattr(self, name, read_point(point, m, name))
        self.history = inputs.read_history(self.history)
        self.extras = inputs.read_extras(self.extras, count)
        self.trials = inputs.read_trials(self.trials, count)
        self.sources = inputs.read_sources(self.sources, count)
        self.counts = inputs.read_counts(self.counts)
        self.failures = inputs.read_failures(self.failures)
        self.units = inputs.read_units(self.units)
        self.trace = inputs.read_trace(self.trace)
        order = np.lexsort((self.F * self.sign).T[::-1])
        self.extras = {k: [v[i] for i in order] for k, v in self.extras.items()}
        if self.trials is not None:
            self.trials = [self.trials[i] for i in order]
        if self.sources is not None:
            self.sources = [self.sources[i] for i in order]
        self.F, self.G = self.F[order], self.G[order]
        self.X = inputs.stacked([self.X[i] for i in order]) if count else self.X

    def __repr__(self) -> str:
        name = f" {self.problem}" if self.problem else ""
        return (
            f"<Result{name}: {len(self.F):,} solutions, "
            f"{self.evaluations:,} evaluations, {report.seconds_text(self.seconds)}>"
        )

    def __str__(self) -> str:
        return wrapped(self.summary(), columns())

    # --- how good the front is

    def hypervolume(
        self, reference: ArrayLike | None = None, ideal: ArrayLike | None = None
    ) -> float:
        """Measure the space that the front dominates.

        Parameters
        ----------
        reference
            Point that is worse than anything you hope for, shape (m,); the problem's
            own if None.
        ideal
            Point that is better than anything you can reach; if given, the result is
            the ratio to the box between the two. The problem's ideal is only used with
            the problem's reference: without arguments the ratio is returned if both are
            known.

        Returns
        -------
        The volume or the ratio, see :func:`divlearn.metrics.hypervolume`.
        """
        if reference is None:
            if self.reference is None:
                raise InputError(
                    "reference must be given, one number per objective "
                    f"({', '.join(self.objectives)}): the problem itself has no "
                    "reference point."
                )
            reference = self.reference
            ideal = self.ideal if ideal is None else ideal
        return hypervolume(self.F, reference, ideal, tuple(self.objectives.values()))

    # --- tables, files, words, pictures

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict per solution: x, objectives, constraints, extra metrics.

        For a study the first column is ``trial``, the number of the solution there. If
        x is an array, its columns are x0, x1, ...; a dict has one column per name, or
        per name and position; anything else has the column x. If designs were known
        before, the last column is ``source``, empty for those that the search found.
        """
        columns = self._columns()
        outputs = np.array(list(columns.values())).T.reshape(len(self.F), len(columns))
        more = table.with_sources(self.extras, self.sources)
        rows = list(self.X), outputs, list(columns)
        return table.to_rows(*rows, self.trials, more, self._whole())

    def to_csv(self, path: str | Path) -> None:
        """Write :meth:`to_records` as comma-separated values with a header."""
        records = self.to_records()
        columns = list(records[0]) if records else self._titles()
        text = storable(table.to_csv_text(columns, records))
        write_atomically(path, text.encode())

    def to_dataframe(self) -> Any:
        """Return :meth:`to_records` as a pandas DataFrame.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        records = self.to_records()
        return table.dataframe(records, columns=None if records else self._titles())

    def _titles(self) -> list[str]:
        """Columns of a table without rows."""
        return [*self._columns(), *table.with_sources(self.extras, self.sources)]

    def save(self, path: str | Path) -> None:
        """Write everything to a JSON file, which :func:`divlearn.load` reads back.

        Missing directories are made. The file is either complete or absent.
        """
        self.understand()
        fields = {name: getattr(self, name) for name in field_names()}
        fields["trace"] = None if self.trace is None else self.trace.columns
        file.write_fields(path, fields)

    def summary(self) -> str:
        """Say in a few lines what was found, what it cost and why it stopped."""
        return report.summary(self)

    def explain(self, width: int = 80) -> str:
        """Say what matters for which objective, and what good solutions have in common.

        Then how the front was found, and with which settings. The files that ``save``
        and ``divlearn export`` write keep all of it.

        Parameters
        ----------
        width
            Most characters in a line.
        """
        return explanation.explain(self, require_whole("width", width, 20))

    def plot(
        self,
        path: str | Path | None = None,
        ax: Any = None,
        *,
        kind: str = "front",
        **options: Any,
    ) -> Any:
        """Draw a picture, see :mod:`divlearn.plot`.

        Parameters
        ----------
        path
            Picture file to write (png, svg, pdf); None for none.
        ax
            Matplotlib axes to draw into; a new figure if None.
        kind
            What to draw: ``"front"``, ``"parallel"``, ``"history"``, ``"designs"``,
            ``"design"``, ``"importance"``, ``"learned"``, ``"encodings"``, ``"arms"``
            or ``"trace"``; the functions of these names explain themselves.
        options
            What the function of that name takes in addition.

        Returns
        -------
        The matplotlib figure.
        """
        from divlearn.plot import draw

        return draw(self, kind, path, ax, **options)


def field_names() -> list[str]:
    """Names of everything a file holds."""
    names = (f.name for f in dataclasses.fields(Result))
    return [name for name in names if name != "sample"]
