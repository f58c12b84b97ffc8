"""Families of methods: which arrays their states consist of, and what these may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.arrays import ArrayFile, Header
from divlearn.kernels.layout import Layout
from divlearn.methods.base import Search
from divlearn.methods.dl.search import DLSearch
from divlearn.methods.paper.search import PaperSearch
from divlearn.optimizer.checkpoint import differences, events, experts
from divlearn.optimizer.checkpoint.rules import Misfit, Scope, Table, hold, require

#: Arrays of any state beside those of its method.
BESIDE = ("about", "pending.ids", "pending.codes", "pending.tickets", "failed")


@dataclass(frozen=True)
class Family:
    """What the state of a search of one family has to be like.

    Attributes
    ----------
    growing
        Groups of arrays that grow together. Where a row of the others decides their
        length, they may have any, see ``doubles``.
    check
        ``check(scope)`` looks at arrays before a state is made of them.
    check_state
        ``check_state(state)`` looks at the state before a kernel sees it.
    check_tickets
        ``check_tickets(state, tickets)`` looks at those of candidates under way.
    doubles
        Whether arrays grow by doubling.
    """

    growing: tuple[tuple[str, ...], ...]
    check: Callable[[Scope], None]
    check_state: Callable[[Any], None]
    check_tickets: Callable[[Any, NDArray[Any]], None]
    doubles: bool = True


def _held_to(table: Table) -> Callable[[Scope], None]:
    """Hold all arrays to their rules."""
    return lambda scope: hold(table, scope)


_EXPERTS = Family(
    experts.GROWING,
    _held_to(experts.TABLE),
    experts.require_consistent,
    experts.require_tickets,
)
_DIFFERENCES = Family(
    differences.GROWING,
    _held_to(differences.TABLE),
    differences.require_consistent,
    differences.require_tickets,
)
_OTHERS = Family(
    tuple((name,) for name in ("events", "outputs", "codes")),
    events.check,
    lambda state: None,
    events.require_tickets,
    doubles=False,
)


def family_of(search: Search) -> Family:
    """The family that a search belongs to."""
    if isinstance(search, DLSearch):
        return _DIFFERENCES
    return _EXPERTS if isinstance(search, PaperSearch) else _OTHERS


def require_shapes(
    file: ArrayFile, fresh: dict[str, NDArray[Any]], family: Family
) -> None:
    """Compare the arrays that a file has with those it should have; none is read.

    Raises
    ------
    UnknownState
        If arrays are missing or of another type: another version wrote them.
    Misfit
        If they have another shape than problem and settings imply.
    """
    if set(file.headers) != {*fresh, *BESIDE}:
        raise UnknownState
    lengths = _lengths(file, fresh, family)
    for name, array in fresh.items():
        found = file.headers[name]
        if found.dtype != array.dtype:
            raise UnknownState
        shape = (lengths.get(name, array.shape[0]), *array.shape[1:])
        require(found.shape == shape, _of_shape(name, found, shape))


class UnknownState(Exception):
    """The arrays of a file are those of another version."""


def _lengths(
    file: ArrayFile, fresh: dict[str, NDArray[Any]], family: Family
) -> dict[str, int]:
    """Lengths of what grows, as far as they are possible."""
    lengths: dict[str, int] = {}
    for group in family.growing:
        shape = file.headers[group[0]].shape
        least = fresh[group[0]].shape[0]
        length = shape[0] if shape else 0
        if family.doubles and not _is_doubled(length, least):
            raise Misfit(_of_shape(group[0], file.headers[group[0]], (least,)))
        # What a problem without noise leaves empty stays so.
        lengths |= {
            name: length if len(fresh[name]) or not least else 0 for name in group
        }
    return lengths


def _is_doubled(length: int, least: int) -> bool:
    """Whether arrays of the least length grow to this one; empty ones stay empty."""
    if least == 0:
        return length == 0
    factor, rest = divmod(length, least)
    return rest == 0 and factor > 0 and factor & (factor - 1) == 0


def _of_shape(name: str, found: Header, shape: tuple[int, ...]) -> str:
    """Say that an array has the wrong shape."""
    return f"{name} has the shape {found.shape}, not {shape}"


def read_state(
    file: ArrayFile, fresh: dict[str, NDArray[Any]], family: Family, layout: Layout
) -> dict[str, NDArray[Any]]:
    """Read arrays whose shapes were compared, and hold them to their rules."""
    arrays = {}
    for name, array in fresh.items():
        # A copy of the right type: whatever else a header says of it stays behind.
        own = np.empty(file.headers[name].shape, array.dtype)
        own[...] = file.read(name)
        arrays[name] = own
    waiting = file.headers["pending.ids"].shape[0]
    family.check(Scope(arrays, fresh, layout, waiting))
    return arrays
