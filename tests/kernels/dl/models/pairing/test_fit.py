"""The fit of both matrices to values of random solutions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.arms.bandit import WALK
from divlearn.methods.dl.kernels.models.pairing.model import (
    ADMITTED,
    IN_USE,
    ITEMS_SHARED,
    NO_MODEL,
    NOTHING_SHARED,
    POSITIONS_SHARED,
    SAMPLING,
)
from tests.kernels.dl.models.pairing.cases import (
    fit_model,
    learn,
    model_of,
    ridge_of,
    start,
    with_samples,
)
from tests.reference.pairing import pair_sum

N = 8 if JIT_DISABLED else 10
PAIRS = N * (N - 1) // 2
slow = pytest.mark.skipif(JIT_DISABLED, reason="takes minutes in plain Python")


def values_of(mode, m=2):
    """Objectives that are sums over pairs, with a constant."""
    a, b = model_of(N, m, mode)
    return lambda x: [5.0 + 3.0 * pair_sum(x, a[k], b[k]) for k in range(m)]


@slow
@pytest.mark.parametrize("mode", [ITEMS_SHARED, POSITIONS_SHARED, NOTHING_SHARED])
def test_sums_over_pairs_are_found_and_predict_what_was_never_seen(mode):
    """Whatever the objectives have in common; both matrices were unknown."""
    value = values_of(mode)
    state = with_samples(N, 5 * PAIRS, value)
    fit_model(state)
    pairing, record = state.pairing, state.pairing.record[0]
    assert record.phase == IN_USE
    assert record.mode == mode
    assert record.error == pairing.errors.max() < 0.01
    rng, seen, said = np.random.default_rng(99), [], []
    for _ in range(30):
        x = rng.permutation(N)
        seen.append(value(x))
        sums = [pair_sum(x, pairing.positions[k], pairing.items[k]) for k in (0, 1)]
        said.append(pairing.centres + pairing.scales * sums)
    error = ((np.array(seen) - said) ** 2).mean(axis=0)
    assert (error < 0.02 * np.var(seen, axis=0)).all()


def test_a_start_has_something_in_common_within_rows():
    """Of such rows only products of both matrices tell, so neither may begin at 0.

    As much as means of random entries would have in common.
    """
    state = with_samples(N, 2 * PAIRS, values_of(ITEMS_SHARED))
    start(state)
    items = state.pairing.items[0]
    assert_allclose(items, items.T)
    assert not np.diagonal(items).any()
    rows = items.sum(axis=1) / (N - 2)
    size = items[np.triu_indices(N, 1)].std()
    assert 0.4 < rows.std() / (size / N**0.5) < 2.5
    assert not state.pairing.positions.any()


@slow
def test_a_model_in_use_gets_better_with_more_solutions():
    """The second fit goes on where the first one ended."""
    value = values_of(ITEMS_SHARED)
    state = with_samples(N, 4 * PAIRS, value)
    fit_model(state)
    before = state.pairing.record[0].error
    fit_model(state)
    assert state.pairing.record[0].error < 0.1 * before
    assert state.pairing.record[0].fits == 2


@slow
def test_steps_of_a_search_tell_what_too_few_random_solutions_cannot():
    """Each is compared with an earlier solution like it, and is no random one."""
    value, rng = values_of(ITEMS_SHARED), np.random.default_rng(4)
    state = with_samples(N, 3 * PAIRS // 2, value)
    fit_model(state)
    record = state.pairing.record[0]
    assert record.phase == SAMPLING
    random, x = int(record.sampled), np.arange(N)
    for _ in range(3 * PAIRS):
        i, j = rng.choice(N, 2, replace=False)
        x[[i, j]] = x[[j, i]]
        learn(state, x, np.array(value(x)), np.array([WALK, 0]))
    fit_model(state)
    assert record.phase == IN_USE
    assert record.error < ADMITTED
    assert record.sampled == random
    assert (state.pairing.parents[random : record.stored] >= 0).all()


@slow
def test_values_without_structure_are_not_admitted():
    """After the last sample that may be spent the model is given up."""
    rng = np.random.default_rng(0)
    state = with_samples(N, 4 * PAIRS, lambda x: rng.normal(size=2), limit=100)
    record = state.pairing.record[0]
    fit_model(state)
    assert record.phase == NO_MODEL
    assert record.error > ADMITTED
    state = with_samples(N, 4 * PAIRS, lambda x: rng.normal(size=2), limit=600)
    fit_model(state)
    assert state.pairing.record[0].phase == SAMPLING


@slow
def test_fits_are_the_same_every_time():
    """Random numbers come from the state alone."""
    found = []
    for _ in range(2):
        state = with_samples(N, 4 * PAIRS, values_of(POSITIONS_SHARED))
        fit_model(state)
        found.append(state.pairing.items.tobytes())
    assert found[0] == found[1]


def test_conjugate_gradients_solve_the_ridge_regression():
    """Against the normal equations of all rows that are not held out."""
    rows, ridge = 40, 0.7
    state = with_samples(N, rows, values_of(NOTHING_SHARED), limit=60)
    _, b = model_of(N, 2, NOTHING_SHARED, seed=5)
    upper = np.triu_indices(N, 1)
    pairing = state.pairing
    pairing.targets[0, :rows] = np.random.default_rng(1).normal(size=rows)
    orders = pairing.solutions[:rows].astype(int)
    design = np.array([b[0][x[upper[0]], x[upper[1]]] for x in orders])
    used = np.arange(rows) % 10 != 0
    gram = design[used].T @ design[used] + ridge * np.eye(PAIRS)
    right = design[used].T @ pairing.targets[0, :rows][used]
    a = np.zeros((N, N))
    ridge_of(state, b, a, ridge, 120)
    assert_allclose(a[upper], np.linalg.solve(gram, right), rtol=1e-5, atol=1e-8)
    assert not np.tril(a).any()
