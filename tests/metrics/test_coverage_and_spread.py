import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from divlearn import InputError
from divlearn.metrics import coverage, spread
from divlearn.metrics.coverage import consecutive_gaps
from tests.reference import slow_metrics

# Few different values, so that ties, repeats and equal columns are common.
small = st.integers(-3, 3).map(float)
HALF_DIAGONAL = math.sqrt(0.5)


def sets(num_objectives, least=1):
    """Up to twelve points of a small grid."""
    rows = st.tuples(*[small] * num_objectives)
    return st.lists(rows, min_size=least, max_size=12).map(np.array)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([[0, 1], [1, 0]], [math.sqrt(2)]),  # the ends of any front
        ([[0, 10], [3, 6], [6, 2]], [HALF_DIAGONAL] * 2),  # scaled to (.5, .5)
        ([[6, 2], [0, 10], [3, 6]], [HALF_DIAGONAL] * 2),  # whatever the order
        ([[0, 4], [1, 3], [4, 0], [4, 4]], [math.sqrt(1 / 8), math.sqrt(9 / 8)]),
        ([[0, 1, 7], [1, 0, 7]], [math.sqrt(2)]),  # a constant objective adds nothing
        ([[0, 2, 0], [0, 0, 2], [1, 0, 0]], [math.sqrt(2)] * 2),  # ties: by the second
    ],
)
def test_gaps_of_cases_computed_by_hand(points, expected):
    """Small cases that can be checked on paper, each for one rule."""
    assert consecutive_gaps(points) == pytest.approx(expected)


def test_coverage_of_cases_computed_by_hand():
    """1 / (1 + 5 g) for a mean gap g, with another alpha if asked for."""
    points = [[0, 4], [2, 2], [4, 0]]
    assert coverage(points) == pytest.approx(1 / (1 + 5 * HALF_DIAGONAL))
    assert coverage(points, alpha=1) == pytest.approx(1 / (1 + HALF_DIAGONAL))
    assert coverage(points, alpha=0) == 1


def test_spread_of_cases_computed_by_hand():
    """Even gaps give 0; gaps of 1, 1, 2 deviate by 1/3, 1/3, 2/3 from 4/3."""
    assert spread([[0, 2], [1, 1], [2, 0]]) == 0
    assert spread([[0, 4], [1, 3], [2, 2], [4, 0]]) == pytest.approx((4 / 9) / (4 / 3))


@given(st.integers(1, 4).flatmap(sets))
def test_coverage_equals_its_definition(points):
    """Agrees with the definition in plain Python, with ties, repeats and dominated."""
    assert coverage(points) == pytest.approx(slow_metrics.coverage(points.tolist()))


@given(st.integers(2, 4).flatmap(lambda m: sets(m, least=2)))
def test_spread_equals_its_definition(points):
    """Agrees with the definition in plain Python, cut at 1 only if asked for."""
    assume(sum(slow_metrics.non_dominated(points.tolist())) > 1)
    expected = slow_metrics.spread(points.tolist())
    assert spread(points, saturate=False) == pytest.approx(expected, abs=1e-12)
    assert spread(points) == pytest.approx(min(expected, 1), abs=1e-12)


def test_spread_saturates_at_one():
    """Five points close together and one far away: the formula gives 1.6."""
    points = [[i * 1e-6, 1 - i * 1e-6] for i in range(5)] + [[1, 0]]
    assert spread(points, saturate=False) == pytest.approx(1.6, abs=1e-4)
    assert spread(points) == 1


@given(sets(3), st.tuples(*[st.booleans()] * 3))
def test_maximised_objectives_are_mirrored(points, flipped):
    """Changing a sense and the sign of its column changes nothing."""
    sign = np.where(flipped, -1.0, 1.0)
    senses = ["max" if flip else "min" for flip in flipped]
    assert_array_equal(
        consecutive_gaps(points * sign, senses), consecutive_gaps(points)
    )


def test_senses_decide_which_points_are_left_out():
    """Where both are maximised, (2, 2) dominates and is alone."""
    points = [[0, 1], [1, 0], [2, 2]]
    assert coverage(points, ["min", "min"]) > 0
    assert coverage(points, ["max", "max"]) == 0


def test_units_make_no_difference():
    """Every objective is scaled by the front's own range."""
    points = np.array([[0, 9], [1, 4], [3, 1], [7, 0.0]])
    scaled = points * [1e-3, 1e4] + [5, -2]
    assert coverage(scaled) == pytest.approx(coverage(points))
    assert spread(scaled) == pytest.approx(spread(points))


def test_noise_in_the_last_digits_makes_no_difference():
    """Sums of floats in another order are the same point, not a gap of zero."""
    points = [[0.3, 1.0], [1.0, 0.0]]
    noisy = [*points, [0.1 + 0.2, 1.0 - 1e-12]]
    assert coverage(noisy) == coverage(points)
    assert spread(noisy) == 0


def test_decimals_set_how_fine_the_comparison_is():
    """With few of them small differences are none."""
    points = [[0, 2e-5], [1e-5, 1e-5], [2e-5, 0]]
    assert coverage(points, decimals=4) == 0
    assert coverage(points, decimals=14) == pytest.approx(1 / (1 + 5 * HALF_DIAGONAL))


@pytest.mark.parametrize(
    "points", [[], np.empty((0, 2)), [[1, 2]], [[1, 2], [1, 2]], [[1, 2], [2, 3]]]
)
def test_less_than_two_points_have_no_gap(points):
    """Coverage is then 0, below any front of two; spread has no value."""
    assert coverage(points) == 0
    assert math.isnan(spread(points))


def test_two_points_are_evenly_spaced():
    """One gap is its own mean."""
    assert spread([[0, 1], [1, 0]]) == 0
    assert coverage([[0, 1], [1, 0]]) == pytest.approx(1 / (1 + 5 * math.sqrt(2)))


def test_ranges_beyond_the_greatest_float_stay_finite():
    """From -1.5e308 to 1.5e308 is farther than a float can say."""
    points = [[-1.5e308, 1.5e308], [0, 0], [1.5e308, -1.5e308]]
    assert consecutive_gaps(points) == pytest.approx([HALF_DIAGONAL] * 2)


@pytest.mark.parametrize("metric", [coverage, spread])
def test_points_are_not_changed(metric):
    """What the caller passes in is the caller's."""
    points = np.array([[2.1234567891234, 1], [0, 3], [1, 2]])
    before = points.copy()
    metric(points, ["max", "min"])
    assert_array_equal(points, before)


@pytest.mark.parametrize("metric", [coverage, spread])
@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2],), {}, r"F needs .* shape \(q, m\), got shape \(2,\)"),
        (([[1, np.nan]],), {}, "F needs finite numbers, got nan in row 0, column 1"),
        (([[1, 2]], ["min"]), {}, "senses needs one entry for each of the 2"),
        (([[1, 2]],), {"decimals": -1}, "decimals must be a whole number"),
        (([[1, 2]],), {"decimals": "many"}, "decimals must be a whole number"),
    ],
)
def test_wrong_arguments_are_named(metric, arguments, options, message):
    """Each error says which argument is wrong and what was expected."""
    with pytest.raises(InputError, match=message):
        metric(*arguments, **options)


@pytest.mark.parametrize("alpha", [-1, math.nan, "5"])
def test_alpha_is_a_number_of_at_least_zero(alpha):
    """A negative one would turn the measure around."""
    with pytest.raises(InputError, match="alpha must be a number of at least 0"):
        coverage([[1, 2]], alpha=alpha)
