"""Scores of experts, called by their address.

A compiled function that is passed from Python costs tens of microseconds per call of
a kernel; an address in the state costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import float64, njit, types, uint64
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from divlearn.kernels.jit import JIT_DISABLED, kernel, lean_kernel
from divlearn.kernels.known import Known

KNOWN = types.NamedUniTuple(float64, len(Known._fields), Known)

_python_scores: list[Callable[[Known], float]] = []
_keep_alive: dict[Callable[[Known], float], Any] = {}


@cache
def score_address(function: Callable[[Known], float]) -> int:
    """Compile an expert's score and return the address kernels call it by.

    Raises
    ------
    TypeError
        If the function cannot be compiled; the message holds numba's reason.
    """
    if JIT_DISABLED:
        _python_scores.append(function)
        return len(_python_scores) - 1
    # A user's score may call functions of other files, whose changes a cache on disk
    # would miss: only our own are kept there.
    ours = str(function.__module__).startswith("divlearn.")
    try:
        compiled: Any = kernel(function) if ours else njit(function)
        compiled.compile(float64(KNOWN))
    except NumbaError as error:
        raise TypeError(f"{function.__qualname__} does not compile: {error}") from error
    _keep_alive[function] = compiled
    result = compiled.overloads[(KNOWN,)]
    name = result.fndesc.llvm_cfunc_wrapper_name
    return int(result.library.get_pointer_to_function(name))


if JIT_DISABLED:

    def call_score(address: np.uint64, known: Known) -> float:
        """Call the score that ``score_address`` registered."""
        return float(_python_scores[int(address)](known))

else:

    @intrinsic
    def call_score(typing_context, address, known):  # type: ignore[no-untyped-def]
        """Call the function at ``address``."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            argument = context.get_value_type(KNOWN)
            function = ir.FunctionType(ir.DoubleType(), [argument])
            pointer = builder.inttoptr(arguments[0], function.as_pointer())
            return builder.call(pointer, arguments[1:])

        return float64(uint64, KNOWN), generate


@lean_kernel
def score_at(address: np.uint64, known: Known) -> float:
    """Call a score from Python as kernels do."""
    return float(call_score(address, known))
