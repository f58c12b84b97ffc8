"""Trained networks: those of the repository, or of a folder that a variable names."""

from __future__ import annotations

import math
import os
from pathlib import Path

import divlearn
from divlearn.basics.errors import InputError
from divlearn.problems import CVRP, TSP, Knapsack, Problem

#: Variable that names a folder with a file ``FAMILY-SIZE.npz`` for each network.
VARIABLE = "DIVLEARN_NETWORKS"


def family_of(problem: Problem) -> tuple[str, int] | None:
    """Family and size of a problem that networks can handle, None for others.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> family_of(get("bikp-50")), family_of(get("biatsp-10"))
    (('bikp', 50), None)
    """
    m = problem.num_objectives
    if isinstance(problem, TSP) and problem.coordinates is not None and m in (2, 3):
        return ("bitsp" if m == 2 else "tritsp"), len(problem.coordinates)
    if isinstance(problem, Knapsack) and m == 2 and len(problem.capacity) == 1:
        return "bikp", len(problem.weights)
    if isinstance(problem, CVRP) and problem.distances is None:
        return "bicvrp", len(problem.demands)
    return None


def require_family(method: str, problem: Problem) -> tuple[str, int]:
    """Family and size of a problem; an InputError lists what there is."""
    found = family_of(problem)
    if found is None:
        raise InputError(
            f"{method} handles tours with two or three objectives on maps, knapsacks "
            "with two values and one capacity, and vehicle routes between places; got "
            f"{problem.name!r}."
        )
    return found


def folder_of_networks() -> Path:
    """Where networks are: in the repository, unless the variable says otherwise.

    They are large and of use for comparisons only, so that the wheel has none.
    """
    given = os.environ.get(VARIABLE)
    package = Path(divlearn.__file__).parent
    return Path(given) if given else package.parent / "networks"


def known_networks() -> list[tuple[str, int, Path]]:
    """Family, size and file of the networks that are there."""
    found = []
    for file in sorted(folder_of_networks().glob("*-*.npz")):
        family, _, size = file.stem.partition("-")
        found.append((family, int(size), file))
    return found


def find_model(family: str, size: int) -> Path:
    """Return the network for a family, of this size or the nearest one.

    Of two that are as near, the smaller: it was trained for longer.
    """
    files = {s: file for f, s, file in known_networks() if f == family}
    if not files:
        raise InputError(
            f"pmoco has no trained network for {family}-{size}; train one with: "
            f"divlearn train pmoco --problem {family}-{size} --out "
            f"{family}-{size}.npz, and pass it as model={family}-{size}.npz; or let "
            f"{VARIABLE} name the folder 'networks' of divlearn's repository."
        )
    return files[min(sorted(files), key=lambda s: abs(math.log(s / size)))]
