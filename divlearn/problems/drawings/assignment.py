"""Things at places, and what flows between them."""

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
class Assignment(Drawing):
    """A design is a permutation ``x``: thing i is at place ``x[i]``.

    Parameters
    ----------
    places
        Where they are, shape (n, 2).
    links
        What flows between things: rows of two numbers of things and a strength.
    things
        Names of the things, n of them; their numbers by default.
    part
        Name of the part of a design that is drawn; the whole design if None.
    note
        A remark on the places.

    Examples
    --------
    >>> from divlearn.problems.drawings import Assignment
    >>> drawing = Assignment([(0, 0), (1, 0)], [(0, 1, 5)], things=["pump", "tank"])
    >>> drawing.sketch([1, 0])["labels"]
    ['tank', 'pump']
    """

    kind: ClassVar[str] = "assignment"

    places: Any
    links: Any = ()
    things: Any = None
    part: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        places = read_array("places", self.places, ("n", 2))
        links = np.zeros((0, 3))
        if len(self.links):
            links = read_array("links", self.links, ("k", 3))
        things = read_names("things", self.things, len(places))
        set_fields(self, places=places, links=links, things=things)

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return what is where, and the strength of all links."""
        n = len(self.places)
        at = read_order(x, self.part, n, "places")
        named, shown = labels(self.things, n), [""] * n
        for thing, place in enumerate(at):
            shown[place] = named[thing]
        most = self.links[:, 2].max() if len(self.links) else 1.0
        links = [
            [at[int(i)], at[int(j)], float(strength / most)]
            for i, j, strength in self.links
        ]
        return {
            "kind": self.kind,
            "points": self.places.tolist(),
            "labels": shown,
            "links": links,
            "note": self.note,
        }


def strongest(flows: Any, most: int) -> list[list[float]]:
    """The strongest links of a matrix of flows, shape (n, n), both ways added up."""
    both = np.triu(flows + flows.T, 1)
    order = np.argsort(-both, axis=None, kind="stable")[:most]
    pairs = np.column_stack(np.unravel_index(order, both.shape))
    return [[int(i), int(j), float(both[i, j])] for i, j in pairs if both[i, j] > 0]
