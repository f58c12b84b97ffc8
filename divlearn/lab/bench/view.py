"""``BenchmarkWatch``: a benchmark's store on the page and in a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.lock import holder_of
from divlearn.lab.bench.cases import axes_of
from divlearn.lab.bench.rows import Run
from divlearn.lab.bench.schema import BENCH
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.task import Case
from divlearn.metrics import summarize
from divlearn.web.points import few
from divlearn.web.watch import Columns, Watch

#: Fronts that are shown, by problem.
MOST_PROBLEMS = 40


class BenchmarkWatch(Watch):
    """Means per problem and method, and the fronts of the first instance of each."""

    kind = "benchmark"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._runs: list[Run] = []
        self._fronts: list[dict[str, Any]] = []
        self._holder: str | None = None

    def _read(self) -> None:
        """Read all runs, and some fronts."""
        with Store(self.path, read_only=True) as store:
            self._runs = store.runs()
            self._fronts = list(_fronts(store, self._runs))
        self._holder = holder_of(self.path)
        self._anew()

    def head(self) -> Columns:
        """What a list of studies shows."""
        if self.error:
            return {"kind": self.kind, "error": self.error}
        done = [run for run in self._runs if run.ok]
        counts = {"ok": len(done), "failed": len(self._runs) - len(done)}
        methods = dict.fromkeys(run.task.contender.label for run in self._runs)
        return {
            "kind": self.kind,
            "error": "",
            "problem": f"benchmark of {len(methods)} methods",
            "method": "",
            "seed": None,
            "state": "done" if self._holder is None else "running",
            "evaluations": sum(run.evaluations for run in done),
            "budget": None,
            "seconds": sum(run.seconds for run in done),
            "counts": {state: n for state, n in counts.items() if n},
            "objectives": [],
            "front_size": len(done),
            "few": [],
            "version": self.version,
        }

    def body(self) -> Columns:
        """What the page of a benchmark shows."""
        failed = [run for run in self._runs if not run.ok]
        reasons = [
            {
                "kind": f"{run.task.case.label}, {run.task.contender.label}",
                "count": 1,
                "message": run.message,
                "numbers": [],
            }
            for run in failed
        ]
        return {
            **self.head(),
            "tables": [_table(self._runs)],
            "fronts": self._fronts,
            "reasons": reasons,
        }

    def rows(self, numbers: list[int] | None = None) -> Columns:
        """A benchmark has no front of its own."""
        parts: Columns = {"G": {}, "knobs": {}, "extras": {}, "sources": None}
        return {"numbers": [], "F": [], **parts}

    def designs(self, numbers: list[int]) -> dict[int, Any]:
        """A benchmark has no designs to choose from."""
        return {}

    def matters(self) -> dict[str, Any]:
        """Nothing is explained across problems."""
        return {"targets": [], "sections": {}, "of": 0}


def _table(runs: Sequence[Run]) -> dict[str, Any]:
    """Means of the hypervolume with the half width of their 95 % interval."""
    problems = list(dict.fromkeys(run.task.case.label for run in runs))
    methods = list(dict.fromkeys(run.task.contender.label for run in runs))
    values: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        if run.ok and run.hypervolume is not None:
            key = run.task.case.label, run.task.contender.label
            values.setdefault(key, []).append(run.hypervolume)
    rows = [[_cell(values.get((p, m), [])) for m in methods] for p in problems]
    return {
        "title": "Hypervolume: mean over instances and seeds, and its 95 % interval",
        "columns": methods,
        "names": problems,
        "rows": rows,
    }


def _cell(values: list[float]) -> dict[str, Any] | None:
    """A mean, how well it is known, and from how many runs."""
    if not values:
        return None
    known = summarize(np.array(values))
    interval = {"low": known.low, "high": known.high}
    return {"mean": known.mean, **interval, "runs": len(values)}


def _fronts(store: Store, runs: Sequence[Run]) -> Any:
    """Yield the fronts of all methods on the first instance of every problem."""
    first: dict[str, tuple[int, int]] = {}
    for run in runs:
        if run.ok:
            which = run.task.instance, run.task.seed
            label = run.task.case.label
            first[label] = min(first.get(label, which), which)
    for label, which in list(first.items())[:MOST_PROBLEMS]:
        same = [
            run
            for run in runs
            if run.ok
            and run.task.case.label == label
            and (run.task.instance, run.task.seed) == which
        ]
        series = [
            {"name": run.task.contender.label, "points": few(store.front(run.key))}
            for run in same
        ]
        yield {
            "name": label,
            "instance": which[0],
            "axes": _axes(same[0].task.case, which[0]),
            "series": series,
        }


def _axes(case: Case, instance: int) -> list[str]:
    """What the first two axes are called."""
    options = json.dumps(dict(case.options), sort_keys=True)
    known = None if case.files else axes_of(case.name, options, instance)
    return list((known or ("objective 1", "objective 2"))[:2])


#: The letters of such files, and how they are looked at.
BENCHMARKS = (BENCH.letters.encode(), BenchmarkWatch)
