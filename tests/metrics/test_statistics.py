import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import stats as scipy_stats

from divlearn import InputError
from divlearn.metrics import (
    compare,
    student_quantile,
    summarize,
    wilcoxon_signed_rank,
)
from tests.reference import slow_metrics

numbers = st.floats(-100, 100, allow_nan=False).map(lambda value: round(value, 2))


# --- Student


@pytest.mark.parametrize(
    "degrees", [1, 2, 3, 4, 5, 10, 29, 30, 199, 1_000, 9_999, 10_000, 10_001, 10**6]
)
@pytest.mark.parametrize(
    "probability", [0.5, 0.5001, 0.6, 0.75, 0.9, 0.975, 0.995, 0.9995, 0.025, 0.1]
)
def test_quantiles_agree_with_scipy(probability, degrees):
    """For few and many degrees, odd and even, and on both sides of 0."""
    expected = scipy_stats.t.ppf(probability, degrees)
    found = student_quantile(probability, degrees)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_quantiles_of_one_and_two_degrees_have_closed_forms():
    """tan(pi (p - 1/2)), and (2p - 1) / sqrt(2p (1 - p))."""
    expected = math.tan(math.pi * 0.475)
    assert student_quantile(0.975, 1) == pytest.approx(expected, rel=1e-12)
    expected = 0.95 / math.sqrt(1.95 * 0.025)
    assert student_quantile(0.975, 2) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("degrees", [0, -1, 2.5, "4", math.nan])
def test_degrees_are_a_whole_number_of_at_least_one(degrees):
    """One value alone has no degree of freedom."""
    with pytest.raises(InputError, match="degrees must be a whole number"):
        student_quantile(0.975, degrees)


@pytest.mark.parametrize("probability", [0, 1, -0.1, math.nan, "0.5"])
def test_probability_lies_between_zero_and_one(probability):
    """The quantiles of 0 and 1 are infinite."""
    with pytest.raises(InputError, match="probability must be"):
        student_quantile(probability, 4)


# --- Wilcoxon


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([1], 1),  # one difference says nothing
        ([-5, -7], 0.5),  # 2 of 4 signs
        ([1, 2, 3, 4, 5, 6], 2 / 64),  # only all plus and all minus
        ([-1, 2, 3, 4, 5, 6], 4 / 64),  # and those with only the 1 turned
        ([0, 1, 2, 3, 0, 4, 5, 6], 2 / 64),  # zeros do not count
        ([1, 1, 1, 1], 2 / 16),  # ties
        ([1, -1], 1),  # right in the middle
        ([0, 0], 1),  # no difference at all
        ([], 1),
    ],
)
def test_p_values_computed_by_hand(differences, expected):
    """Signs counted on paper."""
    assert wilcoxon_signed_rank(differences) == pytest.approx(expected)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_exact_p_value_equals_the_count_of_all_signs(differences):
    """With ties and zeros, as the values are few."""
    expected = slow_metrics.signed_rank_p_value(differences)
    assert wilcoxon_signed_rank(differences) == pytest.approx(expected)


@example(50, 0.3, 1)
@given(st.integers(1, 50), st.floats(-1, 1), st.integers(0, 10**6))
def test_exact_p_value_agrees_with_scipy(count, shift, seed):
    """Up to 50 differences without ties."""
    differences = np.random.default_rng(seed).normal(shift, 1, count)
    expected = scipy_stats.wilcoxon(differences, method="exact").pvalue
    assert wilcoxon_signed_rank(differences) == pytest.approx(expected, rel=1e-9)


@given(st.integers(51, 300), st.floats(-1, 1), st.booleans(), st.integers(0, 10**6))
def test_approximate_p_value_agrees_with_scipy(count, shift, ties, seed):
    """Above 50, with zeros and ties where values are rounded."""
    differences = np.random.default_rng(seed).normal(shift, 1, count)
    differences = differences.round(1) if ties else differences
    assume((differences != 0).sum() > 50)  # else the exact value is taken
    expected = scipy_stats.wilcoxon(
        differences, zero_method="wilcox", correction=True, method="asymptotic"
    ).pvalue
    assert wilcoxon_signed_rank(differences) == pytest.approx(expected, rel=1e-9)


@given(st.lists(numbers, min_size=1, max_size=70))
def test_sides_are_treated_alike(differences):
    """The test is two-sided."""
    mirrored = wilcoxon_signed_rank([-d for d in differences])
    assert wilcoxon_signed_rank(differences) == pytest.approx(mirrored)


