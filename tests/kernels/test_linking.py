"""Kernels that are compiled together with their callers."""

import numpy as np
import pytest

from divlearn.kernels import jit, linking
from divlearn.kernels.jit import JIT_DISABLED, kernel

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="is about compiled kernels")


@kernel
def half(x):
    """Half of a number."""
    return x / 2


@kernel
def half_of_half(x, times=2):
    """A quarter, by a kernel that calls another one."""
    for _ in range(times):
        x = half(x)
    return x


@kernel
def sum_of_parts(values):
    """A kernel that calls two of which one calls the other."""
    return half(values[0]) + half_of_half(values[1]) + half_of_half(values[2], times=3)


def test_the_hooks_into_numba_are_where_they_were():
    """With another numba kernels compile three times as long.

    Try the tests of this file with it, mend ``divlearn.kernels.linking`` if need be,
    and add its version there and in ``pyproject.toml``.
    """
    assert linking.hooks_are_there(), "this numba is not one of KNOWN_VERSIONS"


def test_a_called_kernel_has_no_machine_code_of_its_own():
    """Its code is part of the callers'; that is what saves the time."""
    assert sum_of_parts(np.array([2.0, 4.0, 8.0])) == 3.0
    assert len(sum_of_parts.signatures) == 1
    assert not half.overloads


def test_a_called_kernel_can_be_called_from_python_as_well():
    """Tests and classes do."""
    assert half_of_half(8.0) == 2.0
    assert half(3) == 1.5


def test_one_compilation_serves_all_constants():
    """A number in a call is not a type of its own."""
    values = np.array([1.0, 2.0, 4.0])
    assert sum_of_parts(values) == 1.5
    assert len(half_of_half.signatures) <= 1


def test_without_the_hooks_everything_gives_the_same(monkeypatch):
    """A numba that moved its parts makes a search slower to start, not wrong."""
    monkeypatch.setattr(jit, "compile_with_callers", lambda function, options: None)
    inner = kernel(half.py_func)

    def twice(x):
        return inner(inner(x)) if x > 1.0 else 0.0

    assert kernel(twice)(6.0) == 1.5
    assert len(inner.signatures) == 1
