import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divlearn import InputError, Result
from divlearn.metrics import non_dominated


def result_of(front, senses=None, **changes):
    """Make a result whose solutions are numbered in the order given."""
    senses = senses or ["min"] * len(front[0])
    objectives = {f"f{j}": sense for j, sense in enumerate(senses)}
    return Result(list(range(len(front))), front, objectives=objectives, **changes)


def test_knee_is_where_the_front_bulges_most():
    """Scaled by their ranges 10 and 100 the sums are 1, .5, .35, 1: the third."""
    front = [[0, 100], [1, 40], [3, 5], [10, 0]]
    assert result_of(front).knee().x == 2


def test_knee_need_not_be_balanced():
    """Losses of .5 and .05 beat .4 and .4, since their sum is less."""
    front = [[0, 10], [4, 4], [5, 0.5], [10, 0]]
    assert result_of(front).knee().x == 2


def test_knee_of_a_straight_front_is_its_most_balanced_solution():
    """All sums are equal, so nothing bulges; the greatest loss decides."""
    front = [[0, 10], [2, 8], [5, 5], [9, 1], [10, 0]]
    assert result_of(front).knee().x == 2


def test_knee_of_a_hollow_front_is_not_one_of_its_ends():
    """The ends have the least sums there, but nobody would call them a compromise."""
    front = [[0, 10], [4, 9.5], [8, 8], [9.5, 4], [10, 0]]
    assert result_of(front).knee().x == 2


def test_knee_respects_maximised_objectives():
    """Mirroring an objective does not change which solution is the knee."""
    front = np.array([[0, 100], [1, 40], [3, 5], [10, 0.0]])
    assert result_of(front * [1, -1], ["min", "max"]).knee().x == 2


def test_knee_of_three_objectives():
    """Losses sum to 2, 2, 2 at the ends and to .6 at the last one."""
    front = [[0, 10, 10], [10, 0, 10], [10, 10, 0], [2, 2, 2]]
    assert result_of(front).knee().x == 3


def test_knee_of_one_solution_and_of_equal_values():
    """Ranges of zero divide nothing."""
    assert result_of([[3, 4]]).knee().x == 0
    assert result_of([[0, 5, 1], [1, 5, 0]]).knee().x in (0, 1)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=20),
    st.tuples(*[st.sampled_from([1.0, 8.0, 64.0])] * 3),
)
def test_knee_does_not_depend_on_units(points, scale):
    """Metres or millimetres, the same solution is chosen."""
    front = np.array(points, float)
    front = front[non_dominated(front)]
    scaled = result_of(front * scale).knee()
    assert scaled.x == result_of(front).knee().x


def test_cheapest_takes_the_best_within_the_limits():
    """With time at most 2 only the last two remain; the cheaper of them is taken."""
    result = Result(
        ["a", "b", "c"],
        [[1, 9], [4, 2], [6, 1]],
        objectives={"cost": "min", "time": "min"},
    )
    assert result.cheapest("cost").x == "a"
    assert result.cheapest("cost", time=(None, 2)).x == "b"
    assert result.cheapest("cost", time=(None, 1.5)).x == "c"
    assert result.cheapest("time", cost=(2, 5)).x == "b"
    assert result.cheapest("cost", time=(1, 1)).x == "c"


def test_cheapest_of_a_maximised_objective_is_the_greatest():
    """Best is in the sense of the objective."""
    result = result_of([[1, 2], [3, 8], [5, 9]], ["min", "max"])
    assert result.best("f1").x == 2
    assert result.cheapest("f1", f0=(None, 4)).x == 1


def test_cheapest_takes_names_with_spaces_and_constraints():
    """Names that are no keywords go into limits; constraint values can be limited."""
    result = Result(
        ["a", "b"],
        [[1, 40], [2, 20]],
        [[0.0], [-3.0]],
        objectives={"cost": "min", "total length": "min"},
        constraints=("load",),
    )
    assert result.cheapest("cost", limits={"total length": (None, 30)}).x == "b"
    assert result.cheapest("cost", load=(None, -1)).x == "b"
    assert result.cheapest("cost", load=(None, 0)).g == {"load": 0.0}


def test_ties_of_the_objective_go_to_the_better_rest():
    """Both cost 1; the second loses less over the other objectives."""
    result = result_of([[1, 0, 10], [1, 1, 2], [2, 0, 0], [3, 9, 0]])
    assert result.cheapest("f0").x == 1


@pytest.mark.parametrize(
    ("name", "limits", "message"),
    [
        ("price", {}, "objective must be one of f0, f1, got 'price'"),
        ("f0", {"time": (0, 1)}, "limits must name objectives or constraints .f0, f1."),
        ("f0", {"f1": 5}, r"limits of f1 must be \(low, high\).*got 5"),
        ("f0", {"f1": "ab"}, "limits of f1 must be"),
        ("f0", {"f1": "12"}, "limits of f1 must be"),
        ("f0", {"f1": (3, 2)}, "low <= high"),
        ("f0", {"f1": (1, 2, 3)}, "limits of f1 must be"),
        ("f0", {"f1": (None, float("nan"))}, "limits of f1 must be"),
        ("f0", {"f1": (None, 1)}, "f1 lies between 2 and 9, asked for -inf to 1"),
    ],
)
def test_wrong_requests_are_explained(name, limits, message):
    """The error names the argument and what the front offers."""
    with pytest.raises(InputError, match=message):
        result_of([[1, 9], [4, 2]]).cheapest(name, **limits)


def test_closest_measures_in_units_of_the_ranges():
    """In raw units (10, 0) would be nearest to (4, 0); in ranges it is the middle."""
    result = result_of([[0, 1000], [5, 300], [10, 0]])
    assert result.closest((4, 0)).x == 1
    assert result.closest([10, 0]).x == 2


def test_closest_by_name_ignores_the_other_objectives():
    """Only the objectives that are named count."""
    result = result_of([[0, 1000], [5, 300], [10, 0]])
    assert result.closest({"f1": 900}).x == 0
    assert result.closest({"f1": 0, "f0": 4}).x == 1


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ((1,), "target needs one finite number per objective, 2"),
        ((1, np.nan), "target needs one finite number"),
        ("ab", "target needs one finite number"),
        ({"f7": 1}, "target must name some of the objectives f0, f1"),
        ({}, "target must name"),
        ({"f0": "x"}, "target needs one finite number per objective, 1"),
    ],
)
def test_wrong_targets_are_explained(target, message):
    """The error says how many numbers are needed."""
    with pytest.raises(InputError, match=message):
        result_of([[1, 9], [4, 2]]).closest(target)


def test_choice_holds_one_row_of_the_front():
    """x, f, g and index belong together."""
    result = Result(
        [np.array([1, 0]), np.array([0, 1])],
        [[4, 2], [1, 9]],
        [[-1.0], [-2.0]],
        objectives=["cost", "time"],
        constraints=("load",),
    )
    choice = result.best("time")
    assert choice.x.tolist() == [1, 0]
    assert choice.f == {"cost": 4.0, "time": 2.0}
    assert choice.g == {"load": -1.0}
    assert choice.index == 1
    assert repr(choice) == (
        "solution 1 of the front: cost = 4, time = 2, load = -1\nx = [1, 0]"
    )


def test_choice_shows_the_parts_of_a_mixture():
    """Every part has a line of its own."""
    x = {"order": np.array([1, 0]), "kind": "nmos"}
    text = str(Result([x], [[1, 2]], objectives=["a", "b"]).knee())
    assert text.splitlines()[1:] == ["x['order'] = [1, 0]", "x['kind'] = 'nmos'"]
