import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn import InputError
from divlearn.metrics import SpaceDistance, TourDistance, solution_distance
from divlearn.problems import TSP, get
from tests.reference import slow_metrics

SPACES = [
    dl.Permutation(1),
    dl.Permutation(2),
    dl.Permutation(13),
    dl.Binary(1),
    dl.Binary(70),  # more than a word of bits
    dl.Subset(9, 3),
    dl.Subset(9, min=5, max=8),
    dl.Subset(6, min=0, max=4),
    dl.Categorical(["a"]),
    dl.Categorical("abc", n=4),
    dl.Ordinal([1, 2, 4, 8]),
    dl.Integer(-3, 300, n=3),
    dl.Composite(
        order=dl.Permutation(5),
        kind=dl.Categorical(["a", "b", "c"]),
        width=dl.Integer(1, 6, n=2),
        chosen=dl.Subset(6, min=1, max=3),
        inner=dl.Composite(again=dl.Permutation(3)),
    ),
]
tours = st.integers(2, 9).flatmap(
    lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=6)
)


def table_of(distance, solutions):
    """All distances at once."""
    prepared = distance.prepare(solutions)
    return distance.rows(prepared, np.arange(len(solutions)))


@pytest.mark.parametrize(
    ("a", "b", "common", "either"),
    [
        ([0, 1, 2, 3], [2, 3, 0, 1], 4, 4),  # another start
        ([0, 1, 2, 3], [3, 2, 1, 0], 4, 4),  # the way back
        ([0, 1, 2, 3], [0, 2, 1, 3], 2, 6),  # 12 and 03 are in both
        ([0, 1, 2, 3, 4], [0, 2, 4, 1, 3], 0, 10),  # a star in a pentagon
        ([0, 1], [1, 0], 1, 1),  # a single edge
    ],
)
def test_edge_distances_computed_by_hand(a, b, common, either):
    """Common edges divided by edges of either, counted on paper."""
    assert TourDistance()(a, b) == pytest.approx(1 - common / either)


def test_directed_edges_differ_from_the_way_back():
    """The same ring backwards has no directed edge in common."""
    assert TourDistance(directed=True)([0, 1, 2, 3], [3, 2, 1, 0]) == 1
    assert TourDistance(directed=True)([0, 1, 2, 3], [1, 2, 3, 0]) == 0


@given(tours, st.booleans())
def test_edge_distance_equals_its_definition_by_sets(solutions, directed):
    """Agrees with sets of edges for all pairs, also those with themselves."""
    expected = [
        [slow_metrics.edge_jaccard(a, b, directed) for b in solutions]
        for a in solutions
    ]
    assert_allclose(table_of(TourDistance(directed), solutions), expected, atol=1e-12)


@pytest.mark.parametrize("n", [254, 255, 256, 257, 300])
def test_small_number_types_hold_many_cities(n):
    """City numbers and counts of edges are kept in the least type that holds them."""
    rng = np.random.default_rng(n)
    solutions = [rng.permutation(n) for _ in range(3)] + [np.arange(n)] * 2
    expected = [
        [slow_metrics.edge_jaccard(a.tolist(), b.tolist()) for b in solutions]
        for a in solutions
    ]
    assert_allclose(table_of(TourDistance(), solutions), expected, atol=1e-12)


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_space_distance_is_the_metric_of_the_space_by_its_greatest_value(space):
    """Agrees with the compiled metric for all pairs of random solutions."""
    distance = SpaceDistance(space)
    solutions = [space.sample(seed) for seed in range(8)]
    expected = [[space.distance(a, b) for b in solutions] for a in solutions]
    table = table_of(distance, solutions)
    assert_allclose(table, np.array(expected) / max(distance.diameter, 1))
    assert table.min() >= 0
    assert table.max() <= 1


@pytest.mark.parametrize(
    ("space", "a", "b", "diameter"),
    [
        (dl.Permutation(4), [0, 1, 2, 3], [3, 2, 1, 0], 6),
        (dl.Binary(3), [0, 0, 0], [1, 1, 1], 3),
        (dl.Subset(9, 3), [0, 1, 2], [3, 4, 5], 6),  # nothing in common
        (dl.Subset(5, 3), [0, 1, 2], [2, 3, 4], 4),  # one must be in common
        (dl.Subset(5, min=4), [0, 1, 2, 3], [1, 2, 3, 4], 2),  # 4 + 4 > 5
        (dl.Subset(5, min=1, max=4), [0], [1, 2, 3, 4], 5),  # 1 + 4
        (dl.Subset(5, min=0, max=2), [0, 1], [2, 3], 4),
        (dl.Categorical("abc", n=2), ["a", "b"], ["b", "c"], 2),
        (dl.Integer(2, 5, n=2), [2, 5], [5, 2], 6),
    ],
)
def test_farthest_solutions_have_distance_one(space, a, b, diameter):
    """Two solutions that are as different as the space allows."""
    assert SpaceDistance(space).diameter == diameter
    assert SpaceDistance(space)(a, b) == 1


