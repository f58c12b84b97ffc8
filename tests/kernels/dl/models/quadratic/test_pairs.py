"""Order 2: products of pairs of positions."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.models.quadratic.pairs import (
    MAX_FEATURES,
    add_to_pairs,
    new_pairs,
    pair_error,
    pair_size,
)
from tests.kernels.cases import SEEDS
from tests.kernels.dl.models.quadratic.cases import (
    SPACES,
    random_table,
    spaces,
    two_codes,
)
from tests.reference.values import features_of, quadratic_outputs


def random_pairs(layout, rng):
    """Tables of order 2 with symmetric random factors."""
    pairs = new_pairs(layout, 2, 2)
    pairs.mean[:] = random_table(layout, 2, rng)
    factors = rng.random(pairs.product.shape)
    pairs.product[:] = factors + factors.transpose(1, 0, 2)
    return pairs


@given(spaces, SEEDS)
def test_the_error_is_the_difference_minus_a_quadratic_form(name, seed):
    """Written out over features: signs, levels and unit vectors."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    pairs = random_pairs(layout, rng)
    x, y = two_codes(layout, rng)
    changed, delta, error = np.flatnonzero(x != y), rng.random(2), np.zeros(2)
    pair_error(pairs, layout, x, y, delta, changed, len(changed), error)
    after, before = (
        quadratic_outputs(pairs.mean, pairs.product, layout, z) for z in (y, x)
    )
    assert_allclose(error, delta - (after - before), atol=1e-9)
    assert len(features_of(layout, x)) == len(pairs.product)


@given(spaces, SEEDS)
def test_a_step_of_full_size_explains_the_difference(name, seed):
    """The size is the sum over all that took part, as in the method of Kaczmarz."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    pairs = random_pairs(layout, rng)
    x, y = two_codes(layout, rng)
    changed, delta, error = np.flatnonzero(x != y), rng.random(2), np.zeros(2)
    count = len(changed)
    if count == 0:
        return
    pair_error(pairs, layout, x, y, delta, changed, count, error)
    size = pair_size(pairs, layout, x, y, changed, count)
    add_to_pairs(pairs, layout, x, y, changed, count, error, size)
    pair_error(pairs, layout, x, y, delta, changed, count, error)
    assert_allclose(error, 0.0, atol=1e-8)
    assert_array_equal(pairs.product, pairs.product.transpose(1, 0, 2))


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_a_random_quadratic_function_is_learned():
    """Ten bits, 55 unknowns: after enough flips every difference is predicted."""
    layout, rng = dl.Binary(10).layout, np.random.default_rng(1)
    truth, learned = random_pairs(layout, rng), new_pairs(layout, 2, 2)
    last = 0.0
    for number in range(3000):
        x = rng.integers(0, 2, 10)
        y = x.copy()
        y[rng.integers(10)] ^= 1
        delta = quadratic_outputs(truth.mean, truth.product, layout, y)
        delta = delta - quadratic_outputs(truth.mean, truth.product, layout, x)
        changed, error = np.flatnonzero(x != y), np.zeros(2)
        pair_error(learned, layout, x, y, delta, changed, 1, error)
        size = pair_size(learned, layout, x, y, changed, 1)
        add_to_pairs(learned, layout, x, y, changed, 1, error, size)
        if number >= 2900:
            last = max(last, abs(error).max() / abs(delta).max())
    assert last < 1e-3


def test_there_is_no_table_where_it_would_be_too_large_or_is_not_wanted():
    """Memory grows with the square of the features."""
    assert new_pairs(dl.Binary(MAX_FEATURES).layout, 1, 2).product.size > 0
    assert new_pairs(dl.Binary(MAX_FEATURES + 1).layout, 1, 2).product.size == 0
    assert new_pairs(dl.Binary(5).layout, 1, 1).product.size == 0
