"""``StudyReader``: look at a study without the problem, even while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.lock import holder_of
from divlearn.basics.paths import file_path
from divlearn.basics.typing import Value
from divlearn.metrics.dominance import non_dominated
from divlearn.problems import Problem
from divlearn.result import Result
from divlearn.result.sample import Sample, thinned
from divlearn.result.tally import KNOWN
from divlearn.simulator.metrics import Limit, Metrics
from divlearn.simulator.problem import ReportedProblem
from divlearn.spaces import Space
from divlearn.spaces.base import PERMUTATION
from divlearn.spaces.described import space_from
from divlearn.spaces.packing import Packing
from divlearn.spaces.whole import whole_design
from divlearn.study.found import by_name, endings, sample_of
from divlearn.study.growth import growth_of
from divlearn.study.notes import checked
from divlearn.study.store import Store
from divlearn.study.store.rows import CandidateRow, from_text
from divlearn.study.store.schema import legible
from divlearn.study.trial import Trial, names_of
from divlearn.study.trials import Failures, failures_of, trials_of
from divlearn.workers.base import OK

#: Items of the shortest order that is searched by what encodings of orders mean.
LEAST_ITEMS = 4


class StudyReader:
    """A study's file, opened for reading only; the search itself is not loaded.

    Parameters
    ----------
    path
        File of a study, which may be running in another process.

    Attributes
    ----------
    notes
        What the study is: problem, method, seed, lag and so on, as plain data.

    Examples
    --------
    >>> import divlearn as dl, tempfile, pathlib
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "small.db")
    ...     with dl.Study(problem, path) as study:
    ...         _ = study.run(budget=5, workers=0)
    ...     with StudyReader(path) as reader:
    ...         len(reader.trials()), reader.notes["seed"], reader.holder
    (5, 0, None)
    """

    def __init__(self, path: str | Path) -> None:
        self.path: Path = file_path("path", path)
        self._store = Store(self.path, read_only=True)
        self.notes: dict[str, Any] = self._store.notes()
        if not self.notes:
            self.close()
            raise InputError(
                f"the study {str(self.path)!r} is empty: it was stopped before it "
                "began. Run it again."
            )
        try:
            checked(self.path, self.notes)
        except InputError:
            self.close()
            raise
        self._names = names_of(self.notes["problem"])
        self._store.expect(self._names)
        self._space = _space_of(self.notes["problem"]["space"])
        self._packing = None if self._space is None else Packing(self._space)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    @property
    def holder(self) -> str | None:
        """Process and host that have the study open, None if nobody has."""
        return holder_of(self.path)

    @property
    def objectives(self) -> dict[str, str]:
        """Names of the objectives with their senses."""
        return dict(self.notes["problem"]["objectives"])

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of the constraints."""
        return self._names.constraints

    @property
    def seconds(self) -> float:
        """Seconds that the study had run at its last outcome."""
        return self._store.seconds()

    def times(self) -> list[float]:
        """Seconds that the study had run at each outcome, as they came in.

        Pauses between its runs do not count, nor do designs that were known.
        """
        outcomes = self._store.outcomes(ordered=False)
        return [outcome.at for outcome in outcomes if outcome.state != KNOWN]

    @property
    def enqueued(self) -> int:
        """Number of designs that wait to be evaluated before others are chosen."""
        return len(self._store.queue())

    def queue(self) -> list[tuple[Value, str]]:
        """Designs that wait to be evaluated, and where they come from."""
        queued = self._store.queue()
        if not queued:
            return []
        if self._space is None or self._packing is None:
            raise InputError(
                f"the study {str(self.path)!r} has designs of a custom space that wait "
                "to be evaluated; open it by Study with its problem to read them."
            )
        with legible(self.path):
            return [
                (self._space.decode(self._packing.unpack(one.codes)), one.source)
                for one in queued
            ]

    def counts(self) -> dict[str, int]:
        """Number of candidates by state, including running ones."""
        counts = self._store.counts()
        running = self._store.num_candidates() - sum(counts.values())
        return counts | ({"running": running} if running else {})

    def endings(self) -> tuple[dict[str, int], list[dict[str, Any]]]:
        """Evaluations by how they ended, and why, the most frequent reasons first."""
        return endings(self._store)

    def trials(self) -> list[Trial]:
        """Every candidate with what is known about it, by number."""
        return list(trials_of(self._store, self._value_of, self._names))

    def failures(self) -> Failures:
        """Designs that could not be evaluated, with their messages."""
        return failures_of(self.trials())

    def problem(self) -> Problem:
        """The problem as far as the file knows it: nobody can evaluate it.

        Raises
        ------
        InputError
            If only Python knows its space or its instance.
        """
        described = self.notes["problem"]
        if self._space is None or described.get("instance"):
            raise InputError(
                f"the study {str(self.path)!r} was begun in Python, and only Python "
                f"has its problem: use Study(problem, {str(self.path)!r}) there."
            )
        limits = described.get("limits")
        return problem_in(self._space, self.notes, self._extras(), limits)

    def _extras(self) -> tuple[str, ...]:
        """Names of extra metrics; of files that do not tell them, those with values."""
        known = self.notes.get("extras")
        if known is not None:
            return tuple(known)
        return tuple(dict.fromkeys(n for t in self.trials() for n in t.extras or {}))

    def whole_design(self) -> Value | None:
        """A design with all parts; None if all always exist, or for a custom space."""
        return None if self._space is None else whole_design(self._space)

    def sample(self, trials: list[Trial]) -> Sample | None:
        """Some of all designs with values; None for a custom space."""
        if self._space is None:
            return None
        valued = thinned([t for t in trials if t.state in (OK, KNOWN)])
        try:
            kept = sample_of(self._space, ((t.codes, t.outputs) for t in valued))
        except ValueError:  # somebody changed the file
            return None
        # A layout would load the compiler, for which 'status' need not wait.
        levels = [n for segment in self._space.segments() for n in segment.levels]
        inside = (kept.codes >= 0) & (kept.codes < np.array(levels))
        return kept if inside.all() else None

    @property
    def gives_way(self) -> bool:
        """Whether the search lets members of the front give way to later equals.

        That is the part ``plateaus`` of ``dl``, where at least four items are permuted.
        """
        settings = self.notes.get("settings") or {}
        segments = () if self._space is None else self._space.segments()
        orders = (len(s.levels) for s in segments if s.kind == PERMUTATION)
        return (
            settings.get("plateaus") is True and max(orders, default=0) >= LEAST_ITEMS
        )

    def front(self) -> Result:
        """The non-dominated solutions among all outcomes that meet the constraints."""
        return front_of(self.trials(), self)

    def _value_of(self, row: CandidateRow) -> Value:
        """A design as declared, or as JSON for a custom space."""
        if self._space is not None and self._packing is not None:
            # Codes that the space does not have: somebody changed the file.
            with suppress(IndexError, ValueError):
                return self._space.decode(self._packing.unpack(row.codes))
        with legible(self.path):
            return from_text(row.x)


