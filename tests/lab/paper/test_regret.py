"""The study of regret, on curves of a test's own."""

import numpy as np
from numpy.testing import assert_allclose

from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.studies import regret
from divlearn.lab.paper.study import Evidence
from tests.lab.paper.conftest import evidence

PLACES = [(instance, seed) for instance in range(3) for seed in range(4)]


def rewards(slow):
    """Rewards that rise to 1 as 1 - c / sqrt(t), or stay ``slow`` below it."""
    t = np.arange(1.0, 101.0)
    found = {}
    for name in regret.SHOWN:
        factor = 0.3 if name == regret.BEST else 0.6
        lacking = factor / np.sqrt(t) if not slow else np.where(t < 100, factor, 0.0)
        found[name] = {
            (i, s): np.tile(1 - lacking * (1 + 0.01 * i + 0.001 * s), (5, 1))
            for i, s in PLACES
        }
    return found


def volumes(best_is_steady):
    """Hypervolumes: TS is higher, and UCB + FTRL is tighter or not."""
    reports = {}
    for problem in (regret.SMALL, regret.LARGE):
        cells = {}
        for name in regret.SHOWN:
            steady = (name == regret.BEST) == best_is_steady
            deviation = 0.001 if steady else 0.01
            mean = 0.6 + 0.02 * ("TS" in name) * (1 if best_is_steady else -1)
            values = {
                (i, s): mean + deviation * (s % 2) * (1 + 0.1 * i) for i, s in PLACES
            }
            cells[problem, name] = {"hypervolume": values}
        reports[problem] = evidence(cells).report()
    return Evidence(reports, None, None, True)


def test_numbers_like_the_papers_confirm_its_claims():
    """UCB + FTRL has half the regret, which grows like a root."""
    found = {problem: rewards(slow=False) for problem in (regret.SMALL, regret.LARGE)}
    verdicts = [claim.verdict for claim in regret.claims(volumes(True), found)]
    assert verdicts == [HOLDS] * 6


def test_other_numbers_contradict_them():
    """Regret that grows by the same at every iteration, and unsteady fronts."""
    same = rewards(slow=True)
    same = dict.fromkeys(same, same["UCB"])
    found = dict.fromkeys((regret.SMALL, regret.LARGE), same)
    verdicts = [claim.verdict for claim in regret.claims(volumes(False), found)]
    assert verdicts == [FAILS] * 6


def test_regret_counts_from_the_best_of_the_run_or_of_all_runs():
    """A run that finds less regrets less by its own standard only."""
    good, bad = np.array([[0.0, 1.0]]), np.array([[0.0, 0.5]])
    runs = {"good": {(0, 0): good}, "bad": {(0, 0): bad}}
    assert_allclose(regret.own_regrets(runs["bad"])[0, 0], [0.5, 0.5])
    assert_allclose(regret.common_regrets(runs, "bad")[0, 0], [1.0, 1.5])
    assert_allclose(regret.common_regrets(runs, "good")[0, 0], [1.0, 1.0])


def test_figure_and_table_show_all_configurations():
    """Four panels for each size."""
    found = {problem: rewards(slow=False) for problem in (regret.SMALL, regret.LARGE)}
    figure = regret.draw(volumes(True), found)
    assert len(figure.axes) == 8
    rows = regret.table(volumes(True), regret.SMALL, found[regret.SMALL]).rows
    assert [row["configuration"] for row in rows] == list(regret.SHOWN)
    assert rows[1]["regret"] < rows[0]["regret"]
