import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from tests.kernels.cases import differing_arrays
from tests.kernels.cases import hashed_problem as hashed
from tests.reference.slow_metrics import non_dominated
from tests.search_cases import memory, nobody, two_counts

NAN = math.nan


# --- tell


@pytest.mark.parametrize(
    "values",
    [
        (2.0, 3.0, -1.0),
        [2, 3, -1],
        np.array([2.0, 3.0, -1.0]),
        np.array([[2.0], [3.0], [-1.0]]),
        ((2.0, 3.0), (-1.0,)),
        (np.array([2, 3]), np.array([-1])),
        {"limit": -1, "b": 3, "a": 2},
        (np.float32(2), np.int8(3), np.array(-1.0)),
        (np.array([2.0]), True + 2, -1),
    ],
)
def test_values_may_come_in_any_form_that_evaluate_may_return(values):
    """Sequence, array, dict, two parts, NumPy numbers of any kind."""
    problem = dl.Problem(dl.Binary(3), nobody, ["a", "b"], constraints=["limit"])
    optimizer = dl.Optimizer(problem)
    optimizer.tell(optimizer.ask()[0], values)
    result = optimizer.result()
    assert result.F.tolist() == [[2.0, 3.0]]
    assert result.G.tolist() == [[-1.0]]


def test_candidates_may_be_named_by_their_ids():
    """As after a restart, when only numbers were written down."""
    optimizer = dl.Optimizer(two_counts())
    batch = optimizer.ask(4)
    optimizer.tell(batch[2].id, (1, 5))
    optimizer.tell(np.array([3, 0]), np.array([[0, 6], [2, 4]]))
    optimizer.tell((c for c in batch[1:2]), ((3, 3) for _ in range(1)))
    assert optimizer.pending == []
    assert sorted(optimizer.front_objectives[:, 0]) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "failure",
    [
        None,
        NAN,
        np.float64("nan"),
        np.array(NAN),
        (1.0, NAN),
        [None, 1.0],
        np.array([NAN, NAN]),
        np.ma.masked,
        (np.ma.masked, 1.0),
        np.ma.array([1.0, 2.0], mask=[False, True]),
        {"ones": NAN, "zeros": 2.0},
    ],
    ids=repr,
)
@pytest.mark.parametrize("method", ["dl", "paper-ts"])
def test_a_failed_evaluation_is_counted_and_never_asked_for_again(failure, method):
    """None, NaN or masked in any form; the rest of the space is searched on."""
    problem = two_counts(4)
    optimizer = dl.Optimizer(problem, method, seed=5)
    failed = set()
    for _ in range(120):
        (candidate,) = optimizer.ask()
        assert candidate.x.tobytes() not in failed
        if candidate.x[0] and candidate.x[1]:
            failed.add(candidate.x.tobytes())
            optimizer.tell(candidate, failure)
        else:
            optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert len(failed) == 4
    assert optimizer.evaluations == 120
    assert optimizer.result().evaluations == 120
    kinds = optimizer.result().learned["evaluations_by_kind"]
    assert kinds.get("sample", kinds.get("sampled", 0)) <= 50
    assert sorted(optimizer.front_objectives[:, 0]) == [0, 1, 2, 3]


def test_a_failure_among_constraints_is_a_failure():
    """NaN may stand in either of two parts."""
    problem = dl.Problem(dl.Binary(3), nobody, ["a", "b"], constraints=["c"])
    optimizer = dl.Optimizer(problem)
    optimizer.tell(optimizer.ask(2), [((1, 2), (NAN,)), ((1, NAN), (0,))])
    hidden = np.ma.array([1, 2], mask=[True, False])
    optimizer.tell(optimizer.ask(1), [(hidden, np.zeros(1))])
    assert (optimizer.evaluations, optimizer.front_size) == (3, 0)


def test_what_nobody_answered_does_not_say_that_nothing_is_feasible():
    """The report names a least violating solution only if one was evaluated."""
    optimizer = dl.Optimizer(hashed(dl.Permutation(4)))
    optimizer.tell(optimizer.ask(3), [None] * 3)
    assert "least_violation" not in optimizer.result().learned


