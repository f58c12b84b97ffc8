import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.problems import Knapsack, exact_front, get
from tests.reference import knapsack as reference


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.integers(1, 9),
    st.integers(0, 9999),
    st.sampled_from([0, 3, 12]),
    st.floats(0.1, 1.1),
)
def test_the_front_is_that_of_all_choices(n, seed, steps, share):
    """Enumerates; whole numbers bring ties, free items and items that never fit."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, steps, (n, 3)) if steps else rng.random((n, 3))
    weights, values = numbers[:, 0], numbers[:, 1:]
    capacity = max(0.5, share * weights.sum())
    choices, front = exact_front(weights, values, capacity)
    expected = reference.front(weights.tolist(), values.tolist(), capacity)
    assert_allclose(front, expected, atol=1e-12)
    outputs = Knapsack(weights, values, capacity).evaluate_batch(list(choices))
    assert_array_equal(outputs[:, :2], front)
    assert (outputs[:, 2] <= 0.0).all()


def test_no_point_of_a_dense_front_is_lost():
    """65,536 choices each; here labels and bounds come close enough to matter."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        weights, values = rng.random(16), rng.random((16, 2))
        _, front = exact_front(weights, values, 4.0)
        assert_allclose(front, reference.quick_front(weights, values, 4.0))


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes uncompiled")
def test_200_random_knapsacks_have_the_front_of_all_choices():
    """Up to 15 items, every capacity from tight to loose."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 16))
        weights, values = rng.random(n), rng.random((n, 2))
        capacity = float(rng.uniform(0.2, 0.9) * weights.sum())
        _, front = exact_front(weights, values, capacity)
        assert_allclose(front, reference.quick_front(weights, values, capacity))


def test_objectives_of_very_different_size_are_treated_alike():
    """Multiplying the second value by a power of two multiplies the front's."""
    rng = np.random.default_rng(0)
    weights, values = rng.random(12), rng.random((12, 2))
    choices, front = exact_front(weights, values, 3.0)
    scaled_choices, scaled = exact_front(weights, values * [1.0, 2.0**40], 3.0)
    assert_array_equal(scaled, front * [1.0, 2.0**40])
    assert_array_equal(scaled_choices, choices)


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes uncompiled")
@pytest.mark.parametrize(("n", "ratio"), [(50, 0.3600), (100, 0.4592)])
def test_hypervolume_ratios_of_the_papers_knapsacks_are_the_known_ones(n, ratio):
    """Means over instances 0 to 9, found before by another program."""
    ratios = []
    for instance in range(10):
        problem = get(f"bikp-{n}", instance)
        _, front = exact_front(problem)
        volume = moocore.hypervolume(-front, ref=-problem.reference)
        ratios.append(volume / np.prod(problem.ideal - problem.reference))
    assert np.mean(ratios) == pytest.approx(ratio, abs=5e-5)


def test_more_items_than_bits_in_a_word_are_kept_apart():
    """70 items, of which only the last few are worth anything."""
    values = np.zeros((70, 2))
    values[65:] = [[5, 1], [4, 2], [3, 3], [2, 4], [1, 5]]
    choices, front = exact_front(np.ones(70), values, 2)
    assert_array_equal(front, [[3, 9], [4, 8], [5, 7], [6, 6], [7, 5], [8, 4], [9, 3]])
    assert not choices[:, :65].any() or (choices.sum(axis=1) <= 2).all()


@pytest.mark.parametrize(
    ("values", "weights", "capacity", "message"),
    [
        (np.ones((3, 3)), np.ones(3), 2, "got 3 and 1"),
        (np.ones((3, 2)), np.ones((3, 2)), [2, 2], "got 2 and 2"),
        (None, np.ones(3), 2, "values must be"),
    ],
)
def test_other_knapsacks_are_refused(values, weights, capacity, message):
    """Two objectives and one constraint are what the labels are made for."""
    with pytest.raises(InputError, match=message):
        exact_front(weights, values, capacity)
