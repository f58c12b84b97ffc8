"""Trained networks that come with the package."""

from __future__ import annotations

import math
from pathlib import Path

from divlearn.errors import InputError
from divlearn.problems import CVRP, TSP, Knapsack, Problem

#: Where they are: a file ``FAMILY-SIZE.npz`` each, with its log next to it.
MODELS = Path(__file__).parent / "models"


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


def shipped_models() -> list[tuple[str, int, Path]]:
    """Family, size and file of the networks that come with the package."""
    found = []
    for file in sorted(MODELS.glob("*-*.npz")):
        family, _, size = file.stem.partition("-")
        found.append((family, int(size), file))
    return found


def find_model(family: str, size: int) -> Path:
    """Return the shipped network for a family, of this size or the nearest one."""
    files = {s: file for f, s, file in shipped_models() if f == family}
    if not files:
        raise InputError(
            f"pmoco has no trained network for {family}-{size}; train one with: "
            f"divlearn train pmoco --problem {family}-{size} --out "
            f"{family}-{size}.npz, and pass it as model={family}-{size}.npz."
        )
    return files[min(files, key=lambda s: abs(math.log(s / size)))]
