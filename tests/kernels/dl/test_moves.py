import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.layout import is_member, sample
from divlearn.methods.dl.kernels.moves import perturb
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.cases import state_for


@given(composites(5, 3), SEEDS, st.integers(1, 6), st.integers(1, 3))
def test_random_moves_stay_in_the_space_and_in_a_window(space, seed, window, moves):
    """For every mixture of kinds; wider windows than the space are the space."""
    state, words = state_for(space), words_of(seed)
    state.control.window, state.rng[:] = window, words
    x = np.empty(space.num_positions, np.int64)
    sample(space.layout, words, x)
    before = x.copy()
    for _ in range(5):
        perturb(state, x, moves)
        assert is_member(space.layout, x)
        changed = np.flatnonzero(x != before)
        assert changed.size == 0 or np.ptp(changed) < window
        before = x.copy()


def test_steps_reach_everywhere():
    """Every position changes now and then, at both ends too."""
    space = dl.Permutation(9)
    state = state_for(space)
    state.control.window = 3
    reached = set()
    for _ in range(200):
        x = np.arange(9)
        perturb(state, x, 1)
        reached |= set(np.flatnonzero(x != np.arange(9)))
    assert reached == set(range(9))
