"""Jobs on machines over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.typing import Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    read_array,
    read_names,
    read_order,
    set_fields,
)


@dataclass(frozen=True, eq=False)
class Schedule(Drawing):
    """A design is the order in which jobs pass all machines, one after another.

    In a job shop (``routes``) every job has its own way through the machines, and a
    design names each job once per step, as values of ``Permutation(counts=...)`` do.

    Parameters
    ----------
    times
        How long each job takes on each machine, shape (n, machines); or (n,) for a
        single machine. In a job shop how long each of its steps takes.
    routes
        In a job shop the machine of each step of each job, shape (n, steps).
    due
        When each job should be finished, shape (n,); None for no dates.
    jobs, machines
        Their names; their numbers by default.
    axis
        What the time axis counts.
    part
        Name of the part of a design that is the order; the whole design if None.

    Examples
    --------
    >>> from divlearn.problems.drawings import Schedule
    >>> sketch = Schedule([[1, 4], [3, 2]], due=[5, 6]).sketch([0, 1])
    >>> [(bar["row"], bar["start"], bar["end"]) for bar in sketch["bars"]]
    [(0, 0.0, 1.0), (1, 1.0, 5.0), (0, 1.0, 4.0), (1, 5.0, 7.0)]
    """

    kind: ClassVar[str] = "schedule"

    times: Any
    due: Any = None
    routes: Any = None
    jobs: Any = None
    machines: Any = None
    axis: str = "time"
    part: str | None = None

    def __post_init__(self) -> None:
        times = self.times
        if len(times) and not hasattr(times[0], "__len__"):  # a single machine
            times = [[time] for time in times]
        times = read_array("times", times, ("n", "machines"))
        n, machines = times.shape
        routes = self.routes
        if routes is not None:
            routes = read_array("routes", routes, times.shape).astype(int)
            machines = int(routes.max()) + 1
        due = None if self.due is None else read_array("due", self.due, (n,))
        set_fields(
            self,
            times=times,
            routes=routes,
            due=due,
            jobs=read_names("jobs", self.jobs, n),
            machines=read_names("machines", self.machines, machines),
        )

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return a bar for every step of every job."""
        n, steps = self.times.shape
        machines = steps if self.routes is None else int(self.routes.max()) + 1
        named, bars = labels(self.jobs, n), []
        free, ready = [0.0] * machines, [0.0] * n
        for job, k in self._steps(read_order(x, self.part, n, "jobs")):
            row = k if self.routes is None else int(self.routes[job, k])
            start = max(ready[job], free[row])
            ready[job] = free[row] = start + float(self.times[job, k])
            bars.append(_bar(row, start, ready[job], job, named[job]))
        rows = self.machines or [f"machine {k + 1}" for k in range(machines)]
        dates = [] if self.due is None else self.due.tolist()
        return {
            "kind": self.kind,
            "rows": list(rows),
            "bars": bars,
            "due": [
                {"item": j, "label": named[j], "time": time, "end": ready[j]}
                for j, time in enumerate(dates)
            ],
            "axis": self.axis,
            "note": "",
        }

    def _steps(self, order: list[int]) -> list[tuple[int, int]]:
        """Jobs and numbers of their steps, in the order in which they are planned."""
        steps = self.times.shape[1]
        if self.routes is None:
            return [(job, k) for job in order for k in range(steps)]
        planned = [(job, order[:i].count(job)) for i, job in enumerate(order)]
        return [(job, k) for job, k in planned if k < steps]


def _bar(row: int, start: float, end: float, item: int, label: str) -> dict[str, Any]:
    """A stretch of time on a row."""
    return {"row": row, "start": start, "end": end, "item": item, "label": label}
