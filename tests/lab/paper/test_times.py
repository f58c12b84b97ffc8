"""Times of all methods: methods, tables and the claim on Bayesian optimization."""

import dataclasses

import numpy as np

from divlearn.lab.bench import summarize_suite
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.table import Entry, Grid
from divlearn.lab.paper.claims import FAILS, HOLDS, OPEN
from divlearn.lab.paper.studies import times
from divlearn.lab.paper.study import Evidence
from tests.lab.paper.conftest import evidence, made_up


def seconds(ratio):
    """Times of three instances, Bayesian optimization slower by a ratio."""
    ours = np.array([1.0, 1.1, 0.9])
    names = {times.OURS: ours} | dict.fromkeys(times.BAYESIAN, ratio * ours)
    suite = times.suites(True)[0]
    return evidence(
        {
            (case.label, name): {"cpu_seconds": values}
            for case in suite.problems
            for name, values in names.items()
        },
        suite,
    )


def test_a_speedup_is_that_on_the_same_instance():
    """As many ratios as problems, instances and Bayesian methods."""
    ratios = times.speedups(seconds(20.0))
    np.testing.assert_allclose(ratios, 20.0)
    assert len(ratios) == 4 * 3 * 3


def test_verdicts_follow_the_speedup():
    """Twenty times as soon, or twice."""
    soon, late = (
        times.claim(times.speedups(seconds(ratio)), short=True) for ratio in (20.0, 2.0)
    )
    assert soon.measured.startswith("20")
    assert [soon.verdict, late.verdict] == [HOLDS, FAILS]


def test_every_method_has_a_budget_and_the_short_form_fewer():
    """And what takes minutes is not in it."""
    full, short = times.contenders(False), times.contenders(True)
    assert {one.label for one in short} < {one.label for one in full}
    assert not {one.method for one in short} & set(times.LONG)
    assert [one.label for one in full if one.method == "pmoco"] in (
        [],
        ["pmoco", "pmoco (weights=40)"],
    )
    assert len(times.suites(False)[0].problems) == 12


def test_what_takes_most_of_the_time_is_measured_once():
    """The full form runs Bayesian optimization and trainings on the first instance."""
    quick, *slow = times.suites(False)
    assert quick.instances == (100, 101, 102)
    assert not {one.method for one in quick.methods} & set(times.SLOW)
    for suite in slow:
        assert suite.instances == (100,)
        assert {one.method for one in suite.methods} <= set(times.SLOW)


def test_quick_and_slow_methods_stand_in_one_table_in_the_order_of_the_paper():
    """And a speedup is that on the instance that both have."""

    def value(problem, label, measure, instance, seed):
        return 1.0 + 49.0 * (label.partition("@")[0] in times.SLOW)

    found = made_up(times.STUDY, value)
    report = times.together(found)
    named = [one.method for one in report.suite.methods]
    order = list(times.BUDGETS)
    assert named == sorted(named, key=order.index)
    assert len(named) == len(times.contenders(True))
    ratios = times.speedups(dataclasses.replace(found, reports={"": report}))
    np.testing.assert_allclose(ratios, 50.0)


def test_a_table_has_the_columns_of_the_paper():
    """By problem; its title names the problems."""
    header = ["method", "bitsp-20 HV", "bitsp-20 NDS", "bitsp-20 Time"]
    grid = Grid(header, [[Entry("nsga2"), Entry("0.5"), Entry("7"), Entry("2s")]])
    table = times.clock_table(1, grid)
    assert table.title.endswith("bitsp-20")
    assert table.rows == [dict(zip(header, ["nsga2", "0.5", "7", "2s"], strict=True))]


def test_without_runs_nothing_is_decided(tmp_path):
    """Tables are empty, and the claim is open."""
    with Store(tmp_path / "bench.db") as store:
        reports = {
            suite.name: summarize_suite(suite, store) for suite in times.suites(True)
        }
        found = times.findings(Evidence(reports, store, tmp_path, True))
    assert found.timed_claims[0].verdict == OPEN
    assert all(not table.rows for table in found.timed_tables)
