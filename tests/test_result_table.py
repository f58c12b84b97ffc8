import csv
import sys

import numpy as np
import pytest

from divlearn import MissingExtra, Result


def records_of(*solutions, objectives=("cost",), constraints=()):
    """Make records of solutions that cost 0, 1, ... each."""
    front = [[float(i)] * len(objectives) for i in range(len(solutions))]
    loads = [[-1.0] * len(constraints) for _ in solutions]
    result = Result(
        list(solutions), front, loads, objectives=objectives, constraints=constraints
    )
    return result.to_records()


def test_an_array_has_a_column_per_position():
    """Positions first, then objectives and constraints."""
    rows = records_of(np.array([2, 0, 1]), constraints=("load",))
    assert rows == [{"x0": 2, "x1": 0, "x2": 1, "cost": 0.0, "load": -1.0}]
    assert list(rows[0]) == ["x0", "x1", "x2", "cost", "load"]
    assert type(rows[0]["x0"]) is int


def test_a_single_value_has_the_column_x():
    """Strings, numbers and tuples are one cell."""
    assert records_of("a") == [{"x": "a", "cost": 0.0}]
    assert records_of((1, 2)) == [{"x": (1, 2), "cost": 0.0}]


def test_a_mixture_has_columns_by_the_names_of_its_parts():
    """Arrays get the position after the name, parts of parts their own name."""
    x = {"order": np.array([1, 0]), "kind": "a", "inner": {"width": np.int64(3)}}
    assert records_of(x) == [
        {"order0": 1, "order1": 0, "kind": "a", "width": 3, "cost": 0.0}
    ]


def test_subsets_of_different_size_share_their_columns():
    """Cells beyond the end are empty."""
    rows = records_of(np.array([], np.int64), np.array([4, 7]))
    assert rows[0] == {"x0": None, "x1": None, "cost": 0.0}
    assert rows[1] == {"x0": 4, "x1": 7, "cost": 1.0}


def test_names_that_clash_get_their_full_path():
    """A part may be called like an objective or like a cell of another part."""
    x = {"cost": 5, "a": np.array([8]), "a0": 9, "b": {"a0": 7}}
    assert records_of(x) == [
        {"x.cost": 5, "x.a[0]": 8, "x.a0": 9, "x.b.a0": 7, "cost": 0.0}
    ]


def small_result():
    """Make a front of two permutations."""
    return Result(
        [np.array([0, 1]), np.array([1, 0])], [[1, 5], [3, 2]], objectives=["a", "b"]
    )


def test_csv_holds_the_records(tmp_path):
    """Read back by the standard reader, cell by cell."""
    path = tmp_path / "front.csv"
    small_result().to_csv(path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {"x0": "0", "x1": "1", "a": "1.0", "b": "5.0"},
        {"x0": "1", "x1": "0", "a": "3.0", "b": "2.0"},
    ]


def test_csv_of_an_empty_front_has_a_header(tmp_path):
    """A program that reads it finds the objectives."""
    Result([], [], objectives=["a", "b"]).to_csv(tmp_path / "front.csv")
    assert (tmp_path / "front.csv").read_text() == "a,b\n"


def test_dataframe_holds_the_records():
    """One row per solution, columns in the order of the records."""
    frame = small_result().to_dataframe()
    assert list(frame.columns) == ["x0", "x1", "a", "b"]
    assert frame.to_dict("records") == small_result().to_records()


def test_dataframe_of_an_empty_front_has_its_columns():
    """Code that selects a column works without a feasible solution."""
    frame = Result([], [], objectives=["a", "b"]).to_dataframe()
    assert list(frame.columns) == ["a", "b"]
    assert len(frame) == 0


def test_dataframe_without_pandas_names_the_extra(monkeypatch):
    """The error gives the command to type, and what works without."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"divlearn\[dataframe\].*to_csv"):
        small_result().to_dataframe()
