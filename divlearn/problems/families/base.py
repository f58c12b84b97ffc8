"""``Family``: problems of one name and any size; ``Single``: one without a size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from divlearn.problems.built_in import BuiltIn

#: Largest size of a named problem; larger tables of n * n numbers exceed memory.
MAX_SIZE = 5_000


@dataclass(frozen=True)
class Family:
    """Problems of one name and any size.

    Parameters
    ----------
    description
        What they are, for the list of problems.
    build
        ``build(rng, size, name, **options)`` draws one and gives it its points.
    least, most
        Smallest and largest size.
    options
        Names of the options that ``build`` takes.
    """

    description: str
    build: Callable[..., BuiltIn]
    least: int = 1
    most: int = MAX_SIZE
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Single:
    """A problem that has no size; its instances differ in their noise.

    Parameters
    ----------
    description
        What it is, for the list of problems.
    build
        ``build(instance, name, **options)`` makes one.
    options
        Names of the options that ``build`` takes.
    """

    description: str
    build: Callable[..., BuiltIn]
    options: tuple[str, ...] = ()


def interpolate(n: int, points: tuple[tuple[int, float], ...]) -> float:
    """Straight lines between ``points``; proportional to n outside them.

    Examples
    --------
    >>> interpolate(35, ((20, 20.0), (50, 35.0))), interpolate(10, ((20, 20.0),))
    (27.5, 10.0)
    """
    sizes, numbers = zip(*points, strict=True)
    inside = min(max(n, sizes[0]), sizes[-1])
    return float(np.interp(inside, sizes, numbers) * n / inside)
