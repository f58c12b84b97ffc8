import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.layout import sample
from divlearn.kernels.records import saved_arrays
from divlearn.methods.dl import state as learner
from divlearn.methods.dl.kernels.arms.bandit import ARCHIVE, TABLES
from divlearn.methods.dl.kernels.memory import remember_difference
from divlearn.methods.dl.kernels.models.additive import (
    LEAST_VARIANCE,
    choose_encodings,
    chosen_quality,
    is_chosen,
    learn_difference,
    list_step,
    predict_step,
    quality,
    uncertainty,
    weighted_quality,
)
from divlearn.methods.dl.kernels.models.replay import replay
from divlearn.methods.dl.method import ENCODINGS
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import SEEDS, composites, words_of
from tests.kernels.dl.cases import EVALUATIONS, small, state_for
from tests.reference import differences as reference

MIXED = dl.Composite(a=dl.Permutation(5), b=dl.Integer(0, 5, n=2), c=dl.Binary(3))


def additive(space, encodings, scale=1.0, seed=0):
    """Outputs that are sums over the actions of one encoding each."""
    actions = int(space.layout.places.arity.sum())
    values = scale * np.random.default_rng(seed).normal(size=(len(encodings), actions))

    def outputs(x):
        return np.array(
            [
                reference.total(space.segments(), e, v, x)
                for e, v in zip(encodings, values, strict=True)
            ]
        )

    return outputs