@pytest.mark.parametrize("n", range(1, 6))
def test_greatest_distance_of_subsets_equals_the_search_over_all_pairs(n):
    """For every pair of limits on their size."""
    for least in range(n + 1):
        for most in range(least, n + 1):
            sizes = [bits for bits in range(2**n) if least <= bits.bit_count() <= most]
            farthest = max((a ^ b).bit_count() for a in sizes for b in sizes)
            assert SpaceDistance(dl.Subset(n, min=least, max=most)).diameter == farthest


def test_many_pairs_of_items_are_packed_in_chunks():
    """A permutation of 150 items has more pairs than one chunk."""
    space = dl.Permutation(150)
    a, b = np.arange(150), np.random.default_rng(0).permutation(150)
    distance = SpaceDistance(space)
    assert distance(a, b) * distance.diameter == pytest.approx(space.distance(a, b))


def test_the_distance_follows_from_the_problem(tiny_tour, tiny_knapsack, tiny_mixed):
    """Tours by edges, directed where the ways are not symmetric; else by the space."""
    assert not solution_distance(tiny_tour).directed
    crooked = TSP(distances=[[[0, 1, 2], [3, 0, 4], [5, 6, 0]]])
    assert solution_distance(crooked).directed
    for problem in (tiny_knapsack, tiny_mixed, get("bicvrp-20")):
        assert solution_distance(problem).space is problem.space
    assert isinstance(solution_distance(dl.Permutation(4)), SpaceDistance)


def test_a_custom_problem_may_say_that_its_solutions_are_tours():
    """One attribute does it."""
    problem = dl.Problem(dl.Permutation(4), lambda x: x[0], ["first"])
    assert solution_distance(problem)([0, 1, 2, 3], [1, 2, 3, 0]) == 0.5
    problem.tours = True
    assert solution_distance(problem)([0, 1, 2, 3], [1, 2, 3, 0]) == 0


def test_a_space_with_a_distance_of_its_own_is_measured_by_it():
    """Its class knows best, and nobody knows its greatest value."""

    class Clock(dl.Integer):
        def distance(self, a, b):
            return float(min(abs(a - b), 12 - abs(a - b)))

    assert solution_distance(Clock(0, 11))(1, 11) == 2


def test_a_function_of_two_solutions_will_do():
    """And a distance that is one already stays what it is."""
    distance = solution_distance(lambda a, b: abs(a - b) / 2)
    assert distance(1, 4) == 1.5
    assert solution_distance(distance) is distance


def test_solutions_are_not_changed():
    """What the caller passes in is the caller's."""
    orders = np.array([[2, 0, 1], [0, 1, 2]])
    for distance in (TourDistance(), SpaceDistance(dl.Permutation(3))):
        table_of(distance, orders)
        assert_array_equal(orders, [[2, 0, 1], [0, 1, 2]])


@pytest.mark.parametrize(
    "wrong",
    [
        [0, 1, 2],  # one tour instead of a list of tours
        [[0, 1, 1]],
        [[1, 2, 3]],
        [[0, 1, 2], [0, 1]],
        [[0.5, 1, 2]],
        [[0, 1, np.nan]],
        [["a", "b"]],
        [[[0, 1]]],
        [None],
    ],
)
def test_what_is_no_tour_is_refused(wrong):
    """The message says what a tour is."""
    with pytest.raises(InputError, match="X needs one tour per row"):
        TourDistance().prepare(wrong)


def test_wrong_solutions_of_a_space_are_refused():
    """By the space, which says what it expected."""
    with pytest.raises(InputError, match="3 entries that are true or false"):
        SpaceDistance(dl.Binary(3)).prepare([[0, 1, 0], [0, 1]])
    with pytest.raises(InputError, match="space must be a space"):
        SpaceDistance([0, 1])


@pytest.mark.parametrize("answer", [None, "far", np.nan, np.inf, -1, [1, 2]])
def test_a_function_that_returns_no_distance_is_refused(answer):
    """The message shows what it returned."""
    with pytest.raises(InputError, match=r"distance must return a finite number"):
        solution_distance(lambda a, b: answer)(0, 1)


def test_what_has_no_distance_is_refused():
    """The message lists what can be given."""
    with pytest.raises(InputError, match="distance must be a problem, a space or"):
        solution_distance("edges")
