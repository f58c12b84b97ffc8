"""A whole search on spaces without permutations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.arms.bandit import ARCHIVE, EXPLORE, TABLES, WALK
from divlearn.methods.dl.kernels.models.quadratic.values import is_exact
from divlearn.optimizer.optimizer import state_of
from tests.kernels.cases import ask_and_tell, differing_arrays
from tests.kernels.dl.cases import small
from tests.kernels.dl.models.quadratic.cases import SPACES, random_table
from tests.reference.values import additive_outputs, all_codes, front_of

SWITCHES = [
    {"pairs": False},
    {"plans": False},
    {"tables": False},
    {"archive": False},
    {"uncertainty": False},
    {"gaps": False},
    {"replays": 0},
    {"memory": 16},
    {"blind_share": 0.6},
    {"exploration": 0},
    {"window": 3},
]
COUNT = 50 if JIT_DISABLED else 150


def additive_problem(name, constraints=1, seed=3):
    """A sum over positions, two objectives; and the outputs of all solutions."""
    space = SPACES[name]
    layout, rng = space.layout, np.random.default_rng(seed)
    table = random_table(layout, 2 + constraints, rng)
    codes = all_codes(layout)
    everything = np.array([additive_outputs(table, 0.0, layout, x) for x in codes])
    base = np.zeros(2 + constraints)
    base[2:] = -np.median(everything[:, 2:], axis=0)
    names = [f"limit{j}" for j in range(constraints)]

    def evaluate(x):
        y = additive_outputs(table, base, layout, space.encode(x))
        return y[:2], y[2:]

    problem = dl.Problem(space, evaluate, ["f", "g"], constraints=names)
    return problem, everything + base


def quadratic_problem(n=12, seed=1):
    """Two random quadratic functions of bits."""
    factors = np.random.default_rng(seed).normal(size=(2, n, n))

    def evaluate(x):
        z = 2.0 * np.asarray(x) - 1.0
        return [float(z @ f @ z) for f in factors]

    return dl.Problem(dl.Binary(n), evaluate, ["f", "g"])


@pytest.mark.parametrize("name", sorted(SPACES))
def test_the_whole_front_of_a_sum_is_found(name):
    """Long before every solution has been evaluated, where single changes exist."""
    problem, everything = additive_problem(name)
    optimizer = dl.Optimizer(problem, small(exploration=60), 0)
    ask_and_tell(optimizer, 60)
    front = front_of(everything, 2)
    if name != "some":  # no single change keeps the size
        assert is_exact(state_of(optimizer).values)
        assert_allclose(np.unique(optimizer.front_objectives, axis=0), front)
    assert len(optimizer.front_objectives) > 0


def test_candidates_are_new_members_as_long_as_there_are_any():
    """Whichever arm makes them."""
    problem, _ = additive_problem("mixture")
    optimizer = dl.Optimizer(problem, small(exploration=30), 4)
    seen = set()
    for _ in range(60):
        (candidate,) = optimizer.ask()
        assert is_member(problem.space.layout, candidate.codes)
        seen.add(candidate.codes.tobytes())
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert len(seen) > 55


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_pairs_take_part_where_they_explain_more():
    """All arms are used, and order 2 predicts far better than order 1."""
    optimizer = dl.Optimizer(quadratic_problem(), small(), 0)
    ask_and_tell(optimizer, 600)
    state = state_of(optimizer)
    outputs = state.values.outputs
    assert (outputs.pair_error < 0.2 * outputs.error).all()
    for arm in (WALK, EXPLORE, TABLES, ARCHIVE):
        assert state.arms[arm].tries > 0


def test_a_search_that_begins_infeasible_is_led_to_what_is_feasible():
    """Only three of ten items fit; a random half of them never does."""
    weights = np.arange(1.0, 11.0)

    def evaluate(x):
        x = np.asarray(x)
        return [-float(x.sum()), float(weights @ x)], [float(weights @ x) - 7.0]

    problem = dl.Problem(dl.Binary(10), evaluate, ["f", "g"], constraints=["room"])
    optimizer = dl.Optimizer(problem, small(), 1)
    ask_and_tell(optimizer, 40)
    assert len(optimizer.front_objectives) >= 3


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
@pytest.mark.parametrize("changes", SWITCHES, ids=repr)
def test_every_switch_changes_the_search(changes):
    """For some seed and problem: which parts come into play is partly chance."""

    def steps(problem, seed, changes):
        optimizer = dl.Optimizer(problem, small(**changes), seed)
        codes = []
        for _ in range(COUNT):
            (candidate,) = optimizer.ask()
            codes.append(candidate.codes.tolist())
            optimizer.tell(candidate, problem.evaluate(candidate.x))
        return codes

    problems = [quadratic_problem(), additive_problem("bits")[0]]
    assert any(
        steps(problem, seed, changes) != steps(problem, seed, {})
        for problem in problems
        for seed in range(3)
    )


@pytest.mark.parametrize("after", [20, 45])
@pytest.mark.parametrize("kind", ["sum", "quadratic"])
def test_a_saved_search_goes_on_as_if_never_stopped(kind, after, tmp_path):
    """Tables, the plan and the prices of its last direction are in the file."""
    problem = quadratic_problem() if kind == "quadratic" else additive_problem("few")[0]
    whole, first = (dl.Optimizer(problem, small(exploration=25), 1) for _ in range(2))
    for optimizer in (whole, first):
        ask_and_tell(optimizer, after)
    first.save(tmp_path / "search")
    second = dl.Optimizer.load(tmp_path / "search", problem)
    assert differing_arrays(whole, second) == []
    for optimizer in (whole, second):
        ask_and_tell(optimizer, 30)
    assert differing_arrays(whole, second) == []


def test_both_drivers_agree_bit_for_bit(tiny_knapsack):
    """The compiled loop and ask and tell, through exploration, plan and blind steps."""
    ran, asked = (dl.Optimizer(tiny_knapsack, small(), 2) for _ in range(2))
    ran.run(COUNT)
    ask_and_tell(asked, COUNT)
    assert differing_arrays(ran, asked) == []
    assert state_of(ran).plan.control[0].ready == 1


def test_explain_says_what_was_learned_and_planned(tiny_knapsack):
    """Per output how well each order predicts; the plan, once there is one."""
    result = dl.solve(tiny_knapsack, COUNT, method=small())
    told = " ".join(result.explain().split())
    assert "planned front" in told
    assert "pairs of values" in told
    result = dl.solve(tiny_knapsack, 20, method=small(pairs=False))
    assert "pairs of values" not in " ".join(result.explain().split())
