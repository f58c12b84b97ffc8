"""What answers do to the state."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.methods.paper.experts import Learning
from divlearn.methods.paper.kernels.scalarization import scalarize
from divlearn.methods.paper.kernels.schedule import learn
from divlearn.methods.paper.kernels.search import (
    ADDED,
    CONSTRUCTION,
    REFINEMENT,
    SAMPLE,
    observe,
)
from tests.kernels.cases import hashed_problem, new_search, small_settings, walk
from tests.reference import decomposition as reference


def observed(problem, answers, settings=None):
    """The state after answers to samples; their codes are all zeros."""
    optimizer, state = new_search(problem, settings or small_settings())
    n = problem.space.num_positions
    ticket = np.array([SAMPLE, 0])
    entered = [
        observe(state, np.full(n, number), np.array(answer, float), ticket)
        for number, answer in enumerate(answers)
    ]
    return optimizer, state, entered


def constrained_problem():
    """One objective to make small and one to make large, under a constraint."""
    senses = {"cost": "min", "gain": "max"}
    space = dl.Integer(0, 9, n=2)
    return dl.Problem(space, lambda x: (0, 0, 0), senses, constraints=["over"])


def test_answers_keep_their_senses_and_widen_the_bounds():
    """Inside everything is minimised; the front is reported in the user's senses."""
    answers = [(1, 5, 0), (2, 9, -1), (3, 7, 0)]
    optimizer, state, entered = observed(constrained_problem(), answers)
    assert entered == [True, True, False]
    assert_array_equal(state.objectives.low, [1, -9])
    assert_array_equal(state.objectives.high, [3, -5])
    assert_array_equal(optimizer.front_objectives, [(1, 5), (2, 9)])
    assert optimizer.evaluations == 3


def test_infeasible_answers_stay_outside_of_archive_and_bounds():
    """The least violating one is remembered for the case that none is feasible."""
    answers = [(0, 99, 3), (0, 99, 1), (0, 99, 2)]
    optimizer, state, entered = observed(constrained_problem(), answers)
    assert entered == [False, False, False]
    assert optimizer.front_size == 0
    assert state.control[0].least_violation == 1
    assert_array_equal(state.least_violating, [1, 1])
    assert np.isinf(state.objectives.low).all()


def test_the_reward_is_one_for_the_best_and_minus_one_for_the_worst():
    """Rewards are 1 - 2 cost in [-1, 1]; an infeasible solution gets -1."""
    answers = [(0, 10, 0), (4, 0, 0)]
    _, state, _ = observed(constrained_problem(), answers)
    rewards = {}
    for a, y in enumerate(([0, -10, 0], [4, 0, 0], [1, -10, 0], [0, -10, 5])):
        learn(state, np.array([a, a]), np.array(y, float), 1)
        rewards[a] = state.actions.value[a]
    assert_allclose(list(rewards.values()), [1, -1, 0.75, -1])


def test_dual_prices_lower_the_reward():
    """The penalty enters through the reward, r - sum lambda xi, and is clipped."""
    settings = small_settings(**{"decomposition.size": 4, "decomposition.overlap": 3})
    problem = dl.Problem(dl.Categorical("ab", n=6), lambda x: (0, 0), ["f", "g"])
    _, state, _ = observed(problem, [(0, 0), (1, 1)], settings)
    zeros, ones = np.zeros(6, np.int64), np.ones(6, np.int64)
    learn(state, zeros, np.array([0.0, 0.0]), 1)  # reward 1: V = (1, 0), Var = 1/4
    state.positions.dual = 0.1
    windows = reference.windows(6, 4, 3, 1, 0.0)
    overlaps = [reference.multiplicity(windows, i) - 1 for i in range(6)]
    learn(state, ones, np.array([0.0, 0.0]), 1)
    expected = 1.0 - 0.1 * 0.25 * sum(overlaps)
    assert sum(overlaps) > 0
    assert_allclose(state.actions.value[1], expected)
    state.positions.dual = 1e6
    learn(state, ones, np.array([0.0, 0.0]), 1)
    assert_allclose(state.actions.value[1], (expected - 1.0) / 2)


