import math
import subprocess
import sys

import numpy as np
import pytest

from divlearn import InputError, MissingExtra, Result
from divlearn.plot import front, history

NAMES = ["cost", "energy use", "area", "delay", "quality"]


def result_of(num_objectives, count=30, **changes):
    """Make a front on a simplex, the last objective maximised."""
    rng = np.random.default_rng(num_objectives)
    points = rng.random((count, num_objectives))
    points /= points.sum(axis=1, keepdims=True)
    points[:, -1] *= -1
    senses = ["min"] * (num_objectives - 1) + ["max"]
    objectives = dict(zip(NAMES[:num_objectives], senses, strict=True))
    return Result(list(range(count)), points, objectives=objectives, **changes)


def grown(volumes, **changes):
    """Make a result with a history."""
    steps = list(range(1, len(volumes) + 1))
    lists = {"evaluations": steps, "seconds": steps, "front_size": steps}
    return result_of(2, history={**lists, "hypervolume": volumes}, **changes)


def texts_of(figure):
    """Everything that is written into a figure, the drawing done."""
    from matplotlib.text import Text

    figure.canvas.draw()
    return [t.get_text() for t in figure.findobj(Text)]


@pytest.mark.parametrize("num_objectives", [2, 3, 4, 5])
def test_picture_is_written_with_names_and_senses(num_objectives, tmp_path):
    """A reader sees what each axis is and which way is better."""
    result = result_of(num_objectives, problem="chip", evaluations=1_000)
    path = tmp_path / "front.png"
    figure = result.plot(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert len(path.read_bytes()) > 10_000
    written = [text.replace("\n", " ") for text in texts_of(figure)]
    for name, sense in result.objectives.items():
        word = {"min": "minimised", "max": "maximised"}[sense]
        assert f"{name} ({word})" in written
    assert any("chip: 30 solutions from 1,000 evaluations" in t for t in written)


@pytest.mark.parametrize("ending", ["svg", "pdf", "PNG"])
def test_other_formats_are_chosen_by_the_ending(ending, tmp_path):
    """Vector formats for papers; capitals do not matter."""
    path = tmp_path / f"front.{ending}"
    result_of(2).plot(path)
    start = {"svg": b"<?xml", "pdf": b"%PDF", "PNG": b"\x89PNG"}[ending]
    assert path.read_bytes().startswith(start)


def test_flat_picture_shows_every_solution_and_the_knee():
    """The points drawn are those of the front, in the user's senses."""
    result = result_of(2)
    points, knee = result.plot().axes[0].collections
    np.testing.assert_array_equal(points.get_offsets(), result.F)
    expected = [list(result.knee().f.values())]
    np.testing.assert_array_equal(knee.get_offsets(), expected)


def test_parallel_axes_have_the_better_side_up():
    """The best value of each objective is at the top, minimised or maximised."""
    result = Result(
        ["good", "bad"],
        [[1, 1, 9, 5], [2, 2, 8, 5]],
        objectives={"a": "min", "b": "min", "c": "max", "equal": "min"},
    )
    axes = result.plot().axes[0]
    lines = [line.get_ydata() for line in axes.lines if len(line.get_ydata()) == 4]
    heights = [row[:, 1].tolist() for row in axes.collections[0].get_segments()]
    # What is equal everywhere counts as best; the one line by itself is the knee.
    assert heights == [[1, 1, 1, 1], [0, 0, 0, 1]]
    assert [list(line) for line in lines] == [[1, 1, 1, 1]]


def test_parallel_axes_are_marked_with_their_own_values():
    """Each axis has its scale, with digits enough to tell marks apart."""
    result = Result(
        ["a", "b"],
        [[1000, 10.001, 7, 0.5], [3000, 10.002, 7, 0.25]],
        objectives=["p", "q", "r", "s"],
    )
    written = texts_of(result.plot())
    for mark in ("1000", "1500", "3000", "10.00100", "10.00125", "7", "0.250", "0.312"):
        assert mark in written


@pytest.mark.parametrize("num_objectives", [2, 3, 4])
def test_a_single_solution_can_be_drawn(num_objectives, tmp_path):
    """Ranges of zero neither warn nor fail."""
    result_of(num_objectives, count=1).plot(tmp_path / "front.png")
    assert (tmp_path / "front.png").stat().st_size > 5_000


def test_given_axes_are_drawn_into():
    """The picture becomes part of a larger figure."""
    from matplotlib.figure import Figure

    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert result_of(2).plot(ax=right) is figure
    assert right.get_xlabel() == "cost (minimised)"
    assert left.get_xlabel() == ""
    with pytest.raises(InputError, match="three-dimensional axes"):
        result_of(3).plot(ax=left)
    with pytest.raises(InputError, match="ax must be matplotlib axes or None, got 5"):
        result_of(2).plot(ax=5)


def test_history_is_drawn_over_the_evaluations(tmp_path):
    """The curve holds the recorded numbers, gaps where there was no volume yet."""
    figure = history(grown([math.nan, 0.2, 0.4]), tmp_path / "history.png")
    assert (tmp_path / "history.png").read_bytes().startswith(b"\x89PNG")
    (line,) = figure.axes[0].lines
    np.testing.assert_array_equal(line.get_xdata(), [1, 2, 3])
    np.testing.assert_array_equal(line.get_ydata(), [math.nan, 0.2, 0.4])
    assert figure.axes[0].get_ylabel() == "hypervolume"


def test_history_says_where_it_is_a_ratio():
    """With an ideal point the numbers are shares."""
    figure = history(grown([0.2], reference=(9, -9), ideal=(0, 0)))
    assert figure.axes[0].get_ylabel() == "hypervolume (ratio)"


@pytest.mark.parametrize("volumes", [[], [math.nan, math.nan]])
def test_history_without_volumes_is_refused(volumes):
    """The error says how to get one."""
    with pytest.raises(InputError, match="give the problem a reference point"):
        history(grown(volumes))


def test_one_objective_gives_the_history_or_says_why_not():
    """There is no front to draw."""
    lists = {name: [1, 2] for name in ("evaluations", "seconds", "front_size")}
    fields = {"objectives": ["cost"], "history": {**lists, "hypervolume": [0.1, 0.2]}}
    figure = front(Result(["a"], [[1]], **fields))
    assert figure.axes[0].get_xlabel() == "evaluations"
    with pytest.raises(InputError, match="at least two objectives"):
        front(Result(["a"], [[1]], objectives=["cost"]))


def test_an_empty_front_is_refused():
    """The error says that nothing was found."""
    with pytest.raises(InputError, match="the front is empty"):
        Result([], [], objectives=["a", "b"]).plot()


@pytest.mark.parametrize("name", ["front", "front.xyz", "front.json"])
def test_unknown_endings_are_refused(name, tmp_path):
    """The error lists what can be written."""
    with pytest.raises(InputError, match=r"path must end in one of .*\.png"):
        result_of(2).plot(tmp_path / name)


def test_a_notebook_can_show_the_figure():
    """Notebooks ask for this method; pyplot need not know the figure."""
    assert result_of(2).plot()._repr_png_().startswith(b"\x89PNG")


def test_missing_matplotlib_names_the_extra(monkeypatch):
    """The error gives the command to type."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[plot\]"'):
        result_of(2).plot()


def test_drawing_needs_no_display_and_no_pyplot():
    """No window system is touched and no global figure is left behind."""
    program = (
        "import sys, divlearn\n"
        "assert 'matplotlib' not in sys.modules\n"
        "r = divlearn.Result(['a', 'b'], [[1, 2], [2, 1]], objectives=['p', 'q'])\n"
        "assert 'matplotlib' not in sys.modules\n"
        "r.plot()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)