def test_exact_and_approximate_p_values_meet():
    """At the border between the two they differ little."""
    differences = np.random.default_rng(3).normal(0.3, 1, 51)
    more, less = (wilcoxon_signed_rank(differences[:n]) for n in (51, 50))
    exact = scipy_stats.wilcoxon(differences, method="exact").pvalue
    assert more == pytest.approx(exact, rel=0.05)
    assert less != more


@pytest.mark.parametrize("wrong", [3, [[1, 2]], [1, np.nan], [np.inf], ["a"]])
def test_wrong_differences_are_refused(wrong):
    """The message says what was expected."""
    with pytest.raises(InputError, match="differences needs one finite number"):
        wilcoxon_signed_rank(wrong)


# --- one set of values


def test_summary_computed_by_hand():
    """2, 4 and 6: variance 4, standard error 2 / sqrt 3, quantile 4.3027."""
    summary = summarize([2, 4, 6])
    assert (summary.mean, summary.count, summary.missing) == (4, 3, 0)
    assert summary.standard_error == pytest.approx(2 / math.sqrt(3))
    assert summary.low == pytest.approx(4 - 4.302653 * 2 / math.sqrt(3))
    assert summary.high == pytest.approx(4 + 4.302653 * 2 / math.sqrt(3))


@given(st.lists(numbers, min_size=2, max_size=40), st.sampled_from([0.5, 0.95, 0.99]))
def test_summary_agrees_with_scipy(values, level):
    """Mean, standard error and interval."""
    summary = summarize(values, level=level)
    error = scipy_stats.sem(values)
    assert summary.mean == pytest.approx(np.mean(values), abs=1e-12)
    assert summary.standard_error == pytest.approx(error, abs=1e-12)
    reach = scipy_stats.t.ppf((1 + level) / 2, len(values) - 1) * error
    assert summary.high - summary.mean == pytest.approx(reach, abs=1e-9)
    assert summary.mean - summary.low == pytest.approx(reach, abs=1e-9)


def test_missing_values_are_left_out_and_counted():
    """A run that failed has no value; the others still have a mean."""
    summary = summarize([1, None, 3, math.nan])
    assert (summary.mean, summary.count, summary.missing) == (2, 2, 2)
    assert str(summary).endswith("2 values and 2 missing")


def test_one_value_has_a_mean_but_no_interval():
    """Nothing is known about how much it varies."""
    summary = summarize([0.5])
    assert (summary.mean, summary.count) == (0.5, 1)
    assert math.isnan(summary.standard_error)
    assert math.isnan(summary.low)
    assert math.isnan(summary.high)
    assert repr(summary) == "<Summary: 0.5, 1 value>"


def test_equal_values_have_no_deviation():
    """Not even the noise of adding 0.1 ten times."""
    summary = summarize([0.1] * 10)
    assert (summary.mean, summary.standard_error) == (0.1, 0)
    assert (summary.low, summary.high) == (0.1, 0.1)


def test_summary_is_readable():
    """Mean, standard error, interval with its level, and count."""
    text = str(summarize([0.61, 0.63, 0.62], level=0.9))
    assert text == "0.6200 ± 0.0058 (90 % interval 0.6031 to 0.6369), 3 values"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1000, 3000], "2000 ± 1000 ("),  # no decimals
        ([5, 5], "5 ± 0 ("),  # no error
        ([1e-20, 3e-20], "2e-20 ± 1e-20 ("),  # too many decimals
        ([0.123456, 0.123458], "0.1234570 ± 0.0000010 ("),
    ],
)
def test_numbers_have_the_digits_that_their_error_leaves(values, text):
    """Two digits of the error, and the same decimals for all else."""
    assert str(summarize(values)).startswith(text)


