"""Ask and tell, the compiled loop, files and batches are one search by differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.arms.bandit import GP, WALK
from divlearn.methods.dl.kernels.step import has_room
from divlearn.methods.dl.state import NUM_SEEN
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import TSP, get
from tests.kernels.cases import (
    SEEDS,
    ask_and_tell,
    composites,
    differing_arrays,
    hashed_problem,
)
from tests.kernels.dl.cases import EVALUATIONS, small
from tests.reference import archive as reference

SWITCHES = [
    {"encodings": ["position", "precedence"]},
    {"replays": 0},
    {"memory": 16},
    {"tables": False},
    {"archive": False},
    {"geometry": False},
    {"uncertainty": False},
    {"gaps": False},
    {"plateaus": False},
    {"kicks": 0.5},
    {"blind_share": 0.6},
    {"exploration": 60},
    {"exploring_moves": 1},
    {"window": 4},
]


def searches(problem, method, evaluations=EVALUATIONS, seed=7):
    """The same search by the compiled loop and by ask and tell."""
    ran, asked = (dl.Optimizer(problem, method, seed) for _ in range(2))
    ran.run(evaluations)
    ask_and_tell(asked, evaluations)
    return ran, asked


@pytest.mark.parametrize("changes", [{}, *SWITCHES], ids=repr)
def test_both_drivers_agree_bit_for_bit_under_every_switch(tiny_tour, changes):
    """Everything that the search remembers is compared."""
    number = EVALUATIONS if changes == {} else EVALUATIONS // 2
    ran, asked = searches(tiny_tour, small(**changes), number)
    assert differing_arrays(ran, asked) == []
    assert ran.evaluations == number


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
@pytest.mark.parametrize("changes", SWITCHES, ids=repr)
def test_every_switch_changes_the_search(tiny_tour, changes):
    """For some seed: which parts come into play is partly chance."""

    def steps(seed, changes):
        optimizer = dl.Optimizer(tiny_tour, small(**changes), seed)
        optimizer.run(2 * EVALUATIONS)
        return state_of(optimizer).ring.children.tobytes()

    assert any(steps(seed, changes) != steps(seed, {}) for seed in range(5))


def test_both_drivers_agree_under_constraints(tiny_knapsack):
    """A knapsack whose capacity is a constraint."""
    ran, asked = searches(tiny_knapsack, small())
    assert differing_arrays(ran, asked) == []
    assert ran.front_size > 0


@pytest.mark.parametrize("m", [1, 4])
def test_both_drivers_agree_for_one_and_for_four_objectives(m):
    """Other comparisons, gains and weights than with two."""
    problem = TSP(np.random.default_rng(m).random((7, m, 2)))
    ran, asked = searches(problem, small(), EVALUATIONS // 2)
    assert differing_arrays(ran, asked) == []
    assert (ran.front_size == 1) == (m == 1)


def test_both_drivers_agree_when_the_gaussian_process_begins(tiny_knapsack):
    """It makes the first candidates, the compiled step all others."""
    ran, asked = searches(tiny_knapsack, small(gp_candidates=15), 40)
    assert differing_arrays(ran, asked) == []
    assert state_of(ran).arms[GP].tries > 5
    assert state_of(ran).arms[WALK].tries > 5


def test_more_solutions_may_be_added_than_the_gaussian_process_remembers():
    """They come before its first candidate, and batches while it proposes."""
    problem = hashed_problem(dl.Binary(6))
    optimizer = dl.Optimizer(problem, small(gp_candidates=8), 0)
    for number in range(30):
        x = problem.space.sample(number)
        optimizer.add(x, problem.evaluate(x))
    batch = optimizer.ask(12)
    assert all(problem.space.contains(candidate.x) for candidate in batch)
    optimizer.tell(batch, [problem.evaluate(candidate.x) for candidate in batch])
    assert (optimizer.evaluations, optimizer.known) == (12, 30)
    assert state_of(optimizer).arms[GP].tries == 8


def test_a_run_may_be_cut_anywhere(tiny_tour):
    """Chunks of the compiled loop, mixed with ask and tell, are the same search."""
    whole, pieces = (dl.Optimizer(tiny_tour, small(), 1) for _ in range(2))
    whole.run(EVALUATIONS)
    for chunk in (1, 5, 13):
        pieces.run(chunk)
        ask_and_tell(pieces, 10)
    pieces.run(EVALUATIONS - pieces.evaluations)
    assert differing_arrays(whole, pieces) == []


def test_the_seed_decides_everything(tiny_tour):
    """The same seed gives the same bits, another one gives others."""
    runs = [dl.Optimizer(tiny_tour, small(), seed) for seed in (3, 3, 4)]
    for run in runs:
        run.run(EVALUATIONS // 2)
    assert differing_arrays(runs[0], runs[1]) == []
    assert "ring.children" in differing_arrays(runs[0], runs[2])


@pytest.mark.parametrize("name", ["tiny_tour", "tiny_mixed"])
@pytest.mark.parametrize("after", [3, 30])
def test_a_saved_search_goes_on_as_if_never_stopped(name, after, tmp_path, request):
    """While it samples and later; with candidates that wait for their answers."""
    problem = request.getfixturevalue(name)
    whole, first = (dl.Optimizer(problem, small(exploration=20), 1) for _ in range(2))
    for optimizer in (whole, first):
        ask_and_tell(optimizer, after)
        optimizer.ask(2)
    first.save(tmp_path / "search")
    second = dl.Optimizer.load(tmp_path / "search", problem)
    assert differing_arrays(whole, second) == []
    for optimizer in (whole, second):
        for candidate in optimizer.pending:
            optimizer.tell(candidate, problem.evaluate(candidate.x))
        ask_and_tell(optimizer, 20)
    assert differing_arrays(whole, second) == []


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes in plain Python")
@pytest.mark.parametrize("form", ["rows", "count"])
def test_searches_under_rows_agree_and_go_on_from_files(form, tmp_path):
    """Plans by walks, and hidden rows with their questions, are part of the state."""
    problem = get("biscp-20", form=form, rows=6, density=0.2)
    ran, asked = searches(problem, small(), 250)
    assert differing_arrays(ran, asked) == []
    assert state_of(ran).plan.control[0].ready == (1 if form == "rows" else 2)
    first = dl.Optimizer(problem, small(), 7)
    first.run(150)
    first.save(tmp_path / "search")
    second = dl.Optimizer.load(tmp_path / "search", problem)
    second.run(100)
    assert differing_arrays(ran, second) == []


def test_batches_are_what_single_candidates_would_be(tiny_tour):
    """Asking for several at once draws them one after the other."""
    one, many = (dl.Optimizer(tiny_tour, small(exploration=10), 2) for _ in range(2))
    for optimizer in (one, many):
        ask_and_tell(optimizer, 30)
    singles = [one.ask()[0].codes.tolist() for _ in range(30)]
    batch = [candidate.codes.tolist() for candidate in many.ask(30)]
    assert batch == singles
    assert differing_arrays(one, many) == []


@settings(max_examples=6 if JIT_DISABLED else 40)
@given(composites(5, 3), SEEDS, st.randoms(use_true_random=False))
def test_answers_may_be_late_out_of_order_or_missing(space, seed, random):
    """Any schedule: candidates stay members, and the front is that of what was told."""
    problem = hashed_problem(space)
    optimizer = dl.Optimizer(problem, small(exploration=8), seed)
    members, answered = [], 0
    for _ in range(20):
        for candidate in optimizer.ask(random.randint(1, 4)):
            assert is_member(space.layout, candidate.codes)
        waiting = optimizer.pending
        for candidate in random.sample(waiting, random.randint(0, len(waiting))):
            values = problem.evaluate(candidate.x)
            optimizer.tell(candidate, values)
            members, _ = reference.inserted(members, (answered, values))
            answered += 1
        if random.random() < 0.2:
            x = space.sample(random.randint(0, 99))
            values = problem.evaluate(x)
            members, entered = reference.inserted(members, (answered, values))
            assert optimizer.add(x, values) == entered
            answered += 1
    assert optimizer.evaluations + optimizer.known == answered
    found = sorted(map(tuple, optimizer.front_objectives))
    assert found == sorted(tuple(values) for _, values in members)


def test_failed_evaluations_are_no_differences(tiny_mixed):
    """They are counted, not asked again, and nothing is learned from them."""
    optimizer = dl.Optimizer(tiny_mixed, small(exploration=10), 0)
    failed = set()
    for number in range(60):
        (candidate,) = optimizer.ask()
        assert candidate.codes.tobytes() not in failed
        if number % 5 == 0:
            optimizer.tell(candidate, None)
            failed.add(candidate.codes.tobytes())
        else:
            optimizer.tell(candidate, tiny_mixed.evaluate(candidate.x))
    assert optimizer.evaluations == 60
    assert state_of(optimizer).control[0].observed == 48


def test_a_search_without_any_answer_goes_on_proposing(tiny_mixed):
    """Random solutions, as nothing else is known."""
    optimizer = dl.Optimizer(tiny_mixed, small(), 0)
    candidates = optimizer.ask(60)
    assert all(tiny_mixed.space.contains(c.x) for c in candidates)
    assert len({c.codes.tobytes() for c in candidates}) > 40


@pytest.mark.skipif(JIT_DISABLED, reason="takes a minute in plain Python")
def test_archive_and_set_grow_as_they_fill():
    """More members and more candidates than there is room for at first."""
    problem = TSP(np.random.default_rng(0).random((12, 4, 2)))
    method = dl.DL(geometry=False, replays=1)
    ran, asked = searches(problem, method, NUM_SEEN)
    assert len(state_of(ran).seen) > NUM_SEEN
    assert len(state_of(ran).archive.order) == len(state_of(ran).open)
    assert len(state_of(ran).archive.order) > 1024 or ran.front_size < 1024
    assert differing_arrays(ran, asked) == []
    kept = state_of(ran).seen
    assert np.count_nonzero(kept) == state_of(ran).control[0].num_seen


def test_a_large_batch_has_room(tiny_tour):
    """All hashes of a batch fit into the set before it is drawn."""
    search = dl.Optimizer(tiny_tour, small(), 0).search
    search.make_room(NUM_SEEN // 8)
    assert len(search.state.seen) == NUM_SEEN
    search.make_room(NUM_SEEN // 8 + 1)
    assert len(search.state.seen) == 2 * NUM_SEEN
    search.make_room(NUM_SEEN)
    assert len(search.state.seen) == 8 * NUM_SEEN
    slots = len(search.state.archive.order)
    assert has_room(search.state)
    search.state.control[0].archive_size = slots
    assert not has_room(search.state)
    search.make_room(1)
    assert len(search.state.archive.order) == len(search.state.open) == 2 * slots


def test_there_is_no_room_where_the_hashes_of_one_more_would_not_fit(tiny_tour):
    """A candidate leaves two of them, and two more if it is repaired."""
    state = dl.Optimizer(tiny_tour, small(), 0).search.state
    state.control[0].num_seen = NUM_SEEN // 2 - 4
    assert has_room(state)
    state.control[0].num_seen += 1
    assert not has_room(state)


def test_a_value_that_is_not_finite_stops_the_compiled_loop(tiny_tour):
    """What was found before stays, and the error names the solution."""
    table = tiny_tour.compiled.table.copy()
    table[3] = np.nan
    compiled = dl.Compiled(tiny_tour.compiled.objective, table)
    problem = dl.Problem(dl.Permutation(8), None, ["a", "b"], compiled=compiled)
    optimizer = dl.Optimizer(problem, small(), 0)
    with pytest.raises(dl.EvaluationError, match="finite") as caught:
        optimizer.run(EVALUATIONS)
    assert sorted(caught.value.x) == list(range(8))
    assert optimizer.evaluations < EVALUATIONS
