import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlearn.terminal.braille import scatter

BLANK = "\u2800"


def test_the_four_corners_of_one_character_are_its_four_corner_dots():
    """A character drawn by hand: dots 1, 4, 7 and 8 of the braille cell."""
    assert scatter([(0, 0), (0, 1), (1, 0), (1, 1)], width=1, height=1) == ["⣉"]


def test_each_dot_of_a_character_has_its_own_place():
    """Walks all eight dots: frame by the corners, then one dot more each time."""
    corners = [(0, 0), (1, 0), (0, 3), (1, 3)]
    drawn = [scatter([*corners, (x, y)], 1, 1) for x in (0, 1) for y in (1, 2)]
    assert drawn == [["⣍"], ["⣋"], ["⣩"], ["⣙"]]


def test_a_falling_line_goes_from_the_top_left_to_the_bottom_right():
    """A picture made by hand: large values are up, as in any plot."""
    line = [(i, 7 - i) for i in range(8)]
    assert scatter(line, width=4, height=2) == ["⠑⢄⠀⠀", "⠀⠀⠑⢄"]


def test_the_axes_reach_from_the_smallest_to_the_largest_value():
    """Scaling and shifting the points must not change the picture."""
    points = np.array([(0.0, 3.0), (1.0, 1.0), (3.0, 0.0)])
    assert scatter(points * 1e6 - 5e5, 6, 3) == scatter(points, 6, 3)


def test_a_single_point_is_drawn_in_the_middle():
    """One point has no extent, and would divide by zero if scaled."""
    assert scatter([(7.0, 7.0)], width=3, height=1) == ["⠀⠄⠀"]


@pytest.mark.parametrize(
    "points",
    [
        [],  # nothing found yet
        [(np.nan, 1.0), (1.0, np.inf)],  # nothing that has a place
    ],
)
def test_nothing_to_draw_gives_an_empty_picture(points):
    """The display starts before the first solution is known."""
    assert scatter(points, width=3, height=2) == [BLANK * 3] * 2


numbers = st.floats(allow_nan=True, allow_infinity=True)


@given(
    points=st.lists(st.tuples(numbers, numbers), max_size=30),
    width=st.integers(1, 12),
    height=st.integers(1, 6),
)
def test_every_picture_has_the_size_asked_for_and_a_dot_for_finite_points(
    points, width, height
):
    """Whatever an objective returns, the display must not break."""
    picture = scatter(points, width, height)
    dots = sum((ord(c) - 0x2800).bit_count() for line in picture for c in line)
    finite = {p for p in points if np.isfinite(p).all()}
    assert [len(line) for line in picture] == [width] * height
    assert min(1, len(finite)) <= dots <= len(finite)
