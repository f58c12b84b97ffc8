import math

import numpy as np
import pytest
from numba import njit

import divlearn as dl
from tests.kernels.cases import ask_and_tell
from tests.search_cases import bits, broken_at, crash, ones_and_zeros

# Most spaces here are small, and what is tested goes on beyond their end.
pytestmark = pytest.mark.usefixtures("tiny_spaces_go_on")

# --- objectives that fail


BAD_ANSWERS = {
    "too many": ((1, 2, 3), r"must return 2 numbers \(a, b\), got 3: \(1, 2, 3\)"),
    "too few": ((1,), r"must return 2 numbers \(a, b\), got 1"),
    "one number": (1.0, "must return 2 numbers .* got 1: 1.0"),
    "nothing": (None, "must return 2 numbers .* got None, .* without a return"),
    "NaN": ((1, math.nan), "b must be a finite number, got nan; raise .*InvalidDes"),
    "infinity": ((-math.inf, 1), "a must be a finite number, got -inf"),
    "too large": ((1, 10**400), "b must be a number, got 1000"),
    "text": ("ab", "must return 2 numbers .* got 1: 'ab'"),
    "texts": (("1", "2"), "a must be a number, got '1'"),
    "None inside": ((1, None), "b must be a number, got None"),
    "complex": ((1j, 2), "a must be a number, got 1j"),
    "other names": ({"a": 1, "c": 2}, r"lacks 'b' and has 'c', which is not d"),
    "an exception": (crash, "raised OSError: licence server unreachable"),
}


@pytest.mark.parametrize("case", BAD_ANSWERS)
def test_a_wrong_answer_ends_the_search_and_loses_nothing(case):
    """The error holds the solution that did it and everything found before."""
    answer, message = BAD_ANSWERS[case]
    evaluate, calls = broken_at(30, answer)
    with pytest.raises(dl.EvaluationError, match=message) as caught:
        dl.solve(bits(evaluate), 100)
    error = caught.value
    assert error.x.tolist() == calls[-1].tolist()
    assert len(calls) == 30
    assert error.result.evaluations == 29
    counts = {tuple(ones_and_zeros(x)) for x in calls[:-1]}
    assert set(map(tuple, error.result.F.tolist())) == counts
    assert error.result.stopped == "the objective failed"
    assert error.result.history["evaluations"][-1] == 29


def test_the_cause_of_a_failure_is_kept():
    """One sees the objective's own traceback, not only its message."""
    evaluate, _ = broken_at(1, crash)
    with pytest.raises(dl.EvaluationError) as caught:
        dl.solve(bits(evaluate), 10)
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.result.evaluations == 0
    assert len(caught.value.result.F) == 0


def test_a_search_goes_on_after_a_failure():
    """What was asked stays pending; the optimizer is as good as before."""
    evaluate, calls = broken_at(20, lambda: crash() if len(calls) == 20 else (1, 2))
    problem = bits(evaluate)
    optimizer = dl.Optimizer(problem, budget=50)
    with pytest.raises(dl.EvaluationError):
        dl.solve(problem, 50, optimizer=optimizer)
    assert (optimizer.evaluations, len(optimizer.pending)) == (19, 1)
    assert dl.solve(problem, 50, optimizer=optimizer).evaluations == 50


@njit
def half_broken(x, table, y):
    """Not finite as soon as three bits are set."""
    y[0] = x.sum()
    y[1] = np.nan if x.sum() == table[0, 0] else -x.sum()


def test_a_compiled_objective_that_fails_is_reported_the_same_way():
    """The compiled loop stops at the solution and keeps what it had."""
    compiled = dl.Compiled(half_broken, np.array([[3.0]]))
    problem = bits(None, compiled=compiled)
    with pytest.raises(dl.EvaluationError, match="b must be a finite number") as caught:
        dl.solve(problem, 500)
    assert caught.value.x.sum() == 3
    result = caught.value.result
    assert result.stopped == "the objective failed"
    optimizer = dl.Optimizer(problem, budget=500)
    ask_and_tell(optimizer, result.evaluations)
    assert optimizer.result().F.tolist() == result.F.tolist()
    (failing,) = optimizer.ask()
    assert failing.x.tolist() == caught.value.x.tolist()


@njit
def throwing(x, table, y):
    """Raise as soon as four bits are set."""
    y[0] = x.sum()
    y[1] = -x.sum()
    if x.sum() == table[0, 0]:
        raise ValueError("does not converge")