def steps(space, number, seed=0):
    """Random steps of one to three moves: codes before and after."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        x = space.sample(int(rng.integers(2**31)))
        y = x
        for _ in range(int(rng.integers(1, 4))):
            y = space.neighbour(y, int(rng.integers(2**31)))
        yield space.encode(x), space.encode(y)


def learned(space, encodings, number=150, replays=6, scale=1.0):
    """The state after so many judged steps with replays; and the outputs."""
    state = state_for(space, len(encodings))
    outputs, words = additive(space, encodings, scale), words_of(0)
    for row, (x, y) in enumerate(steps(space, number)):
        remember_difference(state.ring, row, x, outputs(x), y, outputs(y))
        delta = state.ring.deltas[row]
        learn_difference(state.tables, space.layout, state.changes, x, y, delta, True)
        replay(
            state.tables,
            space.layout,
            state.changes,
            state.ring,
            row + 1,
            replays,
            words,
        )
    return state, outputs


def unexplained(state, space, outputs):
    """Squared error of predictions of new steps by their squared size, per output."""
    errors, sizes = 0.0, 0.0
    for x, y in steps(space, 40, seed=1):
        predict_step(state.tables, space.layout, state.changes, x, y, state.delta)
        delta = outputs(y) - outputs(x)
        errors, sizes = errors + (state.delta - delta) ** 2, sizes + delta**2
    return errors / sizes


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_sum_over_actions_is_soon_predicted_exactly(name):
    """And the encoding that it is a sum over is the one chosen."""
    e = ENCODINGS.index(name)
    state, outputs = learned(MIXED, [e, e])
    tables = state.tables
    # Values and steps between values can express the same sums.
    as_good = {0, 4} if e in (0, 4) else {e}
    assert set(tables.encodings[tables.chosen]) <= as_good
    assert (unexplained(state, MIXED, outputs) < 0.02).all()
    q = [quality(tables, tables.chosen[j], j) for j in (0, 1)]
    assert max(q) < 0.2
    assert chosen_quality(tables, 2) == max(q)


def test_every_output_chooses_an_encoding_of_its_own():
    """One objective may depend on places while another depends on neighbours."""
    encodings = [0, 1, 2, 3]
    state, outputs = learned(dl.Permutation(6), encodings, 220)
    tables = state.tables
    assert_array_equal(tables.encodings[tables.chosen], encodings)
    assert [is_chosen(tables, e) for e in range(4)] == [True] * 4
    assert (unexplained(state, dl.Permutation(6), outputs) < 0.05).all()


def test_replays_teach_more_than_single_differences():
    """The reason for keeping them."""
    state, outputs = learned(MIXED, [0, 0], 60, replays=0)
    once = unexplained(state, MIXED, outputs)
    state, outputs = learned(MIXED, [0, 0], 60, replays=6)
    assert (unexplained(state, MIXED, outputs) < once).all()


@pytest.mark.parametrize("scale", [2.0**-20, 2.0**20])
def test_the_unit_of_an_objective_does_not_matter(scale):
    """Metres or kilometres: the same choice, as well explained."""
    plain, _ = learned(dl.Permutation(5), [1, 1], 80)
    scaled, _ = learned(dl.Permutation(5), [1, 1], 80, scale=scale)
    assert_array_equal(scaled.tables.chosen, plain.tables.chosen)
    for j in (0, 1):
        q = [quality(s.tables, s.tables.chosen[j], j) for s in (plain, scaled)]
        assert_allclose(q[1], q[0], atol=0.05)


def test_a_step_that_an_encoding_does_not_see_counts_against_it():
    """Rotations change costs of places; neighbours must not look exact for that."""
    space = dl.Permutation(3)  # all orders have the same neighbours
    state, _ = learned(space, [0, 0], 60)
    tables = state.tables
    neighbour = tables.encodings.tolist().index(2)
    assert not is_chosen(tables, neighbour)
    assert_allclose(quality(tables, neighbour, 0), 1.0, atol=1e-9)


def test_what_the_tables_recommended_does_not_judge_them():
    """Such steps are chosen for their predictions, so their errors are biased."""
    space = dl.Permutation(5)
    state, outputs = state_for(space), additive(space, [0, 1])
    tables = state.tables
    for x, y in steps(space, 20):
        delta = outputs(y) - outputs(x)
        learn_difference(tables, space.layout, state.changes, x, y, delta, False)
    for array in (tables.error, tables.size, tables.noise, tables.chosen):
        assert not array.any()
    assert tables.mean.any()
    assert quality(tables, 0, 0) == 1.0


def test_variances_fall_with_every_change_and_have_a_least_value():
    """A replay leaves them alone: it is nothing new."""
    space = dl.Permutation(5)
    state, outputs, words = state_for(space), additive(space, [0, 1]), words_of(0)
    before = state.tables.variance.copy()
    for row, (x, y) in enumerate(steps(space, 60)):
        remember_difference(state.ring, row, x, outputs(x), y, outputs(y))
        delta = state.ring.deltas[row]
        learn_difference(state.tables, space.layout, state.changes, x, y, delta, True)
        assert (state.tables.variance <= before).all()
        assert (state.tables.variance >= LEAST_VARIANCE).all()
        before = state.tables.variance.copy()
        mean = state.tables.mean.copy()
        replay(state.tables, space.layout, state.changes, state.ring, row + 1, 2, words)
        assert_array_equal(state.tables.variance, before)
    assert (state.tables.mean != mean).any()
    assert (before < 0.5).any()


def test_a_rival_must_be_better_by_a_tenth():
    """Else the choice would flicker between encodings that are as good."""
    tables = state_for(dl.Permutation(5)).tables
    tables.error[:, 0] = [1.0, 0.95, 0.91, 2.0]
    tables.error[:, 1] = [1.0, 0.85, 0.8, 0.7]
    choose_encodings(tables)
    assert_array_equal(tables.chosen, [0, 3])


def test_constant_outputs_leave_the_tables_at_zero():
    """Nothing to learn, and no division by nothing."""
    space = dl.Permutation(5)
    state = state_for(space)
    for x, y in steps(space, 20):
        delta = np.zeros(2)
        learn_difference(state.tables, space.layout, state.changes, x, y, delta, True)
    assert not state.tables.mean.any()
    assert np.isfinite(state.tables.variance).all()
    assert chosen_quality(state.tables, 2) == 1.0


def rows_of(monkeypatch, most, rows):
    """Let tables be sparse above so many numbers, with so many rows."""
    monkeypatch.setattr(learner, "LARGEST_TABLES", most)
    monkeypatch.setattr(learner, "SPARSE_ROWS", rows)


@pytest.mark.parametrize("space", [dl.Permutation(7), MIXED])
def test_sparse_tables_predict_what_full_ones_predict(space, monkeypatch):
    """As long as there is a row for every action that was met."""
    outputs = additive(space, [0, 1])
    full = state_for(space)
    rows_of(monkeypatch, 0, 1024)
    sparse = state_for(space)
    assert sparse.tables.keys.shape[1] == 1024
    assert full.tables.keys.shape[1] == 0
    deltas = np.empty((2, 2))
    for x, y in steps(space, 60, seed=4):
        for state, delta in zip((full, sparse), deltas, strict=True):
            arguments = (state.tables, space.layout, state.changes, x, y)
            predict_step(*arguments, delta)
            learn_difference(*arguments, outputs(y) - outputs(x), True)
        assert_allclose(deltas[0], deltas[1], atol=1e-12)
    known = [set(row[row >= 0].tolist()) for row in sparse.tables.keys]
    assert known == [
        set(np.flatnonzero(row < 1.0).tolist()) for row in full.tables.variance
    ]


def test_actions_without_a_row_teach_nothing_and_do_no_harm(monkeypatch):
    """Four rows for dozens of actions: the row of strangers stays as it was."""
    space = dl.Permutation(7)
    outputs = additive(space, [0, 1])
    rows_of(monkeypatch, 0, 4)
    state = state_for(space)
    for x, y in steps(space, 60, seed=5):
        delta = outputs(y) - outputs(x)
        learn_difference(state.tables, space.layout, state.changes, x, y, delta, True)
    assert (state.tables.keys >= 0).all()
    assert not state.tables.mean[:, -1].any()
    assert (state.tables.variance[:, -1] == 1.0).all()
    assert state.tables.mean[:, :-1].any()


def test_a_search_with_sparse_tables_uses_them(monkeypatch):
    """Neighbours of members and searches inside, without the costs of all pairs."""
    rows_of(monkeypatch, 0, 4096)
    problem = dl.problems.get("bitsp-12", instance=0)
    optimizer = dl.Optimizer(problem, small(exploration=20), 0)
    for _ in range(EVALUATIONS):
        candidate = optimizer.ask()[0]
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    state = state_of(optimizer)
    assert state.tour.cost.shape[0] == 0
    assert state.arms[ARCHIVE].tries > 0
    assert state.arms[TABLES].tries > 0


def test_long_permutations_take_little_memory():
    """5,000 items: far less than the 1.8 GB of a row for every action."""
    state = state_for(dl.Permutation(5000))
    arrays = saved_arrays(state)
    assert sum(array.nbytes for array in arrays.values()) < 600e6


@pytest.mark.parametrize(
    ("weights", "expected"), [([1.0, 0.0], 0.1), ([1.0, 0.01], 0.1), ([1.0, 1.0], 0.9)]
)
def test_tables_are_trusted_by_the_outputs_that_matter(weights, expected):
    """An output that is not understood does no harm where it hardly weighs."""
    tables = state_for(dl.Permutation(4)).tables
    tables.size[:] = 2.0
    tables.error[0] = [0.2, 1.8]
    tables.chosen[:] = 0
    assert weighted_quality(tables, np.array(weights)) == pytest.approx(expected)


def test_tables_that_know_nothing_are_not_trusted():
    """Before the first difference."""
    tables = state_for(dl.Permutation(4)).tables
    assert weighted_quality(tables, np.ones(2)) == 1.0


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
    e = tables.chosen[0]
    count = list_step(tables, e, space.layout, state.changes, x, y, False)
    found = uncertainty(tables, e, state.changes, count)
    changed = reference.changes(segments, tables.encodings[e], x, y)
    assert_allclose(found, sum(tables.variance[e, action] for action, _ in changed))
