import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import MaxTSP
from tests.reference import tour as reference


@given(st.integers(0, 999), st.integers(2, 9), st.integers(3, 6))
def test_values_are_the_longer_of_two_lengths_and_the_others(seed, n, m):
    """With matrices that differ from map to map and from way to way back."""
    rng = np.random.default_rng(seed)
    distances, order = rng.random((m, n, n)), rng.permutation(n)
    first, second, *others = reference.tour_lengths(order, distances)
    problem = MaxTSP(distances=distances)
    assert_allclose(problem.evaluate(order), [max(first, second), *others])
    assert len(problem.objectives) == m - 1


def test_either_of_the_two_lengths_can_be_the_longer_one():
    """A kernel that always took the first one would pass half of the cases."""
    corners = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    for scales in ([1, 2, 3], [2, 1, 3]):
        problem = MaxTSP([scale * corners for scale in scales])
        assert_array_equal(problem.evaluate([0, 1, 2, 3]), [8, 12])


def test_a_tour_from_another_city_or_backwards_is_the_same_tour():
    """Else a search would count one tour many times."""
    problem = MaxTSP(np.random.default_rng(0).random((6, 3, 2)))
    tour = np.array([0, 2, 1, 5, 3, 4])
    for same in (np.roll(tour, 2), tour[::-1]):
        assert_array_equal(problem.canonical(same), tour)
    one_way = MaxTSP(distances=np.random.default_rng(0).random((3, 6, 6)))
    assert_array_equal(one_way.canonical(tour[::-1]), [0, 4, 3, 5, 1, 2])
    assert (problem.symmetric, one_way.symmetric) == (True, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give one of the two"),
        ({"coordinates": np.ones((5, 2, 2))}, "at least 3 sets .* got 2"),
        ({"distances": np.ones((3, 4, 5))}, r"square matrix.*got shape \(3, 4, 5\)"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(arguments, message):
    """Each message says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        MaxTSP(**arguments)