@pytest.mark.parametrize(
    ("update", "share", "expected"),
    [
        ("never", False, [0]),
        ("iteration", False, [0, 1, 2]),
        ("evaluation", False, None),
        ("iteration", True, None),
    ],
)
def test_tables_learn_when_they_are_told_to(update, share, expected):
    """Once per iteration as printed, after every evaluation, or never."""
    settings = small_settings(learning=Learning(update=update, share_tables=share))
    optimizer, state = new_search(hashed_problem(dl.Binary(6)), settings)
    counts = [int(state.control[0].updates) for _ in walk(optimizer, state, 120)]
    if expected is not None:
        assert set(counts) == set(expected)
    elif share:
        assert counts == sorted(counts)
        assert counts[-1] > 3
    else:
        # From zero at each weight, by one with every evaluation.
        rises = np.diff(counts)
        assert set(rises[rises >= 0]) == {1}
        assert (rises < 0).any()


@pytest.mark.parametrize("share", [False, True])
def test_late_answers_teach_the_tables_of_their_own_weight_only(share):
    """Tables of another weight would take them for rewards of their own."""
    settings = small_settings(
        learning=Learning(update="evaluation", share_tables=share)
    )
    _, state = new_search(hashed_problem(dl.Binary(6)), settings)
    x, answer = np.zeros(6, np.int64), np.array([1.0, 2.0])
    state.control[0].weight = 1
    observe(state, x, answer, np.array([CONSTRUCTION, 0]))
    assert state.control[0].updates == share
    observe(state, x, answer, np.array([CONSTRUCTION, 1]))
    assert state.control[0].updates == share + 1


def test_a_refinement_must_improve_to_be_kept():
    """Under one weight on the first objective that objective never rises."""
    settings = small_settings(weights=[[1.0, 0.0]], iterations=1000)
    optimizer, state = new_search(hashed_problem(dl.Binary(8)), settings)
    costs = [
        state.incumbent_outputs[0, 0]
        for _ in walk(optimizer, state, 300)
        if state.known[0]
    ]
    assert (np.diff(costs) <= 0).all()
    assert costs[-1] < costs[0]


@pytest.mark.parametrize("keep_better", [False, True])
def test_constructions_replace_the_incumbent_unless_only_better_ones_may(keep_better):
    """The paper restarts from them; with keep_better the search never falls back."""
    settings = small_settings(
        weights=[[1.0, 0.0]],
        iterations=1000,
        construct_every=2,
        keep_better=keep_better,
    )
    optimizer, state = new_search(hashed_problem(dl.Binary(8)), settings)
    costs = [
        state.incumbent_outputs[0, 0]
        for _ in walk(optimizer, state, 300)
        if state.known[0]
    ]
    assert (np.diff(costs) <= 0).all() == keep_better


def test_the_step_widens_with_success_and_narrows_with_failure():
    """One success outweighs four failures; the limits hold."""
    problem = dl.Problem(dl.Binary(20), lambda x: (x.sum(), 1), ["a", "b"])
    settings = small_settings(weights=[[1.0, 0.0]], iterations=1000)
    optimizer, state = new_search(problem, settings)
    control = state.control[0]
    before = None
    for _, _, kind in walk(optimizer, state, 200):
        now = (float(control.radius), int(control.kept_refinements))
        if before is not None:
            factor = 1.5 if now[1] > before[1] else 1.5**-0.25
            expected = min(3.0, max(1.0, before[0] * factor))
            assert_allclose(now[0], expected)
        # The answer of this step comes after it was yielded.
        before = now if kind == REFINEMENT else None
    assert control.kept_refinements > 2


def test_a_fixed_step_is_one_move():
    """With adaptive=False a refinement of bits is at Hamming distance one."""
    settings = small_settings(
        **{"refinement.adaptive": False, "refinement.moves": ("flip",)}
    )
    optimizer, state = new_search(hashed_problem(dl.Binary(8)), settings)
    distances = {
        np.count_nonzero(x != state.incumbents[cursor["weight"]])
        for cursor, x, kind in walk(optimizer, state, 100)
        if kind == REFINEMENT
    }
    assert distances == {1}


