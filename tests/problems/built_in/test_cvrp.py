import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.problems import CVRP
from divlearn.problems.built_in.cvrp import DECODERS
from tests.reference import routes as reference

checked = settings(deadline=None, derandomize=True, max_examples=60)


def random_instance(seed, n):
    """Places in a square, demands of 1 to 9, vehicles for 9 to 30."""
    rng = np.random.default_rng(seed)
    instance = {
        "depot": rng.random(2),
        "customers": rng.random((n, 2)),
        "demands": rng.integers(1, 10, n),
        "capacity": int(rng.integers(9, 31)),
    }
    return instance, rng


def random_solution(problem, rng):
    order = rng.permutation(len(problem.customers))
    if problem.decoder == "greedy":
        return order
    if problem.decoder == "flags":
        return {"order": order, "starts": rng.random(len(order)) < 0.3}
    return {"order": order, "limit": int(rng.integers(len(problem.limits)))}


@checked
@given(st.integers(0, 9999), st.integers(1, 15), st.sampled_from(DECODERS))
def test_objectives_are_the_lengths_of_the_decoded_routes(seed, n, decoder):
    """What is optimized and what the user drives must be the same."""
    instance, rng = random_instance(seed, n)
    problem = CVRP(**instance, decoder=decoder)
    x = random_solution(problem, rng)
    routes = problem.routes(x)
    assert_allclose(
        problem.evaluate(x),
        reference.objectives(routes, problem.depot, problem.customers),
    )


@checked
@given(st.integers(0, 9999), st.integers(1, 15), st.sampled_from(DECODERS))
def test_routes_visit_every_customer_once_in_order_within_the_capacity(
    seed, n, decoder
):
    """Any solution of the space is feasible; none needs a repair."""
    instance, rng = random_instance(seed, n)
    problem = CVRP(**instance, decoder=decoder)
    x = random_solution(problem, rng)
    routes = problem.routes(x)
    order = x if decoder == "greedy" else x["order"]
    assert_array_equal(np.concatenate(routes), order)
    loads = [reference.load(route, problem.demands) for route in routes]
    assert max(loads) <= problem.capacity


@checked
@given(st.integers(0, 9999), st.integers(1, 15))
def test_greedy_and_flags_begin_routes_where_the_definition_says(seed, n):
    """Compares both decoders with the slow definition."""
    instance, rng = random_instance(seed, n)
    order, starts = rng.permutation(n), rng.random(n) < 0.3
    rest = order.tolist(), starts, instance["demands"], instance["capacity"]
    flagged = CVRP(**instance, decoder="flags").routes(
        {"order": order, "starts": starts}
    )
    assert flagged == reference.routes_with_starts(*rest)
    greedy = CVRP(**instance, decoder="greedy").routes(order)
    assert greedy == reference.routes_with_starts(rest[0], [False] * n, *rest[2:])


@checked
@given(st.integers(0, 9999), st.integers(1, 8), st.integers(2, 12))
def test_cap_split_is_the_best_of_all_splits_below_its_limit(seed, n, levels):
    """Tries all 2^(n - 1) ways to cut the order."""
    instance, rng = random_instance(seed, n)
    problem = CVRP(**instance, levels=levels)
    order = rng.permutation(n).tolist()
    for level in {0, int(rng.integers(levels)), levels - 1}:
        total, longest = problem.evaluate({"order": order, "limit": level})
        limit = problem.limits[level]
        assert longest <= limit
        assert total == pytest.approx(
            reference.least_total(order, limit, **instance), rel=1e-9
        )


def test_limits_rise_from_the_farthest_round_trip_to_none():
    """Below the first no plan exists, and the last forbids nothing."""
    instance, _ = random_instance(5, 30)
    problem = CVRP(**instance, levels=10)
    farthest = max(
        reference.route_length([c], problem.depot, problem.customers) for c in range(30)
    )
    assert problem.limits[0] == pytest.approx(farthest)
    assert problem.limits[-1] == np.inf
    assert (np.diff(problem.limits) > 0).all()
    assert problem.space.parts["limit"].high == 9


@checked
@given(st.integers(0, 9999), st.integers(1, 15), st.sampled_from(DECODERS))
def test_the_canonical_form_has_the_same_routes(seed, n, decoder):
    """Limits and flags that make no difference are one solution."""
    instance, rng = random_instance(seed, n)
    problem = CVRP(**instance, decoder=decoder)
    x = random_solution(problem, rng)
    canonical = problem.canonical(x)
    assert problem.routes(canonical) == problem.routes(x)
    again = problem.canonical(canonical)
    assert_array_equal(problem.space.encode(again), problem.space.encode(canonical))
    if decoder == "cap-split":
        assert canonical["limit"] <= x["limit"]
        longest = problem.evaluate(x)[1]
        assert (problem.limits[: canonical["limit"]] < longest).all()
    if decoder == "flags":
        assert canonical["starts"].sum() == len(problem.routes(x))


def test_customers_at_the_depot_cost_nothing():
    """All lengths and all limits but the last are then 0."""
    problem = CVRP([1, 1], [[1, 1]] * 3, [1, 1, 1], 2)
    assert_array_equal(problem.evaluate({"order": [2, 0, 1], "limit": 0}), [0, 0])


def test_customers_are_near_if_their_places_are():
    """Neighbour subproblems are chosen by this, whatever the decoder."""
    for decoder in DECODERS:
        problem = CVRP([0, 0], [[0, 1], [3, 5]], [1, 1], 2, decoder=decoder)
        assert_array_equal(problem.distance, [[0, 5], [5, 0]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"depot": [0, 0, 0]}, r"depot must be a place.*got shape \(3,\)"),
        ({"customers": np.ones((3, 3))}, r"\(n, 2\).*got shape \(3, 3\)"),
        ({"customers": []}, r"customers must be .*got shape \(0,\)"),
        ({"customers": [[0, 1], [np.inf, 0], [1, 1]]}, r"customers\[1, 0\] = inf"),
        ({"demands": [1, 2]}, r"shape \(3,\): a number per customer, got shape \(2,\)"),
        ({"demands": [1, 2, -3]}, r"demands\[2\] = -3"),
        ({"capacity": 0}, "capacity must be positive, got 0"),
        ({"capacity": [5]}, "capacity must be one number"),
        ({"capacity": 2}, r"demands\[2\] = 3 with a capacity of 2; raise the capacity"),
        ({"decoder": "gredy"}, "Did you mean 'greedy'"),
        ({"levels": 1}, "levels must be a whole number from 2"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(changes, message):
    """Each message names the argument, what was expected and what came."""
    right = {
        "depot": [0, 0],
        "customers": [[0, 1], [1, 0], [1, 1]],
        "demands": [1, 2, 3],
        "capacity": 5,
    }
    CVRP(**right)
    with pytest.raises(InputError, match=message):
        CVRP(**(right | changes))
