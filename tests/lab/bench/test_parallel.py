import numpy as np
import pytest

from divlearn.lab.bench import Case, Contender, Suite, summarize_suite, write_files
from divlearn.lab.bench.parallel import draw_parallel, ends
from divlearn.lab.bench.record import pack
from divlearn.problems import get
from tests.lab.bench.conftest import outcome

pytest.importorskip("matplotlib")

FRONT = np.array([[1.0, 4.0, 2.0, 3.0], [2.0, 3.0, 1.0, 4.0]])


@pytest.fixture
def report(store):
    """Two methods on a problem of four objectives and on one of two."""
    methods = (Contender("uniform"), Contender("paper-ts"))
    suite = Suite("s", "", (Case("mixed-6"), Case("bitsp-8")), methods, budget=10)
    for task in suite.tasks():
        own = {"front": pack(FRONT)} if task.case.name == "mixed-6" else {}
        store.write(task, outcome(0.5, **own))
    return summarize_suite(suite, store)


def test_fronts_of_four_objectives_are_lines_by_method(
    report, store, tmp_path, monkeypatch
):
    """A panel per method, a line per solution, only where there are four."""
    found = []
    monkeypatch.setattr(
        "divlearn.lab.bench.parallel.save", lambda figure, *_: found.append(figure)
    )
    assert draw_parallel(report, store, tmp_path / "x.png")
    (part,) = found[0].subfigs
    assert part.get_suptitle() == "mixed-6, instance 0"
    panels = part.axes
    assert [axes.get_title() for axes in panels] == ["uniform", "paper-ts"]
    for axes in panels:
        assert len([line for line in axes.lines if len(line.get_xdata()) == 4]) == 2


def test_better_is_higher_and_axes_run_from_reference_to_ideal(
    report, store, tmp_path, monkeypatch
):
    """The reference point is the floor and the ideal point the ceiling."""
    found = []
    monkeypatch.setattr(
        "divlearn.lab.bench.parallel.save", lambda figure, *_: found.append(figure)
    )
    draw_parallel(report, store, tmp_path / "x.png")
    problem = get("mixed-6")
    first = found[0].subfigs[0].axes[0].lines[-len(FRONT)]
    worst, best = problem.reference, problem.ideal
    np.testing.assert_allclose(first.get_ydata(), (worst - FRONT[0]) / (worst - best))


def test_axes_without_points_run_between_worst_and_best():
    """An objective that is equal everywhere still has an axis."""
    problem = get("mixed-6")
    problem.reference = problem.ideal = None
    worst, best = ends(problem, [np.array([[1.0, 2, 3, 4], [2, 2, 1, 4]])])
    np.testing.assert_array_equal(best, [1, 2, 1, 4])
    np.testing.assert_array_equal(worst, [2, 3, 3, 5])


def test_the_picture_is_among_the_files(report, store, tmp_path):
    """As a PNG."""
    files, _ = write_files(report, store, tmp_path)
    assert files["fronts-parallel.png"].read_bytes().startswith(b"\x89PNG")
