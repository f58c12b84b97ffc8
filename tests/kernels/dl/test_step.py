"""What a search by differences proposes and what it makes of the answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.layout import is_member
from divlearn.methods.dl.kernels.answers import _compare
from divlearn.methods.dl.kernels.arms.bandit import (
    ADDED,
    ARCHIVE,
    EXPLORE,
    SAMPLE,
    TABLES,
    WALK,
)
from divlearn.methods.dl.kernels.search.cycles import are_cycles
from divlearn.optimizer.optimizer import state_of
from divlearn.problems import TSP
from tests.kernels.cases import (
    SEEDS,
    ask_and_tell,
    composites,
    hashed_objectives,
    hashed_problem,
    new_search,
)
from tests.kernels.dl.cases import EVALUATIONS, small
from tests.reference import archive as reference
from tests.reference.tours import pairs

FEW = settings(max_examples=6 if JIT_DISABLED else 40)


def asked(optimizer, evaluations):
    """Ask, evaluate and tell; yields each candidate before it is told."""
    for _ in range(evaluations):
        (candidate,) = optimizer.ask()
        yield candidate
        optimizer.tell(candidate, optimizer.problem.evaluate(candidate.x))


@FEW
@given(composites(6, 3), SEEDS, st.integers(1, 4))
def test_every_candidate_is_a_member_and_the_front_is_right(space, seed, m):
    """Every mixture of kinds, one to four objectives, without any structure."""
    problem = hashed_problem(space, m)
    optimizer, state = new_search(problem, small(exploration=10), seed)
    members = []
    for number, candidate in enumerate(asked(optimizer, 50)):
        assert is_member(space.layout, candidate.codes)
        values = problem.evaluate(candidate.x)
        members, _ = reference.inserted(members, (number, values))
    found = sorted(map(tuple, optimizer.front_objectives))
    assert found == sorted(tuple(values) for _, values in members)
    assert state.control[0].observed == 50 == state.arms.tries.sum()


@pytest.mark.parametrize(
    "space",
    [
        dl.Permutation(1),
        dl.Permutation(2),
        dl.Permutation(3),
        dl.Permutation(4),
        dl.Binary(1),
        dl.Subset(3, 3),
        dl.Subset(2, min=0, max=1),
        dl.Categorical(["only"]),
        dl.Integer(0, 0, n=2),
        dl.Composite(a=dl.Permutation(2), b=dl.Integer(0, 1)),
        dl.Composite(a=dl.Permutation(3), b=dl.Permutation(3), c=dl.Binary(1)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_spaces_smaller_than_the_budget_are_searched_without_an_end(space, m):
    """Nothing new is left, yet candidates go on coming and none is wrong."""
    problem = hashed_problem(space, m, name="tiny")
    optimizer, _ = new_search(problem, small(exploration=10), 1)
    values = []
    for candidate in asked(optimizer, 80):
        assert space.contains(candidate.x)
        values.append(problem.evaluate(candidate.x))
    best = np.unique(optimizer.front_objectives, axis=0)
    for row in np.unique(values, axis=0):
        assert (best <= row).all(axis=1).any()


@pytest.mark.parametrize("space", [dl.Permutation(6), dl.Binary(6), dl.Integer(0, 9)])
def test_constraints_that_nothing_satisfies_leave_the_front_empty(space):
    """The least violation is told, and the search goes on: permutations by sampling."""

    def evaluate(x):
        codes = space.encode(x)
        return 1.0, 2.0, 1.0 + codes[0], -1.0

    problem = dl.Problem(space, evaluate, ["a", "b"], constraints=["c", "d"])
    optimizer, state = new_search(problem, small())
    kinds = {int(c.ticket[0]) for c in asked(optimizer, 60)}
    assert optimizer.front_size == 0
    assert kinds == {SAMPLE} or (SAMPLE in kinds and space != dl.Permutation(6))
    assert state.control[0].least_violation == 1.0
    assert state.least_violating[0] == 0
    assert "least_violation" in optimizer.result().learned


def test_constraints_are_learned_like_objectives():
    """What enters the front is feasible, and the violation falls until it is."""
    space = dl.Permutation(7)

    def evaluate(x):
        return x[0] + 0.5 * x[1], 3.0 * x[6], x[3] - 2.5

    problem = dl.Problem(space, evaluate, ["a", "b"], constraints=["c"])
    optimizer, state = new_search(problem, small(), 0)
    ask_and_tell(optimizer, 2 * EVALUATIONS)
    assert optimizer.front_size > 0
    slots = state.archive.order[: optimizer.front_size]
    assert (state.archive.outputs[slots, 2] <= 0).all()
    assert state.tables.mean[:, :, 2].any()


@pytest.mark.parametrize("m", [1, 2, 4])
@pytest.mark.parametrize("space", [dl.Permutation(6), dl.Binary(6)], ids=repr)
def test_constant_objectives_are_no_trouble(space, m):
    """One member, no difference to learn from, no division by zero."""
    problem = dl.Problem(space, lambda x: [3.0] * m, [f"f{j}" for j in range(m)])
    optimizer, state = new_search(problem, small(exploration=10))
    for candidate in asked(optimizer, EVALUATIONS // 2):
        assert space.contains(candidate.x)
    assert optimizer.front_size == 1
    assert not state.tables.mean.any()
    assert np.isfinite(state.weights).all()


def test_one_constant_objective_does_not_hide_the_other():
    """The other one is still minimised."""
    weights = np.arange(7.0)
    problem = dl.Problem(
        dl.Permutation(7), lambda x: (5.0, float(weights @ x)), ["a", "b"]
    )
    optimizer, _ = new_search(problem, small(), 0)
    ask_and_tell(optimizer, 3 * EVALUATIONS)
    least = float(weights @ np.arange(7)[::-1])
    assert optimizer.front_objectives[0, 1] <= least + (8 if JIT_DISABLED else 1)


# In plain Python NumPy warns of what overflows; the compiled kernels do not.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e12, 1e150, 1e300])
@pytest.mark.parametrize("space", [dl.Permutation(6), dl.Binary(6)], ids=repr)
def test_extreme_units_do_not_break_a_search(space, scale):
    """Squares of such numbers overflow or vanish; candidates stay members."""
    inner = hashed_objectives(space)
    problem = dl.Problem(
        space, lambda x: [scale * (1 + v) for v in inner(x)], ["a", "b"]
    )
    optimizer, _ = new_search(problem, small(exploration=10))
    for candidate in asked(optimizer, 60):
        assert space.contains(candidate.x)
    assert optimizer.front_size > 0


def test_differences_are_between_a_candidate_and_its_parent():
    """All of the ring, in minimised units, whichever arm proposed it."""
    problem = TSP(np.random.default_rng(1).random((7, 2, 2)))
    flipped = dl.Problem(
        problem.space,
        lambda x: problem.evaluate(x) * [1, -1],
        {"short": "min", "long": "max"},
    )
    optimizer, state = new_search(flipped, small(), 0)
    ask_and_tell(optimizer, EVALUATIONS)
    number = int(state.control[0].differences)
    assert number > EVALUATIONS // 2
    for row in range(number):
        parent, child = state.ring.parents[row], state.ring.children[row]
        expected = problem.evaluate(child) - problem.evaluate(parent)
        assert_allclose(state.ring.deltas[row], expected, atol=1e-12)


def test_a_ring_that_is_full_goes_on_from_its_beginning():
    """Only the latest differences are replayed; both ways of driving do the same."""
    problem = TSP(np.random.default_rng(1).random((6, 2, 2)))
    optimizer, state = new_search(problem, small(memory=7), 0)
    ask_and_tell(optimizer, 40)
    assert state.control[0].differences > 20
    for parent, child, delta in zip(*state.ring[:3], strict=True):
        expected = problem.evaluate(child) - problem.evaluate(parent)
        assert_allclose(delta, expected, atol=1e-12)


def test_every_arm_works_on_a_tour():
    """Once it is known for one, no cycle is proposed twice by tables and archive."""
    problem = TSP(np.random.default_rng(2).random((8, 2, 2)))
    optimizer, state = new_search(problem, small(exploration=30), 0)
    cycles, kinds = set(), set()
    for candidate in asked(optimizer, max(120, EVALUATIONS)):
        kind = int(candidate.ticket[0])
        kinds.add(kind)
        cycle = frozenset(pairs(candidate.codes.tolist()))
        if kind in (TABLES, ARCHIVE) and are_cycles(state):
            assert cycle not in cycles
        cycles.add(cycle)
    assert are_cycles(state)
    assert kinds == {SAMPLE, WALK, EXPLORE, TABLES, ARCHIVE}
    tried = {k for k in range(len(state.arms)) if state.arms[k].tries}
    assert tried == kinds


def test_tables_and_archive_propose_no_solution_twice():
    """Where places matter every order is a solution of its own."""
    rng = np.random.default_rng(3)
    costs = rng.random((2, 7, 7))
    problem = dl.Problem(
        dl.Permutation(7),
        lambda x: [float(cost[range(7), x].sum()) for cost in costs],
        ["a", "b"],
    )
    optimizer, state = new_search(problem, small(exploration=30), 0)
    seen, kinds = set(), set()
    for candidate in asked(optimizer, EVALUATIONS):
        kind, key = int(candidate.ticket[0]), candidate.codes.tobytes()
        kinds.add(kind)
        if kind in (TABLES, ARCHIVE):
            assert key not in seen
        seen.add(key)
    assert {TABLES, ARCHIVE} & kinds
    assert not state.tables.encodings[state.tables.chosen].any()  # "position"


def test_learned_costs_find_what_blind_steps_do_not():
    """The reason for all of this: the same budget, with tables and without."""
    problem = TSP(np.random.default_rng(4).random((12, 2, 2)))
    totals = []
    for tables in (True, False):
        settings = small(tables=tables, exploration=40, geometry=False)
        optimizer, _ = new_search(problem, settings, 0)
        ask_and_tell(optimizer, 2 * EVALUATIONS)
        totals.append(optimizer.front_objectives.sum(axis=1).min())
    assert totals[0] < totals[1]


def test_only_blind_steps_are_made_without_tables():
    """The switch; the other ones leave out one arm each."""
    problem = TSP(np.random.default_rng(2).random((7, 2, 2)))
    for changes, never in (
        ({"tables": False}, {TABLES, ARCHIVE, EXPLORE}),
        ({"archive": False, "blind_share": 0.5}, set()),
    ):
        optimizer, _ = new_search(problem, small(**changes), 0)
        kinds = {int(c.ticket[0]) for c in asked(optimizer, 60)}
        assert not kinds & never
        assert WALK in kinds


def test_an_added_solution_is_taken_in_and_learned_from():
    """It enters the front and the next walk may begin with it."""
    weights = np.arange(6.0)
    problem = dl.Problem(
        dl.Permutation(6), lambda x: (float(weights @ x), float(x[0])), ["a", "b"]
    )
    optimizer, state = new_search(problem, small(), 0)
    best = np.arange(6)[::-1]
    assert optimizer.add(best, problem.evaluate(best))
    assert not optimizer.add(best, problem.evaluate(best))
    assert state.arms[ADDED].tries == 2
    assert state.arms[ADDED].entered == 1
    assert state.control[0].last_sample == state.control[0].last_parent == 2
    for candidate in asked(optimizer, 40):
        assert problem.space.contains(candidate.x)
    assert tuple(problem.evaluate(best)) in set(map(tuple, optimizer.front_objectives))
    assert (optimizer.evaluations, optimizer.known) == (40, 2)


def test_answers_of_forgotten_parents_teach_nothing():
    """They enter the front all the same."""
    problem = TSP(np.random.default_rng(5).random((6, 2, 2)))
    optimizer, state = new_search(problem, small(exploration=10), 0)
    ask_and_tell(optimizer, 30)
    late = optimizer.ask(3)
    state.parents.serials[:] = 0
    before = state.tables.mean.copy(), int(state.control[0].differences)
    optimizer.tell(late, [(-1.0, -1.0)] + [problem.evaluate(c.x) for c in late[1:]])
    assert_array_equal(state.tables.mean, before[0])
    assert state.control[0].differences == before[1]
    assert optimizer.front_size == 1
    ask_and_tell(optimizer, 30)  # the walk finds itself a new parent
    assert state.control[0].differences > before[1]


def test_windows_limit_blind_steps():
    """A blind step changes neighbouring positions only."""
    problem = hashed_problem(dl.Binary(20))
    optimizer, state = new_search(problem, small(window=4, tables=False), 0)
    for candidate in asked(optimizer, EVALUATIONS):
        if candidate.ticket[0] == WALK:
            row = int(candidate.ticket[1]) % len(state.parents.serials)
            assert state.parents.serials[row] == candidate.ticket[1]
            changed = np.flatnonzero(state.parents.solutions[row] != candidate.codes)
            assert changed.size == 0 or np.ptp(changed) < 4


def test_the_result_tells_what_was_learned():
    """In words that name the encoding, and numbers that add up."""
    problem = TSP(np.random.default_rng(8).random((7, 2, 2)))
    optimizer, _ = new_search(problem, small(), 0)
    ask_and_tell(optimizer, EVALUATIONS)
    learned = optimizer.result().learned
    assert sum(learned["evaluations_by_kind"].values()) == EVALUATIONS
    assert_allclose(sum(learned["share_of_gain"].values()), 1.0)
    assert "neighbour" in str(learned)
    assert state_of(optimizer).control[0].observed == EVALUATIONS


@pytest.mark.parametrize(
    ("y", "than", "sign"),
    [
        ([1.0, 1.0, -1.0], [2.0, 1.0, -9.0], -1),
        ([3.0, 0.0, -1.0], [2.0, 1.0, -1.0], 0),
        ([0.0, 0.0, 0.5], [9.0, 9.0, 0.0], 1),
        ([9.0, 9.0, 0.5], [0.0, 0.0, 0.7], -1),
        ([9.0, 9.0, 0.5], [0.0, 0.0, 0.5], 1),
    ],
    ids=["less cost", "as good", "a violation", "less violation", "as much violation"],
)
def test_walks_compare_violations_before_costs(y, than, sign):
    """Two objectives of equal weight, and one constraint."""
    weights, low = np.array([1.0, 1.0, 0.0]), np.zeros(2)
    assert np.sign(_compare(np.array(y), np.array(than), weights, low)) == sign


def test_a_walk_crosses_plateaus():
    """It goes to solutions as good as its own, without waiting there for ever."""
    problem = dl.Problem(dl.Permutation(8), lambda x: (0.0, 0.0), ["a", "b"])
    optimizer, _ = new_search(problem, small(tables=False), 0)
    parents = set()
    for _ in asked(optimizer, 40):
        parents.add(int(state_of(optimizer).control[0].walk_parent))
    assert len(parents) > 20


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("plateaus", [True, False])
def test_members_give_way_to_later_orders_with_the_same_outputs(m, plateaus):
    """So that searches from members wander over plateaus; the first stays, if not."""

    def coarse(x):
        return [int(x[k]) // 3 for k in range(m)]

    problem = dl.Problem(dl.Permutation(8), coarse, [f"f{j}" for j in range(m)])
    problem.noise = False
    optimizer, state = new_search(problem, small(plateaus=plateaus), 3)
    held: dict = {}
    for candidate in asked(optimizer, EVALUATIONS):
        key = tuple(coarse(candidate.x))
        if plateaus or key not in held:
            held[key] = tuple(candidate.codes)
    slots = state.archive.order[: state.control[0].archive_size]
    assert len(slots) > 0
    for slot in slots:
        outputs = tuple(state.archive.outputs[slot])
        assert tuple(state.archive.solutions[slot]) == held[outputs]
