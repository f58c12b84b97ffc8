"""Encodings that users wrote, called by their address."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import int64, uint64
from numba.extending import intrinsic

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.addresses import address_of_own, emit_call, listed_function
from divlearn.kernels.jit import JIT_DISABLED, lean_kernel
from divlearn.methods.dl.kernels.models.encodings import Changes

#: Address of the encodings that are built in.
BUILT_IN = np.uint64(0)


def lister_address(function: Callable[[Codes, Integers], int]) -> int:
    """Compile what lists the actions of a solution; return its address.

    Raises
    ------
    TypeError
        If the function cannot be compiled; the message holds numba's reason.
    """
    return address_of_own(function, int64(int64[::1], int64[::1]))


if JIT_DISABLED:

    def call_lister(address: np.uint64, x: Codes, actions: Integers) -> int:
        """Call what lists the actions of ``x``."""
        return int(listed_function(address)(x, actions))

else:

    @intrinsic
    def call_lister(typing_context, address, x, actions):  # type: ignore[no-untyped-def]
        """Call what lists the actions of ``x``."""
        return int64(uint64, int64[::1], int64[::1]), emit_call


@lean_kernel
def list_at(address: np.uint64, x: Codes, actions: Integers) -> int:
    """Call a lister from Python as kernels do."""
    return int(call_lister(address, x, actions))


@lean_kernel
def list_custom_changes(
    address: np.uint64, parent: Codes, child: Codes, changes: Changes
) -> int:
    """Write what a step changed by an encoding that a user wrote.

    Parameters
    ----------
    address
        That of the function which lists the actions of a solution.
    parent, child
        Two solutions, shape (n,).
    changes
        Its ``actions`` and ``signs`` are filled with the changed actions and how many
        more of each ``child`` has; its ``tally`` is zero before and afterwards.

    Returns
    -------
    Number of changed actions.
    """
    actions, tally = changes.actions, changes.tally
    held = _add_to_tally(address, child, 1, changes, 0)
    held = _add_to_tally(address, parent, -1, changes, held)
    count = 0
    for k in range(held):
        a = actions[k]
        if tally[a] != 0:
            actions[count] = a
            changes.signs[count] = float(tally[a])
            tally[a] = 0
            count += 1
    return count


@lean_kernel
def _add_to_tally(
    address: np.uint64, x: Codes, sign: int, changes: Changes, held: int
) -> int:
    """Count the actions of ``x``, and append them to the ``held`` ones."""
    listed, tally = changes.listed, changes.tally
    count = min(call_lister(address, x, listed), listed.shape[0])
    for k in range(count):
        a = listed[k]
        if 0 <= a < tally.shape[0]:  # whatever a user's function may have written
            tally[a] += sign
            changes.actions[held] = a
            held += 1
    return held
