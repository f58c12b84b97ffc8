"""Designs from tables, studies and results: all rows are right, or none is taken."""

import re

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.study import BadRows
from divlearn.study.cells import Columns
from divlearn.study.export import export
from divlearn.study.sources import read_designs

SPACE = dl.Composite(
    order=dl.Permutation(3),
    kind=dl.Categorical(["a", "b", 3]),
    w=dl.Ordinal([0.5, 1, 2]),
    on=dl.Categorical([False, True]),
    bits=dl.Binary(2),
    some=dl.Subset(4, min=0, max=3),
    inner=dl.Composite(w=dl.Integer(-5, 5), cost=dl.Integer(0, 9)),
)


def _evaluate(x):
    wide = float(x["w"])
    return {
        "cost": float(x["order"][0]) + wide + x["inner"]["w"],
        "gain": float(len(x["some"])) + 2 * x["bits"][1] + (x["kind"] == 3) / 3,
        "limit": wide - 1.5,
        "note": f"on {x['on']}",
    }


def mixed():
    """A problem with knobs of every kind, whose names are also those of metrics."""
    objectives = {"cost": "min", "gain": "max"}
    more = {"constraints": ["limit"], "extras": ["note"], "name": "mixed"}
    more["noise"] = False  # no design is measured twice
    return dl.Problem(SPACE, _evaluate, objectives, **more)


@pytest.fixture
def old(study_at):
    """A study that has run."""
    with study_at(mixed(), "old.db") as study:
        study.run(25, workers=0)
    return study.path


def sources(path, folder):
    """All that a study can be read from: with all of its trials."""
    names = ["all.csv", "all.json"]
    for name in names:
        export(path, folder / name, "trials")
    import pandas as pd

    return [path, *(folder / name for name in names), pd.read_csv(folder / "all.csv")]


def test_a_study_comes_back_from_everything_that_it_is_written_to(
    old, study_at, tmp_path
):
    """Designs, values and extra metrics; once, however often it is read."""
    with study_at(mixed(), "old.db") as study:
        whole = study.result()
    for number, source in enumerate(sources(old, tmp_path)):
        with study_at(mixed(), f"{number}.db") as study:
            taken = study.add_from(source)
            assert (taken.known, taken.enqueued, taken.errors) == (25, 0, [])
            found = study.result()
            assert repr(found.X) == repr(whole.X)
            assert np.array_equal(found.F, whole.F)
            assert found.extras == whole.extras
            assert study.add_from(source).repeated == 25
            assert len(study.trials()) == 25


def test_a_front_comes_back_from_a_result(old, study_at, tmp_path):
    """In memory, from its file, and from its table."""
    with study_at(mixed(), "old.db") as study:
        result = study.result()
    result.save(tmp_path / "front.json")
    result.to_csv(tmp_path / "front.csv")
    for source in (result, tmp_path / "front.json", tmp_path / "front.csv"):
        designs = read_designs(mixed(), source).designs
        assert [d.outputs[:2] for d in designs] == [tuple(row) for row in result.F]


BASE = {
    "order": "[1, 0, 2]",
    "kind": "b",
    "x.w": "1",
    "on": "yes",
    "bits0": "0",
    "bits1": "1",
    "some": "",
    "x.inner.w": "-5",
    "x.inner.cost": "3",
    "cost": "1.25",
    "gain": "2",
    "limit": "-0.5",
}


def written(folder, *changes, more=(), separator=","):
    """A table whose rows are BASE with some cells changed."""
    titles = [*BASE, *more]
    lines = [separator.join(titles)]
    for change in changes:
        row = {**BASE, **change}
        cells = (row.get(title, "") for title in titles)
        quoted = (f'"{c}"' if separator in c else c for c in cells)
        lines.append(separator.join(quoted))
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_mean_what_the_space_allows(tmp_path, separator):
    """Texts of a file become numbers, flags, lists and sets."""
    changes = {}, {"kind": "3", "on": "False", "some": "3 0"}, {"order": "2,1,0"}
    path = written(tmp_path, *changes, separator=separator)
    problem = mixed()
    read = read_designs(problem, path)
    one, two, three = (problem.space.decode(d.codes) for d in read.designs)
    assert repr(one) == repr(
        {
            "order": np.array([1, 0, 2]),
            "kind": "b",
            "w": 1,
            "on": True,
            "bits": np.array([False, True]),
            "some": np.array([], int),
            "inner": {"w": -5, "cost": 3},
        }
    )
    assert (two["kind"], two["on"], two["some"].tolist()) == (3, False, [0, 3])
    assert three["order"].tolist() == [2, 1, 0]
    assert read.designs[0].outputs == (1.25, 2.0, -0.5)
    assert read.designs[0].source == "table.csv"


