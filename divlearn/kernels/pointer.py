"""Pass a state by its address.

A state is a tuple of many arrays. Passed as such, every kernel that takes it has
hundreds of arguments, and most of the time of compilation goes into handing them on.
"""

from __future__ import annotations

from typing import TypeVar

from divlearn.kernels.jit import JIT_DISABLED

T = TypeVar("T")

if JIT_DISABLED:

    def pointer_to(value: T) -> tuple[T]:
        """Something whose item 0 is ``value``."""
        return (value,)

else:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def pointer_to(typing_context, value):  # type: ignore[no-untyped-def]
        """Address of a copy of ``value`` in this kernel's frame; item 0 is it."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return cgutils.alloca_once_value(builder, arguments[0])

        return types.CPointer(value)(value), generate
