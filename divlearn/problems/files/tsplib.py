"""Tours from TSPLIB files, one file per objective."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.problems.built_in.base import MAX_SIZE
from divlearn.problems.files.distances import (
    DEFINITIONS,
    MATRIX_FORMATS,
    fill_matrix,
    measure,
    num_entries,
)
from divlearn.problems.files.document import Document
from divlearn.problems.files.sections import read_nodes, read_stream
from divlearn.spaces.base import MAX_ITEMS

AXES = ("x", "y", "z")
#: The kind of distances that needs no table, if it is not rounded.
STRAIGHT = "EUC_2D"


def read_tours(documents: Sequence[Document], rounded: bool) -> dict[str, Any]:
    """Return the arguments of a TSP with an objective per document."""
    sizes = [document.size(MAX_ITEMS) for document in documents]
    for document, size in zip(documents, sizes, strict=True):
        if size != sizes[0]:
            raise document.file.error(
                document.entries["DIMENSION"].line,
                f"DIMENSION {sizes[0]}, as in {documents[0].file.path}",
                str(size),
                "all objectives need the same cities",
            )
    many = sizes[0] > MAX_SIZE
    arrays = []
    for document, size in zip(documents, sizes, strict=True):
        if many:
            arrays.append(_read_places(document, size, rounded))
        else:
            arrays.append(read_distances(document, size, rounded)[1])
        document.file.require_end()
    name = "+".join(document.name for document in documents)
    if many:
        return {"coordinates": arrays, "name": name}
    return {"distances": np.array(arrays), "name": name}


def _read_places(document: Document, n: int, rounded: bool) -> Floats:
    """Read the places, shape (n, 2), of more nodes than a table of distances has."""
    kind = document.word("EDGE_WEIGHT_TYPE", (*DEFINITIONS, "EXPLICIT"))
    if kind != STRAIGHT or rounded:
        raise document.file.error(
            document.entries["DIMENSION"].line,
            f"DIMENSION to be at most {MAX_SIZE:,}",
            f"{n:,}",
            f"larger files are read if EDGE_WEIGHT_TYPE is {STRAIGHT} and rounded is "
            "False: straight lines are computed as they are needed, without a table",
        )
    return read_nodes(document, "NODE_COORD_SECTION", n, AXES[:2])[0][:, 1:]


def read_distances(
    document: Document, n: int, rounded: bool
) -> tuple[Floats | None, Floats]:
    """Read where the nodes are and how far apart.

    Returns
    -------
    Node numbers and places, shape (n, 1 + axes), or None if the file has none; and the
    distances, shape (n, n).
    """
    kind = document.word("EDGE_WEIGHT_TYPE", (*DEFINITIONS, "EXPLICIT"))
    if kind == "EXPLICIT":
        return None, _read_matrix(document, n)
    axes = AXES[: DEFINITIONS[kind][0]]
    nodes, _ = read_nodes(document, "NODE_COORD_SECTION", n, axes)
    return nodes, measure(kind, nodes[:, 1:], rounded)


def _read_matrix(document: Document, n: int) -> Floats:
    """Read the distances of a file that lists them."""
    form = document.word("EDGE_WEIGHT_FORMAT", tuple(MATRIX_FORMATS))
    count, of = num_entries(n, form), f"{form} of {n} nodes"
    numbers = read_stream(document, "EDGE_WEIGHT_SECTION", count, of)
    return fill_matrix(n, form, numbers)
