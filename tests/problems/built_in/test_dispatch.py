"""Crews at sites: sums of straight ways, and sizes for which no matrix would do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import Dispatch, LinearAssignment, get


@given(st.integers(0, 999), st.integers(1, 7), st.integers(1, 3))
def test_ways_are_the_costs_of_an_assignment_with_their_distances(seed, n, m):
    """The same problem with all distances in a matrix."""
    rng = np.random.default_rng(seed)
    crews, sites, x = rng.random((n, m, 2)), rng.random((n, m, 2)), rng.permutation(n)
    costs = [
        [[np.hypot(*(crews[i, k] - sites[j, k])) for j in range(n)] for i in range(n)]
        for k in range(m)
    ]
    expected = LinearAssignment(costs).evaluate(x)
    assert_allclose(Dispatch(crews, sites).evaluate(x), expected, atol=1e-12)


def test_places_are_drawn_as_published():
    """All crews, then all sites."""
    drawn = np.random.default_rng(5).random((2, 9, 2, 2))
    problem = get("dispatch-9", instance=5)
    assert_array_equal(problem.crews, drawn[0])
    assert_array_equal(problem.sites, drawn[1])


def test_twenty_thousand_crews_need_little_memory():
    """Their distances would take 6 GB."""
    problem = get("dispatch-20000")
    assert problem.compiled.table.nbytes == 20_000 * 8 * 8
    assert problem.drawing is None


@pytest.mark.parametrize(
    ("crews", "sites", "words"),
    [
        (np.ones((3, 2)), np.ones((3, 2)), r"crews must be .*\(n, m, 2\).*got shape"),
        (np.ones((3, 1, 2)), np.ones((4, 1, 2)), "3 crews on 1 map and 4 sites on 1"),
        (np.ones((3, 1, 2)), np.ones((3, 2, 2)), "3 crews on 1 map and 3 sites on 2"),
        (np.full((1, 1, 2), 1e200), -np.ones((1, 1, 2)), "use a larger unit"),
    ],
)
def test_places_that_do_not_fit_together_are_refused(crews, sites, words):
    """The message names the arguments and what came."""
    with pytest.raises(InputError, match=words):
        Dispatch(crews, sites)
