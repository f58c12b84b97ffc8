"""``BuiltIn``: a problem made from numbers; ``Family``: how random ones are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from divlearn.problems.base import Problem

#: Largest size of a named problem; larger tables of n * n numbers exceed memory.
MAX_SIZE = 5_000


class Fields(NamedTuple):
    """The arguments of a problem that a file holds."""

    #: Arrays of numbers.
    arrays: tuple[str, ...] = ()
    #: How to search the instance; a reader may change them.
    options: tuple[str, ...] = ()
    #: Anything else.
    parts: tuple[str, ...] = ()


class BuiltIn(Problem):
    """What the problems of this library have in common.

    Attributes
    ----------
    fields
        What a file holds. It is kept in attributes of the same names.
    """

    fields: ClassVar[Fields] = Fields()

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        arrays, options, parts = self.fields
        return {name: getattr(self, name) for name in (*parts, *arrays, *options)}


@dataclass(frozen=True)
class Family:
    """Problems of one name and any size.

    Parameters
    ----------
    build
        ``build(rng, size, name, **options)`` draws one and gives it its points.
    least, most
        Smallest and largest size.
    options
        Names of the options that ``build`` takes.
    second
        Name of the option that a second size stands for, as in ``jobshop-10x5``.
    """

    build: Callable[..., BuiltIn]
    least: int = 1
    most: int = MAX_SIZE
    options: tuple[str, ...] = ()
    second: str | None = None


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
    build: Callable[..., Problem]
    options: tuple[str, ...] = ()
