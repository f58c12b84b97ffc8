import numpy as np

from divlearn.terminal import front_picture

FRONT = np.array([[1.0, 40.0, 9.0], [2.0, 20.0, 9.0], [4.0, 10.0, 9.0]])


def test_the_axes_carry_the_smallest_and_largest_values_and_the_names():
    """A reader must be able to tell the scale of what is drawn."""
    lines = front_picture(FRONT[:, :2], {"cost": "min", "time": "min"}, 10, 3)
    assert lines[0].split("┤")[0].strip() == "40"
    assert lines[2].split("┤")[0].strip() == "10"
    assert lines[3].split() == ["1", "4"]
    assert lines[4].strip() == "time (up, min) over cost (right, min)"


def test_a_third_objective_is_said_to_be_left_out():
    """Three objectives do not fit in the plane; the picture must say so."""
    objectives = {"cost": "min", "time": "min", "mass": "max"}
    lines = front_picture(FRONT, objectives, 10, 3)
    assert lines[-1].strip().startswith("first 2 of 3 objectives: time")


def test_there_is_no_picture_of_one_objective_or_of_an_empty_front():
    """A scatter plot needs two coordinates and something to show."""
    assert front_picture(FRONT[:, :1], {"cost": "min"}, 10, 3) == []
    assert front_picture(FRONT[:0], dict.fromkeys("abc", "min"), 10, 3) == []
