"""A benchmark on the page and in a report."""

import json

import pytest

import divlearn as dl
from divlearn.basics.plugins import VIEWS, plugins
from divlearn.lab.bench.task import Case
from divlearn.lab.bench.view import BENCHMARKS, BenchmarkWatch, _axes
from divlearn.web.report import page_of, view_of
from divlearn.web.sources import watch_of
from divlearn.web.view import as_text
from tests.lab.bench.conftest import fill


@pytest.fixture
def watch(store, suite):
    """A store in which one method is better than the other."""
    fill(store, suite, lambda t: 0.5 + 0.1 * t.instance * (t.contender.label > "q"))
    watch = BenchmarkWatch(store.path)
    watch.look()
    return watch


def test_a_report_on_a_benchmark_has_means_and_fronts(watch):
    """As a table for everybody, and as a picture where scripts run."""
    view = view_of(watch, matters=True)
    (table,) = view["tables"]
    assert table["columns"] == ["paper-ts", "uniform"]
    means = [[cell["mean"] for cell in row] for row in table["rows"]]
    assert means == [[0.5, pytest.approx(0.55)]] * 2
    assert view["fronts"][0]["series"][0]["points"] == [[1.0, 2.0], [2.0, 1.0]]
    page = page_of(view)
    assert "0.55 (" in page
    assert "8 finished runs" in page


def test_axes_of_fronts_have_the_names_of_objectives(watch, store, suite):
    """Of problems that are known by name; nothing of one's own is imported for it."""
    known = {one["name"]: one["axes"] for one in watch.body()["fronts"]}
    assert set(map(tuple, known.values())) == {
        tuple(f"{name} ({sense})" for name, sense in found.objectives.items())
        for found in (dl.problems.get(case.name) for case in suite.problems)
    }
    own = Case("no_such_package:Design", digest="0")
    assert _axes(own, 0) == ["objective 1", "objective 2"]
    assert _axes(Case("no-such-9"), 0) == ["objective 1", "objective 2"]


def test_the_page_knows_stores_of_benchmarks(watch, store):
    """By their letters, through an entry point, as those of any other package."""
    assert json.loads(as_text(watch.body()))["kind"] == "benchmark"
    assert store.path.read_bytes()[68:72] == BENCHMARKS[0]
    if "bench" not in plugins(VIEWS):
        pytest.skip("installed before there were views; install divlearn again")
    assert isinstance(watch_of(store.path), BenchmarkWatch)
