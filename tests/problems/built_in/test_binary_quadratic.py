import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn import InputError
from divlearn.problems import BinaryQuadratic
from tests.reference import bits as reference


@given(st.integers(0, 999), st.integers(1, 9), st.integers(1, 4))
def test_values_agree_with_the_definition(seed, n, m):
    """Both halves of the matrices and their diagonals count."""
    rng = np.random.default_rng(seed)
    matrices, bits = rng.normal(size=(m, n, n)), rng.integers(0, 2, n)
    problem = BinaryQuadratic(matrices)
    assert_allclose(
        problem.evaluate(bits), reference.quadratic(bits, matrices), atol=1e-12
    )
    assert set(problem.senses) == {"max"}


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        (np.ones((3, 3)), r"\(m, n, n\).*got shape \(3, 3\)"),
        (np.ones((1, 3, 4)), r"square matrix.*got shape \(1, 3, 4\)"),
        ([[[np.nan]]], r"matrices\[0, 0, 0\] = nan"),
        ("x", "matrices must be"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(matrices, message):
    """Each message says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        BinaryQuadratic(matrices)
