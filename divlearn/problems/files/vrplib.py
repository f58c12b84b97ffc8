"""Vehicle routes from VRPLIB and CVRPLIB files."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.built_in.base import MAX_SIZE
from divlearn.problems.files.document import Document
from divlearn.problems.files.sections import read_nodes
from divlearn.problems.files.text import Row
from divlearn.problems.files.tsplib import read_distances

#: Keywords with a limit that the problem does not have.
LIMITS = ("DISTANCE", "SERVICE_TIME")


def read_routes(document: Document, rounded: bool) -> dict[str, Any]:
    """Return the arguments of a CVRP."""
    _refuse_limits(document)
    n = document.size(MAX_SIZE)
    capacity = _read_capacity(document)
    nodes, distances = read_distances(document, n, rounded)
    demands, rows = read_nodes(document, "DEMAND_SECTION", n, ("demand",))
    _require_same_nodes(document, nodes, demands, rows)
    depot = _find_depot(document, demands[:, 0])
    _check_demands(document, demands, rows, depot, capacity)
    document.file.require_end()
    order = np.append(depot, np.delete(np.arange(n), depot))
    arguments = {
        "demands": demands[order[1:], 1],
        "capacity": capacity,
        "distances": distances[np.ix_(order, order)],
        "depot": None,
        "customers": None,
        "name": document.name,
    }
    if nodes is not None and nodes.shape[1] == 3:
        places = nodes[order, 1:]
        arguments |= {"depot": places[0], "customers": places[1:]}
    return arguments


def _refuse_limits(document: Document) -> None:
    """Refuse a file with limits that this problem does not have."""
    for keyword in LIMITS:
        if keyword in document.entries and document.number(keyword, "0") != 0.0:
            entry = document.entries[keyword]
            raise document.file.error(
                entry.line,
                "routes without limits other than the capacity",
                f"{keyword} {entry.text}",
                "remove the line to search without it",
            )


def _read_capacity(document: Document) -> float:
    """Read what a vehicle carries."""
    capacity = document.number("CAPACITY", "100")
    if capacity <= 0.0:
        entry = document.entries["CAPACITY"]
        raise document.file.error(entry.line, "a positive CAPACITY", entry.text)
    return capacity


def _require_same_nodes(
    document: Document, nodes: Floats | None, demands: Floats, rows: list[Row]
) -> None:
    """Refuse a demand of a node without coordinates."""
    if nodes is None:
        return
    wrong = np.flatnonzero(nodes[:, 0] != demands[:, 0])
    if len(wrong):
        first = int(wrong[0])
        raise document.file.error(
            rows[first].line,
            f"the nodes of NODE_COORD_SECTION, here node {nodes[first, 0]:g}",
            f"node {demands[first, 0]:g}",
        )


def _find_depot(document: Document, numbers: Floats) -> int:
    """Return the index of the depot among the nodes."""
    file, section = document.file, document.section("DEPOT_SECTION")
    found = [(n, row) for row in section.rows for n in file.numbers(row)]
    if not found or found[-1][0] != -1.0:
        line = found[-1][1].line if found else section.line
        raise file.error(line, "-1 at the end of DEPOT_SECTION", "none")
    if len(found) != 2:
        got = f"{len(found) - 1} numbers before the -1"
        raise file.error(section.line, "one depot", got)
    depot = np.flatnonzero(numbers == found[0][0])
    if not len(depot):
        expected = "the depot to be one of the nodes"
        raise file.error(found[0][1].line, expected, f"{found[0][0]:g}")
    return int(depot[0])


def _check_demands(
    document: Document, demands: Floats, rows: list[Row], depot: int, capacity: float
) -> None:
    """Refuse demands that no vehicle can carry."""
    for place, (node, demand) in enumerate(demands):
        if place == depot and demand != 0.0:
            expected = f"demand 0 at the depot, node {node:g}"
        elif not 0.0 <= demand <= capacity:
            expected = f"a demand from 0 to the CAPACITY of {capacity:g}"
        else:
            continue
        raise document.file.error(rows[place].line, expected, f"{demand:g}")
