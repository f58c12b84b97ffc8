"""Loops around a step, compiled once for all objectives and repairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import float64, int64, typeof

from divlearn.kernels.jit import (
    INSTANCE_TABLE,
    JIT_DISABLED,
    OBJECTIVE,
    REPAIR,
    is_cached,
    lean_kernel,
)

#: Arguments of a run before and after its state: see ``run`` of the drivers.
RUN = (
    (OBJECTIVE, REPAIR, INSTANCE_TABLE),
    (int64[::1], float64[::1], int64[::1], int64),
)
#: The same of a replay: events, codes, answers, tickets, x.
REPLAY = (
    (REPAIR, INSTANCE_TABLE),
    (int64[::1], int64[:, ::1], float64[:, ::1], int64[:, ::1], int64[::1]),
)

#: Number of a run's ticket that is 1 while the objective or the repair is at work, so
#: that an exception is laid at the right door; the others are those of a candidate.
EVALUATING = 2

_compiled: dict[tuple[Callable[..., int], type], Callable[..., int]] = {}


def compiled_loop(
    loop: Callable[..., int], state: Any, arguments: tuple[Any, Any]
) -> Callable[..., int]:
    """Compile a loop for states of this kind, or return what was compiled before."""
    # All states of a kind have one type; to work it out takes longer than a thousand
    # steps.
    key = loop, type(state)
    if key not in _compiled:
        before, after = arguments
        _compiled[key] = lean_kernel(loop, int64(*before, typeof(state), *after))
    return _compiled[key]


def loop_is_cached(loop: Callable[..., int]) -> bool:
    """Whether a loop is compiled, in this process or on disk."""
    known = any(key[0] is loop for key in _compiled)
    return known or JIT_DISABLED or is_cached(lean_kernel(loop))
