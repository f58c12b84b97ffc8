import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.metrics import num_non_dominated
from divlearn.problems import TSP
from tests.reference import slow_metrics

small = st.integers(-2, 2).map(float)
ROUND = [0, 1, 2, 3, 4, 5, 6, 7]


@given(st.lists(st.tuples(small, small, small), min_size=1, max_size=25))
def test_count_equals_the_comparison_of_all_pairs(points):
    """Agrees with the definition; equal points count once."""
    expected = sum(slow_metrics.non_dominated(points))
    assert num_non_dominated(points) == expected


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)),
        min_size=1,
        max_size=20,
    )
)
def test_solutions_are_counted_where_they_are_known(rows):
    """Different solutions with equal values count each, repeats of one do not."""
    points, solutions = [row[:2] for row in rows], [row[2] for row in rows]
    undominated = {
        x
        for point, x in zip(points, solutions, strict=True)
        if not any(slow_metrics.dominates(other, point) for other in points)
    }
    space = dl.Integer(0, 3)
    assert num_non_dominated(points, X=solutions, problem=space) == len(undominated)


def test_a_tour_counts_once_from_every_start_and_in_both_directions(tiny_tour):
    """All 16 ways to write a tour are one solution."""
    tours = [np.roll(way, k) for way in (ROUND, ROUND[::-1]) for k in range(8)]
    lengths = [tiny_tour.evaluate(x) for x in tours]
    assert num_non_dominated(lengths, X=tours, problem=tiny_tour) == 1


def test_directions_differ_where_distances_do():
    """There and back are two tours if the ways are not symmetric."""
    ways = np.random.default_rng(0).random((1, 5, 5))
    problem = TSP(distances=ways)
    tours = [[0, 1, 2, 3, 4], [2, 3, 4, 0, 1], [4, 3, 2, 1, 0]]
    count = num_non_dominated(np.ones((3, 2)), X=tours, problem=problem)
    assert count == 2


def test_rotated_tours_across_a_border_of_rounding_count_once(tiny_tour):
    """Rounding may part two values that are equal but for noise; the tour does not."""
    border = 0.1234567885
    values = [[border - 1e-15, 1.0], [border + 1e-15, 1.0], [border + 1e-15, 0.5]]
    tours = [ROUND, np.roll(ROUND, 3), np.roll(ROUND, 5)]
    assert num_non_dominated(values) == 2
    assert num_non_dominated(values, X=tours, problem=tiny_tour) == 1


def test_a_result_brings_senses_and_solutions(tiny_knapsack):
    """With the problem its solutions are compared, without it the values."""
    x = np.eye(3, 10, dtype=bool)
    result = dl.Result(
        x, [[1, 1], [1, 1], [2, 0]], objectives={"value 1": "max", "value 2": "max"}
    )
    assert num_non_dominated(result) == 2
    assert num_non_dominated(result, problem=tiny_knapsack) == 3


def test_count_of_a_search_is_the_size_of_its_front(tiny_tour):
    """The archive keeps one solution per rounded vector of values."""
    result = dl.solve(tiny_tour, budget=500, seed=0)
    assert num_non_dominated(result, problem=tiny_tour) == len(result.F) > 1


@pytest.mark.parametrize("empty", [[], np.empty((0, 2))])
def test_nothing_is_counted_as_nothing(empty):
    """With solutions or without."""
    assert num_non_dominated(empty) == 0
    assert num_non_dominated(empty, X=[], problem=dl.Binary(3)) == 0


def test_arguments_are_not_changed(tiny_tour):
    """What the caller passes in is the caller's."""
    points, tours = np.full((2, 2), 1.23456789012), np.array([ROUND[::-1], ROUND])
    num_non_dominated(points, ["max", "min"], X=tours, problem=tiny_tour)
    assert_array_equal(points, np.full((2, 2), 1.23456789012))
    assert_array_equal(tours, [ROUND[::-1], ROUND])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"X": [[0, 1]]}, "X and problem go together"),
        ({"problem": dl.Permutation(2)}, "X and problem go together"),
        ({"X": [[0, 1]], "problem": "tsp"}, "X and problem go together"),
        ({"X": [[0, 1]], "problem": dl.Permutation(2)}, "each of the 2 rows of F, got"),
        ({"X": [[0, 1], [0, 0]], "problem": dl.Permutation(2)}, "a permutation of 2"),
        ({"senses": ["max"]}, "senses needs one entry"),
        ({"decimals": 1.5}, "decimals must be a whole number"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    """Each error says which argument is wrong and what was expected."""
    with pytest.raises(InputError, match=message):
        num_non_dominated([[1, 2], [2, 1]], **options)
