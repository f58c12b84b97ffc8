import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn import InputError
from divlearn.problems import SynergyKnapsack
from tests.reference import bits as reference


@given(st.integers(0, 999), st.integers(2, 9), st.integers(1, 4), st.integers(1, 12))
def test_outputs_are_values_with_bonuses_and_the_raw_constraint_value(seed, n, m, p):
    """A pair that stands twice earns twice."""
    rng = np.random.default_rng(seed)
    pairs = [rng.choice(n, 2, replace=False) for _ in range(p)]
    weights, values, bonuses = rng.random(n), rng.random((n, m)), rng.random((p, m))
    choice = rng.integers(0, 2, n)
    problem = SynergyKnapsack(weights, values, 1.5, pairs, bonuses)
    assert_allclose(
        problem.evaluate(choice),
        reference.synergy(choice, weights, values, 1.5, pairs, bonuses),
        atol=1e-12,
    )
    assert problem.constraints == ("load",)
    assert set(problem.senses) == {"max"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"values": [1, 2, 3]}, r"values must be .*\(n, m\).*got shape \(3,\)"),
        ({"weights": [1, 2]}, r"weights must be .*\(3,\).*got shape \(2,\)"),
        ({"weights": [1, 2, -3]}, r"at least 0.*weights\[2\] = -3"),
        ({"capacity": 0}, "capacity must be positive, got 0"),
        ({"pairs": [[0, 1, 2]]}, r"\(p, 2\).*got shape \(1, 3\)"),
        ({"pairs": [[1, 1]]}, r"two different items, 0 to 2, got pairs\[0\]"),
        ({"pairs": [[0, 3]]}, r"got pairs\[0\] = \[0.0, 3.0\]"),
        ({"pairs": [[0, 0.5]]}, r"got pairs\[0\] = \[0.0, 0.5\]"),
        ({"bonuses": [[1, 1]]}, r"\(1, 1\).*got shape \(1, 2\)"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(changed, message):
    """Each message names the argument, what was expected and what came."""
    right = {
        "weights": [1, 2, 3],
        "values": [[1], [2], [3]],
        "capacity": 4,
        "pairs": [[0, 1]],
        "bonuses": [[5]],
    }
    with pytest.raises(InputError, match=message):
        SynergyKnapsack(**(right | changed))
