"""Named problems with numbered random instances, the same for everyone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from divlearn.checks import require_whole
from divlearn.errors import InputError
from divlearn.problems.cvrp import CVRP
from divlearn.problems.knapsack import Knapsack
from divlearn.problems.tsp import TSP

BuiltIn = TSP | Knapsack | CVRP

#: Largest size of a named problem; tables of n * n numbers grow beyond memory.
MAX_SIZE = 5_000

#: Size and number at the paper's sizes.
TSP_REFERENCE = ((20, 20.0), (50, 35.0), (100, 65.0))
KNAPSACK_REFERENCE = ((50, 5.0), (100, 20.0), (200, 30.0))
KNAPSACK_IDEAL = ((50, 30.0), (100, 50.0), (200, 75.0))
CVRP_REFERENCE = ((20, 30.0), (50, 45.0), (100, 80.0))
CVRP_CAPACITY = ((20, 30.0), (50, 40.0), (100, 50.0))
CVRP_LONGEST = 4.0


@dataclass(frozen=True)
class Family:
    """Problems of one name and any size."""

    description: str
    least: int
    options: tuple[str, ...]
    build: Callable[..., BuiltIn]


def get(name: str, /, instance: int = 0, **options: Any) -> BuiltIn:
    """Make a built-in problem with the reference and ideal point of the paper.

    Parameters
    ----------
    name
        Family and size, such as ``"bitsp-100"``; :func:`catalogue` lists them.
    instance
        Number of the random instance, from 0 on; the same number is the same instance
        everywhere.
    options
        ``repair`` and ``fill`` of a knapsack (``repair="random-drop"`` unless given),
        ``decoder`` and ``levels`` of a vehicle routing problem.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> problem = get("bitsp-100", instance=3)
    >>> problem.name, problem.instance, problem.reference
    ('bitsp-100', 3, array([65., 65.]))
    """
    word, size = _read_name(name)
    family = FAMILIES[word]
    number = require_whole("instance", instance)
    if unknown := sorted(set(options) - set(family.options)):
        allowed = f"has the options {', '.join(family.options)}"
        raise InputError(
            f"{word}-N {allowed if family.options else 'has no options'}; "
            f"got {', '.join(unknown)}."
        )
    rng = np.random.default_rng(number)
    problem = family.build(rng, size, f"{word}-{size}", **options)
    problem.instance = number
    return problem


def catalogue() -> list[tuple[str, str]]:
    """List the names that :func:`get` understands, with what they are.

    Examples
    --------
    >>> from divlearn.problems import catalogue
    >>> [name for name, description in catalogue()]
    ['bitsp-N', 'tritsp-N', 'bikp-N', 'bicvrp-N']
    """
    return [(f"{name}-N", family.description) for name, family in FAMILIES.items()]


def _read_name(name: object) -> tuple[str, int]:
    """Take family and size from a name."""
    match = re.fullmatch(r"([a-z]+)-([0-9]{1,9})", str(name))
    if match is None or match[1] not in FAMILIES:
        near = get_close_matches(re.split(r"[-0-9]", str(name).lower())[0], FAMILIES, 1)
        hint = f" Did you mean {near[0]}-N?" if near else ""
        raise InputError(
            f"problem must be one of {', '.join(f'{f}-N' for f in FAMILIES)} with a "
            f"size for N, such as bitsp-100; got {name!r}.{hint}"
        )
    word, size = match[1], int(match[2])
    if not FAMILIES[word].least <= size <= MAX_SIZE:
        raise InputError(
            f"the size of {word}-N must be from {FAMILIES[word].least} to {MAX_SIZE}, "
            f"got {name!r}."
        )
    return word, size


def interpolate(n: int, points: tuple[tuple[int, float], ...]) -> float:
    """Straight lines between ``points``; proportional to n on both sides of them."""
    sizes, numbers = zip(*points, strict=True)
    inside = min(max(n, sizes[0]), sizes[-1])
    return float(np.interp(inside, sizes, numbers) * n / inside)


def _tsp(num_objectives: int) -> Callable[..., BuiltIn]:
    """Make a builder for tours with so many lengths."""

    def build(rng: np.random.Generator, n: int, name: str) -> BuiltIn:
        reference = interpolate(n, TSP_REFERENCE)
        return TSP(
            rng.random((n, num_objectives, 2)),
            reference=[reference] * num_objectives,
            ideal=[0.0] * num_objectives,
            name=name,
        )

    return build


def _knapsack(
    rng: np.random.Generator,
    n: int,
    name: str,
    repair: str | None = "random-drop",
    fill: bool = False,
) -> BuiltIn:
    """Make a knapsack with two values."""
    # The capacity stays at 25 for large n, and values then grow like the root of n.
    size, growth = min(n, 200), np.sqrt(max(n, 200) / 200.0)
    weights, values = rng.random(n), rng.random((n, 2))
    return Knapsack(
        weights,
        values,
        min(n / 4.0, 25.0),
        repair=repair,
        fill=fill,
        reference=[interpolate(size, KNAPSACK_REFERENCE) * growth] * 2,
        ideal=[interpolate(size, KNAPSACK_IDEAL) * growth] * 2,
        name=name,
    )


def _cvrp(rng: np.random.Generator, n: int, name: str, **options: Any) -> BuiltIn:
    """Make a vehicle routing problem with the depot in the middle."""
    sizes, capacities = zip(*CVRP_CAPACITY, strict=True)
    customers, demands = rng.random((n, 2)), rng.integers(1, 10, n)
    return CVRP(
        (0.5, 0.5),
        customers,
        demands,
        round(float(np.interp(n, sizes, capacities))),
        reference=[interpolate(n, CVRP_REFERENCE), CVRP_LONGEST],
        ideal=[0.0, 0.0],
        name=name,
        **options,
    )


FAMILIES = {
    "bitsp": Family(
        "tour of N cities with 2 lengths; the paper's N: 20, 50, 100", 2, (), _tsp(2)
    ),
    "tritsp": Family(
        "tour of N cities with 3 lengths; the paper's N: 20, 50, 100", 2, (), _tsp(3)
    ),
    "bikp": Family(
        "knapsack of N items with 2 values; the paper's N: 50, 100, 200; "
        "options repair, fill",
        1,
        ("repair", "fill"),
        _knapsack,
    ),
    "bicvrp": Family(
        "routes to N customers, in total and the longest; the paper's N: 20, 50, 100; "
        "options decoder, levels",
        1,
        ("decoder", "levels"),
        _cvrp,
    ),
}
