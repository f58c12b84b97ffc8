import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.layout import is_member, sample
from divlearn.methods.dl.kernels.models.additive import predict_step
from divlearn.methods.dl.kernels.moves import perturb, step_uncertainty
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.cases import state_for
from tests.reference import differences as reference


@given(composites(5, 3), SEEDS, st.integers(1, 6), st.integers(1, 3))
def test_random_moves_stay_in_the_space_and_in_a_window(space, seed, window, moves):
    """For every mixture of kinds; wider windows than the space are the space."""
    state, words = state_for(space), words_of(seed)
    x = np.empty(space.num_positions, np.int64)
    sample(space.layout, words, x)
    before = x.copy()
    for _ in range(5):
        perturb(
            space.layout,
            x,
            window,
            moves,
            state.shares,
            words,
            state.subset,
            state.scratch,
        )
        assert is_member(space.layout, x)
        changed = np.flatnonzero(x != before)
        assert changed.size == 0 or np.ptp(changed) < window
        before = x.copy()


def test_steps_reach_everywhere():
    """Every position changes now and then, at both ends too."""
    space = dl.Permutation(9)
    state, words = state_for(space), words_of(0)
    reached = set()
    for _ in range(200):
        x = np.arange(9)
        perturb(space.layout, x, 3, 1, state.shares, words, state.subset, state.scratch)
        reached |= set(np.flatnonzero(x != np.arange(9)))
    assert reached == set(range(9))


@given(composites(5, 3), SEEDS)
def test_each_output_is_predicted_by_its_own_encoding(space, seed):
    """The difference of sums over whole solutions; and the sum of variances."""
    state, rng, words = state_for(space, 3), np.random.default_rng(seed), words_of(seed)
    tables, segments = state.tables, space.segments()
    tables.mean[:] = rng.normal(size=tables.mean.shape)
    tables.variance[:] = rng.random(tables.variance.shape)
    tables.chosen[:] = rng.integers(len(tables.encodings), size=3)
    x, y = np.empty((2, space.num_positions), np.int64)
    sample(space.layout, words, x)
    sample(space.layout, words, y)
    predict_step(tables, space.layout, state.changes, x, y, state.delta)
    for j, e in enumerate(tables.chosen):
        mean = tables.mean[e, :, j]
        after, before = (
            reference.total(segments, tables.encodings[e], mean, z) for z in (y, x)
        )
        assert_allclose(state.delta[j], after - before, atol=1e-9)
    found = step_uncertainty(tables, space.layout, state.changes, x, y)
    e = tables.chosen[0]
    changed = reference.changes(segments, tables.encodings[e], x, y)
    assert_allclose(found, sum(tables.variance[e, action] for action, _ in changed))
