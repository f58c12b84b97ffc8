"""Machine code that a package of ``make dist`` brings along.

Such a package holds a cache of compiled kernels beside their files, made for a kind of
processor that most have (x86-64-v3), and a note that says so. Where the processor, the
interpreter and numba are such that it fits, a kernel is looked for there as well;
elsewhere it is compiled as usual.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core.caching import (
    CompileResultCacheImpl,
    IndexDataCacheFile,
    InTreeCacheLocator,
)

from divlearn.kernels.loading import KernelCache

#: The note, written by ``tools/dist.py``.
NOTE = Path(__file__).parent / "machine_code.json"

Magic = tuple[str, str, str]


@cache
def shipped_magic() -> Magic | None:
    """The key of the machine code: system, processor, features; None if there is none.

    None as well where this processor lacks what it needs.
    """
    try:
        note = json.loads(NOTE.read_text())
    except FileNotFoundError:
        return None
    return fitting_magic(note, binding.get_process_triple(), host_features())


def host_features() -> set[str]:
    """What this processor can do."""
    return {name for name, there in binding.get_host_cpu_features().items() if there}


def fitting_magic(
    note: dict[str, Any], system: str, features: set[str]
) -> Magic | None:
    """What a note says, if machine code for it runs on such a system.

    Examples
    --------
    >>> note = {"magic": ["x86_64-linux", "x86-64-v3", ""], "needs": ["avx2"]}
    >>> fitting_magic(note, "x86_64-linux", {"avx", "avx2"})
    ('x86_64-linux', 'x86-64-v3', '')
    >>> print(fitting_magic(note, "x86_64-linux", {"avx"}))
    None
    """
    there, processor, with_features = note["magic"]
    if there != system or not features.issuperset(note["needs"]):
        return None
    return there, processor, with_features


class _Beside(InTreeCacheLocator):
    """The folder beside a kernel's file, whether it can be written or not."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Beside:
        """Take the folder as it is."""
        return cls(py_func, py_file)


class _BesideImpl(CompileResultCacheImpl):
    _locator_classes = (_Beside,)


class ReadOnlyCache(KernelCache):
    """Finds the machine code of the package, and keeps nothing."""

    _impl_class = _BesideImpl

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep nothing: there is no folder for it."""


def only_read(compiled: Any) -> bool:
    """Give a kernel a cache to read from, where none can be written; False if none."""
    if shipped_magic() is None:
        return False
    compiled._cache = ReadOnlyCache(compiled.py_func)
    return True


def look_there_too(compiled: Any) -> None:
    """Let a kernel be found in the machine code of the package.

    Whatever is compiled here is still kept where numba keeps it, under its own name.
    """
    magic = shipped_magic()
    if magic is None:
        return
    kept = compiled._cache._cache_file
    folder = Path(compiled.py_func.__code__.co_filename).parent / "__pycache__"
    base = compiled._cache._impl.filename_base
    shipped = IndexDataCacheFile(str(folder), base, kept._source_stamp)
    shipped._version = kept._version
    load_kept = kept.load

    def load(key: tuple[Any, ...]) -> Any:
        found = load_kept(key)
        if found is not None:
            return found
        signature, _, code = key
        return shipped.load((signature, magic, code))

    kept.load, kept.shipped = load, shipped


def is_shipped(compiled: Any) -> bool:
    """Whether there is machine code of a kernel, for whatever arguments."""
    shipped = getattr(compiled._cache._cache_file, "shipped", None)
    return shipped is not None and bool(shipped._load_index())
