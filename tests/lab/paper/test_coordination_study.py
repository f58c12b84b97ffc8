"""The study of coordination, run short on one size."""

import numpy as np
import pytest

from divlearn.lab.bench import Store, changed, summarize_suite
from divlearn.lab.bench.work import perform
from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.studies import coordination
from divlearn.lab.paper.studies.coordination import figures, runs
from divlearn.lab.paper.studies.coordination.claims import prices_claim
from divlearn.lab.paper.study import Evidence


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    """Finished runs of the smallest form, made in this process."""
    folder = tmp_path_factory.mktemp("coordination")
    suites = [changed(s, instances=2, seeds=2) for s in coordination.suites(True)]
    with Store(folder / "bench.db") as store:
        for suite in suites:
            for task in suite.tasks():
                store.write(task, perform(task))
        reports = {suite.name: summarize_suite(suite, store) for suite in suites}
        yield Evidence(reports, store, folder, True)


@pytest.fixture
def found(evidence):
    """Runs by problem."""
    return {problem: runs.Runs(evidence, problem) for problem in runs.PROBLEMS}


def test_prices_as_small_as_the_papers_change_no_solution(found):
    """Rewards change in their sixth digit; gains are exactly zero."""
    for of in found.values():
        assert (of.gains(runs.OVERLAP) == 0).all()
        assert 1e-6 < of.last_price(runs.WITH) < 1e-4
        assert of.last_price(runs.LARGE) > 0.1


def test_every_claim_has_a_verdict(evidence):
    """And what is identical is neither better nor different."""
    said = coordination.findings(evidence).claims
    assert [claim.verdict for claim in said] == [FAILS] * 5 + [HOLDS] * 3


def test_best_rewards_are_minus_the_least_mean_length(found, evidence):
    """Of the front of a run."""
    of = found["conflicttsp-20"]
    label = runs.label_of(runs.WITH, 2)
    (place, run), *_ = evidence.cell(of.problem, label, of.problem).runs.items()
    front = evidence.store.front(run.key)
    assert of.best(runs.WITH, 2)[place] == pytest.approx(-front.mean(axis=1).min())


def test_curves_have_a_row_per_run(found):
    """And a number per iteration; rewards never exceed the best of the run."""
    of = found["conflicttsp-20"]
    curves = of.curves(runs.WITH, "disagreement")
    assert curves.shape == (4, runs.SHORT_ITERATIONS)
    best = np.array([*of.best(runs.WITH, runs.OVERLAP).values()])
    assert (of.trajectories(runs.WITH).max(axis=1) <= best + 1e-5).all()


def test_pictures_have_the_papers_panels(found):
    """Four, four and three for each size."""
    assert len(figures.draw_rewards(found).axes) == 8
    assert len(figures.draw_overlaps(found, (2, 4, 8)).axes) == 4
    assert len(figures.draw_dynamics(found).axes) == 6


def test_prices_of_the_paper_stand_beside_ours(found):
    """At the iterations that it names."""
    claim = prices_claim(found)
    assert "7e-06" in claim.measured
