import math

import numpy as np
import pytest

from divlearn.lab.bench import Case, Contender, Suite, summarize_suite
from divlearn.lab.bench.measures import values_of
from divlearn.lab.bench.record import Outcome
from divlearn.lab.bench.task import ReferenceTask
from tests.lab.bench.conftest import fill, outcome

TWO = (Contender("paper-ts"), Contender("uniform"))


def make(problems=("bitsp-8",), methods=TWO, **changes):
    """Make a suite."""
    cases = tuple(map(Case, problems))
    return Suite("s", "", cases, methods, **{"budget": 10, **changes})


def test_means_and_errors_are_those_of_the_instances(store):
    """0.1, 0.2, 0.3: mean 0.2, deviation 0.1, error 0.1 / sqrt(3)."""
    suite = make(instances=(0, 1, 2))
    fill(store, suite, lambda task: 0.1 * (task.instance + 1))
    summary = (
        summarize_suite(suite, store).cells["bitsp-8", "uniform"].summary("hypervolume")
    )
    assert summary.mean == pytest.approx(0.2)
    assert summary.standard_error == pytest.approx(0.1 / math.sqrt(3))
    assert summary.count == 3


def test_several_seeds_of_an_instance_count_as_one_value(store):
    """Twenty seeds on two instances are two independent values, not forty."""
    suite = make(instances=(0, 1), seeds=(0, 1))
    values = {(0, 0): 0.1, (0, 1): 0.3, (1, 0): 0.5, (1, 1): 0.7}
    fill(store, suite, lambda task: values[task.instance, task.seed])
    summary = (
        summarize_suite(suite, store).cells["bitsp-8", "uniform"].summary("hypervolume")
    )
    assert summary.count == 2
    assert summary.mean == pytest.approx((0.2 + 0.6) / 2)
    assert summary.standard_error == pytest.approx(0.2)  # of 0.2 and 0.6


def test_seeds_are_the_values_where_there_is_one_instance(store):
    """As in the paper's diversity table."""
    suite = make(seeds=(0, 1, 2))
    fill(store, suite, lambda task: float(task.seed))
    summary = (
        summarize_suite(suite, store).cells["bitsp-8", "uniform"].summary("hypervolume")
    )
    assert (summary.mean, summary.count) == (1.0, 3)


def test_every_method_is_compared_with_the_best_pair_by_pair(store):
    """Differences -1, -2, -3, +1: mean -1.25, one win, three losses."""
    suite = make(instances=(0, 1, 2, 3))
    ours, theirs = (5.0, 5.0, 5.0, 5.0), (4.0, 3.0, 2.0, 6.0)
    fill(
        store,
        suite,
        lambda t: (ours if t.contender.label == "paper-ts" else theirs)[t.instance],
    )
    report = summarize_suite(suite, store)
    assert report.best("bitsp-8", "hypervolume") == "paper-ts"
    assert report.against_best("bitsp-8", "paper-ts") is None
    comparison = report.against_best("bitsp-8", "uniform")
    assert comparison.mean_difference == -1.25
    assert (comparison.wins, comparison.ties, comparison.losses) == (1, 0, 3)
    # Ranks 1.5, 3, 4 against 1.5: of 16 signs those with a sum of at most 1.5 are
    # none, and either of the two smallest; doubled for the other side.
    assert comparison.p_value == pytest.approx(2 * 3 / 16)


def test_a_knapsack_is_measured_against_its_exact_front(store):
    """Half of what is possible is 50 %, on every instance."""
    suite = make(["bikp-10"], instances=(0, 1))
    for reference in suite.references():
        whole = outcome(0.4 if reference.instance else 0.8)
        store.write(reference, whole)
    fill(store, suite, lambda task: 0.2 if task.instance else 0.4)
    report = summarize_suite(suite, store)
    assert report.quality("bikp-10") == "percent"
    summary = report.cells["bikp-10", "uniform"].summary("percent")
    assert (summary.mean, summary.standard_error) == (50.0, 0.0)


