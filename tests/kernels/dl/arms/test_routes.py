"""The model of routes in a search: found where orders are cut, and nowhere else."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.models.routes.model import BEGIN
from divlearn.methods.dl.rules import completed
from tests.kernels.cases import differing_arrays

#: Few of the first candidates are the slow ones of the Gaussian process.
METHOD = dl.DL(gp_candidates=0)
BUDGET = 2_200

slow = pytest.mark.skipif(JIT_DISABLED, reason="takes minutes in plain Python")


@slow
def test_hidden_places_are_found_and_used():
    """Lengths that were held out are predicted to the last digit."""
    problem = dl.problems.get("bicvrp-20", instance=2)
    result = dl.solve(problem, BUDGET, method=METHOD, seed=2)
    found = result.learned["routes"]
    assert found["is"] == "in use"
    assert found["all routes"] == "total length"
    assert found["error"] < 1e-6
    without = METHOD.replace(route_samples=0)
    blind = dl.solve(problem, BUDGET, method=without, seed=2)
    assert "routes" not in blind.learned
    assert result.hypervolume() > blind.hypervolume()


@slow
def test_a_cost_that_goes_one_way_is_not_taken_for_routes():
    """Four probes are all that it costs."""
    costs = np.random.default_rng(0).random((10, 10))

    def evaluate(x):
        order = np.array(x["order"])
        steps = costs[order[:-1], order[1:]]
        return steps.sum() + 0.1 * x["knob"], steps.max()

    space = dl.Composite(order=dl.Permutation(10), knob=dl.Integer(0, 9))
    problem = dl.Problem(space, evaluate, ["sum", "most"], noise=False)
    result = dl.solve(problem, 2_000, method=METHOD, stop=dl.MaxEvaluations(BEGIN + 50))
    found = result.learned["routes"]
    assert found["is"] == "not found"
    assert result.learned["evaluations_by_kind"]["sample"] == 50 + 4


@slow
@pytest.mark.parametrize("told", [BEGIN + 2, BEGIN + 100, 1_800])
def test_a_saved_search_goes_on_as_if_nothing_had_happened(tmp_path, told):
    """While it probes, while it samples, and with the model in use."""
    problem = dl.problems.get("bicvrp-20", instance=2)
    whole = dl.Optimizer(problem, METHOD, 2, budget=BUDGET)
    whole.run(told)
    whole.save(tmp_path / "state.npz")
    other = dl.Optimizer.load(tmp_path / "state.npz", problem)
    for optimizer in (whole, other):
        optimizer.run(60)
    assert not differing_arrays(whole, other)


@pytest.mark.parametrize(
    ("name", "options", "budget"),
    [
        ("bicvrp-20", {}, 1_500),  # too few evaluations
        ("bicvrp-20", {"decoder": "greedy"}, 10_000),  # no knob
        ("bitsp-20", {}, 10_000),
        ("bicvrp-6", {}, 10_000),  # too short
    ],
)
def test_other_searches_have_no_samples(name, options, budget):
    """There is one order, one knob, and room in the budget."""
    problem = dl.problems.get(name, **options)
    assert completed(dl.DL(), problem, budget).route_samples == 0


def test_samples_by_rule_are_ten_per_position():
    """An order of 20 items and a knob."""
    problem = dl.problems.get("bicvrp-20")
    assert completed(dl.DL(), problem, 2_000).route_samples == 210
    assert completed(dl.DL(), problem, None).route_samples == 210
