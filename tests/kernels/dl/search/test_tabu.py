"""Search inside the tables: walks, neighbours, the way back to what is feasible."""

import numpy as np
import pytest
from hypothesis import given, settings

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.front import gain
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.search.neighbours import refine_values
from divlearn.methods.dl.kernels.search.tabu import (
    mend_values,
    walk_values,
)
from divlearn.methods.dl.kernels.state import OF_TABLES
from tests.kernels.cases import SEEDS, words_of
from tests.kernels.dl.models.quadratic.cases import (
    SPACES,
    random_table,
    spaces,
    state_around,
)
from tests.reference.values import additive_outputs, all_codes

FEW = settings(max_examples=8 if JIT_DISABLED else 40)
BUT_ORDERED = sorted(set(SPACES) - {"numbers", "mixture"})


def known_truth(name, seed, constraints=1):
    """A state whose tables are the truth, with one member; and the true outputs."""
    space, rng = SPACES[name], np.random.default_rng(seed)
    layout, codes = space.layout, all_codes(space.layout)
    table = random_table(layout, 2 + constraints, rng)
    member = codes[rng.integers(len(codes))]
    base = -additive_outputs(table, 0.0, layout, member)

    def outputs(x):
        return additive_outputs(table, base, layout, x)

    state = state_around(space, outputs, member[None], 2)
    state.values.singles.mean[:] = table
    state.values.outputs.square[:] = 1.0
    state.weights[OF_TABLES, :2] = 0.5
    return state, outputs


def gain_of(state, y):
    """What outputs ``y`` add to the front."""
    size = int(state.control[0].archive_size)
    return gain(state.archive, size, y, state.low, state.high)


@FEW
@given(spaces, SEEDS)
def test_a_walk_finds_what_it_promises(name, seed):
    """True tables: the gain is that of the outputs; unseen, feasible, a member."""
    state, outputs = known_truth(name, seed)
    layout, y = state.layout, np.zeros(len(state.layout.places), np.int64)
    state.rng[:] = words_of(seed)
    promised = walk_values(state, state.archive.order[0], 30, 9, 0.0, y)
    reachable = [
        gain_of(state, outputs(x)) for x in all_codes(layout) if outputs(x)[2] <= 0.0
    ]
    if promised == 0.0:
        return
    true = outputs(y)
    assert true[2] <= 1e-9
    assert promised == pytest.approx(gain_of(state, true))
    assert promised <= max(reachable) + 1e-9
    assert is_member(layout, y)
    assert not is_seen(state.seen, np.uint64(hash_solution(layout, y, False)))


def test_a_walk_stays_within_its_radius():
    """Further changes only lead back."""
    for seed in range(20):
        state, _ = known_truth("bits", seed, 0)
        member, y = state.archive.order[0], np.zeros(6, np.int64)
        state.rng[:] = words_of(seed)
        if walk_values(state, member, 20, 2, 1.0, y):
            assert (y != state.archive.solutions[member]).sum() <= 2


@pytest.mark.parametrize("name", BUT_ORDERED)
def test_the_best_neighbour_is_found(name):
    """Up to three changes, compared with all such solutions."""
    for seed in range(4 if JIT_DISABLED else 15):
        state, outputs = known_truth(name, seed)
        layout, y = state.layout, np.zeros(len(state.layout.places), np.int64)
        member = state.archive.order[0]
        x = state.archive.solutions[member]
        promised = refine_values(state, member, y)
        best = 0.0
        for z in all_codes(layout):
            out = outputs(z)
            if 0 < (z != x).sum() <= 3 and out[2] <= 0.0:
                best = max(best, gain_of(state, out))
        assert promised == pytest.approx(best)
        if promised > 0.0:
            assert is_member(layout, y)


def test_neighbours_of_pairs_count_what_changes_do_together():
    """Two bits that are worth something only together, by order 2."""
    start, y = np.zeros((1, 4), np.int64), np.zeros(4, np.int64)
    state = state_around(dl.Binary(4), lambda x: np.array([4.0, 4.0]), start, 2)
    values, member = state.values, state.archive.order[0]
    state.weights[OF_TABLES] = 1.0
    values.outputs.square[:] = values.outputs.error[:] = 1.0
    product = np.zeros((4, 4))
    product[0, 1] = product[1, 0] = -4.0
    values.pairs.product[:] = product[:, :, None]
    values.pairs.mean[[1, 3]] = 3.0  # each bit by itself costs more than it brings
    single = [values.pairs.mean[2 * i + 1, 0] for i in range(2)]
    assert min(single) > 0.0
    refine_values(state, member, y)
    # Any pair of bits keeps the product; together they cost 6, so nothing is gained.
    assert not y[:2].all()
    values.pairs.product[:] *= -1.0
    refine_values(state, member, y)
    assert y[:2].sum() == 1


@pytest.mark.parametrize("name", sorted(SPACES))
def test_what_violates_is_led_to_where_it_does_not(name):
    """Greedily, as far as single changes help."""
    mended = 0
    for seed in range(10):
        state, outputs = known_truth(name, seed)
        codes = all_codes(state.layout)
        worst = codes[np.argmax([outputs(x)[2] for x in codes])]
        before, y = outputs(worst), np.zeros_like(worst)
        if mend_values(state, worst, before, y):
            assert is_member(state.layout, y)
            assert outputs(y)[2] < before[2]
            mended += outputs(y)[2] <= 1e-9
    assert mended > 0 or name == "some"
