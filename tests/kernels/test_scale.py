"""Numbers of any size on a scale that can be computed with."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn.kernels.scale import LARGEST, LEAST, MOST, tame, tamed, total_excess

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(NUMBERS, NUMBERS)
def test_the_larger_of_two_numbers_stays_the_larger_one(a, b):
    """Or becomes as large, where both are beyond the usual range."""
    low, high = sorted((a, b))
    assert tamed(low) <= tamed(high)
    if low < high and 1e-30 < abs(low) < 1e30 and 1e-30 < abs(high) < 1e30:
        assert tamed(low) < tamed(high)


@given(NUMBERS)
def test_the_number_next_to_a_number_does_not_change_places_with_it(a):
    """Not even in the last digit."""
    assert tamed(a) <= tamed(min(LARGEST, math.nextafter(a, math.inf)))


@given(NUMBERS)
def test_all_numbers_have_a_place_in_single_precision(a):
    """Sign and zero stay; differences, squares and their ratios are finite."""
    size = tamed(a)
    assert (size > 0, size == 0) == (a > 0, a == 0)
    assert tamed(-a) == -size
    limits = np.finfo(np.float32)
    assert a == 0 or limits.tiny <= abs(size) <= limits.max


@given(st.floats(LEAST, MOST))
def test_usual_numbers_are_what_they_are(a):
    """To the last bit."""
    assert tamed(a) == a


@pytest.mark.parametrize("value", [5e-324, 1e-308, LEAST / 2, 2 * MOST, 1e300, LARGEST])
def test_a_rounding_of_nine_digits_is_still_seen(value):
    """Two numbers that differ in the ninth digit are two, at any size."""
    assert tamed(value) != tamed(value * (1 - 1e-9)) or value < 1e-315
    assert tamed(value) != tamed(value / 2)


def test_a_row_is_tamed_in_place_or_into_another():
    """As learning wants it."""
    row, other = np.array([1.0, -1e300, 0.0]), np.empty(3)
    tame(row, other)
    assert other.tolist() == [1.0, tamed(-1e300), 0.0]
    tame(row, row)
    assert row.tolist() == other.tolist()


def test_violations_too_large_to_be_added_are_the_largest_number():
    """So that the least of several is found among them."""
    assert total_excess(np.array([9.0, 1e308, -1.0, 1e308]), 1) == LARGEST
    assert total_excess(np.array([9.0, 0.0, -1.0, 2.5]), 1) == 2.5