def test_values_are_not_changed():
    """What the caller passes in is the caller's."""
    values, others = np.array([1, np.nan, 3]), np.array([2.0, 2, 2])
    summarize(values)
    compare(values, others)
    assert_array_equal(values, [1, np.nan, 3])
    assert_array_equal(others, [2, 2, 2])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "values need at least one value that is not missing, got 0"),
        ([None, math.nan], "values need at least one value .* got 2"),
        (3, r"values needs one number per run, shape \(n,\)"),
        ([[1, 2]], r"values needs one number per run, shape \(n,\)"),
        (["a"], "values needs one number per run"),
        ([1, math.inf], "none of them infinite"),
        ([1, 1e200], "none of them infinite"),
    ],
)
def test_wrong_values_are_named(values, message):
    """Each error says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        summarize(values)


@pytest.mark.parametrize("level", [0, 1, 95, math.nan, "0.95"])
def test_level_lies_between_zero_and_one(level):
    """95 instead of 0.95 is an easy mistake."""
    with pytest.raises(InputError, match="level must be"):
        summarize([1, 2], level=level)
    with pytest.raises(InputError, match="level must be"):
        compare([1, 2], [2, 1], level=level)


# --- two methods


def test_comparison_computed_by_hand():
    """Differences 1, 2, 3, 0, -1."""
    result = compare([3, 4, 5, 2, 1], [2, 2, 2, 2, 2])
    assert result.mean_difference == 1
    assert result.standard_error == pytest.approx(math.sqrt(10 / 4 / 5))
    reach = 2.776445 * math.sqrt(0.5)
    assert result.interval == pytest.approx((1 - reach, 1 + reach))
    assert (result.wins, result.ties, result.losses, result.count) == (3, 1, 1, 5)
    # Ranks 1.5, 3, 4 against 1.5; 6 of 16 signs are as extreme: sums 0, 1.5, 1.5.
    assert result.p_value == pytest.approx(6 / 16)


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=30))
def test_comparison_agrees_with_scipy(pairs):
    """Interval of the paired t test; p-value of the signed-rank test."""
    first, second = np.array(pairs).T
    result = compare(first, second)
    if (differences := first - second).std() > 1e-9:
        expected = scipy_stats.ttest_rel(first, second).confidence_interval()
        assert result.interval == pytest.approx(tuple(expected), abs=1e-9)
    decided = np.where(np.isclose(first, second, rtol=1e-9, atol=0), 0, differences)
    assert result.p_value == wilcoxon_signed_rank(decided)
    assert result.wins == (first > second).sum()
    assert result.losses == (first < second).sum()
    assert result.wins + result.ties + result.losses == result.count == len(pairs)


def test_less_may_be_better():
    """The sense decides who wins, and changes nothing else."""
    more, less = (compare([3, 4, 5], [2, 2, 6], sense=s) for s in ("max", "min"))
    assert (more.wins, more.losses) == (less.losses, less.wins) == (2, 1)
    assert more.mean_difference == less.mean_difference
    assert more.p_value == less.p_value


def test_pairs_with_a_missing_value_are_left_out_and_counted():
    """On either side, and both at once."""
    result = compare([1, None, 3, math.nan, 9], [0, 1, math.nan, None, 5])
    assert (result.count, result.missing, result.mean_difference) == (2, 3, 2.5)
    assert str(result).endswith("in 2 pairs, 3 incomplete")


def test_values_equal_but_for_the_last_digits_are_ties():
    """Two methods that find the same front have hypervolumes a few ulps apart."""
    result = compare([0.1 + 0.2, 0.5], [0.3, 0.5 + 1e-6])
    assert (result.wins, result.ties, result.losses) == (0, 1, 1)
    assert compare([0.5], [0.5 + 1e-6], tolerance=1e-5).ties == 1
    assert compare([1e-12], [2e-12]).losses == 1
    assert compare([0.1 + 0.2], [0.3], tolerance=0).wins == 1


def test_equal_methods_are_not_told_apart():
    """No difference: p is 1 and the interval is 0."""
    result = compare([1, 2, 3], [1, 2, 3])
    assert (result.p_value, result.interval, result.ties) == (1, (0, 0), 3)


def test_one_pair_has_a_difference_but_no_interval():
    """Nothing is known about how much it varies."""
    result = compare([2], [1])
    assert (result.mean_difference, result.p_value, result.wins) == (1, 1, 1)
    assert all(math.isnan(end) for end in result.interval)
    assert repr(result) == "<Comparison: +1, p = 1, 1 win, 0 ties, 0 losses in 1 pair>"


def test_comparison_is_readable():
    """Difference with its sign, interval, p-value, and who won how often."""
    text = str(compare([0.63, 0.66, 0.61], [0.61, 0.62, 0.62]))
    assert text == (
        "+0.017 ± 0.015 (95 % interval -0.046 to 0.079), p = 0.5, "
        "2 wins, 0 ties, 1 loss in 3 pairs"
    )


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2], [1]), {}, "same order, got 2 and 1 values; put NaN"),
        (([], []), {}, "first and second need at least one value"),
        (([1, None], [None, 1]), {}, "first and second need at least one value"),
        (([[1]], [1]), {}, "first needs one number per run"),
        (([1], ["b"]), {}, "second needs one number per run"),
        (([1], [math.inf]), {}, "second needs one number .* none of them infinite"),
        (([1], [2]), {"sense": "more"}, "sense must be one of min, max"),
        (([1], [2]), {"tolerance": -1}, "tolerance must be a number of at least 0"),
    ],
)
def test_wrong_comparisons_are_named(arguments, options, message):
    """Each error says which argument is wrong and what was expected."""
    with pytest.raises(InputError, match=message):
        compare(*arguments, **options)
