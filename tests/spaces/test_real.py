"""Real numbers, and integers on a logarithmic scale."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.spaces.described import space_from

FINITE = st.floats(-1e12, 1e12)


def reals(log):
    """Spaces of one real of any limits."""
    limits = st.floats(1e-9, 1e12) if log else FINITE
    return (
        st.tuples(limits, limits)
        .filter(lambda pair: _apart(*pair))
        .map(lambda pair: dl.Real(*pair, log=log))
    )


def _apart(low, high):
    """Whether there are some floating point numbers between two."""
    return low < high and high - low > 1e-6 * max(abs(low), abs(high))


@pytest.mark.parametrize("log", [False, True])
@given(data=st.data())
def test_every_code_of_a_real_has_a_value_of_its_own(log, data):
    """Which leads back to it; limits are exactly those given."""
    space = data.draw(reals(log))
    last = space.segments()[0].levels[0] - 1
    code = data.draw(st.one_of(st.integers(0, last), st.sampled_from([0, 1, last])))
    value = space.decode(np.array([code]))
    assert isinstance(value, float)
    assert space.low <= value <= space.high
    assert space.encode(value).tolist() == [code]
    assert space.decode(np.array([0])) == space.low
    assert space.decode(np.array([last])) == space.high


@pytest.mark.parametrize("log", [False, True])
@given(data=st.data())
def test_a_real_is_rounded_by_no_more_than_half_a_code(log, data):
    """Equal within the stated tolerance, and rounding twice changes nothing."""
    space = data.draw(reals(log))
    value = data.draw(st.floats(space.low, space.high))
    found = space.canonical(value)
    last = space.segments()[0].levels[0] - 1
    scale = math.log if log else float
    reach = scale(space.high) - scale(space.low)
    rounding = 1e-13 * max(abs(scale(space.low)), abs(scale(space.high)))
    assert abs(scale(found) - scale(value)) <= 1.02 * reach / last + rounding
    assert space.canonical(found) == found


@given(st.integers(-5_000, 5_000), st.sampled_from([1, 10, 1_000]))
def test_short_decimals_stay_as_they_are(number, unit):
    """0.3 is 0.3, not 0.30000000004."""
    value = number / unit
    assert dl.Real(-5_000, 5_000).canonical(value) == value
    assume(value > 0)
    assert dl.Real(1e-4, 1e4, log=True).canonical(value) == value


@pytest.mark.parametrize(
    "space",
    [
        dl.Real(0, 1),
        dl.Real(-0.1, 1 / 3, n=3),
        dl.Real(1e-5, 0.1, log=True),
        dl.Real(0.1, 0.9, step=0.1),
        dl.Real(1, 1_000, log=True, step=1, n=2),
        dl.Integer(1, 10**6, log=True),
    ],
    ids=repr,
)
def test_a_described_space_is_the_same_space(space):
    """Through JSON and through its repr, with all that was sampled."""
    read = space_from(json.loads(json.dumps(space.describe())))
    named = {"Real": dl.Real, "Integer": dl.Integer}
    assert read == space == eval(repr(space), named)
    for seed in range(5):
        value = space.sample(seed)
        again = json.loads(json.dumps(np.asarray(value).tolist()))
        assert read.encode(again).tolist() == space.encode(value).tolist()
        assert np.array_equal(read.canonical(again), value)


def test_steps_have_no_more_digits_than_those_given():
    """Sums of 0.1 in floating point have seventeen."""
    space = dl.Real(0.1, 1, step=0.1)
    values = [space.decode(np.array([k])) for k in range(10)]
    assert values == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert [int(space.encode(v)[0]) for v in values] == list(range(10))
    assert dl.Real(0, 1, step=1 / 3).decode(np.array([3])) == 1.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: dl.Real(1, 1), "low < high, got low = 1.0 and high = 1.0"),
        (lambda: dl.Real(float("nan"), 1), "low must be a finite number"),
        (lambda: dl.Real(0, float("inf")), "high must be a finite number"),
        (lambda: dl.Real(-1e308, 1e308), "high - low .* other units"),
        (lambda: dl.Real(0, 1, log=True), "log=True needs low > 0"),
        (lambda: dl.Real(0, 1, log="yes"), "log must be True or False"),
        (lambda: dl.Real(0, 1, step=0.3), r"whole number of steps .* 0\.9 or 1\.2"),
        (lambda: dl.Real(0, 1, step=2), "step must be above 0 and at most"),
        (lambda: dl.Real(0, 1, step=1e-10), "leave step out"),
        (lambda: dl.Real(1, 1 + 1e-15), "floating point numbers"),
        (lambda: dl.Real(0, 1, n=0), "n .* at least 1"),
        (lambda: dl.Integer(0, 9, log=True), "log=True needs low >= 1"),
    ],
)
def test_limits_that_make_no_sense_are_refused(make, words):
    """With what was expected, what came and what to do."""
    with pytest.raises(dl.InputError, match=words):
        make()


@pytest.mark.parametrize(
    ("space", "value", "words"),
    [
        (dl.Real(0, 1), 1.5, "between 0.0 and 1.0, got 1.5; widen"),
        (dl.Real(0, 1), "0.5", "needs a number, got '0.5'"),
        (dl.Real(0, 1), float("nan"), "needs a number, got nan"),
        (dl.Real(0, 1), True, "needs a number, got True"),
        (dl.Real(0, 1, n=2), [0.1], "has 2 numbers"),
        (dl.Real(0, 1, step=0.1), 0.25, "whole number of steps, such as 0.[23]"),
    ],
)
def test_values_outside_are_refused(space, value, words):
    """And are not contained."""
    assert not space.contains(value)
    with pytest.raises(dl.InputError, match=words):
        space.encode(value)


def test_a_logarithmic_scale_draws_as_often_from_each_power_of_ten():
    """Else a rate from 1e-5 to 1e-1 is nearly always above 1e-2."""
    for space in (dl.Real(1, 1e4, log=True), dl.Integer(1, 10**4, log=True)):
        drawn = np.log10([space.sample(seed) for seed in range(400)])
        counts = np.histogram(drawn, [0, 1, 2, 3, 4.01])[0]
        assert (abs(counts - 100) < 50).all(), (space, counts)
