"""Things in groups: shifts, machines, teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    part_of,
    read_array,
    read_names,
    set_fields,
)


@dataclass(frozen=True, eq=False)
class Groups(Drawing):
    """A design says which group each thing is in, as values of ``Partition`` do.

    Parameters
    ----------
    sizes
        How much room each thing takes, shape (n,); or n, the number of things, each
        of which then takes 1.
    groups
        Names of the groups, or their number.
    limits
        How much room each group has; None for no limits.
    things
        Names of the things, n of them; their numbers by default.
    axis
        What the sizes count.
    part
        Name of the part of a design that is drawn; the whole design if None.

    Examples
    --------
    >>> from divlearn.problems.drawings import Groups
    >>> sketch = Groups([2, 3, 1], groups=["early", "late"]).sketch([0, 1, 0])
    >>> [(bar["row"], bar["start"], bar["end"]) for bar in sketch["bars"]]
    [(0, 0.0, 2.0), (1, 0.0, 3.0), (0, 2.0, 3.0)]
    """

    kind: ClassVar[str] = "groups"

    sizes: Any
    groups: Any
    limits: Any = None
    things: Any = None
    axis: str = "things"
    part: str | None = None

    def __post_init__(self) -> None:
        sizes = np.ones(self.sizes) if isinstance(self.sizes, int) else self.sizes
        sizes = read_array("sizes", sizes, ("n",))
        names = self.groups
        if isinstance(names, int):
            names = [f"group {k}" for k in range(names)]
        limits = self.limits
        set_fields(
            self,
            sizes=sizes,
            groups=read_names("groups", names, len(names)),
            limits=limits if limits is None else read_array("limits", limits, ("n",)),
            things=read_names("things", self.things, len(sizes)),
        )

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return the things of every group one after the other."""
        members = np.asarray(part_of(x, self.part))
        wrong = members.shape != self.sizes.shape or members.dtype.kind not in "iu"
        if wrong or not 0 <= members.min() <= members.max() < len(self.groups):
            raise InputError(
                f"a design must give the group, 0 to {len(self.groups) - 1}, of each "
                f"of {len(self.sizes)} things to be drawn, got {x!r}."
            )
        named = labels(self.things, len(self.sizes))
        ends, bars = [0.0] * len(self.groups), []
        for thing, row in enumerate(members.tolist()):
            start = ends[row]
            ends[row] = end = start + float(self.sizes[thing])
            bar = {"row": row, "start": start, "end": end, "item": thing}
            bars.append({**bar, "label": named[thing]})
        return {
            "kind": self.kind,
            "rows": list(self.groups),
            "bars": bars,
            "limits": None if self.limits is None else self.limits.tolist(),
            "axis": self.axis,
            "note": "",
        }