def test_without_all_exact_fronts_the_plain_ratio_is_shown(store):
    """A mean of percentages and ratios would mean nothing."""
    suite = make(["bikp-10"], instances=(0, 1))
    first, second = suite.references()
    store.write(first, outcome(0.8))
    store.write(second, Outcome("failed", "took too long"))
    fill(store, suite, lambda task: 0.2)
    assert summarize_suite(suite, store).quality("bikp-10") == "hypervolume"


def test_failed_and_missing_runs_are_counted_and_left_out(store):
    """A mean over the runs that exist says how many those are."""
    suite = make(instances=(0, 1, 2))
    first, second, _ = (t for t in suite.tasks() if t.contender.label == "uniform")
    store.write(first, outcome(0.5))
    store.write(second, Outcome("failed", "no licence"))
    report = summarize_suite(suite, store)
    cell = report.cells["bitsp-8", "uniform"]
    assert (len(cell.runs), cell.failed, cell.missing) == (1, 1, 1)
    assert cell.summary("hypervolume").mean == 0.5
    other = report.cells["bitsp-8", "paper-ts"]
    assert (other.missing, other.summary("hypervolume")) == (3, None)
    assert report.against_best("bitsp-8", "paper-ts") is None


def test_measures_of_fronts_are_taken_once_and_kept(store, monkeypatch):
    """Diversity of a large front is dear."""
    from divlearn.lab.bench import measures

    suite = make(columns=("hypervolume", "raw_diversity", "coverage"))
    fill(store, suite, lambda task: 0.5)
    report = summarize_suite(suite, store)
    cell = report.cells["bitsp-8", "uniform"]
    # 0..7 and 7..0 are one tour through eight cities, so they share all edges.
    assert cell.summary("raw_diversity").mean == 0.0
    # The only gap is the diagonal: 1 / (1 + 5 sqrt(2)).
    assert cell.summary("coverage").mean == pytest.approx(1 / (1 + 5 * math.sqrt(2)))
    monkeypatch.setattr(measures, "measured", None)  # not called again
    (run, *_) = store.runs()
    assert values_of("coverage", [run], store)[run.key] == cell.summary("coverage").mean


def test_operations_are_counted_by_the_model(store):
    """More evaluations are more operations."""
    suite = make()
    task, other = suite.tasks()
    store.write(task, outcome(0.5, evaluations=1_000))
    store.write(other, outcome(0.5, evaluations=2_000))
    first, second = store.runs()
    values = values_of("operations", [first, second], store)
    assert 1.5 < values[second.key] / values[first.key] < 2.5


def test_operations_of_other_methods_are_counted_where_there_is_a_model(store):
    """By the run's budget, where the method plans by it; the others have no number."""
    suite = make(methods=(Contender("pure-ucb"), Contender("dl")))
    few, many = (make(methods=(Contender("pure-ucb"),), budget=b) for b in (40, 2_000))
    for task in [*suite.tasks(), *few.tasks(), *many.tasks()]:
        store.write(task, outcome(0.5, evaluations=100))
    values = values_of("operations", store.runs(), store)
    found = {
        (r.task.contender.method, r.task.budget): values[r.key] for r in store.runs()
    }
    assert np.isnan(found["dl", 10])
    assert found["pure-ucb", 2_000] > 20 * found["pure-ucb", 40] > 0


def test_a_run_without_a_hypervolume_has_no_value(store):
    """A problem without a reference point is solved all the same."""
    suite = make()
    for task in suite.tasks():
        store.write(task, Outcome("ok", hypervolume=None))
    values = values_of("hypervolume", store.runs(), store)
    assert np.isnan(list(values.values())).all()


def test_the_exact_front_of_a_run_is_that_of_its_options(store):
    """A filled knapsack is another problem to the store."""
    plain, filled = Case("bikp-10"), Case("bikp-10", {"fill": True})
    assert ReferenceTask(plain, 0).key != ReferenceTask(filled, 0).key
