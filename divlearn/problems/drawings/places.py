"""Places that fit given distances, where nobody said where things are."""

from __future__ import annotations

import numpy as np

from divlearn.basics.typing import Floats, Integers

#: With more things, finding places takes too long.
MOST = 500
#: What is said of such places.
NOTE = "places are estimated from distances"
#: What is said of places of nodes, and how many nodes may have some.
NOTE_GRAPH, MOST_NODES = "nodes stand where their edges are short", 150
#: Steps that pull linked nodes together and push all others apart.
STEPS = 60


def places_of(distances: Floats) -> tuple[Floats, float] | None:
    """Places whose distances are nearest to given ones, by classical scaling.

    Parameters
    ----------
    distances
        Shape (n, n).

    Returns
    -------
    Places, shape (n, 2), and the share of the distances that a plane explains, 0 to 1;
    None if there are too many.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> places, share = places_of(line)
    >>> float(abs(places[3, 0] - places[0, 0]).round(6)), round(share, 6)
    (3.0, 1.0)
    """
    n = len(distances)
    if not 2 <= n <= MOST:
        return None
    centre = np.eye(n) - 1.0 / n
    squares = np.square((distances + distances.T) / 2.0)
    values, vectors = np.linalg.eigh(-centre @ squares @ centre / 2.0)
    largest = np.maximum(values[-2:][::-1], 0.0)
    total = np.abs(values).sum()
    places = vectors[:, -2:][:, ::-1] * np.sqrt(largest)
    return places, float(largest.sum() / total) if total > 0 else 0.0


def places_in_graph(n: int, edges: Integers) -> Floats | None:
    """Places of nodes, shape (n, 2), such that linked ones are near to each other.

    They begin where classical scaling puts them by the number of edges between them.

    Parameters
    ----------
    n
        Number of nodes.
    edges
        Pairs of nodes, shape (k, 2).

    Returns
    -------
    None if there are too many nodes. The same graph always gets the same places.

    Examples
    --------
    >>> places = places_in_graph(3, np.array([[0, 1], [1, 2]]))
    >>> ways = np.linalg.norm(places[[0, 1, 0]] - places[[1, 2, 2]], axis=1)
    >>> bool(ways[2] > ways[0])
    True
    """
    found = places_of(_hops(n, edges)) if n <= MOST_NODES else None
    if found is None:
        return None
    links = np.zeros((n, n))
    links[edges[:, 0], edges[:, 1]] = links[edges[:, 1], edges[:, 0]] = 1.0
    places: Floats = found[0] / max(np.abs(found[0]).max(), 1e-12)
    near = 1.0 / np.sqrt(n)
    for step in range(STEPS):
        way = places[:, None] - places[None]
        apart = np.maximum(np.sqrt(np.square(way).sum(axis=2)), 1e-3)
        force = near**2 / apart**2 - links * apart / near
        moved = (way * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.sqrt(np.square(moved).sum(axis=1)), 1e-12)
        reach = 0.15 * (1.0 - step / STEPS)
        places = places + moved * (np.minimum(length, reach) / length)[:, None]
    return places.round(4)


def _hops(n: int, edges: Integers) -> Floats:
    """Number of edges on the shortest way between nodes, shape (n, n)."""
    linked = np.eye(n, dtype=bool)
    linked[edges[:, 0], edges[:, 1]] = linked[edges[:, 1], edges[:, 0]] = True
    reached, hops = np.eye(n, dtype=bool), np.zeros((n, n))
    while True:
        wider = (reached.astype(np.float32) @ linked.astype(np.float32)) > 0
        if (wider == reached).all():
            break
        hops += ~reached
        reached = wider
    hops[~reached] += 1.0
    return hops
