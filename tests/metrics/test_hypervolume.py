import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from divlearn import InputError, Result
from divlearn.metrics import hypervolume, hypervolume_is_exact
from tests.reference import slow_metrics

values = st.floats(0, 10, allow_nan=False).map(lambda value: round(value, 3))


def fronts(num_objectives):
    """Up to eight points, some of them beyond the reference (8, ..., 8)."""
    return st.lists(st.tuples(*[values] * num_objectives), min_size=1, max_size=8).map(
        np.array
    )


@pytest.mark.parametrize(
    ("points", "reference", "expected"),
    [
        ([[1]], [4], 3),  # one objective: a length
        ([[1, 2]], [3, 5], 6),  # one box of 2 by 3
        ([[1, 3], [2, 2]], [4, 4], 5),  # 3 + 4 - 2 where they overlap
        ([[1, 3], [2, 2], [3, 3]], [4, 4], 5),  # a dominated point adds nothing
        ([[1, 3], [1, 3]], [4, 4], 3),  # nor does a repeated one
        ([[0, 0, 0], [5, 0, 0]], [1, 2, 3], 6),  # nor one beyond the reference
        ([[4, 1]], [4, 4], 0),  # on the border is not better
        ([[9, 9]], [4, 4], 0),  # worse in everything, though the gaps multiply to 25
    ],
)
def test_hypervolume_of_cases_computed_by_hand(points, reference, expected):
    """Small cases that can be checked on paper, each for one rule."""
    assert hypervolume(points, reference) == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(fronts))
def test_hypervolume_equals_inclusion_and_exclusion_of_boxes(points):
    """Agrees with the definition as a union of boxes, in one to four dimensions."""
    reference = np.full(points.shape[1], 8.0)
    expected = slow_metrics.hypervolume(points.tolist(), reference.tolist())
    assert_allclose(hypervolume(points, reference), expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(fronts(3), st.tuples(*[st.booleans()] * 3))
def test_maximised_objectives_are_mirrored(points, flipped):
    """Changing a sense and the sign of its column changes nothing."""
    sign = np.where(flipped, -1.0, 1.0)
    senses = ["max" if flip else "min" for flip in flipped]
    reference = np.full(3, 8.0)
    mirrored = hypervolume(points * sign, reference * sign, senses=senses)
    assert_allclose(mirrored, hypervolume(points, reference))


def test_ideal_point_gives_the_ratio_to_the_box():
    """The measure of the paper: volume divided by the product of |r - z|."""
    ratio = hypervolume([[10, 20]], (5, 5), ideal=(30, 30), senses=("max", "max"))
    assert ratio == pytest.approx(5 * 15 / 25**2)
    assert hypervolume([[0, 0]], (2, 3), ideal=(0, 0)) == pytest.approx(1)


@pytest.mark.parametrize("empty", [[], np.empty((0, 2)), np.empty((0, 0))])
def test_no_points_have_no_volume(empty):
    """A search that found nothing is measured, not refused."""
    assert hypervolume(empty, (1, 1), (0, 0), ("min", "min")) == 0


def test_seven_objectives_are_approximated_repeatably():
    """One box has a known volume; the same call gives the same number."""
    points = [np.arange(7.0), np.full(7, 9.0)]
    first = hypervolume(points, np.full(7, 10.0))
    exact = np.prod(10 - np.arange(7.0))
    assert first == pytest.approx(exact, rel=0.02)
    assert hypervolume(points, np.full(7, 10.0)) == first


def test_approximation_ignores_points_beyond_the_reference():
    """Negative gaps to an even power must not turn into volume."""
    reference = np.full(8, 10.0)
    half = np.repeat([9.0, 10.5], 4)
    assert hypervolume([np.full(8, 10.5), half], reference) == 0
    inside = hypervolume([np.full(8, 9.0)], reference)
    assert hypervolume([np.full(8, 9.0), half], reference) == inside


def test_approximation_does_not_depend_on_the_units():
    """Objectives of very different size are sampled alike."""
    points = np.random.default_rng(0).random((5, 7))
    scale = 10.0 ** np.arange(-3, 4)
    scaled = hypervolume(points * scale, scale * 1.5)
    assert_allclose(scaled, hypervolume(points, np.full(7, 1.5)), rtol=1e-9)


@pytest.mark.parametrize("num_objectives", [1, 2, 6, 7, 10])
def test_a_result_says_whether_its_hypervolume_is_exact(num_objectives):
    """Above six objectives it is approximate, and nobody should think otherwise."""
    exact = hypervolume_is_exact(num_objectives)
    assert exact == (num_objectives <= 6)
    names = [f"cost {k}" for k in range(num_objectives)]
    point, reference = [np.ones(num_objectives)], np.full(num_objectives, 2.0)
    text = Result(["x"], point, objectives=names, reference=reference).summary()
    assert "hypervolume: " in text
    assert ("approximate" in text) == (not exact)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "two"])
def test_the_number_of_objectives_is_a_whole_number(wrong):
    """A list of objectives or a fraction is a mistake."""
    with pytest.raises(InputError, match="num_objectives must be a whole number"):
        hypervolume_is_exact(wrong)


def test_arguments_are_not_changed():
    """What the caller passes in is the caller's."""
    points, reference, ideal = np.ones((3, 2)), np.full(2, 4.0), np.zeros(2)
    hypervolume(points, reference, ideal, ["min", "min"])
    assert_array_equal(points, np.ones((3, 2)))
    assert_array_equal(reference, [4, 4])
    assert_array_equal(ideal, [0, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], (4, 4)), r"F needs .* shape \(q, m\), got shape \(2,\)"),
        (([[1, 2], [3]], (4, 4)), "F needs one row of numbers per point"),
        (([["a", "b"]], (4, 4)), "F needs one row of numbers per point"),
        (([[1, np.nan]], (4, 4)), "F needs finite numbers, got nan in row 0, column 1"),
        (([[np.inf, 1]], (4, 4)), "F needs finite numbers, got inf in row 0"),
        (([[1, 2]], (4, 4, 4)), "reference needs one finite number per objective, 2"),
        (([[1, 2]], 4), "reference needs one finite number"),
        (([[1, 2]], (4, np.nan)), "reference needs one finite number"),
        (([[1, 2]], "44"), "reference needs one finite number"),
        (([[1, 2]], (4, 4), (0,)), "ideal needs one finite number per objective"),
        (([[1, 2]], (4, 4), (0, 4)), "ideal must be better than reference"),
        (([[1, 2]], (4, 4), (9, 9)), "swap the two points or check senses"),
        (([[1, 2]], (4, 4), None, "min"), "senses needs"),
        (([[1, 2]], (4, 4), None, ["min"]), "senses needs one entry for each of the 2"),
        (([[1, 2]], (4, 4), None, ["min", "least"]), "senses needs"),
        (([[1, 2]], (4, 4), None, [1, -1]), "senses needs"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    """Each error says which argument is wrong and what was expected."""
    with pytest.raises(InputError, match=message):
        hypervolume(*arguments)
