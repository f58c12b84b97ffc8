"""Kernels of the package never count from the back of an array; others may."""

import numpy as np
import pytest
from numba import config

from divlearn.kernels.jit import JIT_DISABLED, kernel
from divlearn.methods.dl.kernels.variation import insert_item

unchecked = JIT_DISABLED or not config.BOUNDSCHECK


@pytest.mark.skipif(
    unchecked, reason="asks beyond an array, which is noticed only there"
)
@pytest.mark.parametrize(("i", "j"), [(-1, 1), (2, -2)])
def test_a_negative_index_is_out_of_bounds(i, j):
    """Whether it is read or written."""
    with pytest.raises(IndexError, match="negative"):
        insert_item(np.arange(3), i, j)


def test_functions_of_others_count_as_python_does():
    """Moves, experts and encodings of a user's own are compiled as they would run."""

    @kernel
    def last(row, table):
        return row[-1], table[-1, -2], table[-1][0]

    assert last(np.arange(3), np.arange(6.0).reshape(2, 3)) == (2, 4.0, 3.0)
