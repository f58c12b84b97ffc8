import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from divlearn import InputError
from divlearn.metrics import non_dominated
from tests.reference import slow_metrics

# Few different values, so that ties and repeats are common.
small = st.integers(-2, 2).map(float)


def sets(num_objectives):
    """Up to 25 points of a small grid."""
    return st.lists(st.tuples(*[small] * num_objectives), min_size=1, max_size=25).map(
        np.array
    )


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5).flatmap(sets))
def test_mask_equals_the_comparison_of_all_pairs(points):
    """Agrees with the definition of dominance, repeats counted once."""
    assert non_dominated(points).tolist() == slow_metrics.non_dominated(points.tolist())


@settings(max_examples=50, deadline=None)
@given(sets(3), st.tuples(*[st.booleans()] * 3))
def test_maximised_objectives_are_mirrored(points, flipped):
    """Changing a sense and the sign of its column changes nothing."""
    sign = np.where(flipped, -1.0, 1.0)
    senses = ["max" if flip else "min" for flip in flipped]
    assert_array_equal(non_dominated(points * sign, senses), non_dominated(points))


def test_values_equal_to_nine_decimals_count_once():
    """Sums of floats in another order give the same solution, not a new one."""
    points = [[0.3, 1.0], [0.1 + 0.2, 1.0 - 1e-12], [0.3 - 1e-6, 2.0]]
    assert non_dominated(points).tolist() == [True, False, True]


def test_decimals_set_how_fine_the_comparison_is():
    """With one decimal 1.01 and 1.04 are the same."""
    points = [[1.04, 1.0], [1.01, 1.0]]
    assert non_dominated(points, decimals=1).tolist() == [True, False]
    assert non_dominated(points).tolist() == [False, True]


def test_zeros_of_either_sign_are_equal():
    """Rounding a small negative number gives -0.0, which is still zero."""
    assert non_dominated([[-1e-12, 1.0], [0.0, 1.0]]).tolist() == [True, False]


def test_huge_values_are_compared_without_overflow():
    """Rounding 1e300 to nine decimals must not make it infinite."""
    assert non_dominated([[1e300, 1], [2e300, 1]]).tolist() == [True, False]


def test_no_points_give_an_empty_mask():
    """The mask has one entry per point."""
    assert non_dominated(np.empty((0, 3))).shape == (0,)


def test_points_are_not_changed():
    """What the caller passes in is the caller's."""
    points = np.array([[0.1234567891234, 1], [2, 0]])
    before = points.copy()
    non_dominated(points, ["max", "min"])
    assert_array_equal(points, before)


@pytest.mark.parametrize(
    ("points", "senses", "message"),
    [
        ([1, 2, 3], None, r"got shape \(3,\)"),
        ([[np.nan, 1]], None, "F needs finite numbers"),
        (np.empty((3, 0)), None, r"got shape \(3, 0\)"),
        ([[1, 2]], ["min", "min", "max"], "each of the 2 objectives"),
    ],
)
def test_wrong_arguments_are_named(points, senses, message):
    """Each error says which argument is wrong and what came."""
    with pytest.raises(InputError, match=message):
        non_dominated(points, senses)
