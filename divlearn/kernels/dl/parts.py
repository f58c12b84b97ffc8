"""Parts of a step that depend on the space, called by their address.

Only what a space needs is compiled, and the loops around a part need not be compiled
together with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from divlearn.kernels.jit import JIT_DISABLED
from divlearn.typing import Codes, Integers

#: Places of the addresses in a state; 0 stands for none. The last two are those of the
#: pair model, which proposes first where it has something to propose.
PROPOSE, LEARN, PROPOSE_PAIRING, LEARN_PAIRING = 0, 1, 2, 3
NO_PART = np.uint64(0)

_python_parts: list[Callable[..., None]] = []

if JIT_DISABLED:

    def part_address(function: Callable[..., None], state: Any) -> int:
        """Register a part; return the number kernels call it by."""
        if function not in _python_parts:
            _python_parts.append(function)
        return 1 + _python_parts.index(function)

    def call_part(address: np.uint64, at: Any, x: Codes, ticket: Integers) -> None:
        """Call a part."""
        _python_parts[int(address) - 1](at, x, ticket)

else:
    from llvmlite import ir
    from numba import int64, typeof, types, uint64, void
    from numba.extending import intrinsic

    _CODES = int64[::1]

    def part_address(function: Callable[..., None], state: Any) -> int:
        """Compile a part for states like ``state``; return its address."""
        compiled: Any = function
        kinds = (types.CPointer(typeof(state)), _CODES, _CODES)
        if kinds not in compiled.overloads:
            compiled.compile(void(*kinds))
        result = compiled.overloads[kinds]
        name = result.fndesc.llvm_cfunc_wrapper_name
        return int(result.library.get_pointer_to_function(name))

    @intrinsic
    def call_part(typing_context, address, at, x, ticket):  # type: ignore[no-untyped-def]
        """Call the part at ``address``."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            kinds = [context.get_value_type(kind) for kind in signature.args[1:]]
            function = ir.FunctionType(ir.VoidType(), kinds)
            pointer = builder.inttoptr(arguments[0], function.as_pointer())
            builder.call(pointer, arguments[1:])
            return context.get_dummy_value()

        return types.none(uint64, at, x, ticket), generate
