"""Spaces from their descriptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from divlearn.errors import InputError
from divlearn.spaces import (
    Binary,
    Categorical,
    Composite,
    Integer,
    Ordinal,
    Permutation,
    Space,
    Subset,
)


def space_from(description: Any) -> Space:
    """Make the space that ``space.describe()`` described.

    Examples
    --------
    >>> from divlearn import Composite, Integer
    >>> space_from(Composite(size=Integer(1, 8)).describe())
    Composite(size=Integer(1, 8))
    """
    makers: dict[str, Callable[..., Space]] = {
        "binary": Binary,
        "categorical": Categorical,
        "composite": _composite,
        "integer": Integer,
        "ordinal": Ordinal,
        "permutation": Permutation,
        "subset": Subset,
    }
    try:
        arguments = dict(description)
        return makers[arguments.pop("space")](**arguments)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"space must be described by its kind ({', '.join(makers)}) and its "
            f"arguments, got {description!r} ({error})."
        ) from None


def _composite(parts: list[tuple[str, Any]]) -> Space:
    """Make a space of named parts."""
    return Composite(**{name: space_from(part) for name, part in parts})
