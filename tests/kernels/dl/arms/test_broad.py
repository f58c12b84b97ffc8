"""Broad steps: candidates where positions are more than evaluations."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.search.broad import mend_broadly, step_broadly
from divlearn.methods.dl.kernels.state import OF_TABLES
from divlearn.methods.dl.rules import completed
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.kernels.dl.cases import small, state_for

slow = pytest.mark.skipif(JIT_DISABLED, reason="too long in plain Python")
BROAD = small(broad=True, pairs=False)


def knapsack(n, instance=0, **options):
    """Items of which a quarter fits."""
    rng = np.random.default_rng(instance)
    weights, values = rng.random(n), rng.random((n, 2))
    capacity = weights.sum() / 4.0
    return dl.problems.Knapsack(weights, values, capacity, **options)


def additive(n, instance=0):
    """Bits with two worths each and a limit on a third sum."""
    table = np.random.default_rng(instance).normal(size=(n, 3))

    def evaluate(x):
        return tuple(np.asarray(x) @ table)

    names = {"objectives": ["first", "second"], "constraints": ["third"]}
    return dl.Problem(dl.Binary(n), evaluate, noise=False, **names), table


def asked(space, names, **options):
    """A problem that nobody evaluates."""
    return dl.Problem(space, lambda x: None, names, **options)


@pytest.mark.parametrize(
    ("problem", "budget", "broad"),
    [
        (asked(dl.Binary(3_000), ["a"]), 1_000, True),
        (asked(dl.Integer(0, 2, n=3_000), ["a"]), 6_000, True),
        (asked(dl.Binary(3_000), ["a"]), 4_000, False),
        (asked(dl.Binary(3_000), ["a"]), None, False),
        (asked(dl.Binary(900), ["a"], constraints=["c"]), 100, False),
        (asked(dl.Binary(901), ["a"], constraints=["c"]), 100, True),
        (asked(dl.Subset(3_000, 5), ["a"]), 1_000, False),
        (asked(dl.Permutation(3_000), ["a"]), 1_000, False),
        (knapsack(1_000, repair="random-drop"), 500, False),
        (
            asked(dl.Binary(3_000), ["a"], constraints=list("cdefg")),
            9,
            False,
        ),
    ],
)
def test_steps_are_broad_where_values_cannot_be_tried_one_by_one(
    problem, budget, broad
):
    """Short problems and those with enough evaluations are searched as before."""
    assert completed(dl.DL(), problem, budget).broad is broad
    assert completed(dl.DL(broad=False), problem, budget).broad is False


def test_long_solutions_are_tried_value_by_value_if_most_of_a_budget_suffices():
    """Half of it did not, and sums that are known exactly are worth the other half."""
    for n, budget, exploration in ((1_000, 1_200, 1_050), (1_000, 4_000, 2_000)):
        problem = asked(dl.Binary(n), ["a"], constraints=["c"])
        assert completed(dl.DL(), problem, budget).exploration == exploration


def test_the_first_and_the_last_values_come_first_and_teach_the_mean():
    """After them every position is worth as much as all of them are on average."""
    problem, table = additive(30)
    optimizer = dl.Optimizer(problem, BROAD, seed=1)
    for expected in (0, 1):
        (candidate,) = optimizer.ask(1)
        assert set(np.asarray(candidate.x, int)) == {expected}
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    mean = state_of(optimizer).values.singles.mean
    np.testing.assert_allclose(
        mean[1::2] - mean[::2], np.tile(table.mean(axis=0), (30, 1))
    )


def test_corners_that_are_answered_late_teach_as_much():
    """A batch asks for both of them before either is answered."""
    problem, table = additive(30)
    optimizer = dl.Optimizer(problem, BROAD, seed=1)
    for candidate in optimizer.ask(2):
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    mean = state_of(optimizer).values.singles.mean
    np.testing.assert_allclose((mean[1::2] - mean[::2])[0], table.mean(axis=0))


@pytest.mark.parametrize("seed", range(5))
def test_a_broad_step_takes_what_pays_and_keeps_the_constraint(seed):
    """With exact tables it does what they say: better, feasible, and no other change.

    Every change has to be one of those that are best at the same price.
    """
    rng = np.random.default_rng(seed)
    state = state_for(dl.Binary(60), settings=BROAD, constraints=["c"])
    worth = rng.normal(size=(60, 3))
    state.values.singles.mean[1::2] = worth
    state.weights[OF_TABLES] = [0.5, 0.5, 0.0]
    source, x = rng.integers(0, 2, 60), np.empty(60, np.int64)
    outputs = source @ worth
    outputs[2] = -1.0
    assert step_broadly(state, source, outputs, x)
    change = (x - source) @ worth
    assert outputs[2] + change[2] <= 1e-9
    assert 0.5 * (change[0] + change[1]) < 0.0
    price = state.inside.relax.price[0]
    priced = (x - source) * (worth @ [0.5, 0.5, price])
    assert (priced[x != source] < 0.0).all()


def test_what_violates_a_constraint_is_mended_and_not_changed_further():
    """Three ones too many: three of them go, as far as the table is right."""
    state = state_for(dl.Binary(60), settings=BROAD, constraints=["c"])
    state.values.singles.mean[1::2, 2] = 1.0
    source, x = np.ones(60, np.int64), np.empty(60, np.int64)
    assert mend_broadly(state, source, np.array([0.0, 0.0, 3.0]), x)
    assert x.sum() == 57


@slow
def test_a_long_knapsack_is_filled_within_few_evaluations():
    """Nothing that fits is found otherwise before every item was tried."""
    problem = knapsack(1_000, reference=[125, 125], ideal=[375, 375])
    volumes = [
        dl.solve(problem, budget=300, method=method, seed=0).hypervolume()
        for method in ("dl", dl.DL(broad=False))
    ]
    assert volumes[0] > 0.05
    assert volumes[1] == 0.0


@slow
def test_both_loops_agree_on_broad_steps():
    """One algorithm, whether it is compiled as a whole or asked and told."""
    problem = knapsack(1_000)
    one, other = (dl.Optimizer(problem, "dl", seed=4, budget=300) for _ in range(2))
    ask_and_tell(one, 200)
    other.run(200)
    assert state_of(one).control[0].broad == 1
    assert differing_arrays(one, other) == []


@slow
def test_a_saved_search_goes_on_with_broad_steps(tmp_path):
    """The choice is a part of the state."""
    problem = knapsack(1_000)
    optimizer = dl.Optimizer(problem, "dl", seed=4, budget=300)
    optimizer.run(180)
    optimizer.save(tmp_path / "state.npz")
    loaded = dl.Optimizer.load(tmp_path / "state.npz", problem)
    optimizer.run(60)
    loaded.run(60)
    assert differing_arrays(optimizer, loaded) == []
