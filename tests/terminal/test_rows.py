"""Fronts as numbered rows, and how they grew, in text."""

import math

import numpy as np
import pytest

from divlearn import Result
from divlearn.basics.wrapping import wrapped
from divlearn.terminal import front_rows, sparkline


def fans(count):
    """A front of fans; one of them has a gear."""
    designs = [{"blades": i, "motor": "ac" if i else "dc"} for i in range(count)]
    designs[-1]["gear"] = 2.5
    points = [[i, count - i] for i in range(count)]
    return Result(designs, points, objectives=["cost [EUR]", "noise [dB]"])


def test_rows_are_numbered_as_the_result_counts_them():
    """The number in a row is the one that result[...] takes."""
    header, *rows = front_rows(fans(3))
    assert header.split("  ")[1:4] == ["#", "cost [EUR]", "noise [dB]"]
    assert rows[2].split() == ["2", "2", "1", "2", "ac", "2.5"]
    assert rows[0].split() == [
        "0",
        "0",
        "3",
        "0",
        "dc",
    ]  # no gear, nothing in its place


@pytest.mark.parametrize("width", [None, 40, 200])
def test_the_middle_of_a_long_front_is_left_out_between_two_solutions(width):
    """Six from each end, with their own numbers, and how many are missing."""
    lines = front_rows(fans(100), width)
    (gap,) = [i for i, line in enumerate(lines) if "88 more" in line]
    before, after = lines[gap - 1].strip(), lines[gap + 1].strip()
    if width == 40:
        assert lines[gap - 2].strip().startswith("#5:")
        assert after.startswith("#94:")
    else:
        assert before.startswith("5 ")
        assert after.startswith("94 ")


def test_no_line_is_wider_than_the_terminal():
    """From 40 columns on, with nothing lost."""
    text = "\n".join(front_rows(fans(5), 40))
    assert max(map(len, wrapped(text, 40).split("\n"))) <= 40
    assert "noise [dB] 1" in text
    assert "gear 2.5" in text


def test_long_designs_are_cut():
    """An order of fifty items does not fill the screen; flags are zeros and ones."""
    orders = Result([np.arange(50)], [[1, 2]], objectives=["a", "b"])
    assert front_rows(orders)[1].endswith("0 1 2 3 4 5 6 7 8 9 10 11 12 13 ...")
    flags = Result([np.arange(12) % 2 == 0], [[1, 2]], objectives=["a", "b"])
    assert front_rows(flags)[1].endswith("101010101010")


def test_a_sparkline_goes_from_the_smallest_to_the_largest():
    """Few characters, the last number among them; what is no number is left out."""
    assert sparkline([math.nan, 1, 2, math.inf, 3]) == "▁▅█"
    assert sparkline(range(100), 5) == "▁▃▅▆█"
    assert sparkline([2, 2, 2]) == "▁▁▁"
    assert sparkline([1]) == sparkline([]) == ""
    assert sparkline([-1e308, 1e308]) == "▁█"
