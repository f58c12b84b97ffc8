from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import CVRP, read
from divlearn.problems.built_in.cvrp import DECODERS
from tests.problems.files.samples import LISTED_ROUTES, ROUTES


def test_distances_are_rounded_as_the_published_ones_are(file):
    """And exact on request, as Golden's and Christofides' instances want it."""
    path = file(ROUTES, "little.vrp")
    assert read(path, decoder="greedy").evaluate([2, 1, 0]).tolist() == [40, 40]
    exact = read(path, rounded=False, decoder="greedy").evaluate([2, 1, 0])[0]
    assert exact == pytest.approx(np.hypot(10, 0.4) + 9.6 + 10 + 10)


def test_what_is_in_the_file_is_in_the_problem(file):
    """Customers are the nodes without the depot, in the order of their numbers."""
    problem = read(file(ROUTES, "little.vrp"))
    assert problem.name == "little"
    assert problem.capacity == 6
    assert_array_equal(problem.demands, [3, 2, 1])
    assert_array_equal(problem.depot, [0, 0])
    assert_array_equal(problem.customers, [[0, 10], [10, 10], [10, 0.4]])
    assert list(problem.objectives) == ["total length", "longest route"]


def test_listed_distances_have_a_direction_and_the_depot_may_be_any_node(file):
    """From node 2, the depot, to node 1 and 3 and back: 3 + 2 + 6."""
    problem = read(file(LISTED_ROUTES, "listed.vrp"), decoder="greedy")
    assert_array_equal(problem.demands, [2, 2])
    assert problem.customers is None
    assert problem.evaluate([0, 1]).tolist() == [11, 11]
    assert problem.evaluate([1, 0]).tolist() == [4 + 5 + 1] * 2


def test_nodes_may_stand_in_any_order(file):
    """Sections need not agree in it."""
    mixed = ROUTES.replace("1 0\n2 3\n3 2\n4 1\n", "3 2\n4 1\n2 3\n1 0\n")
    assert mixed != ROUTES
    one, other = read(file(ROUTES, "a.vrp")), read(file(mixed, "b.vrp"))
    assert_array_equal(one.compiled.table, other.compiled.table)


