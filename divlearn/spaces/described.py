"""All spaces by name, and spaces from their descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.spaces.base import Space
from divlearn.spaces.choice import Categorical, Integer, Ordinal
from divlearn.spaces.composite import Composite
from divlearn.spaces.condition import If
from divlearn.spaces.partition import Partition
from divlearn.spaces.permutation import Permutation
from divlearn.spaces.real import Real
from divlearn.spaces.subset import Binary, Subset

#: Spaces of one kind by the name that ``describe`` gives them.
SINGLE: dict[str, Callable[..., Space]] = {
    "real": Real,
    "integer": Integer,
    "ordinal": Ordinal,
    "categorical": Categorical,
    "binary": Binary,
    "permutation": Permutation,
    "subset": Subset,
    "partition": Partition,
}


def space_from(description: Any) -> Space:
    """Make the space that ``space.describe()`` described.

    Examples
    --------
    >>> space_from(Composite(size=Integer(1, 8)).describe())
    Composite(size=Integer(1, 8))
    """
    makers = {**SINGLE, "composite": _composite}
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
    return Composite(**{name: _part(part) for name, part in parts})


def _part(description: Any) -> Space | If:
    """Make a part, which may exist only sometimes."""
    if isinstance(description, Mapping) and description.get("space") == "if":
        conditions = {str(name): wanted for name, wanted in description["when"]}
        return If(then=space_from(description["then"]), **conditions)
    return space_from(description)
