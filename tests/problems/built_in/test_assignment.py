import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn import InputError
from divlearn.problems import QuadraticAssignment
from tests.reference import assignment as reference


@given(st.integers(0, 999), st.integers(1, 7), st.integers(1, 4))
def test_costs_agree_with_the_definition(seed, n, m):
    """Asymmetric matrices with a diagonal tell facilities from locations."""
    rng = np.random.default_rng(seed)
    distances, flows = rng.normal(size=(n, n)), rng.normal(size=(m, n, n))
    places = rng.permutation(n)
    assert_allclose(
        QuadraticAssignment(distances, flows).evaluate(places),
        reference.costs(places, distances, flows),
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ("distances", "flows", "message"),
    [
        (np.ones((2, 3)), np.ones((1, 2, 2)), r"square matrix.*got shape \(2, 3\)"),
        (np.ones((2, 2)), np.ones((2, 2)), r"flows must be .*\(m, 2, 2\).*got shape"),
        (np.ones((2, 2)), np.ones((1, 3, 3)), "as many facilities as locations"),
        ([[0, np.inf], [1, 0]], np.ones((1, 2, 2)), r"distances\[0, 1\] = inf"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(distances, flows, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        QuadraticAssignment(distances, flows)
