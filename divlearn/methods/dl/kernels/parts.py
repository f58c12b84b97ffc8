"""Parts of a step that depend on the space, called by their address.

Only what a space needs is compiled, and the loops around a part need not be compiled
together with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import int64, typeof, types, uint64, void
from numba.extending import intrinsic

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.addresses import (
    address_of,
    emit_call,
    listed_address,
    listed_function,
)
from divlearn.kernels.jit import JIT_DISABLED

#: Places of the addresses in a state; 0 stands for none. Those of a model of whole
#: orders, of pairs or of routes, which proposes first where it has something to
#: propose; those of noisy problems; those of groups of positions; that of planned
#: orders.
PROPOSE, LEARN, PROPOSE_MODELLED, LEARN_MODELLED = 0, 1, 2, 3
PROPOSE_REPEAT, WEIGH = 4, 5
PROPOSE_LINKED, LEARN_LINKED = 6, 7
PROPOSE_PLANNED = 8
NUM_PARTS = 9
NO_PART = np.uint64(0)


def part_address(function: Callable[..., None], state: Any) -> int:
    """Compile a part for states like ``state``; return its address."""
    if JIT_DISABLED:
        return listed_address(function)
    place = typeof(state)
    return address_of(function, void(place, int64[::1], int64[::1]))


if JIT_DISABLED:

    def call_part(address: np.uint64, state: Any, x: Codes, ticket: Integers) -> None:
        """Call the part at ``address``."""
        listed_function(address)(state, x, ticket)

else:

    @intrinsic
    def call_part(typing_context, address, state, x, ticket):  # type: ignore[no-untyped-def]
        """Call the part at ``address``."""
        return types.none(uint64, state, x, ticket), emit_call
