"""Evaluations in this process: one at a time, or together where the problem can."""

import pytest

import divlearn as dl
from divlearn.workers import Attempt, SerialPool


class Squares:
    """Counts how it is called."""

    def __init__(self, bad=None):
        self.bad = bad
        self.batches = []

    def evaluate(self, x):
        """One at a time."""
        if x == self.bad:
            raise dl.InvalidDesign("no such number")
        return (x * x,)

    def evaluate_batch(self, solutions):
        """Several at once."""
        self.batches.append(len(solutions))
        return [self.evaluate(x) for x in solutions]


def reports(pool, count=5):
    """Reports on so many tasks."""
    for number in range(count):
        pool.submit(Attempt(number, 0, 0, number, None))
    found = []
    while some := pool.wait(None):
        found += some
    return found


def problem_of(squares, **more):
    """A problem over digits."""
    return dl.Problem(dl.Integer(0, 9), squares, ["square"], **more)


def test_solutions_are_evaluated_together():
    """As many as the pool may take, and every one has its report."""
    squares = Squares()
    found = reports(SerialPool(problem_of(squares), batch=3))
    assert squares.batches == [3, 2]
    assert [report.outputs for report in found] == [(n * n,) for n in range(5)]
    assert [report.number for report in found] == list(range(5))


def test_one_bad_solution_does_not_spoil_its_batch():
    """They are evaluated again, one at a time."""
    found = reports(SerialPool(problem_of(Squares(bad=1)), batch=5))
    states = [report.state for report in found]
    assert states == ["ok", "infeasible", "ok", "ok", "ok"]


@pytest.mark.parametrize("noise", [True, False])
def test_noise_and_plain_objectives_are_evaluated_one_at_a_time(noise):
    """Each measurement has a seed of its own; and not every problem has a batch."""
    squares = Squares()
    objective = squares if noise else squares.evaluate
    pool = SerialPool(problem_of(objective, noise=noise), batch=3)
    assert pool.size == 1
    assert len(reports(pool)) == 5
    assert squares.batches == []


def test_a_problem_with_its_own_way_to_evaluate_may_raise_anything():
    """Whatever an evaluation does becomes a report."""

    class Odd(dl.Problem):
        def evaluate(self, x):
            raise RuntimeError("can't start new thread")

    odd = Odd(dl.Integer(0, 9), lambda x: (x,), ["number"])
    (report,) = reports(SerialPool(odd), 1)
    assert report.state == "failed"
    assert "RuntimeError: can't start new thread (in evaluate" in report.message
