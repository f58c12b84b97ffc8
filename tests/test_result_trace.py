"""``result.trace``: a table of iterations, in files and as a picture."""

import csv

import numpy as np
import pytest

import divlearn as dl
from divlearn import plot
from divlearn.result.trace import Trace


@pytest.fixture(scope="module")
def result():
    """A short search with a trace."""
    method = dl.DivideAndLearn(trace=True)
    return dl.solve(dl.problems.get("bitsp-12"), 600, method=method, seed=1)


def test_a_saved_result_keeps_its_trace(result, tmp_path):
    """Every column, to the last bit."""
    result.save(tmp_path / "front.json")
    again = dl.load(tmp_path / "front.json").trace
    assert list(again.columns) == list(result.trace.columns)
    for name, column in result.trace.columns.items():
        assert again[name].dtype == column.dtype
        np.testing.assert_array_equal(again[name], column)


def test_a_trace_is_written_as_a_table(result, tmp_path):
    """A header and a row per iteration."""
    result.trace.to_csv(tmp_path / "trace.csv")
    with (tmp_path / "trace.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(result.trace)
    assert float(rows[3]["reward"]) == result.trace["reward"][3]
    assert rows[0]["iteration"] == "1"


def test_a_trace_is_a_dataframe(result):
    """With the same columns."""
    frame = result.trace.to_dataframe()
    assert list(frame.columns) == list(result.trace.columns)
    assert frame["regret"].min() == 0.0


def test_a_column_that_there_is_not_is_named(result):
    """With the nearest one."""
    with pytest.raises(dl.InputError, match="Did you mean 'reward'"):
        result.trace["rewards"]


@pytest.mark.parametrize("columns", [{}, {"a": [1], "b": [1, 2]}, {"a": [[1]]}])
def test_columns_that_do_not_fit_together_are_refused(columns):
    """They must be of equal length."""
    with pytest.raises(dl.InputError, match="columns of equal length"):
        Trace(columns)


def test_a_damaged_trace_in_a_file_is_refused(result, tmp_path):
    """Columns must be numbers."""
    path = tmp_path / "front.json"
    result.save(path)
    text = path.read_text().replace('"trace": {', '"trace": {"more": "words", ', 1)
    path.write_text(text)
    with pytest.raises(dl.InputError, match="columns of numbers"):
        dl.load(path)


def test_a_trace_is_drawn_in_six_panels(result, tmp_path):
    """With what each panel shows at its side."""
    figure = plot.trace(result, tmp_path / "trace.png")
    assert (tmp_path / "trace.png").stat().st_size > 20_000
    labels = [ax.get_ylabel() for ax in figure.axes]
    assert len(labels) == 6
    assert "cumulative regret" in labels


def test_a_picture_of_no_trace_is_refused():
    """The message says how to get one."""
    result = dl.Result(["a"], [[1]], objectives=["cost"])
    with pytest.raises(dl.InputError, match="trace=True"):
        plot.trace(result)
