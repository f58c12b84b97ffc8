"""The study of stress tests, on numbers of a test's own."""

import numpy as np
import pytest

from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.studies import stress
from divlearn.lab.paper.study import Evidence
from tests.lab.paper.conftest import evidence

SEEDS = np.array([-1.0, 1.0, -1.0, 1.0])


def volumes(mean, deviation):
    """Hypervolumes of three instances with four seeds each."""
    return {
        (instance, seed): mean + 0.01 * instance + deviation * SEEDS[seed]
        for instance in range(3)
        for seed in range(4)
    }


def runs(lost=0.001, steadier=True):
    """All cells: what a scenario costs, and whether FTRL lowers the deviation."""
    reports = {}
    for problem in (stress.SMALL, stress.LARGE):
        cells = {}
        for name in stress.CONFIGURATIONS:
            deviation = 0.01 - 0.002 * ("TS" in name)
            if "FTRL" in name:
                deviation += -0.005 if steadier else 0.005
            for scenario in stress.SCENARIOS:
                mean = 0.6 if scenario == stress.BASELINE else 0.6 - lost
                # Instances are not all alike.
                values = volumes(mean, deviation)
                label = stress.label_of(name, scenario)
                cells[problem, label] = {"hypervolume": values}
        cells[problem, stress.CONTROL] = {"hypervolume": volumes(0.6, 0.01)}
        reports[problem] = evidence(cells).report()
    return Evidence(reports, None, None, True)


def test_numbers_like_the_papers_confirm_its_claims():
    """Little is lost, and FTRL makes runs more alike."""
    verdicts = [claim.verdict for claim in stress.claims(runs())]
    assert verdicts == [HOLDS, HOLDS, HOLDS]


def test_other_numbers_contradict_them():
    """Five per cent lost, and runs that differ more."""
    verdicts = [claim.verdict for claim in stress.claims(runs(0.03, steadier=False))]
    assert verdicts == [FAILS, FAILS, FAILS]


def test_the_table_tells_what_every_scenario_costs():
    """Relative to the same configuration without a disturbance."""
    rows = stress.table(runs(), stress.SMALL).rows
    assert len(rows) == 8 * 4 + 1
    assert rows[0]["change, %"] == 0.0
    assert rows[-2]["change, %"] == pytest.approx(-100 * 0.001 / 0.61, rel=0.01)
    assert rows[0]["worst case"] < rows[0]["mean"]


def test_the_heat_maps_have_a_field_per_cell():
    """Three statistics on two sizes."""
    figure = stress.draw(runs())
    assert len(figure.axes) == 6
    assert all(len(axes.texts) == 8 * 4 for axes in figure.axes)


def test_runs_are_declared_for_all_scenarios():
    """The paper's seven and heavy tails; all shifts take place."""
    small, _ = stress.suites(short=True)
    assert len(small.methods) == 4 * 8 + 1
    settings = [contender.settings for contender in small.methods]
    assert {one.get("scenario") for one in settings} == set(stress.STRESS_TESTS)
    assert all(one["iterations"] > 120 for one in settings)
