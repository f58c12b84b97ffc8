"""Search inside the tables: values beside permutations, and steps of any encoding."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models.additive import predict_step
from divlearn.methods.dl.kernels.search.sequences import choose_values
from divlearn.methods.dl.kernels.search.steps import improve_steps
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import new_search
from tests.kernels.dl.cases import small, state_for

SPACE = dl.Composite(
    order=dl.Permutation(4),
    level=dl.Integer(0, 4, n=2),
    kind=dl.Categorical(["a", "b", "c"]),
    few=dl.Subset(4, 2),
    bits=dl.Binary(2),
)


@lean_kernel
def values_chosen(state, weights, x):
    """Call the kernel as others do, by the state's address."""
    return choose_values(state, weights, x)


@lean_kernel
def steps_made(state, weights, kicks, limit, slot, x):
    """The same for steps."""
    return improve_steps(state, weights, kicks, limit, slot, x)


def costs_of_steps(state, x, weights, places):
    """What the tables say of every single change of ``places``, slowly."""
    costs = {}
    for i in places:
        for value in range(state.layout.places[i].arity):
            y = x.copy()
            y[i] = value
            predict_step(state.tables, state.layout, state.changes, x, y, state.delta)
            costs[i, value] = float(weights @ state.delta)
    return costs


@pytest.mark.parametrize("seed", range(4))
def test_positions_beside_permutations_get_their_best_values(seed):
    """Whatever encoding explains each output; limited subsets and orders stay."""
    state, rng = state_for(SPACE), np.random.default_rng(seed)
    state.tables.mean[:] = rng.normal(size=state.tables.mean.shape)
    state.tables.chosen[:] = rng.integers(0, len(state.tables.encodings), 2)
    x, weights = SPACE.encode(SPACE.sample(seed)), rng.random(2)
    free = [4, 5, 6, 11, 12]
    costs = costs_of_steps(state, x, weights, free)
    y = x.copy()
    gained = values_chosen(state, weights, y)
    kept = [i for i in range(len(x)) if i not in free]
    assert y[kept].tolist() == x[kept].tolist()
    least = {i: min(c for (k, _), c in costs.items() if k == i) for i in free}
    assert gained == pytest.approx(-sum(least.values()))
    for i in free:
        assert costs[i, int(y[i])] == pytest.approx(least[i])


def test_steps_inside_any_tables_gain_what_the_tables_say():
    """The gain that is returned is the predicted difference, and never negative."""
    problem = dl.problems.get("bitsp-9", instance=0)
    optimizer, _ = new_search(problem, small(), 0)
    for _ in range(30):
        candidate = optimizer.ask()[0]
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    state, weights = state_of(optimizer), np.array([1.0, 0.5])
    for rank in range(int(state.control[0].archive_size)):
        slot = int(state.archive.order[rank])
        start = state.archive.solutions[slot]
        x = start.copy()
        gained = steps_made(state, weights, 3, 20, slot, x)
        assert sorted(x) == list(range(9))
        predict_step(state.tables, state.layout, state.changes, start, x, state.delta)
        assert gained == pytest.approx(-(weights @ state.delta), abs=1e-9)
        assert gained >= 0.0
