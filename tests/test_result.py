import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from divlearn import InputError, Result

OBJECTIVES = {"cost": "min", "quality": "max"}


def small_result(**changes):
    """Three solutions, given in another order than the result keeps them in."""
    fields = {
        "X": [np.array([2, 0, 1]), np.array([0, 1, 2]), np.array([1, 2, 0])],
        "F": [[5, 9], [1, 2], [3, 8]],
        "G": [[-1], [-2], [0]],
        "objectives": OBJECTIVES,
        "constraints": ("weight",),
    }
    return Result(**{**fields, **changes})


def test_solutions_are_sorted_by_the_first_objective_best_first():
    """X, F and G keep belonging together."""
    result = small_result()
    assert_array_equal(result.F, [[1, 2], [3, 8], [5, 9]])
    assert_array_equal(result.G, [[-2], [0], [-1]])
    assert_array_equal(result.X, [[0, 1, 2], [1, 2, 0], [2, 0, 1]])


def test_a_maximised_first_objective_is_sorted_downwards():
    """Best first means the greatest value first."""
    result = small_result(objectives={"quality": "max", "cost": "min"})
    assert_array_equal(result.F[:, 0], [5, 3, 1])


def test_equal_first_objectives_are_sorted_by_the_next():
    """The order does not depend on the order of finding."""
    front = [[1, 3, 5], [1, 2, 6]]
    result = Result(["a", "b"], front, objectives=["p", "q", "r"])
    assert result.X == ["b", "a"]


@pytest.mark.parametrize(
    ("values", "stacked"),
    [
        ([np.array([1, 0]), np.array([0, 1])], True),  # permutations, integers
        ([np.array([True, False]), np.array([False, True])], True),  # bits
        ([np.array([1]), np.array([0, 1])], False),  # subsets of different size
        (["a", "b"], False),  # categories
        ([3, 4], False),  # single numbers
        ([["a", "b"], ["b", "a"]], False),  # several categories
        ([{"order": np.array([0])}, {"order": np.array([0])}], False),  # mixtures
    ],
)
def test_arrays_of_numbers_of_equal_length_become_one_array(values, stacked):
    """X is an array where it can be one, and the user's values otherwise."""
    result = Result(values, [[1, 2], [2, 1]], objectives=["a", "b"])
    assert isinstance(result.X, np.ndarray) == stacked
    if stacked:
        assert result.X.dtype == values[0].dtype
        assert_array_equal(result.X, values)
    else:
        assert isinstance(result.X, list)
        assert all(a is b for a, b in zip(result.X, values, strict=True))


def test_empty_front_keeps_its_shapes():
    """Code that asks for the shape of F works without a feasible solution."""
    result = small_result(X=[], F=[], G=[])
    assert result.F.shape == (0, 2)
    assert result.G.shape == (0, 1)
    assert len(result.X) == 0
    assert result.hypervolume((10, 0)) == 0
    assert result.to_records() == []


@pytest.mark.parametrize("choose", ["knee", "best", "cheapest", "closest"])
def test_choosing_from_an_empty_front_says_that_it_is_empty(choose):
    """The error says what happened instead of an index out of range."""
    result = small_result(X=[], F=[], G=[])
    arguments = {"best": ["cost"], "cheapest": ["cost"], "closest": [(1, 2)]}
    with pytest.raises(InputError, match="the front is empty"):
        getattr(result, choose)(*arguments.get(choose, []))


def test_given_arrays_are_copied():
    """Later changes of the caller's arrays do not reach the result, nor back."""
    front = np.array([[5.0, 9.0], [1.0, 2.0]])
    before = front.copy()
    result = Result(["a", "b"], front, objectives=OBJECTIVES)
    result.F[:] = 0
    assert_array_equal(front, before)


def test_hypervolume_uses_the_senses():
    """Cost 3 of 10 and quality 8 over 0 dominate 7 by 8, the others add to it."""
    result = small_result()
    expected = 2 * 2 + 2 * 8 + 5 * 9
    assert result.hypervolume(reference=(10, 0)) == pytest.approx(expected)


def test_problem_points_are_the_default_of_the_hypervolume():
    """Without arguments the ratio; with another reference the raw volume."""
    result = small_result(reference=(10, 0), ideal=(0, 10))
    raw = 2 * 2 + 2 * 8 + 5 * 9
    assert result.hypervolume() == pytest.approx(raw / 100)
    assert result.hypervolume(reference=(10, 0)) == pytest.approx(raw)
    assert result.hypervolume((10, 0), (0, 20)) == pytest.approx(raw / 200)
    assert result.hypervolume(ideal=(0, 20)) == pytest.approx(raw / 200)


def test_reference_without_ideal_gives_the_raw_volume():
    """A problem may know the one and not the other."""
    result = small_result(reference=(10, 0))
    assert result.hypervolume() == result.hypervolume((10, 0))


def test_hypervolume_without_any_reference_names_the_argument():
    """The error says what to give and in which order."""
    with pytest.raises(InputError, match=r"reference must be given.*cost, quality"):
        small_result().hypervolume()


def test_history_always_has_its_four_lists():
    """Code that draws a history need not ask whether it is there."""
    names = ["evaluations", "seconds", "front_size", "hypervolume"]
    assert list(small_result().history) == names
    given = {"evaluations": [1], "seconds": [0.1], "front_size": [1]}
    history = small_result(history={**given, "hypervolume": [math.nan]}).history
    assert history["evaluations"] == [1]
    assert math.isnan(history["hypervolume"][0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"F": [[1, 2]]}, r"F needs .* shape \(3, 2\), got shape \(1, 2\)"),
        ({"F": [[1], [2], [3]]}, r"F needs .* shape \(3, 2\)"),
        ({"F": [[1, 2], [1, np.nan], [2, 2]]}, "F needs finite numbers"),
        ({"G": [[1, 1]] * 3}, r"G needs .* shape \(3, 1\)"),
        ({"G": None}, r"G needs .* shape \(3, 1\)"),
        ({"objectives": {"cost": "min", "quality": "up"}}, "objectives must map"),
        ({"objectives": {}}, "objectives must map"),
        ({"reference": (1, 2, 3)}, "reference needs one finite number"),
        ({"ideal": (1, np.nan)}, "ideal needs one finite number"),
        ({"history": {"seconds": [1.0]}}, "history must have equal length"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    """A result that contradicts itself is never made."""
    with pytest.raises(InputError, match=message):
        small_result(**changes)


def test_repr_is_one_line_and_str_the_summary():
    """A notebook shows a line, print shows more."""
    result = small_result(problem="jobs", evaluations=2000, seconds=0.5)
    assert repr(result) == "<Result jobs: 3 solutions, 2,000 evaluations, 0.5 s>"
    assert str(result) == result.summary()
