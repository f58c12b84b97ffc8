import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import divlearn as dl
from divlearn.basics.errors import NoCandidates
from tests.kernels.cases import ask_and_tell, composites, differing_arrays
from tests.kernels.cases import hashed_problem as hashed
from tests.search_cases import two_counts

# --- ask


def test_candidates_are_numbered_in_the_order_of_asking():
    """Ids are unique over single asks and batches, and pending until told."""
    optimizer = dl.Optimizer(two_counts())
    asked = optimizer.ask() + optimizer.ask(5) + optimizer.ask(np.int64(2))
    assert [candidate.id for candidate in asked] == list(range(8))
    assert optimizer.pending == asked
    optimizer.tell(asked[3], (1, 5))
    assert [c.id for c in optimizer.pending] == [0, 1, 2, 4, 5, 6, 7]
    assert optimizer.ask()[0].id == 8
    assert repr(asked[3]).startswith("Candidate(id=3, x=")


@given(space=composites(), count=st.integers(1, 40), seed=st.integers(0, 2**63 - 1))
def test_every_candidate_is_a_value_of_the_space(space, count, seed):
    """Whatever the space, x can be given back to it and means the codes kept inside."""
    optimizer = dl.Optimizer(hashed(space), seed=seed)
    ask_and_tell(optimizer, 60)
    for candidate in optimizer.ask(count):
        assert np.array_equal(space.encode(candidate.x), candidate.codes)


def test_changing_x_changes_nothing_inside():
    """A user may sort or overwrite the array; told values belong to what was asked."""
    honest, careless = (dl.Optimizer(hashed(dl.Permutation(6))) for _ in range(2))
    for _ in range(80):
        (a,), (b,) = honest.ask(), careless.ask()
        values = honest.problem.evaluate(a.x)
        b.x[:] = 0
        honest.tell(a, values)
        careless.tell(b, values)
    assert differing_arrays(honest, careless) == []
    assert all(sorted(x) == list(range(6)) for x in careless.result().X)


def test_a_valid_that_changes_its_argument_does_not_change_the_candidate():
    """Valid sees a value of its own."""

    def valid(x):
        x[:] = 0
        return True

    optimizer = dl.Optimizer(hashed(dl.Permutation(5), valid=valid))
    assert all(sorted(c.x) == list(range(5)) for c in optimizer.ask(20))


def test_the_objective_is_never_called_by_ask_and_tell():
    """Evaluations belong to the user, who may have no function at all."""

    def never(x):
        raise AssertionError

    optimizer = dl.Optimizer(dl.Problem(dl.Binary(4), never, ["a"]))
    for value in range(50):
        optimizer.tell(optimizer.ask(), [value])
    assert optimizer.evaluations == 50


# --- valid and repair


@pytest.mark.parametrize("questions", [0, None])
def test_an_invalid_solution_is_never_asked_for(questions):
    """It costs nothing: only valid ones become candidates, in batches too.

    Without free questions, each valid one that is seen becomes a candidate.
    """
    seen = []

    def valid(x):
        seen.append(bool(x[0] < x[-1]))
        return seen[-1]

    problem = dl.Problem(
        dl.Permutation(7), lambda x: (x[0], 6 - x[1]), ["a", "b"], valid=valid
    )
    optimizer = dl.Optimizer(problem, dl.DL(questions=questions), seed=3)
    for _ in range(40):
        batch = optimizer.ask(5)
        assert all(c.x[0] < c.x[-1] for c in batch)
        optimizer.tell(batch, [problem.evaluate(c.x) for c in batch])
    assert seen.count(True) == 200 if questions == 0 else seen.count(True) > 200
    assert seen.count(False) > 20


@pytest.mark.parametrize("before", [0, 30])
def test_a_valid_that_refuses_everything_is_an_error_not_a_hang(before):
    """Ask says so after many refusals, and holds nothing as asked for."""
    optimizer = dl.Optimizer(two_counts(valid=lambda x: optimizer.evaluations < before))
    if before:
        ask_and_tell(optimizer, before)
    with pytest.raises(NoCandidates, match=r"10,000 candidates .* refused by valid"):
        optimizer.ask(4)
    assert optimizer.pending == []
    assert optimizer.evaluations == before


def test_having_no_candidates_is_an_error_of_the_package():
    """Under the name by which it can be imported, in tracebacks and in pickles."""
    assert f"{NoCandidates.__module__}.{NoCandidates.__name__}" == (
        "divlearn.NoCandidates"
    )
    assert isinstance(pickle.loads(pickle.dumps(dl.NoCandidates("no"))), NoCandidates)


def test_a_batch_that_could_not_be_completed_is_not_held_as_asked_for():
    """Valid may raise in the middle; nobody would ever answer the first half."""
    calls = []

    def valid(x):
        calls.append(x)
        if len(calls) == 3:
            raise OSError("no licence")
        return True

    optimizer = dl.Optimizer(two_counts(valid=valid))
    with pytest.raises(dl.EvaluationError, match="valid raised OSError: no licence"):
        optimizer.ask(5)
    assert optimizer.pending == []
    assert [c.id for c in optimizer.ask(2)] == [0, 1]


def test_every_candidate_passes_all_repairs_in_order():
    """First sorted descending, then the first two exchanged."""

    def descending(x):
        return np.sort(x)[::-1]

    def exchange(x):
        return [x[1], x[0], *x[2:]]

    problem = dl.Problem(
        dl.Permutation(5), lambda x: (1, 2), ["a", "b"], repair=[descending, exchange]
    )
    optimizer = dl.Optimizer(problem)
    for candidate in optimizer.ask(12):
        assert candidate.x.tolist() == [3, 4, 2, 1, 0]
    optimizer.tell(optimizer.pending, [(1, 2)] * 12)
    assert optimizer.result().X.tolist() == [[3, 4, 2, 1, 0]]


def test_a_repair_that_gives_up_on_a_design_is_asked_about_another_one():
    """InvalidDesign means the same in a repair as in an objective."""

    def repair(x):
        if x[0] == 0:
            raise dl.InvalidDesign("hopeless")
        return x

    optimizer = dl.Optimizer(hashed(dl.Permutation(4), repair=repair))
    assert all(c.x[0] != 0 for c in optimizer.ask(60))


@pytest.mark.parametrize(
    ("repair", "message"),
    [
        (lambda x: 1 / 0, "repair raised ZeroDivisionError: division by zero"),
        (lambda x: [0, 0, 1, 2], r"repair must return a solution of Permutation\(4\)"),
        (lambda x: None, r"repair must return a solution of Permutation\(4\)"),
    ],
)
def test_a_broken_repair_is_reported_with_its_solution(repair, message):
    """Neither a bare traceback nor a message about an argument nobody gave."""
    optimizer = dl.Optimizer(hashed(dl.Permutation(4), repair=repair))
    with pytest.raises(dl.EvaluationError, match=message):
        optimizer.ask()
