import numpy as np
import pytest

from divlearn import InputError
from divlearn.problems import LinearAssignment


def test_a_cost_is_the_sum_over_agents_of_their_tasks():
    """Matrices that are not symmetric tell agents from tasks."""
    costs = np.random.default_rng(1).normal(size=(3, 6, 6))
    x = [3, 1, 5, 0, 2, 4]
    expected = [sum(cost[i][x[i]] for i in range(6)) for cost in costs]
    np.testing.assert_allclose(LinearAssignment(costs).evaluate(x), expected)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (np.ones((2, 2)), r"costs must be .*\(m, n, n\).*got shape \(2, 2\)"),
        (np.ones((1, 2, 3)), r"a cost per agent and task.*got shape \(1, 2, 3\)"),
        ([[[0, np.nan], [1, 0]]], r"costs\[0, 0, 1\] = nan"),
    ],
)
def test_wrong_costs_are_refused_with_what_is_wrong(costs, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        LinearAssignment(costs)
