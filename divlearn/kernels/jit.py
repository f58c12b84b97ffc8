"""``kernel``: compile a function, with a disk cache that notices every change.

Numba's own cache looks at the file of the function alone, so that a kernel would go
on calling an old version of a kernel in another file. Here every cache entry carries
a stamp of all files with kernels that it may call.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from numba import config, float64, int64, njit, types, void
from numba.core.errors import NumbaExperimentalFeatureWarning

from divlearn.kernels.linking import (
    compile_with_callers,
    hooks_are_there,
    without_constants,
)
from divlearn.kernels.loading import KernelCache
from divlearn.kernels.shipped import is_shipped, look_there_too, only_read

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED = bool(config.DISABLE_JIT)

#: Folders whose files hold kernels; a change in any of them empties the cache.
KERNEL_FOLDERS = (
    "kernels",
    "methods/dl/kernels",
    "methods/paper/kernels",
    "lab/kernels",
)
#: Folder of the objectives. Searches call them by their address, so a change there
#: empties the cache of the packages alone whose kernels call one by its name.
OBJECTIVES = "problems/built_in"
CALL_OBJECTIVES = ("divlearn.problems.", "divlearn.lab.")

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)
if JIT_DISABLED:
    # The random words wrap around on purpose; NumPy scalars would warn each time.
    warnings.filterwarnings(
        "ignore", message="overflow encountered", category=RuntimeWarning
    )


@cache
def source_stamp(*, objectives: bool = True) -> str:
    """Hash the text of all kernel files of the package, with or without objectives."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for folder in (*KERNEL_FOLDERS, *([OBJECTIVES] if objectives else [])):
        for file in sorted((package / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def text_stamp(path: str) -> str:
    """Hash the text of one file."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:  # a notebook's cell, say
        return path


def kernel(function: F, signature: Any = None, **options: Any) -> F:
    """Compile ``function``, from the disk cache where that is possible.

    Parameters
    ----------
    function
        Plain function over arrays and numbers.
    signature
        Numba signature to compile at once; None compiles at the first call.
    options
        Further options of ``numba.njit``.

    Returns
    -------
    The compiled function, or ``function`` itself under ``NUMBA_DISABLE_JIT=1``.
    """
    if JIT_DISABLED:
        return function
    options |= {"nogil": True, "error_model": "numpy"}
    compiled: Any = compile_with_callers(function, options) or _plain(function, options)
    enable_cache(compiled)
    if signature is not None:
        compiled.compile(signature)
        compiled.disable_compile()
    return compiled  # type: ignore[no-any-return]


def _plain(function: F, options: dict[str, Any]) -> Any:
    """Compile as numba usually does: the same results, after a longer wait."""
    compiled = njit(**options)(function)
    usual = compiled.get_call_template

    def get_call_template(args: Any, named: Any) -> Any:
        return usual(*without_constants(args, named))

    compiled.get_call_template = get_call_template
    return compiled


def lean_kernel(function: F, signature: Any = None) -> F:
    """Compile a kernel that makes no arrays, without reference counting.

    Counting the references of the many arrays of a search state at every call took
    two thirds of the time of the compiled loop (``benchmarks/speed.py``).
    """
    return kernel(function, signature, _nrt=False)


def inlined_kernel(function: F) -> F:
    """Compile a lean kernel that is copied into each of its callers.

    For what inner loops call: a tuple of arrays that was made by a kernel is handed on
    by some hundred words, which takes longer than many a look-up.
    """
    return kernel(function, _nrt=False, forceinline=True)


def enable_cache(compiled: Any) -> None:
    """Let numba keep ``compiled`` on disk, stamped with the text of what it may call.

    Without a writable directory numba raises. What the package brings along is found
    all the same; any other kernel works uncached.
    """
    try:
        if hooks_are_there():
            compiled._cache = KernelCache(compiled.py_func)
        else:
            compiled.enable_caching()
    except (RuntimeError, OSError):
        if not only_read(compiled):
            return
    file = compiled._cache._cache_file
    # The version is compared before anything is unpickled, so that an entry made for
    # a class that no longer exists is passed over rather than an error.
    stamp = source_stamp(
        objectives=str(compiled.__module__).startswith(CALL_OBJECTIVES)
    )
    file._version = f"{file._version} {stamp}"
    # Of a file that is no kernel's, such as an expert's, the text counts too; when it
    # was written does not, so that machine code survives an installation.
    file._source_stamp = text_stamp(compiled.py_func.__code__.co_filename)
    look_there_too(compiled)


def is_compiled(function: Any) -> bool:
    """Whether a function is one that loops may call."""
    return JIT_DISABLED or hasattr(function, "py_func")


def is_cached(compiled: Any) -> bool:
    """Whether a kernel is compiled, in this process or on disk."""
    if JIT_DISABLED or compiled.signatures:
        return True
    file = getattr(compiled._cache, "_cache_file", None)
    return file is not None and (bool(file._load_index()) or is_shipped(compiled))


def are_cached(*kernels: Any) -> bool:
    """Whether all of these kernels, called from Python, need not be compiled."""
    return all(map(is_cached, kernels))


# --- objectives: one signature for all, so that one driver serves them from the cache

INSTANCE_TABLE = float64[:, ::1]
OBJECTIVE = types.FunctionType(void(int64[::1], INSTANCE_TABLE, float64[::1]))
REPAIR = types.FunctionType(void(int64[::1], INSTANCE_TABLE))


@kernel
def no_repair(x: Any, table: Any) -> None:
    """Leave ``x`` as it is."""
