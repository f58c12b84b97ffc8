"""``KernelCache``: kernels from disk, without waking up the compiler.

Before numba looks on disk it prepares for compiling: it imports all that it can
compile, a third of a second of CPU time. Machine code needs nothing of it but the
runtime that counts references; if it is not on disk, numba prepares when it compiles.
"""

from __future__ import annotations

from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


class KernelCache(FunctionCache):
    """Machine code on disk of one kernel, for versions of numba that are known."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None if nothing was."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
        return None
