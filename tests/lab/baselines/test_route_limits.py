"""PyVRP below limits on the longest route, and routes as codes."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.lab.baselines.route_codes import codes_of
from divlearn.lab.baselines.route_limits import RouteLimits
from divlearn.problems import CVRP, get
from divlearn.testing import check_baseline
from tests.reference import routes as slow


def small(seed, decoder="cap-split", **changes):
    """Nine customers around a depot."""
    rng = np.random.default_rng(seed)
    options = {
        "depot": [0.5, 0.5],
        "customers": rng.random((9, 2)),
        "demands": rng.integers(1, 10, 9),
        "capacity": 20,
    }
    return CVRP(**(options | changes), decoder=decoder, reference=[30, 4], ideal=[0, 0])


def random_plan(problem, seed):
    """Routes within the capacity, in no good order."""
    rng = np.random.default_rng(seed)
    order, starts = rng.permutation(9).tolist(), rng.random(9) < 0.3
    return slow.routes_with_starts(order, starts, problem.demands, problem.capacity)


@given(seed=st.integers(0, 10**6))
def test_flags_give_back_the_very_routes(seed):
    """So that what is evaluated is what was planned."""
    problem = small(seed, "flags")
    plan = random_plan(problem, seed)
    assert problem.routes(problem.space.decode(codes_of(problem, plan))) == plan


@given(seed=st.integers(0, 10**6))
def test_the_cap_split_gives_routes_that_are_no_longer_in_total(seed):
    """It may cut the order elsewhere, below the least limit that allows the plan."""
    problem = small(seed)
    plan = random_plan(problem, seed)
    total, longest = slow.objectives(plan, problem.depot, problem.customers)
    codes = codes_of(problem, plan)
    found = problem.evaluate(problem.space.decode(codes))
    assert found[0] <= total + 1e-9
    limit = problem.limits[codes[-1]]
    assert found[1] <= limit
    assert codes[-1] == 0 or problem.limits[codes[-1] - 1] < longest + 1e-9


@pytest.mark.parametrize("decoder", ["cap-split", "flags"])
def test_the_front_is_near_that_of_all_plans(decoder):
    """Its ends: the shortest total, and the farthest customer's round trip."""
    pytest.importorskip("pyvrp")
    problem = small(2, decoder)
    result = dl.solve(problem, method=RouteLimits(num_limits=8, iterations=800))
    assert result.learned["solver_calls"] == {"PyVRP": 8}
    assert result.evaluations <= 8
    searched = dl.solve(problem, 20_000, method="ppls-dc")
    assert result.hypervolume() > 0.995 * searched.hypervolume()
    for x, point in zip(result.X, result.F, strict=True):
        plan = problem.routes(x)
        expected = slow.objectives(plan, problem.depot, problem.customers)
        assert np.allclose(point, expected)


def test_demands_need_not_be_whole_nor_ways_the_same_there_and_back():
    """Instances from files and of one's own: capacity holds by the real numbers."""
    pytest.importorskip("pyvrp")
    rng = np.random.default_rng(7)
    ways = rng.random((10, 10)) * 1e5
    problem = small(
        7,
        depot=None,
        customers=None,
        distances=ways,
        demands=rng.random(9),
        capacity=1.5,
    )
    result = dl.solve(problem, method=RouteLimits(num_limits=4, iterations=200))
    assert len(result.X)
    for x in result.X:
        for route in problem.routes(x):
            assert problem.demands[route].sum() <= problem.capacity


def test_a_budget_takes_limits_that_are_spread_out():
    """No call of PyVRP is made that could not be evaluated."""
    pytest.importorskip("pyvrp")
    method = RouteLimits(num_limits=20, iterations=400)
    result = dl.solve(small(1), 3, method=method)
    assert result.evaluations <= 3
    assert result.learned["solver_calls"]["PyVRP"] >= result.evaluations
    assert dl.solve(small(1), 1, method=method).learned["solver_calls"] == {"PyVRP": 1}


def test_the_shared_checks_pass():
    """Same seed, same run."""
    pytest.importorskip("pyvrp")
    check_baseline(RouteLimits(num_limits=5, iterations=100), small(3), budget=4)


@pytest.mark.parametrize("problem", [get("bicvrp-20", decoder="greedy"), get("mnk-10")])
def test_other_problems_are_refused(problem):
    """The greedy decoder cannot be told where a route begins."""
    with pytest.raises(dl.InputError, match="decoder 'cap-split' or 'flags'"):
        dl.solve(problem, method="pyvrp")


def test_without_pyvrp_the_error_names_the_command(monkeypatch):
    """It comes with the extra for benchmarks."""
    monkeypatch.setitem(sys.modules, "pyvrp", None)
    with pytest.raises(dl.MissingExtra, match=r'pip install "divlearn\[bench\]"'):
        dl.solve(get("bicvrp-20"), method="pyvrp")


def test_wrong_options_are_named():
    """At once, not in the middle of a run."""
    with pytest.raises(dl.InputError, match="num_limits"):
        RouteLimits(num_limits=0)
    with pytest.raises(dl.InputError, match="iterations"):
        RouteLimits(iterations=0)
