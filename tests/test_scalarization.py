from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.paper.scalarization import (
    read_weights,
    simplex_lattice,
    spread_subset,
)


@given(st.integers(1, 5), st.integers(1, 80))
def test_a_lattice_holds_all_vectors_of_its_resolution(m, at_least):
    """Every way to share H parts among m objectives, once, in order."""
    weights = simplex_lattice(m, at_least)
    assert m == 1 or len(weights) >= at_least
    parts = 1 if m == 1 else round(1 / weights[weights > 0].min())
    listed = [c for c in product(range(parts + 1), repeat=m) if sum(c) == parts]
    assert_array_equal(np.rint(weights * parts), sorted(listed))
    assert_allclose(weights.sum(axis=1), 1)


def test_the_coarsest_lattice_that_suffices_is_taken():
    """20 vectors of two objectives exactly; of three the next number of a lattice."""
    assert len(simplex_lattice(2, 20)) == 20
    assert len(simplex_lattice(3, 20)) == 21
    assert len(simplex_lattice(3, 22)) == 28


@given(st.integers(2, 40), st.integers(2, 50))
def test_a_spread_subset_keeps_both_ends(size, count):
    """Few weights still reach from one objective to the other."""
    weights = simplex_lattice(2, size)
    chosen = spread_subset(weights, count)
    assert len(chosen) == min(count, len(weights))
    assert_array_equal(chosen[[0, -1]], weights[[0, -1]])
    rows = [weights.tolist().index(row) for row in chosen.tolist()]
    assert rows == sorted(set(rows))


def test_given_weights_are_taken_as_they_are():
    """Any vectors on the simplex, in any order."""
    assert_array_equal(read_weights([[1, 0], [0.3, 0.7]], 2), [[1, 0], [0.3, 0.7]])


@pytest.mark.parametrize(
    ("weights", "named"),
    [
        ([[0.5, 0.6]], "row 0"),  # does not sum to one
        ([[1, 0], [1.5, -0.5]], "row 1"),  # negative
        ([[np.nan, 1]], "row 0"),
        ([[1, 0, 0]], "2 columns"),
        ([1, 0], "2 columns"),  # no row
        ([], "2 columns"),
        ("equal", "2 columns"),
        ([[1, 0], [1]], "2 columns"),  # ragged
    ],
)
def test_weights_off_the_simplex_are_refused(weights, named):
    """The message names the row and what to do with it."""
    with pytest.raises(dl.InputError, match=named):
        read_weights(weights, 2)


@given(st.integers(2, 5), st.integers(1, 40))
def test_few_of_many_weights_hold_the_corners(num_objectives, count):
    """A small budget still looks at each objective alone."""
    lattice = simplex_lattice(num_objectives, 40)
    chosen = spread_subset(lattice, count)
    assert len(chosen) == min(count, len(lattice))
    corners = sum(row.max() == 1 for row in chosen)
    assert corners == min(count, num_objectives)
