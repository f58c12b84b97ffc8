"""Searches over spaces with structure: nothing but solutions is ever proposed."""

from itertools import pairwise

import numpy as np
import pytest
from numba import njit

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.kernels.dl.cases import small

CHOSEN = dl.Composite(
    parts=dl.Subset(7, min=2, max=4, forced=[1], forbidden=[6], exclusive=[[0, 2, 3]]),
    shifts=dl.Partition(6, 3, sizes=[2, 2, 2]),
    teams=dl.Partition(4, 2, sizes=[(1, 3), (0, 3)]),
)
ORDERED = dl.Composite(
    order=dl.Permutation(8, before=[(0, 3), (3, 1), (5, 2)], fixed={4: 1}),
    blocks=dl.Permutation(5, together=[[0, 2], [1, 3]]),
    shop=dl.Permutation(counts=[2, 2, 1]),
    parts=dl.Subset(4, forced=[0], exclusive=[[1, 2]]),
    size=dl.Integer(1, 4),
)
SPACES = {"chosen": CHOSEN, "ordered": ORDERED}


def sums_over(space, **options):
    """Sums over actions, of solutions only: anything else is an error."""
    rng = np.random.default_rng(4)
    worth = rng.random((2, int(space.layout.places.arity.sum())))
    first = space.layout.places.offset

    def evaluate(x):
        codes = space.encode(x)
        return worth[:, first + codes].sum(axis=1) + 0.1 * codes[0] * codes[-1]

    return dl.Problem(space, evaluate, ["a", "b"], **options)


@njit
def product(x, table, y):
    """An objective over codes, for a compiled search."""
    y[0], y[1] = 0.0, 0.0
    for i in range(len(x)):
        y[0] += table[i, x[i]]
        y[1] -= table[i, x[i]] * table[i, 0]


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(
    "method",
    [
        small(),
        dl.DL(initial=5),
        "paper-ucb",
        "paper-literal",
        "random",
        "pure-ucb",
        "nsga2",
        "moead",
        "optuna-tpe",
    ],
    ids=lambda method: method if isinstance(method, str) else method.gp_candidates,
)
def test_every_method_proposes_solutions_only(space, method):
    """All that can treat any space treat structure, too."""
    problem = sums_over(SPACES[space])
    result = dl.solve(problem, budget=60, method=method, seed=3)
    assert result.evaluations == 60


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("method", [small(), "paper-ucb"], ids=["dl", "paper"])
def test_both_loops_make_the_same_search(space, method):
    """Compiled from end to end, and one ask and tell after the other."""
    space = SPACES[space]
    levels = int(space.layout.places.arity.max())
    table = np.random.default_rng(5).random((space.num_positions, levels))
    compiled = dl.Compiled(product, table=table)
    problem = dl.Problem(space, None, ["a", "b"], compiled=compiled)
    one, other = (dl.Optimizer(problem, method, 2, budget=90) for _ in range(2))
    one.run(90)
    ask_and_tell(other, 90)
    assert differing_arrays(one, other) == []


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("method", [small(), "paper-ucb"], ids=["dl", "paper"])
def test_a_saved_search_goes_on_as_if_it_had_not_stopped(space, method, tmp_path):
    """And its file is held to the rules of the space."""
    problem = sums_over(SPACES[space])
    one = dl.Optimizer(problem, method, 2, budget=80)
    ask_and_tell(one, 50)
    one.save(tmp_path / "state.npz")
    other = dl.Optimizer.load(tmp_path / "state.npz", problem)
    ask_and_tell(one, 20)
    ask_and_tell(other, 20)
    assert differing_arrays(one, other) == []


@pytest.mark.parametrize("method", ["dl", "paper-ucb", "random"])
def test_long_chains_and_taken_places_cost_no_refusal(method):
    """A chain of twenty steps, and an order of which three fifths are fixed."""
    chain = list(pairwise(range(21)))
    taken = {place: place for place in range(0, 30, 5)} | {
        place: place for place in range(1, 30, 5)
    }
    taken |= {place: place for place in range(2, 30, 5)}
    assert len(taken) == 18
    space = dl.Composite(
        chained=dl.Permutation(25, before=chain), held=dl.Permutation(30, fixed=taken)
    )
    asked = []

    def valid(x):
        asked.append(space.contains(x))
        return asked[-1]

    problem = sums_over(space, valid=valid)
    assert dl.solve(problem, budget=40, method=method, seed=1).evaluations == 40
    assert len(asked) >= 40
    assert all(asked)


def test_a_schedule_finds_the_best_orders_of_a_chain():
    """Few orders keep the precedence, and a short search evaluates each of them."""
    space = dl.Permutation(5, before=[(0, 1), (1, 2), (2, 3)])
    problem = dl.Problem(space, lambda x: (x[0], -x[-1]), ["a", "b"])
    result = dl.solve(problem, budget=200, seed=0)
    assert result.evaluations < 200
    assert result.stopped == "all 5 solutions evaluated"


@pytest.mark.skipif(JIT_DISABLED, reason="a specialised solver compiles")
def test_solvers_of_tours_say_that_they_cannot():
    """They know tours only, and name what they treat."""
    with pytest.raises(dl.InputError, match="handles TSP"):
        dl.solve(sums_over(dl.Permutation(6, before=[(0, 1)])), 20, method="ws-2opt")
