from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.methods.dl.kernels.arms.bandit import (
    ARCHIVE,
    ARMS,
    EXPLORE,
    LONGEST_AWAY,
    NUM_TRIALS,
    PATIENCE,
    TABLES,
    WALK,
    choose_arm,
    credit,
    give_way,
)
from tests.kernels.cases import words_of
from tests.kernels.dl.cases import small, state_for


def shares(state, q, number=400):
    """How often each arm is drawn."""
    state.rng[:] = words_of(0)
    drawn = (choose_arm(state, q) for _ in range(number))
    return {arm: count / number for arm, count in Counter(drawn).items()}


def search(observed=1000, gains=(0.0, 0.0, 0.0), **changes):
    """A state in which tables, archive and walk have brought so much."""
    settings = small(exploration=100, **changes)
    state = state_for(dl.Permutation(6), settings=settings)
    state.control[0].observed = observed
    for arm, gain in zip((TABLES, ARCHIVE, WALK), gains, strict=True):
        state.arms[arm].tries, state.arms[arm].recent = NUM_TRIALS, gain
    return state


def test_every_arm_has_a_name():
    """Results tell the evaluations of each arm."""
    assert len(ARMS) == len(state_for(dl.Binary(2)).arms)
    assert ARMS[TABLES].name == "tables"


def test_blind_steps_keep_their_share():
    """They alone judge the tables."""
    assert shares(search(blind_share=1.0), 0.0) == {WALK: 1.0}
    found = shares(search(gains=(1.0, 0.0, 0.0), blind_share=0.3), 0.0)
    assert 0.25 < found[WALK] < 0.4


def test_without_tables_every_step_is_blind():
    """The control for what the tables contribute."""
    assert shares(search(tables=False), 0.0) == {WALK: 1.0}


@pytest.mark.parametrize(
    ("observed", "q", "least", "most"),
    [(10, 1.0, 0.65, 0.9), (200, 1.0, 0.1, 0.3), (500, 1.0, 0, 0), (10, 0.1, 0, 0)],
)
def test_exploration_ends_with_time_or_understanding(observed, q, least, most):
    """Most of the first evaluations, a fifth for a while, then none."""
    found = shares(search(observed, (1.0, 1.0, 1.0)), q).get(EXPLORE, 0.0)
    assert least <= found <= most


def test_arms_share_by_their_recent_gain():
    """In proportion, and nobody is given up for good."""
    found = shares(search(gains=(3.0, 1.0, 0.0), blind_share=0.0), 0.0, 2000)
    assert 0.65 < found[TABLES] < 0.8
    assert 0.18 < found[ARCHIVE] < 0.32
    assert 0.0 < found[WALK] < 0.05
    found = shares(search(gains=(0.0, 0.0, 0.0), blind_share=0.0), 0.0, 2000)
    assert all(0.25 < found[arm] < 0.42 for arm in (TABLES, ARCHIVE, WALK))


def test_each_arm_is_tried_before_gains_are_compared():
    """First the tables, then the neighbours of members."""
    state = search(gains=(0.0, 0.0, 9.0), blind_share=0.0)
    state.arms[TABLES].tries = NUM_TRIALS - 1
    state.arms[ARCHIVE].tries = NUM_TRIALS - 1
    assert shares(state, 0.0) == {TABLES: 1.0}
    state.arms[TABLES].tries = NUM_TRIALS
    assert shares(state, 0.0) == {ARCHIVE: 1.0}


def test_an_arm_that_pauses_is_left_out():
    """It found nothing just now; and a switch may leave out the archive."""
    state = search(gains=(1.0, 1.0, 0.1), blind_share=0.0)
    state.arms[TABLES].pause = 3
    assert set(shares(state, 0.0)) == {ARCHIVE, WALK}
    state.arms[ARCHIVE].pause = 3
    assert shares(state, 0.0) == {WALK: 1.0}
    state.arms[TABLES].tries = 0
    assert shares(state, 0.0) == {WALK: 1.0}
    state = search(gains=(1.0, 1.0, 0.1), blind_share=0.0, archive=False)
    assert set(shares(state, 0.0)) == {TABLES, WALK}


def test_an_arm_is_credited_with_its_mean_gain_in_usual_gains():
    """The mean of the first gains, then one that follows the latest."""
    state = state_for(dl.Binary(2))
    gains, usual, worth = [0.5, -1.0, 0.1, 0.3], [0.5, 0.0, 0.3, 0.3], []
    for gain, mean in zip(gains, usual, strict=True):
        credit(state, WALK, gain)
        worth.append(gain / mean if gain > 0.0 else 0.0)
    arm = state.arms[WALK]
    assert (arm.tries, arm.entered) == (4, 3)
    assert_allclose(arm.gain, sum(worth))
    assert_allclose(arm.recent, np.mean(worth))
    for _ in range(500):
        credit(state, WALK, 7.0)
    assert_allclose(state.arms[WALK].recent, 1.0, rtol=1e-3)
    assert not state.arms[TABLES].tries


def test_one_early_candidate_does_not_outweigh_what_arms_bring_later():
    """Gains shrink by orders of magnitude; shares follow what is usual by then."""
    state = state_for(dl.Binary(2))
    credit(state, ARCHIVE, 1e6)
    for _ in range(900):
        credit(state, ARCHIVE, -1.0)
        credit(state, TABLES, 1e-6)
    arms = state.arms
    assert arms[TABLES].recent > 100.0 * arms[ARCHIVE].recent
    assert arms[TABLES].gain > 100.0 * arms[ARCHIVE].gain


def test_an_arm_gives_way_by_how_long_nothing_of_it_entered():
    """Its pauses grow with failures in a row, up to a limit, and end with a success."""
    state = state_for(dl.Permutation(6))
    for _ in range(3 * PATIENCE):
        credit(state, TABLES, -1.0)
    give_way(state.arms, TABLES)
    assert state.arms[TABLES].pause == 3
    state.arms[TABLES].pause = 7  # a longer pause stays
    give_way(state.arms, TABLES)
    assert state.arms[TABLES].pause == 7
    for _ in range(2 * PATIENCE * LONGEST_AWAY):
        credit(state, TABLES, -1.0)
    give_way(state.arms, TABLES)
    assert state.arms[TABLES].pause == LONGEST_AWAY
    state.arms[TABLES].pause = 0
    credit(state, TABLES, 1.0)
    give_way(state.arms, TABLES)
    assert state.arms[TABLES].pause == 0
