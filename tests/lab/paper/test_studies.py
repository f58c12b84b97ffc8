"""Every study on made-up runs: tables, figures, and claims that can fail."""

import numpy as np
import pytest

from divlearn.lab.paper.claims import FAILS, HOLDS, VERDICTS
from divlearn.lab.paper.studies import decomposition, experts, ftrl, sensitivity
from tests.lab.paper.conftest import made_up

MINE = {
    "decomposition": decomposition.STUDY,
    "experts": experts.STUDY,
    "ftrl": ftrl.STUDY,
    "sensitivity": sensitivity.STUDY,
}


def verdicts(study, value):
    """Verdicts by the first words of their claims."""
    return {
        one.text: one.verdict for one in study.findings(made_up(study, value)).claims
    }


def noise(instance, seed):
    """A little of it, the same for all methods, so that pairs cancel it."""
    return 0.001 * np.sin(instance + 10 * seed)


@pytest.mark.parametrize("name", list(MINE))
def test_a_study_makes_tables_figures_and_claims_of_any_runs(name):
    """Random values, and runs of which all are alike."""
    study = MINE[name]
    draws = np.random.default_rng(0)
    for value in (lambda *place: draws.uniform(0.5, 0.6), lambda *place: 1.0):
        findings = study.findings(made_up(study, value))
        assert findings.claims
        assert all(claim.verdict in VERDICTS for claim in findings.claims)
        for table in (*findings.tables, *findings.timed_tables):
            assert table.rows
            assert all(list(row) == list(table.rows[0]) for row in table.rows)
        for figure in (*findings.figures, *findings.timed_figures):
            assert figure.draw().axes


def test_thompson_sampling_wins_only_where_it_does():
    """And loses where it does not."""

    def value(problem, label, measure, instance, seed):
        better = {"TS + EXP3 + FTRL": 0.1, "paper-ucb": 0.1}.get(label, 0.0)
        return 0.5 + better + noise(instance, seed) + 0.01 * len(problem)

    found = list(verdicts(experts.STUDY, value).values())
    assert found == [HOLDS, FAILS, HOLDS, FAILS]


def test_claims_on_rates_follow_worst_case_and_range():
    """A worst case that is best at 30 and 50 %, and one that falls with the rate."""

    def value(problem, label, measure, instance, seed):
        rate = int(label.split()[-2])
        if problem == ftrl.LARGE:
            return 0.5 - 0.0001 * rate * (label[:3] == "UCB") + noise(instance, seed)
        return 0.5 + 0.1 * (rate == 30) + 0.1 * (rate == 50) + noise(instance, seed)

    moderate, peak, degraded, stable, same = verdicts(ftrl.STUDY, value).values()
    assert (moderate, peak) == (HOLDS, HOLDS)
    assert (stable, degraded) == (HOLDS, HOLDS)
    assert same == FAILS


def test_claims_on_sensitivity_follow_relative_ranges():
    """A hypervolume that hangs on eta alone, and sizes that grow with it alone."""

    def value(problem, label, measure, instance, seed):
        name, number = label.split(" = ")
        if measure == "front_size":
            return 20 + 10 * float(number) * (name == "eta") + noise(instance, seed)
        if measure == "evaluations":
            return 100.0
        return 0.5 + 0.1 * float(number) * (name == "eta") + noise(instance, seed)

    found = list(verdicts(sensitivity.STUDY, value).values())
    assert found[:3] == [FAILS, HOLDS, HOLDS]
    assert found[3:5] == [HOLDS, HOLDS]
    assert found[5:7] == [HOLDS, FAILS]


def test_claims_on_overlaps_follow_gains_and_costs():
    """Overlap that helps up to 50 %, at a cost that explodes beyond."""

    def value(problem, label, measure, instance, seed):
        if label == "specialised solver":
            return 0.6 + noise(instance, seed)
        size, overlap = (int(word) for word in label[4:-2].split(", "))
        if measure == "redundancy":
            return 63.0 if (size, overlap) == (5, 100) else 7.0
        if measure == "evaluations":
            return 1_000.0 * 10 ** (overlap > 50) + overlap
        volume = 0.5 + 0.08 * (overlap >= 50) + 0.01 * (size in (10, 15, 25, 50))
        return volume + noise(instance, seed)

    found = verdicts(decomposition.STUDY, value)
    for text, verdict in found.items():
        if text.startswith("bitsp-100: with d = 10 redundancy"):
            assert verdict == FAILS, text
        elif text.startswith(("bitsp-20", "bitsp-50")):
            assert verdict == HOLDS, text