def test_an_added_solution_is_where_the_next_weights_start():
    """Something known to be good is better than a construction from nothing."""
    problem = dl.Problem(dl.Binary(6), lambda x: (x.sum(), 6 - x.sum()), ["a", "b"])
    optimizer, state = new_search(problem, small_settings())
    optimizer.add([False] * 6, (0, 6))
    assert_array_equal(state.known, [1, 2, 2])  # the search is at weight 0
    kinds = [(c["weight"], kind) for c, _, kind in walk(optimizer, state, 80)]
    first = {w: kind for w, kind in reversed(kinds) if kind != SAMPLE}
    assert first == {0: REFINEMENT, 1: REFINEMENT, 2: REFINEMENT}
    assert state.control[0].added == 1


def test_a_worse_added_solution_changes_no_incumbent():
    """It enters the archive only if it is not dominated."""
    problem = dl.Problem(dl.Binary(6), lambda x: (x.sum(), x.sum()), ["a", "b"])
    optimizer, state = new_search(problem, small_settings())
    optimizer.add([False] * 6, (0, 0))
    incumbents = state.incumbents.copy()
    assert not optimizer.add([True] * 6, (6, 6))
    assert_array_equal(state.incumbents, incumbents)


def test_the_tally_counts_every_kind_of_answer():
    """What a result reports about a run."""
    optimizer, state = new_search(hashed_problem(dl.Binary(6)), small_settings())
    kinds = [kind for _, _, kind in walk(optimizer, state, 100)]
    optimizer.add([True] * 6, (0, 0))
    control = state.control[0]
    assert control.sampled == kinds.count(SAMPLE) == 5
    assert control.constructed == kinds.count(CONSTRUCTION)
    assert control.refined == kinds.count(REFINEMENT)
    assert control.added == 1
    assert control.observed == 101
    assert optimizer.evaluations == 100  # what was known before costs nothing
    assert ADDED not in kinds


def test_late_answers_of_an_earlier_weight_leave_the_current_one_alone():
    """They improve the incumbent that they were made from."""
    problem = hashed_problem(dl.Binary(6))
    optimizer, state = new_search(problem, small_settings())
    (late,) = [c for c in optimizer.ask(6) if c.ticket[0] == CONSTRUCTION]
    for candidate in optimizer.pending:
        optimizer.tell(candidate, (5, 5))
    held = optimizer.ask(1)[0]
    assert held.ticket.tolist() == [REFINEMENT, 0]
    while state.control[0].weight == 0:
        candidate = optimizer.ask(1)[0]
        optimizer.tell(candidate, (6, 6))
    current = state.incumbents[1].copy(), state.known[1]
    optimizer.tell(held, (0, 0))
    assert_array_equal(state.incumbents[0], held.codes)
    assert_array_equal(state.incumbents[1], current[0])
    assert late.id == 5


def test_the_cost_of_an_incumbent_is_that_of_its_outputs():
    """Outputs are kept, not costs, because the bounds go on moving."""
    problem = hashed_problem(dl.Binary(6))
    optimizer, state = new_search(problem, small_settings())
    for _ in walk(optimizer, state, 100):
        for w in np.flatnonzero(state.known):
            x = problem.space.decode(state.incumbents[w])
            assert_array_equal(state.incumbent_outputs[w], problem.evaluate(x))
            assert 0 <= scalarize(state, w, state.incumbent_outputs[w]) <= 1


def test_a_construction_made_while_waiting_must_be_better_to_count():
    """Else the last of many answers would undo what the others found."""
    problem = dl.Problem(dl.Binary(6), lambda x: (x.sum(), x.sum()), ["a", "b"])
    optimizer, state = new_search(problem, small_settings())
    samples = optimizer.ask(int(state.control[0].num_initial))
    optimizer.tell(samples, [problem.evaluate(c.x) for c in samples])
    waiting = optimizer.ask(8)
    values = [(k, k) for k in (3, 5, 1, 6, 4, 2, 6, 5)]
    optimizer.tell(waiting, values)
    assert state.incumbent_outputs[0].tolist() == [1, 1]
