"""Closed tours on one or several maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from divlearn.basics.typing import Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    read_maps,
    read_order,
)


@dataclass(frozen=True, eq=False)
class Tour(Drawing):
    """A design is the order in which places are visited.

    Parameters
    ----------
    places
        Where they are, shape (n, 2); or a list of m such arrays, one per map, where
        the same places lie differently for different objectives.
    titles
        Names of the maps, m of them; none by default.
    names
        Names of the places, n of them; their numbers by default.
    closed
        Whether the tour returns to where it began.
    part
        Name of the part of a design that is the order; the whole design if None.
    note
        A remark on the places.

    Examples
    --------
    >>> from divlearn.problems.drawings import Tour
    >>> drawing = Tour([(0, 0), (1, 0), (1, 1)])
    >>> drawing.sketch([2, 0, 1])["panels"][0]["lines"]
    [[2, 0, 1, 2]]
    """

    kind: ClassVar[str] = "tour"

    places: Any
    titles: Any = None
    names: Any = None
    closed: bool = True
    part: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        read_maps(self)

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return the tour on every map."""
        count = len(self.places[0])
        line = read_order(x, self.part, count, "places")
        if self.closed and line:
            line = [*line, line[0]]
        titles = self.titles or [""] * len(self.places)
        panels = [
            {"title": title, "points": places.tolist(), "lines": [line]}
            for title, places in zip(titles, self.places, strict=True)
        ]
        named = labels(self.names, count)
        return {
            "kind": self.kind,
            "labels": named,
            "panels": panels,
            "note": self.note,
        }
