import dataclasses
import sys

import numpy as np
import pytest

from divlearn.lab.bench import Case, Contender, Suite, summarize_suite, write_files
from divlearn.lab.bench.curves import curve
from divlearn.lab.bench.panels import finish, new_panels
from divlearn.lab.bench.pictures import draw_curves, draw_fronts
from divlearn.lab.bench.record import HISTORY, Outcome, pack, pack_history
from divlearn.lab.bench.suite import OBSERVED, changed
from divlearn.lab.bench.work import perform
from tests.lab.bench.conftest import outcome

pytest.importorskip("matplotlib")


@pytest.fixture
def report(suite, store):
    """Real runs on three instances, made here and now."""
    more = changed(suite, problems=["bitsp-8", "bikp-10", "tritsp-8"], instances=3)
    for job in [*more.references(), *more.tasks()]:
        store.write(job, perform(job))
    return summarize_suite(more, store)


def steps(values, times):
    """Make the outcome of a run with a chosen history."""
    history = {
        "evaluations": [10, 20],
        "seconds": times,
        "front_size": [1, 2],
        "hypervolume": values,
    }
    return outcome(values[-1], history=pack_history(history))


def test_pictures_are_written_and_are_pictures(report, store, tmp_path):
    """Quality against evaluations, against time, and the fronts."""
    files, _ = write_files(report, store, tmp_path)
    for name in ("hypervolume-evaluations", "hypervolume-seconds", "fronts"):
        content = files[f"{name}.png"].read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) > 20_000


@pytest.fixture
def figures(monkeypatch):
    """Figures instead of files."""
    found = []
    monkeypatch.setattr(
        "divlearn.lab.bench.pictures.finish", lambda figure, *_: found.append(figure)
    )
    return found


def test_every_problem_has_a_panel_with_a_line_and_a_band_per_method(
    report, store, figures, tmp_path
):
    """In percent where the exact front is known."""
    assert draw_curves(report, store, "evaluations", tmp_path / "x.png")
    tour, knapsack, _ = figures[0].axes
    assert (tour.get_title(), tour.get_ylabel()) == ("bitsp-8", "HV ratio")
    assert "%" in knapsack.get_ylabel()
    assert [line.get_label() for line in tour.lines] == ["paper-ts", "uniform"]
    assert len(tour.collections) == 2
    last = report.cells["bitsp-8", "uniform"].summary("hypervolume").mean
    assert tour.lines[1].get_ydata()[-1] == pytest.approx(last)


def test_budgets_that_differ_much_are_drawn_on_a_logarithmic_axis(
    report, store, figures, tmp_path
):
    """Otherwise those with few evaluations would be one vertical line."""
    draw_curves(report, store, "evaluations", tmp_path / "x.png")
    assert figures[0].axes[0].get_xscale() == "linear"
    few = Contender("uniform", budget=3)
    wider = dataclasses.replace(report.suite, methods=(Contender("paper-ts"), few))
    for task in wider.tasks():
        store.write(task, perform(task))
    draw_curves(summarize_suite(wider, store), store, "evaluations", tmp_path / "x.png")
    assert figures[1].axes[0].get_xscale() == "log"


def test_a_legend_of_many_long_names_stays_inside_the_picture(tmp_path):
    """Fewer columns, and a higher picture."""
    figure, panels = new_panels([None, None])
    for number in range(19):
        panels[0].plot([0, 1], [0, 1], label=f"a-method@{number:011d}")
    height = figure.get_figheight()
    finish(figure, panels, "title", tmp_path / "x.png")
    box = figure.legends[0].get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1
    assert figure.get_figheight() > height


def test_fronts_of_all_methods_lie_over_each_other(report, store, figures, tmp_path):
    """With the exact one as a line, and three objectives in space."""
    assert draw_fronts(report, store, tmp_path / "x.png")
    tour, knapsack, spatial = figures[0].axes
    assert len(tour.collections) == 2
    assert [line.get_label() for line in knapsack.lines] == ["exact front"]
    assert spatial.name == "3d"
    key = report.cells["bitsp-8", "paper-ts"].runs[0, 0].key
    np.testing.assert_allclose(tour.collections[0].get_offsets(), store.front(key))


def test_a_mean_over_runs_of_different_speed_holds_what_each_had_reached(store, suite):
    """One run has 0.2 from 1 s and 0.4 from 2 s on, the other 0.6 from 1.5 s on."""
    two = changed(suite, problems=["bitsp-8"], methods=["uniform"])
    first, second = two.tasks()
    store.write(first, steps([0.2, 0.4], [1.0, 2.0]))
    store.write(second, steps([0.6, 0.6], [1.5, 4.0]))
    report = summarize_suite(two, store)
    line = curve(report, store, report.cells["bitsp-8", "uniform"], "seconds")
    assert (line.x[0], line.x[-1], line.units) == (1.5, 4.0, 2)
    before, after = line.x < 2.0, line.x > 2.01
    np.testing.assert_allclose(line.mean[before], (0.2 + 0.6) / 2)
    np.testing.assert_allclose(line.mean[after], (0.4 + 0.6) / 2)
    # Deviation 0.2 / sqrt(2), error 0.1, Student's 12.706 for two values.
    np.testing.assert_allclose(line.high[after] - line.mean[after], 1.2706, rtol=1e-3)


def test_a_curve_of_a_noisy_problem_shows_what_the_search_saw(store, suite):
    """Its last row was measured anew; joined to the others it would be a fall."""
    one = changed(suite, problems=["bitsp-8"], methods=["uniform"])
    for task in one.tasks():
        store.write(task, outcome(0.4, measures={OBSERVED: 0.7}))
    report = summarize_suite(one, store)
    line = curve(report, store, report.cells["bitsp-8", "uniform"], "evaluations")
    assert line.mean[-1] == pytest.approx(0.7)


def test_what_has_no_hypervolume_or_no_runs_is_left_out(store, suite, tmp_path):
    """A benchmark that has just begun has tables without pictures."""
    report = summarize_suite(suite, store)
    assert not draw_curves(report, store, "seconds", tmp_path / "x.png")
    assert not draw_fronts(report, store, tmp_path / "x.png")
    bare = Suite("s", "", (Case("bitsp-8"),), suite.methods, budget=10)
    blank = {"front": pack(np.empty((0, 2))), "history": pack_history(NO_HISTORY)}
    for task in bare.tasks():
        store.write(task, Outcome("ok", **blank))
    report = summarize_suite(bare, store)
    assert not draw_curves(report, store, "seconds", tmp_path / "x.png")
    assert draw_fronts(report, store, tmp_path / "x.png")


NO_HISTORY = {name: [np.nan] for name in HISTORY}


def test_without_matplotlib_tables_are_written_and_the_remedy_is_told(
    report, store, tmp_path, monkeypatch
):
    """Pictures are an extra."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    files, remarks = write_files(report, store, tmp_path)
    assert set(files) == {"table.md", "table.csv", "times.md", "times.csv", "runs.csv"}
    assert "divlearn[plot]" in remarks[0]