def test_a_compiled_objective_may_raise():
    """Its exception is reported with the solution, as one of Python is."""
    compiled = dl.Compiled(throwing, np.array([[4.0]]))
    with pytest.raises(
        dl.EvaluationError, match="raised ValueError: does not converge"
    ) as caught:
        dl.solve(bits(None, compiled=compiled), 500)
    assert caught.value.x.sum() == 4
    assert caught.value.result.evaluations >= len(caught.value.result.F) > 0


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        ({"valid": lambda x: 1 / 0}, "valid raised ZeroDivisionError"),
        ({"valid": lambda x: x > 0}, "valid raised ValueError.* must return True or F"),
        ({"repair": lambda x: 1 / 0}, "repair raised ZeroDivisionError"),
        ({"repair": lambda x: [7]}, r"repair must return a solution of Binary\(8\)"),
    ],
)
def test_failing_hooks_are_reported_like_failing_objectives(hook, message):
    """Everything found before is in the error."""
    (name, broken), calls = next(iter(hook.items())), []

    def late(x):
        calls.append(x)
        if len(calls) <= 12:
            return x if name == "repair" else True
        return broken(x)

    with pytest.raises(dl.EvaluationError, match=message) as caught:
        dl.solve(bits(ones_and_zeros, **{name: late}), 50)
    assert caught.value.result.evaluations == 12


# --- designs that cannot be evaluated


def test_an_invalid_design_is_skipped_and_the_search_goes_on():
    """It costs an evaluation, is not asked for again, and never on the front."""
    refused = []

    def evaluate(x):
        if x[0]:
            refused.append(x.tobytes())
            raise dl.InvalidDesign("does not route")
        return ones_and_zeros(x)

    result = dl.solve(bits(evaluate, 6), 200)
    assert result.evaluations == 200
    assert len(refused) == len(set(refused)) > 5
    assert not result.X[:, 0].any()


@pytest.mark.parametrize("n", [2, 30])
def test_a_search_without_a_single_valid_design_ends(n):
    """By the budget, or earlier when there is nothing left to try."""

    def evaluate(x):
        raise dl.InvalidDesign

    result = dl.solve(dl.Problem(dl.Permutation(n), evaluate, ["a", "b"]), 100)
    assert len(result.F) == 0
    if n == 2:
        assert result.evaluations == 2
        assert "refused by valid() or have failed before" in result.stopped
    else:
        assert result.evaluations == 100


def test_nothing_is_lost_when_valid_refuses_the_rest():
    """An error would throw away what was paid for."""
    calls = []

    def valid(x):
        calls.append(x)
        return len(calls) <= 20

    result = dl.solve(bits(ones_and_zeros, valid=valid), 100)
    assert result.evaluations == 20
    assert "10,000 candidates in a row were refused" in result.stopped


def test_a_valid_that_refuses_everything_is_an_error():
    """There is nothing to return, so the request must have been wrong."""
    with pytest.raises(dl.InputError, match=r"loosen valid, .* or give a repair"):
        dl.solve(bits(ones_and_zeros, valid=lambda x: False), 100)


# --- several at once


class Batched:
    """Evaluates several solutions at once and notes how many."""

    def __init__(self, refuse=None):
        self.sizes, self.refuse = [], refuse

    def evaluate_batch(self, solutions):
        """One row per solution."""
        self.sizes.append(len(solutions))
        if self.refuse is not None and any(x[self.refuse] for x in solutions):
            raise dl.InvalidDesign
        return np.array([ones_and_zeros(x) for x in solutions])


def test_batch_evaluation_is_used_where_it_is_there():
    """Up to 32 at once, never beyond the budget; callbacks still see each one."""
    source, seen = Batched(), []
    result = dl.solve(
        bits(source), 333, callbacks=lambda optimizer, candidate: seen.append(candidate)
    )
    assert sum(source.sizes) == result.evaluations == len(seen) == 333
    assert source.sizes == [32] * 10 + [13]
    assert {candidate.id for candidate in seen} == set(range(333))
    again = dl.solve(bits(Batched()), 333)
    assert again.F.tolist() == result.F.tolist()


def test_batches_stay_whole_under_a_time_limit():
    """Slow batches are what batches are for; the last one is finished."""
    source = Batched()
    result = dl.solve(bits(source), 10**9, seconds=0.2)
    assert set(source.sizes) == {32}
    assert result.stopped == "time limit of 0.2 s reached"
    same = dl.Optimizer(bits(Batched()), budget=10**9)
    dl.solve(same.problem, result.evaluations, optimizer=same)
    assert same.result().F.tolist() == result.F.tolist()


def test_an_invalid_design_in_a_batch_is_found_and_skipped():
    """The batch is evaluated one by one; the others count as usual."""
    result = dl.solve(bits(Batched(refuse=0), 5), 150)
    assert result.evaluations == 150
    assert not result.X[:, 0].any()
    assert sorted(result.F[:, 0]) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda X: [(1, 2)], "row for each of the 32 solutions, got 1"),
        (lambda X: [(1, 2)] * 31 + [(1, "x")], "b must be a number, got 'x'"),
        (lambda X: 1 / 0, "evaluate_batch raised ZeroDivisionError"),
        (lambda X: None, "evaluate_batch raised TypeError"),
        (lambda X: X.clear() or [], "row for each of the 32 solutions, got 0"),
    ],
)
def test_a_wrong_batch_is_reported(answer, message):
    """As a wrong answer is."""

    class Wrong:
        def evaluate_batch(self, solutions):
            return answer(solutions)

    with pytest.raises(dl.EvaluationError, match=message) as caught:
        dl.solve(bits(Wrong()), 10_000)
    assert caught.value.result.evaluations == 0
