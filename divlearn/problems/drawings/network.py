"""Chosen nodes of a graph, and chosen sites on maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.typing import Value
from divlearn.problems.drawings.base import (
    Drawing,
    labels,
    read_array,
    read_chosen,
    read_maps,
    read_names,
    set_fields,
)

#: What each edge, or each row, may ask of what is chosen in it.
ASKS = {"one": "at least one", "apart": "at most one"}


@dataclass(frozen=True, eq=False)
class Network(Drawing):
    """A design says which nodes of a graph are chosen: flags, or a set of numbers.

    Parameters
    ----------
    places
        Where nodes are, shape (n, 2).
    edges
        Pairs of nodes, shape (k, 2).
    asks
        What every edge asks: ``"one"`` of its ends chosen, as of a cover, or
        ``"apart"``, not both, as of an independent set; None for nothing. Edges that
        do not get it are marked.
    names
        Names of the nodes, n of them; their numbers by default.
    part
        Name of the part of a design that is drawn; the whole design if None.
    note
        A remark on the places.

    Examples
    --------
    >>> from divlearn.problems.drawings import Network
    >>> path = Network([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 2)], asks="one")
    >>> path.sketch([True, False, False])["panels"][0]["bad"]
    [[1, 2]]
    """

    kind: ClassVar[str] = "network"

    places: Any
    edges: Any
    asks: str | None = None
    names: Any = None
    part: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        places = read_array("places", self.places, ("n", 2))
        edges = np.zeros((0, 2), np.int64)
        if len(self.edges):
            edges = read_array("edges", self.edges, ("k", 2)).astype(np.int64)
        if self.asks is not None:
            require_one_of("asks", self.asks, tuple(ASKS))
        names = read_names("names", self.names, len(places))
        set_fields(self, places=places, edges=edges, names=names)

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return the graph, what is chosen, and edges that do not get what they ask."""
        chosen = read_chosen(x, self.part, len(self.places))
        ends = chosen[self.edges].sum(axis=1)
        bad = {"one": ends == 0, "apart": ends == 2}.get(str(self.asks), ends < 0)
        good, wrong = self.edges[~bad].tolist(), self.edges[bad].tolist()
        panel = {
            "title": "",
            "points": self.places.tolist(),
            "links": good,
            "bad": wrong,
        }
        return {
            "kind": "network",
            "labels": labels(self.names, len(chosen)),
            "chosen": chosen.tolist(),
            "panels": [panel],
            "note": self.note,
        }


@dataclass(frozen=True, eq=False)
class Sites(Drawing):
    """A design says which places are sites; every other place belongs to the nearest.

    Its sketch is of the kind ``network``.

    Parameters
    ----------
    places
        Where they are, shape (n, 2); or a list of m such arrays, one per map.
    titles
        Names of the maps, m of them; none by default.
    names
        Names of the places, n of them; their numbers by default.
    part
        Name of the part of a design that is drawn; the whole design if None.
    note
        A remark on the places.

    Examples
    --------
    >>> from divlearn.problems.drawings import Sites
    >>> Sites([(0, 0), (1, 0), (5, 0)]).sketch({0, 2})["panels"][0]["links"]
    [[1, 0]]
    """

    kind: ClassVar[str] = "sites"

    places: Any
    titles: Any = None
    names: Any = None
    part: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        read_maps(self)

    def sketch(self, x: Value) -> dict[str, Any]:
        """Return all places, and a link from each to its site, on every map."""
        chosen = read_chosen(x, self.part, len(self.places[0]))
        sites, others = np.flatnonzero(chosen), np.flatnonzero(~chosen)
        panels = []
        titles = self.titles or [""] * len(self.places)
        for title, places in zip(titles, self.places, strict=True):
            apart = np.square(places[others][:, None] - places[sites]).sum(axis=2)
            nearest = sites[apart.argmin(axis=1)] if len(sites) else others[:0]
            links = [
                list(pair)
                for pair in zip(others.tolist(), nearest.tolist(), strict=False)
            ]
            points = places.tolist()
            panels.append({"title": title, "points": points, "links": links, "bad": []})
        return {
            "kind": "network",
            "labels": labels(self.names, len(chosen)),
            "chosen": chosen.tolist(),
            "panels": panels,
            "note": self.note,
        }
