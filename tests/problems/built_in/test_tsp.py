import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import TSP
from tests.reference import tour as reference

checked = settings(deadline=None, derandomize=True, max_examples=60)


def random_distances(seed, n, m, symmetric):
    distances = np.random.default_rng(seed).random((m, n, n))
    return distances + distances.transpose(0, 2, 1) if symmetric else distances


@checked
@given(st.integers(0, 999), st.integers(2, 9), st.integers(1, 6), st.booleans())
def test_lengths_agree_with_the_definition_for_any_number_of_matrices(
    seed, n, m, symmetric
):
    """One, two, three and more columns take different ways through the kernel."""
    distances = random_distances(seed, n, m, symmetric)
    order = np.random.default_rng(seed).permutation(n)
    assert_allclose(
        TSP(distances=distances).evaluate(order),
        reference.tour_lengths(order, distances),
    )


def test_coordinates_mean_euclidean_distances():
    """The matrices are those of the cities' places, one per objective."""
    coordinates = np.random.default_rng(0).random((6, 3, 2))
    problem = TSP(coordinates)
    assert_allclose(problem.distances, reference.distance_matrices(coordinates))
    assert problem.symmetric
    assert list(problem.objectives.items()) == [
        (f"length {k}", "min") for k in (1, 2, 3)
    ]


def test_a_list_of_coordinate_sets_is_the_same_problem_as_one_array():
    """A user with one file per objective need not know how to stack them."""
    coordinates = np.random.default_rng(1).random((5, 2, 2))
    stacked = TSP(coordinates)
    listed = TSP([coordinates[:, 0], coordinates[:, 1].tolist()])
    assert_array_equal(stacked.distances, listed.distances)
    assert_array_equal(stacked.coordinates, listed.coordinates)


def test_directions_of_an_asymmetric_tour_have_their_own_lengths():
    """Going round the other way uses the other half of the matrix."""
    one_way = np.array([[0, 1, 9], [9, 0, 1], [1, 9, 0]])
    problem = TSP(distances=[one_way])
    assert problem.evaluate([0, 1, 2]) == 3
    assert problem.evaluate([2, 1, 0]) == 27
    assert_array_equal(problem.canonical([2, 1, 0]), [0, 2, 1])


@checked
@given(st.integers(0, 999), st.integers(2, 8), st.booleans())
def test_equal_tours_have_one_canonical_form_and_different_ones_do_not(
    seed, n, symmetric
):
    """A search has to recognise a tour that it has seen from another city."""
    distances = random_distances(seed, n, 2, symmetric)
    problem = TSP(distances=distances)
    rng = np.random.default_rng(seed)
    order, other = rng.permutation(n), rng.permutation(n)
    same = reference.same_tours(order, symmetric)
    canonical = problem.canonical(order)
    for turned in same:
        assert_array_equal(problem.canonical(turned), canonical)
    assert_array_equal(problem.canonical(canonical), canonical)
    assert canonical.tolist() in same
    assert_allclose(problem.evaluate(canonical), problem.evaluate(order))
    equal = np.array_equal(problem.canonical(other), canonical)
    assert equal == (other.tolist() in same)


def test_cities_are_as_far_apart_as_the_mean_over_objectives_and_directions():
    """Neighbour subproblems are chosen by it."""
    problem = TSP(distances=[[[0, 2], [4, 0]], [[0, 6], [8, 0]]])
    assert_array_equal(problem.distance, [[0, 5], [5, 0]])


def test_the_instance_is_a_copy():
    """Changing one's array later must not change the problem."""
    coordinates = np.random.default_rng(2).random((5, 2, 2))
    problem = TSP(coordinates)
    before = problem.evaluate([0, 1, 2, 3, 4])
    coordinates[:] = 0.0
    assert_array_equal(problem.evaluate([0, 1, 2, 3, 4]), before)
    assert problem.coordinates.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give one of the two"),
        (
            {"coordinates": np.ones((3, 1, 2)), "distances": np.ones((1, 3, 3))},
            "one of",
        ),
        ({"coordinates": np.ones((3, 2))}, r"\(n, m, 2\).*got shape \(3, 2\)"),
        ({"coordinates": np.ones((3, 2, 3))}, r"got shape \(3, 2, 3\)"),
        ({"coordinates": np.ones((0, 2, 2))}, r"got shape \(0, 2, 2\)"),
        ({"coordinates": np.ones((1, 2, 2))}, "at least 2 cities, got 1"),
        ({"coordinates": []}, "at least one set"),
        ({"coordinates": [np.ones((3, 2)), np.ones((4, 2))]}, r"4 in coordinates\[1\]"),
        ({"coordinates": [[[0, 0], [1]]]}, "rows of different lengths"),
        ({"coordinates": [[["a", "b"]]]}, r"coordinates\[0\] must be an array"),
        ({"coordinates": [[[0, 0], [0, np.nan]]]}, r"coordinates\[0\]\[1, 1\] = nan"),
        ({"coordinates": [[[0, 0], [0, 1e300]]]}, "use a larger unit"),
        ({"distances": np.ones((2, 3, 4))}, r"a square matrix.*got shape \(2, 3, 4\)"),
        ({"distances": np.ones((3, 3))}, r"got shape \(3, 3\)"),
        ({"distances": [[[0, np.inf], [1, 0]]]}, r"distances\[0, 0, 1\] = inf"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(arguments, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        TSP(**arguments)
