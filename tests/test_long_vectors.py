"""Searches whose tables hold what was learned: long solutions, or short ones as if."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.dl import state as learner
from divlearn.methods.dl.kernels.memory import list_in_ring, recall_changes
from divlearn.methods.dl.kernels.models.encodings import NEIGHBOUR, list_changes
from divlearn.methods.dl.kernels.search.cycles import update_lists
from divlearn.methods.dl.kernels.search.tours import pair_cost
from divlearn.methods.dl.rules import completed, memory_for
from divlearn.problems import get

BUDGET = 400


@pytest.fixture(name="sparse")
def _sparse(monkeypatch):
    """Tables that list what was learned, whatever the size."""
    monkeypatch.setattr(learner, "LARGEST_TABLES", 0)


def begun(num_evaluations, seed=1):
    """A search on a short tour."""
    problem = get("bitsp-30", instance=3)
    method = dl.DL(gp_candidates=0, exploration=60)
    optimizer = dl.Optimizer(problem, method, seed=seed, budget=BUDGET)
    if num_evaluations:
        optimizer.run(num_evaluations)
    return optimizer


def priced(state, weights):
    """Scratch whose pairs cost what a state knows of them."""
    e, tables = int(state.tables.chosen[0]), state.tables
    return state.tour._replace(
        cost=np.zeros((0, 0)),
        keys=tables.keys[e],
        mean=tables.mean[e],
        points=state.points,
        weights=np.array(weights),
    )


def bytes_of(value):
    """Bytes of all arrays of a state."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(bytes_of, value)) if isinstance(value, tuple) else 0


@pytest.mark.parametrize(
    "space", [dl.Permutation(10_000), dl.Binary(30_000)], ids=["order", "bits"]
)
def test_the_state_of_a_long_search_is_small(space):
    """Tables of all pairs of 10,000 items would take 5 GB."""
    problem = dl.Problem(space, lambda x: (0, 0), ["a", "b"], noise=False)
    state = learner.new_state(problem, completed(dl.DL(), problem, 10_000), 0)
    assert bytes_of(state) < 1e9


def test_memory_of_differences_is_bounded_by_codes():
    """The usual number of differences as far as they fit."""
    assert memory_for(100) == memory_for(10_000) == 4096
    assert memory_for(100_000) == 500


@pytest.mark.usefixtures("sparse")
def test_points_are_fitted_without_a_table_of_all_pairs():
    """Only so tours of thousands of cities become short."""
    state = begun(BUDGET).steps.search.state
    assert state.tables.keys.shape[1] > 0
    assert state.control[0].fitted < 1e-3
    problem = get("bitsp-30", instance=3)
    tour = priced(state, [1.0, 0.0])
    costs = [[pair_cost(tour, a, b) for b in range(30)] for a in range(30)]
    # Distances are determined up to a constant, which any cycle has as often.
    assert np.corrcoef(np.ravel(costs), problem.distances[0].ravel())[0, 1] > 0.99


@pytest.mark.usefixtures("sparse")
def test_known_pairs_are_listed_by_cost():
    """Against sorting; what is not known costs nothing and is not near."""
    state = begun(150).steps.search.state
    state.points[...] = 0.0
    state.tables.chosen[:] = list(state.tables.encodings).index(NEIGHBOUR)
    state.delta[:] = 0.0
    update_lists(state)
    tour = priced(state, [1.0, 0.0])
    assert (state.near >= 0).any()
    for a in range(30):
        costs = [pair_cost(tour, a, b) for b in range(30)]
        best = sorted((b for b in range(30) if costs[b] < 0), key=costs.__getitem__)
        first = state.near[a][: len(best[:5])].tolist()
        assert_allclose([costs[b] for b in first], [costs[b] for b in best[:5]])


@pytest.mark.usefixtures("sparse")
def test_a_long_search_asked_and_told_is_the_compiled_one():
    """Both drivers leave one archive, to the last bit."""
    whole, told = begun(200), begun(0)
    for _ in range(200):
        (candidate,) = told.ask(1)
        told.tell(candidate, told.problem.evaluate(candidate.x))
    assert_array_equal(whole.result().F, told.result().F)


@pytest.mark.usefixtures("sparse")
def test_a_long_search_that_was_saved_goes_on_as_if_nothing_had_happened(tmp_path):
    """Lists of changes are part of the file."""
    half = begun(150)
    half.save(tmp_path / "half.npz")
    loaded = dl.Optimizer.load(tmp_path / "half.npz", half.problem)
    loaded.run(100)
    assert_array_equal(begun(250).result().F, loaded.result().F)


def test_listed_changes_are_recalled_and_too_many_are_none():
    """A row of the ring says what a step changed, or nothing."""
    state = begun(0).steps.search.state
    ring = state.ring._replace(changes=np.zeros((2, 1, 6), np.int64))
    x, layout, changes = np.arange(30), state.layout, state.changes
    y, z = x.copy(), x[::-1].copy()
    y[3:9] = y[3:9][::-1]
    z[[1, 20]], z[[5, 25]] = z[[20, 1]], z[[25, 5]]
    count = list_changes(layout, NEIGHBOUR, x, y, changes)
    actions, signs = changes.actions[:count].copy(), changes.signs[:count].copy()
    assert list_in_ring(ring, 1, 0, changes, count)
    changes.actions[:] = 0
    assert recall_changes(ring, 1, 0, changes) == count == 4
    assert_array_equal(changes.actions[:count], actions)
    assert_array_equal(changes.signs[:count], signs)
    many = list_changes(layout, NEIGHBOUR, x, z, changes)
    assert many > 6
    assert not list_in_ring(ring, 1, 0, changes, many)
    assert recall_changes(ring, 1, 0, changes) == 0
