"""Eight solutions that tell sums over pairs from everything else."""

import numpy as np
import pytest

from divlearn.methods.dl.kernels.models.pairing.model import NO_MODEL, PROBING, SAMPLING
from divlearn.methods.dl.kernels.models.pairing.probe import NUM_PASSED
from tests.kernels.dl.models.pairing.cases import (
    model_of,
    state_with,
    take_answer,
    write_probe,
)
from tests.reference.pairing import pair_sum

N = 9
A, B = model_of(N, 2, 2)
DISTANCE = np.abs(np.random.default_rng(0).normal(size=(N, N)))


def pairs(x):
    """Two sums over pairs."""
    return [pair_sum(x, A[k], B[k]) for k in range(2)]


def tour(x):
    """Two tours: neighbours explain all of it."""
    length = sum(DISTANCE[x[i - 1], x[i]] for i in range(N))
    return [length, 2.0 * length + x[0]]


def order(x):
    """Precedence and positions explain all of it."""
    ahead = sum(DISTANCE[x[i], x[j]] for i in range(N) for j in range(i + 1, N))
    return [ahead, float(np.arange(N) @ x)]


def bottleneck(x):
    """Something that depends on all positions at once."""
    return [max(A[0, i, j] * B[0, x[i], x[j]] for i in range(N) for j in range(i)), 0.0]


def hashed(x):
    """No structure at all."""
    seed = int(sum(int(v) * N**i for i, v in enumerate(x)))
    return list(np.random.default_rng(seed).normal(size=2))


def one_of_two(x):
    """Pairs for one objective only, positions for the other."""
    return [pairs(x)[0], order(x)[1]]


def probed(value, shuffled=False, limit=600):
    """The state after as many probes as it wanted, and the number of evaluations."""
    state, count = state_with(N, limit=limit), 0
    record = state.pairing.record[0]
    while record.phase == PROBING:
        write_probe(state)
        solutions = state.pairing.probes.copy()
        if shuffled:
            np.random.default_rng(count).shuffle(solutions)
        for x in solutions:
            assert record.phase == PROBING
            take_answer(state, x, np.array(value(x), float))
            count += 1
    return state, count


def test_a_probe_is_two_orders_with_one_or_both_of_two_swaps():
    """Swapped places are never next to one another, nor around the end."""
    for seed in range(20):
        state = state_with(N)
        state.rng[:] += np.uint64(seed)
        write_probe(state)
        probes = state.pairing.probes
        assert (np.sort(probes, axis=1) == np.arange(N)).all()
        first = np.flatnonzero(probes[0] != probes[1])
        second = np.flatnonzero(probes[0] != probes[2])
        places = np.concatenate([first, second])
        assert len(first) == len(second) == 2
        assert first.max() < second.min()
        assert (np.diff(places) > 1).all()
        assert places[3] - places[0] < N - 1
        assert (probes[0][places] == probes[4][places]).all()
        assert (probes[3] != probes[0]).sum() == 4
        for row in (1, 2, 3):
            same = probes[row] == probes[0]
            assert (same == (probes[4 + row] == probes[4])).all()


@pytest.mark.parametrize("shuffled", [False, True])
def test_pairs_pass_in_whatever_order_answers_come(shuffled):
    """After so many probes solutions are sampled for a fit."""
    state, count = probed(pairs, shuffled)
    assert state.pairing.record[0].phase == SAMPLING
    assert count == 8 * NUM_PASSED
    assert state.pairing.record[0].next_fit == int(2.5 * N * (N - 1) / 2)


@pytest.mark.parametrize("value", [tour, order, bottleneck, hashed, one_of_two])
def test_what_encodings_explain_or_pairs_do_not_is_given_up(value):
    """Few evaluations are lost on problems without this structure."""
    state, count = probed(value)
    assert state.pairing.record[0].phase == NO_MODEL
    assert count <= 8 * NUM_PASSED


def test_no_model_is_begun_that_could_never_keep_enough_for_a_fit():
    """Else random solutions would be asked for until the end: 36 pairs, 90 to fit."""
    assert probed(pairs, limit=29)[0].pairing.record[0].phase == NO_MODEL
    assert probed(pairs, limit=30)[0].pairing.record[0].phase == SAMPLING