def test_every_wrong_row_is_told_and_nothing_is_taken(tmp_path, study_at):
    """With its line, its column, what was expected and what came."""
    wrong = [
        ({"order": "[0, 0, 1]"}, "line 3, column order: .* once, got"),
        ({"kind": "c"}, r"line 4, column kind: .*one of \['a', 'b', 3\], got 'c'"),
        ({"x.w": "3"}, "line 5, column x.w: .*got 3"),
        ({"bits0": ""}, "line 6, column bits0 to bits1: .*true or false, got"),
        ({"x.inner.w": "7"}, "line 7, column x.inner.w: .*between -5 and 5, got 7"),
        ({"cost": "n/a"}, "line 8, column cost: expected a number, got 'n/a'"),
        ({"gain": ""}, "line 9, column gain: expected a number, got an empty cell"),
        ({"limit": "inf"}, "line 10, values: limit must be a finite number"),
        ({"x.inner.cost": " "}, "line 11, column x.inner.cost: .*an empty cell"),
    ]
    good = {"kind": "a"}
    path = written(tmp_path, good, *(change for change, _ in wrong))
    with study_at(mixed()) as study:
        with pytest.raises(BadRows, match="9 of 10 rows are wrong") as caught:
            study.add_from(path)
        for error, (_, text) in zip(caught.value.errors, wrong, strict=True):
            assert re.match(text, error)
            assert error in str(caught.value)
        assert study.trials() == []
        taken = study.add_from(path, on_error="skip", dry_run=True)
        assert (taken.known, study.trials()) == (1, [])
        taken = study.add_from(path, on_error="skip", source="last year")
        assert (taken.known, taken.errors) == (1, caught.value.errors)
        assert study.trials()[0].source == "last year"


def test_columns_of_theirs_are_named_by_us(tmp_path):
    """What is not used is told; a name that means nothing is refused."""
    path = written(tmp_path, {}, more=["who"])
    text = path.read_text().replace("cost,gain", "Cost [EUR],gain").replace("kind", "k")
    path.write_text(text)
    with pytest.raises(InputError, match=r"must have columns for kind, cost, but has"):
        read_designs(mixed(), path)
    names = {"Cost [EUR]": "cost", "k": "kind"}
    read = read_designs(mixed(), path, columns=names)
    assert (len(read.designs), read.unused) == (1, ["who"])
    for columns, text in (
        ({"Cost": "cost"}, "name columns of the table .*got 'Cost'"),
        ({"Cost [EUR]": "costs"}, "got 'costs' for .*did you mean 'cost'"),
        ({"Cost [EUR]": "gain"}, "one column for 'gain', got 'Cost .*' and 'gain'"),
        (["cost"], "must be names by name"),
    ):
        with pytest.raises(InputError, match=text):
            read_designs(mixed(), path, columns=columns)


def test_rows_without_objectives_are_evaluated_first(tmp_path, study_at):
    """A table may hold guesses beside measurements."""
    empty = {"cost": "", "gain": "", "limit": ""}
    path = written(tmp_path, {}, {**empty, "kind": "a"}, {**empty, "kind": "3"})
    with study_at(mixed()) as study:
        taken = study.add_from(path)
        assert (taken.known, taken.enqueued) == (1, 2)
        study.run(3, workers=0)
        assert [t.x["kind"] for t in study.trials()[:3]] == ["b", "a", 3]
        assert study.add_from(path).repeated == 3
        assert study.verify()


