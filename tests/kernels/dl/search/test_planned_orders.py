"""The whole front of orders, planned inside exact tables of positions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.metrics import non_dominated
from divlearn.problems import LinearAssignment
from tests.reference import linear_assignment as reference

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="whole searches take too long")


def front_of(costs):
    """All non-dominated points of ``costs``, shape (m, n, n), by making all orders."""
    every = reference.costs(costs.transpose(1, 2, 0), reference.orders(costs.shape[1]))
    return np.unique(every[non_dominated(every)], axis=0)


@pytest.mark.parametrize(("m", "budget"), [(2, 400), (3, 500)])
def test_where_positions_explain_everything_the_whole_front_is_planned(m, budget):
    """Probes, samples and a fit make the table exact; the plan misses nothing."""
    costs = np.random.default_rng(m).integers(1, 30, (m, 8, 8)).astype(float)
    result = dl.solve(LinearAssignment(costs), budget, seed=m)
    assert_array_equal(np.unique(result.F, axis=0), front_of(costs))
    assert result.learned["positions_are_exact"]
    assert result.learned["planned_front"]["not_yet_evaluated"] == 0


def test_planned_points_have_the_outputs_that_were_planned():
    """Costs are no whole numbers: rounding neither doubles points nor hides any."""
    costs = np.random.default_rng(5).random((2, 8, 8))
    problem = LinearAssignment(costs)
    optimizer = dl.Optimizer(problem, "dl", 1, budget=300)
    result = dl.solve(problem, 300, optimizer=optimizer)
    plan = optimizer.steps.search.state.plan
    points = plan.archive.order[: plan.control[0].points]
    assert_allclose(
        plan.archive.outputs[points],
        [problem.evaluate(x) for x in plan.archive.solutions[points]],
    )
    assert_allclose(np.unique(result.F, axis=0), front_of(costs))


def test_without_plans_nothing_is_sampled_for_them():
    """The switch of the part, and costs that are no sums over positions."""
    costs = np.random.default_rng(2).integers(1, 30, (2, 8, 8)).astype(float)
    method = dl.DL(plans=False)
    result = dl.solve(LinearAssignment(costs), 150, method=method, seed=1)
    assert "positions_are_exact" not in result.learned
    assert result.learned["evaluations_by_kind"]["sample"] <= 50
    tour = dl.solve(dl.problems.get("bitsp-8"), 200, seed=1)
    assert "positions_are_exact" not in tour.learned
