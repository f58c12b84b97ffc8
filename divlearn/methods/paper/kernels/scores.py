"""Scores of experts, called by their address."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import float64, types, uint64
from numba.extending import intrinsic

from divlearn.kernels.addresses import address_of_own, emit_call, listed_function
from divlearn.kernels.jit import JIT_DISABLED, lean_kernel
from divlearn.methods.paper.kernels.known import Known

KNOWN = types.NamedUniTuple(float64, len(Known._fields), Known)


def score_address(function: Callable[[Known], float]) -> int:
    """Compile an expert's score and return the address kernels call it by.

    Raises
    ------
    TypeError
        If the function cannot be compiled; the message holds numba's reason.
    """
    return address_of_own(function, float64(KNOWN))


if JIT_DISABLED:

    def call_score(address: np.uint64, known: Known) -> float:
        """Call the score at ``address``."""
        return float(listed_function(address)(known))

else:

    @intrinsic
    def call_score(typing_context, address, known):  # type: ignore[no-untyped-def]
        """Call the score at ``address``."""
        return float64(uint64, KNOWN), emit_call


@lean_kernel
def score_at(address: np.uint64, known: Known) -> float:
    """Call a score from Python as kernels do."""
    return float(call_score(address, known))
