import numpy as np

from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.studies import exp3
from tests.lab.paper.conftest import evidence


def rewards(**changes):
    """Rewards and front sizes as the paper reports them, some of them changed."""
    numbers = exp3.PAPER | changes
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
    """But for one of them: its worst configuration has 2.5 times the best front."""
    verdicts = [claim.verdict for claim in exp3.claims(rewards())]
    assert verdicts == [HOLDS, FAILS, HOLDS, HOLDS, HOLDS, HOLDS]


def test_other_numbers_contradict_them():
    """A bandit that is best, and shares of EXP3 that do not matter or help."""
    better = {"pure EXP3": (-0.1, 0.0, 100.0), exp3.MOST: (-0.2, 0.0, 30.0)}
    verdicts = [claim.verdict for claim in exp3.claims(rewards(**better))]
    assert verdicts == [FAILS, FAILS, FAILS, FAILS, FAILS, HOLDS]


def test_the_table_has_a_row_per_configuration_beside_the_papers_numbers():
    """In the paper's order, best first."""
    rows = exp3.table(rewards()).rows
    assert [row["configuration"] for row in rows] == list(exp3.PAPER)
    assert all(abs(row["reward"] - row["the paper's reward"]) < 0.01 for row in rows)
