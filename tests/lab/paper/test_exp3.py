import numpy as np

from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.studies import exp3
from tests.lab.paper.conftest import evidence


def rewards(**changes):
    """Rewards and front sizes as the paper reports them, some of them changed."""
    control = {exp3.CONTROL: (-0.3, 0.0, 60.0)}
    numbers = exp3.PAPER | control | changes
    return evidence(
        {
            (exp3.PROBLEM, label): {
                "mean_reward": reward + 0.001 * np.arange(3.0),
                "front_size": size * np.ones(3),
                "hypervolume": np.ones(3),
            }
            for label, (reward, _, size) in numbers.items()
        }
    )


def test_the_papers_own_numbers_confirm_the_papers_claims():
    """But for two: its worst configuration has 2.5 times the best front of a bandit.

    The control's reward is made up.
    """
    verdicts = [claim.verdict for claim in exp3.claims(rewards())]
    assert verdicts == [FAILS, HOLDS, FAILS, HOLDS, HOLDS, HOLDS, HOLDS]


def test_other_numbers_contradict_them():
    """A bandit that is best, and shares of EXP3 that do not matter or help."""
    better = {"pure EXP3": (-0.1, 0.0, 100.0), exp3.MOST: (-0.2, 0.0, 30.0)}
    verdicts = [claim.verdict for claim in exp3.claims(rewards(**better))]
    assert verdicts == [FAILS, FAILS, FAILS, FAILS, FAILS, FAILS, HOLDS]


def test_the_table_has_a_row_per_configuration_beside_the_papers_numbers():
    """In the paper's order, best first."""
    rows = exp3.table(rewards()).rows
    labels = [row["configuration"] for row in rows]
    assert [one for one in labels if one != exp3.CONTROL] == list(exp3.PAPER)
    for row in rows:
        known = exp3.PAPER.get(row["configuration"], (-0.3,))
        assert abs(row["reward"] - known[0]) < 0.01


def test_the_exponent_of_a_regret_is_that_of_its_power():
    """And none where nothing is lost."""
    steps = np.arange(1.0, 101.0)
    assert abs(exp3.growth(3 * steps**0.5) - 0.5) < 1e-9
    assert abs(exp3.growth(steps) - 1.0) < 1e-9
    assert np.isnan(exp3.growth(np.zeros(100)))