BAD_TELLS = {
    "never asked": (lambda o, b: (99, (1, 5)), "99 was never asked for; use add"),
    "a negative id": (lambda o, b: (-1, (1, 5)), "-1 was never asked for"),
    "told already": (lambda o, b: (0, (1, 5)), "0 was told already; tell each one"),
    "one that is and one that is not": (
        lambda o, b: ([b[1], 99], [(1, 5)] * 2),
        "99 was never asked for",
    ),
    "twice in one call": (
        lambda o, b: ([b[1], b[1]], [(1, 5)] * 2),
        "candidates must be different",
    ),
    "the solution": (lambda o, b: (b[1].x, [(1, 5)] * 6), "was never asked for"),
    "a solution for one": (lambda o, b: (b[1].x, (1, 5)), "ask returned, not their x"),
    "no candidates": (lambda o, b: (None, None), "candidates must be a list .* None"),
    "a fraction": (lambda o, b: (1.5, (1, 5)), "candidates must be a list .* 1.5"),
    "text": (lambda o, b: ("12", "12"), "candidates must be a list .* '12'"),
    "too few values": (
        lambda o, b: (b[1:], [(1, 5)]),
        "values needs one entry for each of the 3 candidates, got 1; give a row",
    ),
    "a flat row": (
        lambda o, b: (b[1:2], (1, 5)),
        "values needs one entry for each of the 1 candidates, got 2",
    ),
    "no values": (lambda o, b: (b[1:], 3.0), "values must be a list .* got 3.0"),
    "a dict for many": (
        lambda o, b: (b[1:3], {"ones": 1, "zeros": 2}),
        "values must be a list with one entry per candidate",
    ),
    "too many numbers": (
        lambda o, b: (b[1], (1, 2, 3)),
        r"candidate 1: .* 2 numbers \(ones, zeros\), got 3: \(1, 2, 3\)",
    ),
    "too many, one NaN": (lambda o, b: (b[1], (1, NAN, 3)), "2 numbers"),
    "one number": (lambda o, b: (b[1], 1.0), "2 numbers .* got 1: 1.0"),
    "second row wrong": (
        lambda o, b: (b[1:3], [(1, 5), (1, "x")]),
        "candidate 2: zeros must be a number, got 'x'",
    ),
    "infinite": (
        lambda o, b: (b[1:3], [(1, 5), (math.inf, 5)]),
        "candidate 2: ones must be a finite number, got inf",
    ),
    "too large": (lambda o, b: (b[1], (10**400, 5)), "ones must be a number"),
    "a word": (lambda o, b: (b[1], "ab"), "2 numbers .* got 1: 'ab'"),
    "missing name": (lambda o, b: (b[1], {"ones": 1}), r"keys \['ones', 'zeros'\]"),
    "complex": (lambda o, b: (b[1], (1j, 5)), "ones must be a number, got 1j"),
}


@pytest.mark.parametrize("case", BAD_TELLS)
def test_a_wrong_tell_is_refused_and_changes_nothing(case):
    """All is checked before anything is learned, also for the rows that were right."""
    make, message = BAD_TELLS[case]
    optimizer, untouched = (dl.Optimizer(two_counts(), seed=1) for _ in range(2))
    for each in (optimizer, untouched):
        batch = each.ask(4)
        each.tell(batch[0], (1, 5))
    before = memory(optimizer)
    batch = [optimizer.pending[0], *optimizer.pending]
    with pytest.raises(dl.InputError, match=message):
        optimizer.tell(*make(optimizer, batch))
    assert memory(optimizer) == before
    assert differing_arrays(optimizer, untouched) == []
    optimizer.tell(optimizer.pending, [(1, 5)] * 3)
    assert optimizer.evaluations == 4


def test_a_candidate_of_another_optimizer_is_refused_by_its_solution():
    """Both count from 0; the values would be credited to another solution."""
    optimizer = dl.Optimizer(hashed(dl.Permutation(9)), seed=1)
    (mine,), (other,) = optimizer.ask(), dl.Optimizer(optimizer.problem, seed=2).ask()
    assert mine.x.tolist() != other.x.tolist()
    with pytest.raises(dl.InputError, match="0 was asked of another optimizer; use"):
        optimizer.tell(other, (1, 2))
    assert optimizer.pending == [mine]