def problem_in(
    space: Space,
    notes: Mapping[str, Any],
    extras: tuple[str, ...],
    limits: Mapping[str, float] | None,
) -> Problem:
    """The problem that notes describe, whose function is not there."""

    def evaluate(x: Value) -> Any:
        raise InputError("the function of this problem is not there")

    objectives = dict(notes["problem"]["objectives"])
    names = ("noise", "reference", "ideal", "name", "units")
    options: dict[str, Any] = {name: notes.get(name) for name in names}
    if limits is None:
        constraints = notes["problem"]["constraints"]
        known: dict[str, Any] = {"constraints": constraints, "extras": extras}
        return Problem(space, evaluate, objectives, **known, **options)
    bounds = tuple(Limit.named(*limit) for limit in limits.items())
    measured = Metrics(objectives, bounds).extras
    others = tuple(name for name in extras if name not in measured)
    return ReportedProblem(space, Metrics(objectives, bounds, others), **options)


def front_of(trials: list[Trial], reader: StudyReader) -> Result:
    """The front of trials that were read."""
    found = [t for t in trials if t.feasible and t.ended is not None]
    objectives, notes = reader.objectives, reader.notes
    sign = np.array([1.0 if sense == "min" else -1.0 for sense in objectives.values()])
    values = np.array([list((t.f or {}).values()) for t in found])
    values = values.reshape(len(found), len(objectives))
    kept = np.flatnonzero(non_dominated(values * sign)).tolist()
    if reader.gives_way:
        kept = _last_of_equal(found, kept)
    aside = ("abandoned", KNOWN)
    done = [t for t in trials if t.ended is not None and t.state not in aside]
    counts, failures = reader.endings()
    points = _point(notes.get("reference")), _point(notes.get("ideal"))
    return Result(
        X=[found[i].x for i in kept],
        F=values[kept],
        G=[list((found[i].g or {}).values()) for i in kept],
        objectives=objectives,
        constraints=reader.constraints,
        evaluations=len(done),
        seconds=reader.seconds,
        seed=notes["seed"],
        method=notes["method"],
        stopped=notes.get("stopped") or "",
        problem=notes["name"],
        reference=points[0],
        ideal=points[1],
        drawing=notes.get("drawing"),
        units=notes.get("units") or {},
        versions={"divlearn": notes["divlearn"]},
        settings=notes.get("used") or notes.get("settings") or {},
        learned=_learned(notes),
        counts=counts,
        failures=failures,
        extras=by_name([found[i].extras or {} for i in kept]),
        trials=[found[i].number for i in kept],
        sources=[found[i].source if found[i].state == KNOWN else None for i in kept],
        sample=reader.sample(trials),
        history=growth_of(trials, objectives, points, notes.get("target")),
    )


def _last_of_equal(trials: list[Trial], rows: list[int]) -> list[int]:
    """For each row the last one with the same outputs, constraints included."""
    last = {str((trial.f, trial.g)): row for row, trial in enumerate(trials)}
    return sorted(last[str((trials[row].f, trials[row].g))] for row in rows)


def _learned(notes: dict[str, Any]) -> dict[str, Any]:
    """What the search had learned at the end of its last run."""
    learned = notes.get("learned")
    known = learned if isinstance(learned, dict) else {}
    return {"space": notes["problem"]["space"], **known}


def _point(numbers: list[float] | None) -> Any:
    """A point of comparison, shape (m,)."""
    return None if numbers is None else np.array(numbers)


def _space_of(description: Any) -> Space | None:
    """The space, if it is one of the built-in ones."""
    try:
        return space_from(description)
    except (InputError, AttributeError, RecursionError):  # a custom space
        return None
