"""Scores of experts, called by their address.

A score takes what is known of an action and the options of its expert, any number of
named numbers. Compiled, these are the address of a row of a state, and a name is a
place in it: scores of all experts have one signature, so kernels can call any of them.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import float64, types, uint64
from numba.extending import intrinsic

from divlearn.basics.typing import Floats
from divlearn.kernels.addresses import address_of_own, emit_call, listed_function
from divlearn.kernels.jit import JIT_DISABLED, lean_kernel
from divlearn.methods.paper.kernels.known import Known

KNOWN = types.NamedUniTuple(float64, len(Known._fields), Known)

Score = Callable[[Known, Any], float]
#: Names of the options of scores that were looked up, where nothing is compiled.
_names: dict[Score, tuple[str, ...]] = {}


@cache
def options_class(names: tuple[str, ...]) -> Any:
    """Options as plain Python sees them: a named tuple."""
    return namedtuple("Options", names)


def score_address(function: Score, names: tuple[str, ...] = ()) -> int:
    """Compile an expert's score and return the address kernels call it by.

    Parameters
    ----------
    function
        ``function(known, options)``.
    names
        Names of the options, in the order of their row.

    Raises
    ------
    TypeError
        If the function cannot be compiled; the message holds numba's reason.
    """
    if JIT_DISABLED:
        _names[function] = names
        return address_of_own(function, None)
    return address_of_own(function, float64(KNOWN, Options(names)))


if JIT_DISABLED:

    def call_score(address: np.uint64, known: Known, options: Floats) -> float:
        """Call the score at ``address``."""
        function = listed_function(address)
        names = _names[function]
        return float(function(known, options_class(names)(*options[: len(names)])))

else:
    from llvmlite import ir
    from numba.core.datamodel import models
    from numba.core.imputils import lower_getattr_generic
    from numba.core.typing.templates import AttributeTemplate, infer_getattr
    from numba.extending import register_model

    class Options(types.Type):  # type: ignore[misc]
        """The type of options with these names."""

        def __init__(self, names: tuple[str, ...]) -> None:
            self.names = names
            super().__init__(f"Options({','.join(names)})")

        def __reduce__(self) -> Any:
            return Options, (self.names,)

    @register_model(Options)
    class _OptionsModel(models.PrimitiveModel):  # type: ignore[misc]
        """Options are the address of numbers."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.DoubleType().as_pointer())

    @infer_getattr
    class _OptionsAttribute(AttributeTemplate):  # type: ignore[misc]
        """All options are numbers."""

        key = Options

        def generic_resolve(self, options: Options, name: str) -> Any:
            return float64 if name in options.names else None

    @lower_getattr_generic(Options)
    def _get_option(context: Any, builder: Any, kind: Any, row: Any, name: str) -> Any:
        """Load an option from its row."""
        place = ir.IntType(32)(kind.names.index(name))
        return builder.load(builder.gep(row, [place], inbounds=True))

    #: Options with whatever names: all are passed as the address of their row.
    _ANY = Options(())

    @intrinsic
    def call_score(typing_context, address, known, options):  # type: ignore[no-untyped-def]
        """Call the score at ``address``."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, known, row = arguments
            numbers = context.make_array(options)(context, builder, value=row).data
            called = float64(uint64, KNOWN, _ANY)
            words = [address, known, numbers]
            return emit_call(context, builder, called, words)  # type: ignore[no-untyped-call]

        return float64(uint64, KNOWN, options), code


@lean_kernel
def score_at(address: np.uint64, known: Known, options: Floats) -> float:
    """Call a score from Python as kernels do; ``options`` are a row of numbers."""
    return float(call_score(address, known, options))