def test_other_studies_are_read_by_the_names_they_have(study_at, tmp_path):
    """Renamed where that is said; what a study could not evaluate is left out."""

    def evaluate(x):
        if x["n"] == 3:
            raise dl.InvalidDesign("no")
        return x["n"], -x["n"]

    theirs = dl.Problem(dl.Composite(n=dl.Integer(0, 5)), evaluate, ["a", "b"])
    with study_at(theirs, "theirs.db") as study:
        study.run(6, workers=0)
    mine = dl.Problem(dl.Composite(size=dl.Integer(0, 4)), len, ["a", "c"])
    names = {"n": "size", "b": "c"}
    read = read_designs(mine, study.path, columns=names, on_error="skip")
    assert (len(read.designs), read.without, len(read.errors)) == (4, 1, 1)
    assert read.errors[0].startswith("trial ")
    export(study.path, tmp_path / "all.csv", "trials")
    read = read_designs(mine, tmp_path / "all.csv", columns=names, on_error="skip")
    assert (len(read.designs), read.without, len(read.errors)) == (4, 1, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must name each column once, got an empty file"),
        ("a,a\n", "must name each column once, got 'a' twice"),
        ("x,one\n1,2\n", "must have columns for two, but has 'x', 'one'"),
        ("hello\n", "must have columns for x, one, two, but has 'hello'"),
        ('x,one,two\n1,2,3\n"1,2,3\n', "no table of comma-separated values"),
        ("x,one,two\n1,2,3,4\n", "line 2, there are 4 cells for 3 columns"),
    ],
)
def test_a_table_that_is_none_is_told(text, words, tmp_path):
    """In words that say where."""
    path = tmp_path / "old.csv"
    path.write_text(text)
    problem = dl.Problem(dl.Integer(0, 5), len, ["one", "two"])
    with pytest.raises(InputError, match=words):
        read_designs(problem, path)


def test_what_is_no_source_is_refused(tmp_path):
    """With what could be one."""
    problem = dl.Problem(dl.Integer(0, 5), len, ["one", "two"])
    for source in (7, {"x": 1}, [(1, 2, 3)], tmp_path / "missing.csv"):
        with pytest.raises(InputError, match=r"list of pairs|cannot be read"):
            read_designs(problem, source)
    with pytest.raises(InputError, match=r"got a list whose entry 1 is {'x': 1}"):
        read_designs(problem, [(1, (2, 3)), {"x": 1}])
    assert read_designs(problem, []).designs == []
    (tmp_path / "empty.csv").write_text("x,one,two\n")
    assert read_designs(problem, tmp_path / "empty.csv").designs == []


def test_columns_of_one_knob_are_those_of_tables():
    """A design that is no dict has the columns of a result."""
    columns = Columns(dl.Problem(dl.Permutation(3), len, ["one"]))
    assert columns.names == ["x", "x0", "x1", "x2", "one"]
    assert columns.design({"x0": 2, "x1": 0.0, "x2": np.int64(1)}) == [2, 0.0, 1]
    columns = Columns(dl.Problem(dl.Integer(0, 5), len, ["x", "one"]))
    assert columns.names == ["x", "one"]


def test_knobs_that_do_not_exist_are_empty_cells(study_at, tmp_path):
    """A table may have no column for them, if no row has a value."""
    space = dl.Composite(
        kind=dl.Categorical(["cpu", "gpu"]),
        cache=dl.If(kind="cpu", then=dl.Ordinal([16, 32])),
        cores=dl.If(kind="gpu", then=dl.Composite(a=dl.Integer(0, 3), b=dl.Binary(2))),
    )
    two = lambda x: (len(str(x)), -len(str(x)))  # noqa: E731
    problem = dl.Problem(space, two, ["a", "one"])
    with study_at(problem, "old.db") as study:
        study.run(12, workers=0)
        trials = [repr(trial.x) for trial in study.trials()]
    export(study.path, tmp_path / "all.csv", "trials")
    for source in (study.path, tmp_path / "all.csv"):
        designs = read_designs(problem, source).designs
        assert [repr(space.decode(d.codes)) for d in designs] == trials
    rows = "kind,cache,a,one\ncpu,,1,2\ngpu,16,1,2\ncpu,32,1,2\n"
    (tmp_path / "old.csv").write_text(rows)
    with pytest.raises(BadRows, match="2 of 3 rows") as caught:
        read_designs(problem, tmp_path / "old.csv")
    assert "cache" in caught.value.errors[0]
    assert "exists only if" in caught.value.errors[1]


def test_a_decimal_comma_is_recognized():
    """A number such as 2,5 is refused with a hint; other mistakes go without it."""
    comma = BadRows("old.csv", ["line 2, column w: needs a number, got '2,5'"], 3)
    assert str(comma).endswith("decimal point, as in 2.5.")
    assert "point" not in str(BadRows("old.csv", ["line 2: got 'n/a'"], 3))
