"""Who does what, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

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
class Matching(Drawing):
    """A design is a permutation ``x``: agent i does task ``x[i]``.

    Its sketch is of the kind ``groups``: a row per agent, with a bar per cost.

    Parameters
    ----------
    costs
        What each task costs each agent, shape (n, n); or a list of m such arrays, one
        per kind of cost.
    agents, tasks
        Their names; their numbers by default.
    part
        Name of the part of a design that is drawn; the whole design if None.

    Examples
    --------
    >>> from divlearn.problems.drawings import Matching
    >>> sketch = Matching([[1, 9], [9, 2]], agents=["Ann", "Bo"]).sketch([1, 0])
    >>> [(bar["row"], bar["end"], bar["label"]) for bar in sketch["bars"]]
    [(0, 9.0, '1'), (1, 9.0, '0')]
    """

    kind: ClassVar[str] = "matching"

    costs: Any
    agents: Any = None
    tasks: Any = None
    part: str | None = None

    def __post_init__(self) -> None:
        costs = np.array(self.costs, dtype=object)
        given = self.costs if costs.ndim == 3 else [self.costs]
        first = read_array("costs", given[0], ("n", "n"))
        size = (len(first), len(first))
        set_fields(
            self,
            costs=[read_array("costs", matrix, size) for matrix in given],
            agents=read_names("agents", self.agents, len(first)),
            tasks=read_names("tasks", self.tasks, len(first)),
        )

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return the costs of every agent at its task, one after the other."""
        n = len(self.costs[0])
        tasks, bars = labels(self.tasks, n), []
        for agent, task in enumerate(read_order(x, self.part, n, "tasks")):
            start = 0.0
            for k, matrix in enumerate(self.costs):
                end = start + float(matrix[agent, task])
                bar = {"row": agent, "start": start, "end": end, "item": k}
                bars.append({**bar, "label": tasks[task]})
                start = end
        many = len(self.costs) > 1
        return {
            "kind": "groups",
            "rows": [f"agent {a}" for a in labels(self.agents, n)],
            "bars": bars,
            "limits": None,
            "axis": "costs of the task, added up" if many else "cost of the task",
            "note": "bars are labelled with the task of the agent",
        }
