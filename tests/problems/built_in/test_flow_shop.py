import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn import InputError
from divlearn.problems import FlowShop
from tests.reference import flow_shop as reference


@given(st.integers(0, 999), st.integers(1, 9), st.integers(1, 5))
def test_makespan_and_tardiness_agree_with_the_definition(seed, n, machines):
    """Due dates lie where some jobs are early and some are late."""
    rng = np.random.default_rng(seed)
    times, order = rng.random((n, machines)), rng.permutation(n)
    due = rng.random(n) * times.sum()
    assert_allclose(
        FlowShop(times, due).evaluate(order),
        reference.makespan_and_tardiness(order, times, due),
    )


def test_a_job_that_is_early_does_not_make_up_for_one_that_is_late():
    """Tardiness is a sum of delays, not of differences."""
    problem = FlowShop([[1], [1]], due=[100, 0])
    assert problem.evaluate([0, 1]).tolist() == [2, 2]
    assert problem.evaluate([1, 0]).tolist() == [2, 1]


@pytest.mark.parametrize(
    ("times", "due", "message"),
    [
        ([1, 2], [1, 2], r"times must be .* \(n, machines\).*got shape \(2,\)"),
        ([[1], [-2]], [1, 2], r"times must hold .* at least 0.*times\[1, 0\] = -2"),
        ([[1], [2]], [1, 2, 3], r"due must be .* \(2,\).*got shape \(3,\)"),
        ([[1], [2]], [1, np.nan], r"due\[1\] = nan"),
        ([[1], [2, 3]], [1, 2], "rows of different lengths"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(times, due, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        FlowShop(times, due)
