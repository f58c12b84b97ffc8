"""Moves that users wrote, called by their address, and checked each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, njit, objmode, uint64, void
from numba.extending import intrinsic

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.addresses import (
    address_of,
    address_of_own,
    emit_call,
    listed_function,
)
from divlearn.kernels.jit import JIT_DISABLED, lean_kernel
from divlearn.kernels.layout import Layout, is_member
from divlearn.kernels.moves import random_move
from divlearn.kernels.random import uniform
from divlearn.kernels.structure import settle

CUSTOM_MOVE = np.dtype(
    [
        ("address", "u8"),  # of the function
        ("complaint", "u8"),  # of what is called where it left the space
        ("until", "f8"),  # its share and those of the moves before it
    ]
)
_MOVE = void(int64[::1], int64[::1], uint64[::1])
#: Python functions as compiled ones call them, which have to outlive their addresses.
_called_in_python: dict[Any, Any] = {}
_complaints: dict[str, Any] = {}


def move_address(function: Callable[..., None], compiled: bool) -> int:
    """Compile a move, or what calls it as plain Python; return its address.

    Raises
    ------
    TypeError
        If the function cannot be compiled; the message holds numba's reason.
    """
    plain = getattr(function, "py_func", function)
    if compiled or JIT_DISABLED:
        return address_of_own(plain, _MOVE)
    if plain not in _called_in_python:

        def call(x: Codes, positions: Integers, words: Words) -> None:
            with objmode():
                plain(x, positions, words)

        _called_in_python[plain] = njit(call)
    return address_of(_called_in_python[plain], _MOVE)


def complaint_address(message: str) -> int:
    """Address of a function that raises with this message."""
    if message not in _complaints:

        def complain() -> None:
            raise ValueError(message)

        _complaints[message] = complain if JIT_DISABLED else njit(complain)
    return address_of(_complaints[message], void())


if JIT_DISABLED:

    def call_move(address: np.uint64, x: Codes, where: Integers, words: Words) -> None:
        """Call a move."""
        listed_function(address)(x, where, words)

    def call_complaint(address: np.uint64) -> None:
        """Raise what is at this address."""
        listed_function(address)()

else:

    @intrinsic
    def call_move(typing_context, address, x, where, words):  # type: ignore[no-untyped-def]
        """Call a move."""
        return void(uint64, int64[::1], int64[::1], uint64[::1]), emit_call

    @intrinsic
    def call_complaint(typing_context, address):  # type: ignore[no-untyped-def]
        """Raise what is at this address."""
        return void(uint64), emit_call


@lean_kernel
def move_at(address: np.uint64, x: Codes, where: Integers, words: Words) -> None:
    """Call a move from Python as kernels do."""
    call_move(address, x, where, words)


@lean_kernel
def any_move(
    layout: Layout,
    x: Codes,
    positions: Integers,
    count: int,
    shares: Floats,
    block: int,
    custom: Records,
    words: Words,
    scratch: Integers,
) -> bool:
    """Change ``x`` by a custom move, drawn by its share, or else by a built-in one.

    A custom move that changes nothing is followed by a built-in one.

    Parameters
    ----------
    layout, x, positions, count, shares, block, words, scratch
        As of :func:`divlearn.kernels.moves.random_move`.
    custom
        Of CUSTOM_MOVE.

    Returns
    -------
    False if no move was found; ``x`` is then unchanged.
    """
    if custom.shape[0] > 0:
        u = uniform(words)
        for k in range(custom.shape[0]):
            if u < custom[k].until:
                where = positions[:count]
                if make_custom_move(layout, x, where, custom, k, words, scratch):
                    return True
                break
    return bool(random_move(layout, x, positions, count, shares, block, words, scratch))


@lean_kernel
def make_custom_move(
    layout: Layout,
    x: Codes,
    where: Integers,
    custom: Records,
    k: int,
    words: Words,
    scratch: Integers,
) -> bool:
    """Make custom move ``k``, and see to it that it stays in the space.

    Returns
    -------
    Whether it changed anything.
    """
    n = x.shape[0]
    for i in range(n):
        scratch[i] = x[i]
    call_move(custom[k].address, x, where, words)
    if not codes_exist(layout, x):
        call_complaint(custom[k].complaint)
    settle(layout, x, words)
    if not is_member(layout, x):
        call_complaint(custom[k].complaint)
    changed = False
    for i in range(n):
        changed = changed or x[i] != scratch[i]
    return changed


@lean_kernel
def codes_exist(layout: Layout, x: Codes) -> bool:
    """Whether every position has the code that ``x`` gives it."""
    for i in range(x.shape[0]):
        if x[i] < 0 or x[i] >= layout.places[i].levels:
            return False
    return True
