"""``ResultWatch``: a result that ``Result.save`` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.paths import file_path
from divlearn.problems.drawings import Drawing, drawing_from
from divlearn.result import Result, load
from divlearn.web.designs import kinds_of, knobs_of
from divlearn.web.matters import matters
from divlearn.web.points import few
from divlearn.web.view import objectives_of, plain_design, turned, units_of
from divlearn.web.watch import Columns, Watch


class ResultWatch(Watch):
    """A result in a file, or one that is given."""

    kind = "result"

    def __init__(self, path: Path, result: Result | None = None) -> None:
        super().__init__(path)
        self.result = result
        self._given = result is not None

    def _read(self) -> None:
        """Read the file."""
        if self._given:
            return
        if not self.path.exists():
            raise InputError(f"the result {self.path.name!r} does not exist.")
        self.result = load(file_path("path", self.path))
        self._anew()

    @property
    def _numbers(self) -> list[int]:
        """Numbers of the solutions: of their trials, or of their rows."""
        result = self._known
        return result.trials or list(range(len(result.F)))

    @property
    def _known(self) -> Result:
        """The result, which has been read."""
        if self.result is None:
            raise InputError(self.error or f"{self.path.name} was not read yet.")
        return self.result

    def head(self) -> Columns:
        """What a list of studies shows."""
        if self.error or self.result is None:
            return {"kind": self.kind, "error": self.error or "nothing was read yet"}
        result = self.result
        seconds, done = result.seconds, result.evaluations
        return {
            "kind": self.kind,
            "error": "",
            "problem": result.problem or "result",
            "method": result.method,
            "seed": result.seed,
            "state": "done",
            "share": None,
            "evaluations": done,
            "budget": None,
            "seconds": seconds,
            "average": done / seconds if seconds else None,
            "counts": result.counts,
            "stopped": result.stopped,
            "objectives": objectives_of(result.objectives.items(), result.units),
            "front_size": len(result.F),
            **_volumes(result),
            "few": few(result.F),
            "version": self.version,
        }

    def body(self) -> Columns:
        """What the page of a result shows, but for the rows of its front."""
        if self.error:
            return self.head()
        result = self._known
        history = result.history
        return {
            **self.head(),
            "constraints": list(result.constraints),
            "kinds": kinds_of(result.learned.get("space")),
            "reference": result.reference,
            "ideal": result.ideal,
            "history": {**history, "best": []} if history.get("evaluations") else {},
            "others": {"F": [[] for _ in result.objectives], "feasible": []},
            "reasons": [{**one, "numbers": []} for one in result.failures],
            "workers": [],
            "now": [],
            "spent": {},
            "divlearn": result.versions.get("divlearn", ""),
        }

    def rows(self, numbers: list[int] | None = None) -> Columns:
        """Rows of the front as columns: all, or those with numbers."""
        result, every = self._known, np.array(self._numbers, np.int64)
        kept = np.arange(len(every))
        if numbers is not None:
            kept = np.flatnonzero(np.isin(every, numbers))
        sources, kinds = result.sources, kinds_of(result.learned.get("space"))
        knobs = turned([knobs_of(plain_design(result.X[i]), kinds) for i in kept])
        names = (*result.constraints, *knobs, *result.extras)
        return {
            "numbers": every[kept].tolist(),
            "F": result.F[kept].T.tolist(),
            "G": dict(zip(result.constraints, result.G[kept].T.tolist(), strict=True)),
            "knobs": knobs,
            "extras": {n: [v[i] for i in kept] for n, v in result.extras.items()},
            "units": units_of(names, result.units),
            "sources": [sources[i] or "" for i in kept] if sources else None,
        }

    def designs(self, numbers: list[int]) -> dict[int, Any]:
        """Designs with numbers, as the user declared them."""
        rows = {number: i for i, number in enumerate(self._numbers)}
        solutions = self._known.X
        return {n: plain_design(solutions[rows[n]]) for n in numbers if n in rows}

    def drawing(self) -> Drawing | None:
        """How designs are drawn; None if nobody said so."""
        return drawing_from(self._known.drawing)

    def matters(self) -> dict[str, Any]:
        """What matters, worked out here and now."""
        return matters(self._known)


def _volumes(result: Result) -> dict[str, float | None]:
    """Hypervolume and its ratio, as far as the points of comparison are known."""
    if result.reference is None or not len(result.F):
        return {"hypervolume": None, "ratio": None}
    ratio = None
    if result.ideal is not None:
        ratio = result.hypervolume(result.reference, result.ideal)
    return {"hypervolume": result.hypervolume(result.reference), "ratio": ratio}
