import dataclasses

import numpy as np
import pytest

from divlearn.lab.bench import Store, summarize_suite
from divlearn.lab.bench.record import pack
from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.studies import diversity
from divlearn.lab.paper.studies.diversity import verdicts as module
from divlearn.lab.paper.studies.diversity.runs import LARGE, NSGA2, OURS
from divlearn.lab.paper.study import Evidence
from tests.lab.bench.conftest import outcome
from tests.lab.paper.conftest import made_up


def value(problem, label, measure, instance, seed):
    """Variants that are better than NSGA-II in everything, and models that are poor."""
    ours = label in OURS
    numbers = {
        "hypervolume": 0.4 + 0.01 * ours,
        "front_size": 100.0 if ours else 20.0,
        "coverage": 0.95 if ours else 0.7,
        "adjusted_diversity": 3.0 + ours,
        "knn_diversity": 0.1 if ours or label == NSGA2 else 0.8,
        "cpu_seconds": 0.1 if ours else 10.0,
    }
    return numbers.get(measure, 1.0) * (1 + 0.001 * seed)


def decided(monkeypatch, value, late=0.001):
    """Verdicts in order; NSGA-II gains ``late`` of its hypervolume in the end."""

    def volume_at(evidence, problem, method, share):
        gained = late if method == NSGA2 else 0.2
        return (1.0 if share == 1.0 else 1.0 - gained) * np.array([0.4, 0.41])

    monkeypatch.setattr(module, "volume_at", volume_at)
    evidence = made_up(diversity.STUDY, value)
    made = [*module.claims(evidence), module.speed_claim(evidence)]
    return [claim.verdict for claim in made]


def test_better_fronts_confirm_the_papers_claims(monkeypatch):
    """All that the short form can say."""
    assert set(decided(monkeypatch, value)) == {HOLDS}


def test_a_rival_that_is_as_good_and_goes_on_contradicts_them(monkeypatch):
    """Everything but coverage and the hypervolume, which are only to be reached."""

    def same(problem, label, measure, instance, seed):
        return value(problem, OURS[0], measure, instance, seed)

    found = decided(monkeypatch, same, late=0.3)
    assert found[:2] == [HOLDS, HOLDS]
    assert found[3] == FAILS
    assert found[5] == found[-1] == FAILS


@pytest.fixture
def evidence(tmp_path):
    """A store with two made-up fronts per method, seen twice on the way."""
    (suite,) = diversity.STUDY.suites(True)
    draws = np.random.default_rng(0)
    with Store(tmp_path / "bench.db") as store:
        for task in suite.tasks():
            tours = np.array([draws.permutation(50) for _ in range(4)])
            x = np.sort(draws.uniform(5, 20, 4))
            seen = {name: [1.0, 2.0] for name in ("evaluations", "front_size")}
            seen |= {
                name: [0.1, 0.3]
                for name in ("coverage", "adjusted_diversity", "knn_diversity")
            }
            made = outcome(
                float(draws.uniform(0.3, 0.5)),
                front=pack(np.array([x, 25 - x]).T),
                solutions=pack(tours),
                front_size=4,
            )
            store.write(task, dataclasses.replace(made, series={"snapshots": seen}))
        yield Evidence({LARGE: summarize_suite(suite, store)}, store, tmp_path, True)


def test_tables_and_figures_are_made_of_what_the_store_holds(evidence):
    """Progress, analysis and fronts of all seeds."""
    findings = diversity.STUDY.findings(evidence)
    assert [one.name for one in findings.figures] == [
        f"{name}-{LARGE}" for name in ("progress", "analysis", "fronts")
    ]
    for figure in findings.figures:
        assert len(figure.draw().axes) >= 4
    assert len(findings.tables[0].rows) == len(evidence.report(LARGE).methods)
    assert {row["measure"] for row in findings.tables[1].rows} >= {"HV", "coverage"}
