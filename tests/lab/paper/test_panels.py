"""Figures of studies can be read without colour, and their axes without overlaps."""

from divlearn.lab.paper.panels import STYLES, counted, line, new_panels


def test_no_two_of_eight_lines_look_the_same_without_colour():
    """Styles repeat after four lines; marks then make the difference."""
    _, (axes,) = new_panels(1, 1)
    for kind in range(8):
        line(axes, range(20), range(20), f"line {kind}", kind)
    looks = [(drawn.get_linestyle(), drawn.get_marker()) for drawn in axes.lines]
    assert len(set(looks)) == 8
    assert [marker for _, marker in looks[: len(STYLES)]] == [""] * len(STYLES)


def test_a_long_line_has_few_marks():
    """Marks at every point would hide the line."""
    _, (axes,) = new_panels(1, 1)
    line(axes, range(500), range(500), "long", 5)
    line(axes, range(5), range(5), "short", 5, marked=True)
    assert [drawn.get_markevery() is None for drawn in axes.lines] == [False, True]


def test_counts_stand_in_plain_digits():
    """An axis from 3 to 70 is numbered by 5, 10, 20 and 50, not by powers."""
    figure, (axes,) = new_panels(1, 1)
    axes.set_xscale("log")
    axes.set_xlim(3, 70)
    counted(axes.xaxis)
    figure.draw_without_rendering()
    low, high = axes.get_xlim()
    texts = [
        tick.label1.get_text()
        for tick in axes.xaxis.get_major_ticks()
        if low <= tick.get_loc() <= high
    ]
    assert texts == ["5", "10", "20", "50"]
    assert not axes.xaxis.get_minorticklocs().size