@given(st.data())
def test_the_front_is_what_was_told_and_not_dominated(data):
    """Any order and subset, in mixed senses and under a constraint; nothing else."""
    signs = data.draw(st.lists(st.sampled_from([1, -1]), min_size=1, max_size=4))
    m = len(signs)
    objectives = {f"f{j}": "min" if s > 0 else "max" for j, s in enumerate(signs)}
    problem = dl.Problem(
        dl.Permutation(5), nobody, objectives, constraints=["c"], noise=False
    )
    optimizer = dl.Optimizer(problem, seed=data.draw(st.integers(0, 99)))
    row = st.tuples(*[st.integers(-3, 3)] * m, st.integers(-1, 1))
    told = []
    for _ in range(8):
        waiting = [*optimizer.pending, *optimizer.ask(3)]
        chosen = data.draw(st.lists(st.sampled_from(waiting), unique=True))
        rows = data.draw(
            st.lists(st.none() | row, min_size=len(chosen), max_size=len(chosen))
        )
        optimizer.tell(chosen, rows)
        told += rows
    feasible = [f for f in told if f is not None and f[-1] <= 0]
    points = [[s * v for s, v in zip(signs, f[:m], strict=True)] for f in feasible]
    kept = non_dominated(points)
    expected = sorted(f[:m] for f, keep in zip(feasible, kept, strict=True) if keep)
    assert sorted(map(tuple, optimizer.result().F.tolist())) == expected
    assert sorted(map(tuple, optimizer.front_objectives.tolist())) == expected
    assert optimizer.evaluations == len(told)
    assert (optimizer.result().G <= 0).all()


# --- add


def test_the_search_starts_at_an_added_solution():
    """The first refinements are a few moves away from it, not anywhere."""
    problem = dl.Problem(dl.Binary(60), nobody, ["a", "b"])
    start = np.arange(60) % 3 == 0
    optimizer = dl.Optimizer(problem, dl.DivideAndLearn(initial=1))
    assert optimizer.add(start, (0.0, 0.0))
    given = start.copy()
    start[:] = True  # what was given is kept, not where it came from
    optimizer.tell(optimizer.ask(), [(9.0, 9.0)])  # the one random solution
    for _ in range(20):
        (candidate,) = optimizer.ask()
        assert 0 < (candidate.x != given).sum() <= 6
        optimizer.tell(candidate, (9.0, 9.0))
    assert optimizer.evaluations == 21  # what was added cost none
    assert optimizer.result().X.tolist() == [given.tolist()]


def test_a_solution_may_be_added_in_the_middle_while_others_are_pending():
    """It costs no evaluation and enters the front only where it belongs."""
    problem = two_counts(8, constraints=["c"])
    optimizer = dl.Optimizer(problem)
    pending = optimizer.ask(3)
    zeros, ones = np.zeros(8, bool), np.ones(8, bool)
    assert optimizer.add(zeros, (0, 8, 0))
    assert not optimizer.add(zeros, (0, 8, 0))  # as good as what is there
    assert not optimizer.add(ones, {"ones": 0, "zeros": 0, "c": 1})  # infeasible
    assert (optimizer.evaluations, optimizer.known) == (0, 3)
    optimizer.tell(pending, [(4, 4, -1)] * 3)
    assert (optimizer.evaluations, optimizer.known) == (3, 3)
    assert optimizer.result().counts == {"ok": 3, "known": 3}
    assert optimizer.result().sources == ["known", None]
    assert optimizer.front_objectives.tolist() == [[0, 8], [4, 4]]


@pytest.mark.parametrize(
    ("x", "values", "message"),
    [
        ([1, 2], (1, 5), r"a value of Binary\(6\) has 6 entries"),
        ("abc", (1, 5), r"a value of Binary\(6\)"),
        ([0] * 6, (1,), "values: .* 2 numbers"),
        ([0] * 6, (1, NAN), "values: zeros must be a finite number, got nan"),
        ([0] * 6, None, "values: .* 2 numbers .* got None; enqueue"),
        ([0] * 6, (1, "a"), "values: zeros must be a number, got 'a'"),
    ],
)
def test_a_wrong_add_is_refused_and_changes_nothing(x, values, message):
    """Names what is wrong, the solution or the values."""
    optimizer = dl.Optimizer(two_counts())
    with pytest.raises(dl.InputError, match=message):
        optimizer.add(x, values)
    assert optimizer.evaluations == 0
    assert differing_arrays(optimizer, dl.Optimizer(two_counts())) == []
