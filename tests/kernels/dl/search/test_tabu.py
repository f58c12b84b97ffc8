"""Search inside the tables: walks, neighbours, the way back to what is feasible."""

import numpy as np
import pytest
from hypothesis import given, settings

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.front import gain
from divlearn.methods.dl.kernels.memory import hash_solution, is_seen
from divlearn.methods.dl.kernels.models.quadratic.values import new_values
from divlearn.methods.dl.kernels.search.neighbours import refine_values
from divlearn.methods.dl.kernels.search.tabu import (
    mend_values,
    new_walk,
    propose_values,
)
from tests.kernels.cases import SEEDS, words_of
from tests.kernels.dl.models.quadratic.cases import (
    SPACES,
    front_around,
    random_table,
    spaces,
)
from tests.reference.values import additive_outputs, all_codes

FEW = settings(max_examples=8 if JIT_DISABLED else 40)
BUT_ORDERED = sorted(set(SPACES) - {"numbers", "mixture"})


def known_truth(name, seed, constraints=1):
    """Layout, tables that are the truth, its outputs and a front of one member."""
    layout, rng = SPACES[name].layout, np.random.default_rng(seed)
    values = new_values(layout, 2 + constraints)
    values.singles.mean[:] = random_table(layout, 2 + constraints, rng)
    values.outputs.square[:] = 1.0
    codes = all_codes(layout)
    member = codes[rng.integers(len(codes))]
    base = -additive_outputs(values.singles.mean, 0.0, layout, member)

    def outputs(x):
        return additive_outputs(values.singles.mean, base, layout, x)

    return layout, values, outputs, front_around(layout, outputs, member[None], 2)


@FEW
@given(spaces, SEEDS)
def test_a_walk_finds_what_it_promises(name, seed):
    """True tables: the gain is that of the outputs; unseen, feasible, a member."""
    layout, values, outputs, front = known_truth(name, seed)
    walk, y = new_walk(layout, values, 2), np.zeros(len(layout.places), np.int64)
    weights = np.array([0.5, 0.5, 0.0])
    member = front.archive.order[0]
    promised = propose_values(
        values, layout, walk, weights, front, words_of(seed), member, 30, 9, 0.0, y
    )
    reachable = [
        gain(front.archive, front.size, outputs(x), front.low, front.high)
        for x in all_codes(layout)
        if outputs(x)[2] <= 0.0
    ]
    if promised == 0.0:
        return
    true = outputs(y)
    assert true[2] <= 1e-9
    assert promised == pytest.approx(
        gain(front.archive, front.size, true, front.low, front.high)
    )
    assert promised <= max(reachable) + 1e-9
    assert is_member(layout, y)
    assert not is_seen(front.seen, np.uint64(hash_solution(layout, y, False)))


def test_a_walk_stays_within_its_radius():
    """Further changes only lead back."""
    for seed in range(20):
        layout, values, _, front = known_truth("bits", seed, 0)
        walk, y = new_walk(layout, values, 2), np.zeros(6, np.int64)
        member = front.archive.order[0]
        if propose_values(
            values,
            layout,
            walk,
            np.array([0.5, 0.5]),
            front,
            words_of(seed),
            member,
            20,
            2,
            1.0,
            y,
        ):
            assert (y != front.archive.solutions[member]).sum() <= 2


@pytest.mark.parametrize("name", BUT_ORDERED)
def test_the_best_neighbour_is_found(name):
    """Up to three changes, compared with all such solutions."""
    for seed in range(4 if JIT_DISABLED else 15):
        layout, values, outputs, front = known_truth(name, seed)
        walk, y = new_walk(layout, values, 2), np.zeros(len(layout.places), np.int64)
        member = front.archive.order[0]
        x = front.archive.solutions[member]
        weights = np.array([0.5, 0.5, 0.0])
        promised = refine_values(values, layout, walk, weights, front, member, y)
        best = 0.0
        for z in all_codes(layout):
            out = outputs(z)
            if 0 < (z != x).sum() <= 3 and out[2] <= 0.0:
                value = gain(front.archive, front.size, out, front.low, front.high)
                best = max(best, value)
        assert promised == pytest.approx(best)
        if promised > 0.0:
            assert is_member(layout, y)


def test_neighbours_of_pairs_count_what_changes_do_together():
    """Two bits that are worth something only together, by order 2."""
    layout = dl.Binary(4).layout
    values = new_values(layout, 2)
    values.outputs.square[:] = values.outputs.error[:] = 1.0
    product = np.zeros((4, 4))
    product[0, 1] = product[1, 0] = -4.0
    values.pairs.product[:] = product[:, :, None]
    values.pairs.mean[[1, 3]] = 3.0  # each bit by itself costs more than it brings
    outputs = np.array([[4.0, 4.0]])
    start = np.zeros((1, 4), np.int64)
    front = front_around(layout, lambda x: outputs[0], start, 2)
    walk, y = new_walk(layout, values, 2), np.zeros(4, np.int64)
    member = front.archive.order[0]
    single = [values.pairs.mean[2 * i + 1, 0] for i in range(2)]
    assert min(single) > 0.0
    refine_values(values, layout, walk, np.ones(2), front, member, y)
    # Any pair of bits keeps the product; together they cost 6, so nothing is gained.
    assert not y[:2].all()
    values.pairs.product[:] *= -1.0
    refine_values(values, layout, walk, np.ones(2), front, member, y)
    assert y[:2].sum() == 1


@pytest.mark.parametrize("name", sorted(SPACES))
def test_what_violates_is_led_to_where_it_does_not(name):
    """Greedily, as far as single changes help."""
    mended = 0
    for seed in range(10):
        layout, values, outputs, _ = known_truth(name, seed)
        codes = all_codes(layout)
        worst = codes[np.argmax([outputs(x)[2] for x in codes])]
        walk, y = new_walk(layout, values, 2), np.zeros(len(layout.places), np.int64)
        weights = np.zeros(3)
        before = outputs(worst)
        if mend_values(values, layout, walk, weights, worst, before, y):
            assert is_member(layout, y)
            assert outputs(y)[2] < before[2]
            mended += outputs(y)[2] <= 1e-9
    assert mended > 0 or name == "some"
