"""Compiling in another process what this one is about to call.

Numba compiles one function at a time, however many threads there are. But machine code
on disk is for everybody: a second process compiles one half of what a first search
needs while this one compiles the other, and this one then finds all of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from divlearn.kernels.archive import insert
from divlearn.kernels.jit import JIT_DISABLED

#: What the other process runs. It sees the same packages as this one, and does not
#: outlive it.
_PROGRAM = """
import importlib, json, sys
module, function, arguments, sys.path[:] = json.loads(sys.argv[1])
from divlearn.workers.system import die_with_parent
die_with_parent()
getattr(importlib.import_module(module), function)(*arguments)
"""


def can_compile_elsewhere() -> bool:
    """Whether there is a processor for it, and a place where both find the code."""
    if JIT_DISABLED or not hasattr(getattr(insert, "_cache", None), "_cache_file"):
        return False
    # A program that holds a Python inside would start itself once more.
    named = Path(sys.executable or "").name.lower().startswith("python")
    return named and not getattr(sys, "frozen", False) and _processors() > 1


def _processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def called_elsewhere(module: str, function: str, *arguments: Any) -> Iterator[None]:
    """Call a function in another process; leaving waits until it has returned.

    Whatever goes wrong there is of no consequence: what it did not compile is compiled
    when it is called.

    Parameters
    ----------
    module, function
        Names of the function.
    arguments
        What it is called with, as JSON can hold it.
    """
    task = json.dumps([module, function, arguments, sys.path])
    try:
        other = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, task],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # no more processes, say
        yield
        return
    try:
        yield
        other.wait()
    finally:
        with suppress(OSError):
            other.kill()
        other.wait()
