"""Tuples of arrays as kernels see them."""

import copy
import pickle
from typing import NamedTuple

import numpy as np
import pytest

from divlearn.kernels.jit import JIT_DISABLED, kernel, lean_kernel
from divlearn.kernels.views import Viewed, viewed

needs_compiler = pytest.mark.skipif(JIT_DISABLED, reason="is about compiled kernels")

PAIR = np.dtype([("count", "i8"), ("share", "f8")])


@viewed
class Inside(NamedTuple):
    """A tuple inside another one."""

    cube: np.ndarray  # (a, b, c)
    words: np.ndarray  # (k,)


@viewed
class Outside(NamedTuple):
    """Arrays of several kinds, and a tuple."""

    row: np.ndarray  # (n,)
    pairs: np.ndarray  # (p,) of PAIR
    inside: Inside


@lean_kernel
def total(inside):
    """Sum of a cube, by its shape."""
    result = 0.0
    for i in range(inside.cube.shape[0]):
        for j in range(inside.cube.shape[1]):
            for k in range(inside.cube.shape[2]):
                result += inside.cube[i, j, k]
    return result


@lean_kernel
def change(outside, x):
    """Read and write through the view, and hand a part of it on."""
    pair = outside.pairs[1]
    pair.count += 2
    outside.row[0] = x + outside.inside.words[-1]
    return total(outside.inside) + len(outside.row) + pair.share


@pytest.fixture
def outside():
    """A tuple with a tuple inside."""
    pairs = np.zeros(2, PAIR).view(np.recarray)
    pairs.share[1] = 0.25
    cube = np.arange(24.0).reshape(2, 3, 4)
    inside = Inside(cube, np.array([7, 9], np.uint64))
    return Outside(np.zeros(5), pairs, inside)


def test_a_kernel_reads_and_writes_the_arrays_of_a_tuple(outside):
    """All kinds of arrays, also of a tuple inside, in place."""
    assert change(outside, 1.5) == 276.0 + 5 + 0.25
    assert outside.row[0] == 10.5
    assert outside.pairs.count.tolist() == [0, 2]


def test_a_replaced_array_is_seen_at_once(outside):
    """What was known of the old tuple is not used for the new one."""
    change(outside, 0.0)
    longer = outside._replace(row=np.zeros(50))
    assert change(longer, 0.0) == 276.0 + 50 + 0.25
    assert longer.row[0] == 9.0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_copy_has_addresses_of_its_own(outside, again):
    """An address of the original would lead to memory that is gone."""
    outside.address  # noqa: B018  made when it is asked for
    other = again(outside)
    if isinstance(other, bytes):
        other = pickle.loads(other)
    assert isinstance(other, Outside)
    assert "frame" not in vars(other)
    assert other.address != outside.address
    assert change(other, 1.0) == change(outside, 1.0)


def test_it_is_still_a_named_tuple(outside):
    """Files, copies and errors rely on that."""
    assert isinstance(outside, tuple)
    assert isinstance(outside, Viewed)
    assert outside._fields == ("row", "pairs", "inside")
    assert Outside.__name__ == "Outside"
    assert Outside.__doc__ == "Arrays of several kinds, and a tuple."


@needs_compiler
def test_tuples_of_other_kinds_of_arrays_are_other_types(outside):
    """A kernel is compiled for whole numbers once more, not misled."""

    @kernel
    def first(part):
        return part.cube[0, 0, 1]

    whole = outside.inside._replace(cube=np.arange(24).reshape(2, 3, 4))
    assert (first(outside.inside), first(whole)) == (1.0, 1)
    assert len(first.signatures) == 2
