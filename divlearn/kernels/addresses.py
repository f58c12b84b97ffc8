"""Functions that kernels call by their address.

A compiled function that is passed from Python costs tens of microseconds per call of
a kernel; an address in the state costs nothing. Addresses are those of one process; 0
stands for none. Without a compiler they are numbers in a list.

The address is that of the function itself, not of a wrapper for C, which would print an
exception and go on with what is no result: whatever such a function raises passes
through all that called it, up to Python, as from any other kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import cgutils
from numba.core.errors import NumbaError

from divlearn.kernels.jit import JIT_DISABLED, kernel

_listed: list[Callable[..., Any]] = []
_keep_alive: dict[Callable[..., Any], Any] = {}


def listed_address(function: Callable[..., Any]) -> int:
    """Number of a function in the list, where nothing is compiled."""
    if function not in _listed:
        _listed.append(function)
    return 1 + _listed.index(function)


def listed_function(address: Any) -> Callable[..., Any]:
    """The function that :func:`listed_address` gave this number."""
    return _listed[int(address) - 1]


def address_of(compiled: Any, signature: Any) -> int:
    """Compile a kernel for one signature; return its address."""
    if JIT_DISABLED:
        return listed_address(compiled)
    if signature.args not in compiled.overloads:
        compiled.compile(signature)
    result = compiled.overloads[signature.args]
    name = result.fndesc.llvm_func_name
    return int(result.library.get_pointer_to_function(name))


def address_of_own(function: Callable[..., Any], signature: Any) -> int:
    """Compile a function that a user may have written; return its address.

    Raises
    ------
    TypeError
        If the function cannot be compiled; the message holds numba's reason.
    """
    if JIT_DISABLED:
        return listed_address(function)
    # A user's function may call functions of other files, whose changes a cache on
    # disk would miss: only our own are kept there. It may also write out of bounds.
    ours = str(function.__module__).startswith("divlearn.")
    if function not in _keep_alive:
        _keep_alive[function] = (
            kernel(function) if ours else njit(boundscheck=True)(function)
        )
    try:
        return address_of(_keep_alive[function], signature)
    except NumbaError as error:
        raise TypeError(f"{function.__qualname__} does not compile: {error}") from error


def emit_call(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
    """Code of an intrinsic that calls its first argument with the others.

    An exception there ends the caller too, as if it had been raised in it.
    """
    returned, kinds = signature.return_type, signature.args[1:]
    convention = context.call_conv
    function = convention.get_function_type(returned, kinds)
    pointer = builder.inttoptr(arguments[0], function.as_pointer())
    status, result = convention.call_function(
        builder, pointer, returned, kinds, arguments[1:]
    )
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result
