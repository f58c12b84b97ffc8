"""Kernels that are compiled together with their callers."""

import gc
import runpy

import numpy as np
import pytest
from numba.core.errors import TypingError

import divlearn as dl
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


def test_a_loop_is_translated_once():
    """LLVM would write out several rounds of it, for twice as much code in all."""

    def total(values):
        found = 0.0
        for value in values:
            found += value
        return found

    compiled = linking.compile_with_callers(total, {"error_model": "numpy"})
    values = np.array([0.1, 0.2, 0.3])
    assert compiled(values) == total(values)
    (code,) = compiled.inspect_llvm().values()
    assert code.count("fadd double") <= 2


def test_garbage_is_looked_for_less_often_while_compiling(monkeypatch):
    """That took a ninth of the time; afterwards everything is as the user had it."""
    seen, usual = [], gc.get_threshold()
    lower = linking.PlainLower.lower

    def noticed(self):
        seen.append(gc.get_threshold()[0])
        lower(self)

    monkeypatch.setattr(linking.PlainLower, "lower", noticed)
    compiled = linking.compile_with_callers(half.py_func, {"error_model": "numpy"})
    assert compiled(3.0) == 1.5
    assert seen == [linking.SELDOM]
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("first", [0, 10 * linking.SELDOM])
def test_who_wants_garbage_collected_even_less_often_is_left_alone(first):
    """Zero stands for never."""
    usual = gc.get_threshold()
    gc.set_threshold(first, *usual[1:])
    try:
        with linking.seldom_collected():
            assert gc.get_threshold()[0] == first
    finally:
        gc.set_threshold(*usual)


# --- callers that are not ours

ROUTES = dl.problems.get("bicvrp-20")

DEARER = """
import divlearn as dl
import numba

routes = dl.problems.get("bicvrp-20").compiled.objective

@numba.njit(cache=CACHE)
def dearer(x, table, y):
    routes(x, table, y)
    y[0] += 1.0
"""


def dearer(folder, *, cache):
    """A user's function that calls an objective of ours, from a file of its own."""
    file = folder / "dearer.py"
    file.write_text(DEARER.replace("CACHE", str(cache)))
    return runpy.run_path(str(file))["dearer"]


@pytest.mark.parametrize("cache", [False, True])
def test_anyone_may_call_a_kernel(tmp_path, cache):
    """Whoever links a kernel gets what it calls too; without that there is a crash."""
    x, table = ROUTES.space.encode(ROUTES.space.sample(3)), ROUTES.compiled.table
    expected, y = np.zeros(2), np.zeros(2)
    ROUTES.compiled.objective(x, table, expected)
    dearer(tmp_path, cache=cache)(x, table, y)
    again = dearer(tmp_path, cache=cache)  # from its cache, if it has one
    again(x, table, y)
    np.testing.assert_allclose(y - expected, [1.0, 0.0])
    assert sum(again.stats.cache_hits.values()) == cache


@pytest.mark.parametrize("cache", [False, True])
def test_an_objective_of_a_user_may_call_a_kernel(tmp_path, cache):
    """The compiled loop runs it, and the front has its values."""
    mine = dl.Compiled(dearer(tmp_path, cache=cache), ROUTES.compiled.table)
    problem = dl.Problem(ROUTES.space, None, ROUTES.objectives, compiled=mine)
    result = dl.solve(problem, 50, seed=1)
    for x, y in zip(result.X, result.F, strict=True):
        np.testing.assert_allclose(y - ROUTES.evaluate(x), [1.0, 0.0])


@kernel
def mixed_sums(whole, real):
    """Additions of the same operator with arguments of different kinds."""
    return whole + whole, whole + real, real + real


def test_a_call_that_was_seen_before_has_the_type_that_it_had():
    """What is remembered of an addition depends on the kinds of both arguments."""
    for _ in range(2):
        sums = mixed_sums(1, 0.5)
        assert sums == (2, 1.5, 1.0)
        assert [type(each) for each in sums] == [int, float, float]


def test_a_call_that_fails_says_so_again():
    """Failures are not remembered: numba's message names the place of each."""

    @kernel
    def wrong(x):
        return x + "a"

    for _ in range(2):
        with pytest.raises(TypingError, match="No implementation of function"):
            wrong(1.0)
