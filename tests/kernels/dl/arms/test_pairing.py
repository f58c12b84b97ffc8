"""The pair model in whole searches."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.arms.bandit import (
    ARCHIVE,
    PAIRING,
    PATIENCE,
    SAMPLE,
    TABLES,
)
from divlearn.methods.dl.kernels.models.pairing.model import IN_USE, NO_MODEL, SAMPLING
from divlearn.methods.names import method_for
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import get
from tests.kernels.dl.cases import small
from tests.kernels.dl.models.pairing.cases import learn, with_model

slow = pytest.mark.skipif(JIT_DISABLED, reason="takes minutes in plain Python")


def searched(name, evaluations, **changes):
    """The optimizer after a search with a compiled objective."""
    settings = small(**changes)
    optimizer = dl.Optimizer(get(name), settings, 1, budget=2_000)
    optimizer.run(evaluations)
    return optimizer


@slow
def test_quadratic_assignment_is_understood_and_searched_inside_the_model():
    """Most of what it proposes enters the front; it is told in the result."""
    optimizer = searched("qap-12", 600)
    state = state_of(optimizer)
    assert state.pairing.record[0].phase == IN_USE
    assert state.pairing.errors.max() < 1e-3
    assert state.arms[PAIRING].tries > 20
    assert state.arms[PAIRING].entered > 0.8 * state.arms[PAIRING].tries
    # Nor are positions fitted, which explain no second difference.
    assert state.control[0].next_sums == state.control[0].position_samples > 0
    told = dl.solve(get("qap-12"), budget=400, seed=1, method="dl").explain()
    assert "model of pairs: error on held-out solutions" in told


def test_tables_that_find_nothing_give_way_to_a_model_in_use():
    """And wait for as long as they would anyway before there is one."""
    state, _, _ = with_model(8, 2, 0)
    x, y = np.arange(8), np.zeros(2)
    state.arms[TABLES].idle = state.arms[ARCHIVE].idle = 100
    learn(state, x, y, np.array([TABLES, 0]))
    assert state.arms[TABLES].pause == 100 // PATIENCE
    assert state.arms[ARCHIVE].pause == 0
    state.pairing.record.phase = SAMPLING
    learn(state, x, y, np.array([ARCHIVE, 0]))
    assert state.arms[ARCHIVE].pause == 0


@slow
def test_the_front_is_better_than_without_the_model():
    """The same seed and evaluations, the model switched off."""
    from divlearn.metrics import hypervolume

    values = []
    for pairing in (True, False):
        optimizer = searched("qap-12", 800, pairing=pairing)
        p = optimizer.problem
        front = optimizer.front_objectives
        values.append(hypervolume(front, p.reference, p.ideal, p.senses))
    assert values[0] > values[1]


@pytest.mark.parametrize("name", ["bitsp-12", "bifsp-12", "biatsp-12", "maxtsp-12"])
def test_other_problems_lose_a_few_evaluations_at_most(name):
    """Six random solutions at first, and at most three probes, after a while."""
    state = state_of(searched(name, 90 if JIT_DISABLED else 150))
    assert state.pairing.record[0].phase == NO_MODEL
    assert state.arms[SAMPLE].tries <= 6 + 24


def test_where_pairs_cannot_be_learned_nothing_is_kept_for_them():
    """Other spaces, other lengths, constraints, a small budget, or switched off."""
    permutation = dl.Permutation(20)
    cases = [
        (dl.Permutation(7), {}, 2_000, {}),
        (dl.Permutation(65), {}, 100_000, {}),
        (permutation, {}, 500, {}),
        (permutation, {"constraints": ["c"]}, 2_000, {}),
        (permutation, {}, 2_000, {"pairing": False}),
        (permutation, {}, 2_000, {"pairing_samples": 0}),
        (dl.Composite(a=permutation, b=dl.Binary(1)), {}, 2_000, {}),
    ]
    for space, options, budget, changes in cases:
        problem = dl.Problem(space, lambda x: None, ["f", "g"], **options)
        state = state_of(dl.Optimizer(problem, small(**changes), budget=budget))
        assert state.pairing.record[0].phase == NO_MODEL
        assert state.pairing.solutions.size == 0
    problem = dl.Problem(permutation, lambda x: None, ["f", "g"])
    state = state_of(dl.Optimizer(problem, method_for("dl"), budget=2_000))
    assert state.pairing.record[0].limit == 2 * 190


@slow
def test_ask_and_tell_in_batches_finds_the_same_structure():
    """Answers come in batches and backwards; none is lost and the model is found."""
    problem = get("qap-10")
    optimizer = dl.Optimizer(problem, small(), 3, budget=2_000)
    for _ in range(30):
        batch = optimizer.ask(12)
        for candidate in reversed(batch):
            assert sorted(candidate.x) == list(range(10))
            optimizer.tell(candidate, problem.evaluate(candidate.x))
    state = state_of(optimizer)
    assert state.pairing.record[0].phase == IN_USE
    assert np.isfinite(state.pairing.positions).all()
    assert state.arms[PAIRING].tries > 0
