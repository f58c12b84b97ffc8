import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from divlearn import InputError
from divlearn.problems import NKLandscape
from tests.reference import bits as reference


@given(st.integers(0, 999), st.integers(1, 4), st.integers(0, 5), st.integers(1, 5))
def test_values_agree_with_the_definition(seed, k, more, m):
    """More objectives than links and more links than objectives."""
    rng = np.random.default_rng(seed)
    n = k + 1 + more
    links = [rng.permutation(np.delete(np.arange(n), i))[:k] for i in range(n)]
    contributions, bits = rng.random((m, n, 2 ** (k + 1))), rng.integers(0, 2, n)
    assert_allclose(
        NKLandscape(links, contributions).evaluate(bits),
        reference.landscape(bits, links, contributions),
    )


@pytest.mark.parametrize(
    ("links", "shape", "message"),
    [
        ([1, 0], (1, 2, 4), r"links must be .*\(n, K\).*got shape \(2,\)"),
        ([[1], [2]], (1, 2, 4), r"0 to 1, got links\[1, 0\] = 2"),
        ([[1], [-1]], (1, 2, 4), r"links\[1, 0\] = -1"),
        ([[0.5], [0]], (1, 2, 4), r"links\[0, 0\] = 0.5"),
        ([[1], [1]], (1, 2, 4), r"other bits.*links\[1\] = \[1\]"),
        ([[1, 1], [0, 2], [0, 1]], (1, 3, 8), r"once per row.*links\[0\] = \[1, 1\]"),
        ([[1], [0]], (1, 2, 8), r"\(m, 2, 4\).*got shape \(1, 2, 8\)"),
    ],
)
def test_a_wrong_instance_is_refused_with_what_is_wrong(links, shape, message):
    """Each message names the argument, what was expected and what came."""
    with pytest.raises(InputError, match=message):
        NKLandscape(links, np.ones(shape))