def test_points_follow_the_rule(file):
    """A vehicle for every customer: 2 * (10 + 14 + 10), rounded up to two digits."""
    problem = read(file(ROUTES, "little.vrp"))
    assert problem.reference[0] == 68
    assert problem.reference[1] > problem.limits[-2]
    assert_array_equal(problem.ideal, [0, 0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-1\n", "", "line 17: expected -1 at the end of DEPOT_SECTION, got none"),
        ("-1\n", "2\n-1\n", "line 16: expected one depot, got 2 numbers"),
        ("ON\n1\n-1", "ON\n7\n-1", "line 17: .*one of the nodes, got 7"),
        ("DEPOT_SECTION\n1\n-1\n", "", "line 16: expected a DEPOT_SECTION, got none"),
        ("1 0\n2 3", "1 1\n2 3", "line 12: expected demand 0 at the depot.* got 1"),
        ("2 3\n", "2 7\n", "line 13: .*from 0 to the CAPACITY of 6, got 7"),
        ("2 3\n", "2 -3\n", "line 13: .*from 0 to the CAPACITY of 6, got -3"),
        ("2 3\n", "2\n", "line 13: expected a node number and its demand, got 1 num"),
        ("2 3\n", "", "line 14: expected 4 nodes in DEMAND_SECTION.* got 3 up to here"),
        ("2 3\n", "9 3\n", "line 14: .*here node 2, got node 3"),
        ("Y : 6", "Y : 0", "line 5: expected a positive CAPACITY, got 0"),
        ("Y : 6", "Y : six", "line 5: expected CAPACITY to be a number, got 'six'"),
        ("Y : 6", "Y : 6 7", "line 5: expected CAPACITY to be one number, got '6 7'"),
        ("CAPACITY : 6\n", "", "line 18: expected a line 'CAPACITY : 100', got none"),
        ("CAPACITY", "DISTANCE : 9\nCAPACITY", "line 5: .*got DISTANCE 9; remove"),
        ("DEPOT", "TIME_WINDOW_SECTION\n1 9\nDEPOT", "line 16: .*TIME_WINDOW_SECTION"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(file, old, new, message):
    """What was expected and what came, where it came."""
    assert old in ROUTES
    with pytest.raises(InputError, match=r"bad\.vrp, " + message):
        read(file(ROUTES.replace(old, new, 1), "bad.vrp"))


def test_a_route_file_stands_alone(file):
    """Two of them have no tour in common."""
    path = file(ROUTES, "little.vrp")
    with pytest.raises(InputError, match="line 2: expected TYPE TSP or ATSP if"):
        read(path, path)


@given(st.integers(0, 9999), st.integers(1, 9), st.sampled_from(DECODERS))
def test_distances_of_places_are_the_same_problem_as_the_places(seed, n, decoder):
    """To the last bit: the table of the compiled objective is the same."""
    rng = np.random.default_rng(seed)
    places, demands = rng.random((n + 1, 2)), rng.integers(1, 10, n)
    ways = np.sqrt(np.square(places[:, None] - places[None]).sum(axis=2))
    by_places = CVRP(places[0], places[1:], demands, 12, decoder=decoder)
    by_ways = CVRP(None, None, demands, 12, distances=ways, decoder=decoder)
    assert_array_equal(by_places.compiled.table, by_ways.compiled.table)
    assert_array_equal(by_places.distance, by_ways.distance)


@given(st.integers(0, 9999), st.integers(1, 7), st.sampled_from(DECODERS))
def test_directed_distances_are_driven_in_their_direction(seed, n, decoder):
    """Every decoder, against sums along the routes it makes."""
    rng = np.random.default_rng(seed)
    ways, demands = rng.random((n + 1, n + 1)), rng.integers(1, 10, n)
    problem = CVRP(None, None, demands, 12, distances=ways, decoder=decoder)
    order = rng.permutation(n)
    x = {
        "greedy": order,
        "flags": {"order": order, "starts": rng.random(n) < 0.3},
        "cap-split": {"order": order, "limit": int(rng.integers(64))},
    }[decoder]
    lengths = []
    for route in problem.routes(x):
        stops = [0, *(customer + 1 for customer in route), 0]
        lengths.append(sum(ways[a, b] for a, b in pairwise(stops)))
    assert_allclose(problem.evaluate(x), [sum(lengths), max(lengths)])


@given(st.integers(0, 9999), st.integers(1, 7))
def test_every_limit_leaves_a_plan_in_directed_distances(seed, n):
    """There and back is not twice the way there."""
    rng = np.random.default_rng(seed)
    ways = rng.random((n + 1, n + 1))
    problem = CVRP(None, None, np.ones(n), 3, distances=ways)
    x = {"order": rng.permutation(n), "limit": 0}
    assert problem.evaluate(x)[1] <= problem.limits[0]


@pytest.mark.parametrize(
    ("depot", "distances", "message"),
    [
        (None, np.ones((2, 3)), r"shape \(n \+ 1, n \+ 1\).*got shape \(2, 3\)"),
        (None, [[1]], r"got shape \(1, 1\)"),
        (None, -np.ones((3, 3)), r"distances\[0, 0\] = -1"),
        (None, np.ones((4, 4)), r"demands must be an array of shape \(3,\)"),
        ([0, 0], np.ones((3, 3)), "customers must be"),
        (None, None, "customers must be"),
    ],
)
def test_wrong_distances_are_refused(depot, distances, message):
    """Places may be left out, both of them, if distances are there."""
    with pytest.raises(InputError, match=message):
        CVRP(depot, None, [1, 1], 2, distances=distances)
