import math

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from divlearn import InputError
from divlearn.metrics import additive_epsilon, inverted_generational_distance
from tests.reference import slow_metrics

METRICS = [inverted_generational_distance, additive_epsilon]
values = st.floats(-5, 5, allow_nan=False).map(lambda value: round(value, 3))


def pairs_of_sets(num_objectives):
    """A front and a reference front of up to six points each."""
    rows = st.lists(st.tuples(*[values] * num_objectives), min_size=1, max_size=6)
    return st.tuples(rows, rows)


def test_distance_computed_by_hand():
    """From (0, 0) the nearest is 5 away, from (9, 4) it is 3."""
    found = inverted_generational_distance([[3, 4], [6, 4]], [[0, 0], [9, 4]])
    assert found == pytest.approx(4)


def test_epsilon_computed_by_hand():
    """(2, 5) reaches (1, 4) with 1 and (4, 3) reaches (4, 1) with 2."""
    assert additive_epsilon([[2, 5], [4, 3]], [[1, 4], [4, 1]]) == 2
    assert additive_epsilon([[0, 3], [3, 0]], [[1, 4], [4, 1]]) == -1


@pytest.mark.parametrize("metric", METRICS)
def test_a_front_is_no_distance_from_itself(metric):
    """Every point was found."""
    front = [[0, 3], [1, 1], [3, 0]]
    assert metric(front, front) == 0


@given(st.integers(1, 4).flatmap(pairs_of_sets))
def test_values_equal_their_definitions(sets):
    """Agree with the definitions in plain Python, in one to four dimensions."""
    found = inverted_generational_distance(*sets)
    expected = slow_metrics.inverted_generational_distance(*sets)
    assert found == pytest.approx(expected, abs=1e-9)
    expected = slow_metrics.additive_epsilon(*sets)
    assert additive_epsilon(*sets) == pytest.approx(expected, abs=1e-9)


@given(pairs_of_sets(3), st.tuples(*[st.booleans()] * 3))
def test_senses_mean_what_moocore_means(sets, maximise):
    """Agree with moocore's own way to say which objectives are maximised."""
    points, targets = np.array(sets[0]), np.array(sets[1])
    senses = ["max" if flag else "min" for flag in maximise]
    expected = moocore.igd(points, ref=targets, maximise=maximise)
    found = inverted_generational_distance(points, targets, senses)
    assert found == pytest.approx(expected, abs=1e-9)
    expected = moocore.epsilon_additive(points, ref=targets, maximise=maximise)
    assert additive_epsilon(points, targets, senses) == pytest.approx(expected)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("empty", [[], np.empty((0, 2))])
def test_no_points_are_infinitely_far(metric, empty):
    """A search that found nothing is measured, not refused."""
    assert metric(empty, [[1, 2]], ["min", "max"]) == math.inf


@pytest.mark.parametrize("metric", METRICS)
def test_arguments_are_not_changed(metric):
    """What the caller passes in is the caller's."""
    points, targets = np.ones((2, 2)), np.zeros((3, 2))
    metric(points, targets, ["max", "min"])
    assert_array_equal(points, np.ones((2, 2)))
    assert_array_equal(targets, np.zeros((3, 2)))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], [[1, 2]]), r"F needs .* got shape \(2,\)"),
        (([[1, 2]], [1, 2]), r"reference_front needs .* got shape \(2,\)"),
        (([[1, np.nan]], [[1, 2]]), "F needs finite numbers, got nan"),
        (([[1, 2]], [[np.inf, 2]]), "reference_front needs finite numbers, got inf"),
        (([[1, 2]], []), "reference_front needs at least one point"),
        (([], []), "reference_front needs at least one point"),
        (([[1, 2]], [[1, 2, 3]]), "as many columns as F has objectives, 2, got 3"),
        (([[1, 2]], [[1, 2]], ["min"]), "senses needs one entry for each of the 2"),
        (([[1, 2]], [[1, 2]], "max"), "senses needs"),
    ],
)
def test_wrong_arguments_are_named(metric, arguments, message):
    """Each error says which argument is wrong and what was expected."""
    with pytest.raises(InputError, match=message):
        metric(*arguments)
