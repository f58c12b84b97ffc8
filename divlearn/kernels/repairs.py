"""What becomes of a solution before it is evaluated: repairs, called by their address.

A call of a repair costs no evaluation, so that a search may ask as often as it likes
what would be evaluated in place of a solution. A function of the user's in Python is
called by a number in a list of this process.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numba import njit, objmode, uint64, void
from numba.extending import intrinsic

from divlearn.basics.typing import Codes, Floats, Words
from divlearn.kernels.addresses import address_of, emit_call, listed_function
from divlearn.kernels.jit import INSTANCE_TABLE, JIT_DISABLED, REPAIR
from divlearn.kernels.views import viewed

#: First code of a solution that may not be tried at all.
REFUSED = -1
#: Address where nothing is repaired.
NO_REPAIR = np.uint64(0)
_REPAIR = REPAIR.signature
_numbers = count(1)
#: Functions in Python by number, as long as somebody else holds them.
_asked: WeakValueDictionary[int, Any] = WeakValueDictionary()


@viewed
class Repairer(NamedTuple):
    """How a search asks what would be evaluated; addresses are of this process."""

    where: Words  # (1,) address of a repair; NO_REPAIR where there is none
    table: Floats  # the instance, or the number of a function in Python, shape (1, 1)


def no_repairer() -> Repairer:
    """Nobody to ask."""
    return Repairer(np.zeros(1, np.uint64), np.zeros((0, 0)))


def compiled_repairer(repair: Any, table: Floats) -> Repairer:
    """Ask a compiled repair about its instance."""
    return Repairer(np.array([address_of(repair, _REPAIR)], np.uint64), table)


def python_repairer(function: Callable[[Codes], None]) -> Repairer:
    """Ask a function in Python, which the caller has to keep alive.

    It changes codes in place, or writes ``REFUSED`` into the first of them.
    """
    number = next(_numbers)
    _asked[number] = function
    address = address_of(_call_listed, _REPAIR)
    return Repairer(np.array([address], np.uint64), np.array([[float(number)]]))


def _ask_listed(x: Codes, table: Floats) -> None:
    """Call the function whose number the table holds."""
    _asked[int(table[0, 0])](x)


if JIT_DISABLED:
    _call_listed = _ask_listed

    def call_repair(address: np.uint64, x: Codes, table: Floats) -> None:
        """Let ``x`` become what would be evaluated."""
        listed_function(address)(x, table)

else:

    @njit
    def _call_listed(x: Codes, table: Floats) -> None:
        with objmode():
            _ask_listed(x, table)

    @intrinsic
    def call_repair(typing_context, address, x, table):  # type: ignore[no-untyped-def]
        """Let ``x`` become what would be evaluated."""
        return void(uint64, x, INSTANCE_TABLE), emit_call
