"""``solve(known=...)``: what was evaluated before costs nothing."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.problems import TSP
from tests.study.conftest import same_front, tiny


def pairs(problem, count):
    """Random designs with their values."""
    designs = [problem.space.sample(seed) for seed in range(count)]
    return [(x, problem.evaluate(x)) for x in designs]


def test_known_designs_are_learned_before_the_search_begins():
    """The front has them, marked, and the budget is for new ones."""
    problem = tiny("integer")
    best = dl.solve(problem, 300)
    known = list(zip(best.X, best.F, strict=True))
    result = dl.solve(problem, 5, known=[*known, known[0]])
    assert result.evaluations == 5
    assert result.counts == {"ok": 5, "known": len(known)}
    assert np.array_equal(result.F, best.F)
    assert result.sources == ["a list"] * len(known)
    again = dl.solve(problem, 5, known=best)
    assert np.array_equal(again.F, best.F)


def test_a_compiled_search_begins_with_them_too():
    """And is the one that asks and tells, bit for bit."""
    problem = TSP(np.random.default_rng(0).random((9, 2, 2)))
    known = pairs(problem, 20)
    fast = dl.solve(problem, 100, known=known)
    slow = dl.solve(problem, 100, known=known, callbacks=lambda *_: None)
    assert same_front(fast, slow)
    assert fast.counts == slow.counts == {"ok": 100, "known": 20}


def test_workers_begin_with_them_too(tmp_path):
    """As a study with the same designs does."""
    problem = tiny("integer")
    known = pairs(problem, 10)
    with dl.Study(problem, tmp_path / "study.db") as study:
        study.add_from(known)
        expected = study.run(15, workers=0)
    assert same_front(dl.solve(problem, 15, known=known, workers=1), expected)


def test_designs_without_values_are_evaluated_first():
    """They count as evaluations."""
    problem, seen = tiny("integer"), []
    known = [([0, 0, 0], None), ([1, 1, 1], problem.evaluate([1, 1, 1]))]

    def note(optimizer, candidate):
        seen.append(candidate.x.tolist())

    result = dl.solve(problem, 3, known=known, callbacks=note)
    assert seen[0] == [0, 0, 0]
    assert result.counts == {"ok": 3, "known": 1}


def test_a_small_space_that_is_known_needs_no_search():
    """All of it was evaluated before."""
    problem = dl.Problem(dl.Integer(0, 3), lambda x: (x, -x), ["up", "down"])
    result = dl.solve(problem, 50, known=pairs(problem, 60))
    assert result.evaluations == 0
    assert "all 4 solutions" in result.stopped


def test_methods_that_solve_in_one_go_say_that_they_cannot():
    """Nobody can tell them anything."""
    problem = TSP(np.random.default_rng(0).random((6, 2, 2)))
    with pytest.raises(InputError, match="solves a problem in one go and cannot learn"):
        dl.solve(problem, 10, method="ws-2opt", known=pairs(problem, 2))
    with pytest.raises(InputError, match="cannot learn"):
        dl.Optimizer(problem, "ws-2opt").add(*pairs(problem, 1)[0])


@pytest.mark.parametrize("method", ["dl", "paper-ucb", "nsga2", "random"])
def test_all_methods_that_are_asked_take_them(method):
    """And their states survive a file, also while an enqueued design is under way."""
    problem = tiny("integer")
    optimizer = dl.Optimizer(problem, method, 3)
    for x, values in pairs(problem, 12):
        optimizer.add(x, values, source="lab")
    optimizer.enqueue([4, 4, 4])
    optimizer.tell(optimizer.next_number - 1, problem.evaluate([4, 4, 4]))
    optimizer.tell(optimizer.enqueue([5, 5, 5]), None)
    assert (optimizer.evaluations, optimizer.known) == (2, 12)
    for candidate in optimizer.ask(5):
        optimizer.tell(candidate, problem.evaluate(candidate.x))
    assert optimizer.evaluations == 7


@pytest.mark.parametrize("method", ["dl", "paper-ucb", "random"])
def test_a_state_keeps_what_was_known_and_enqueued(method, tmp_path):
    """A search that was saved goes on as if it had not been."""
    problem = tiny("integer")
    one = dl.Optimizer(problem, method, 3)
    for x, values in pairs(problem, 12):
        one.add(x, values, source="lab")
    waiting = one.enqueue([4, 4, 4])
    one.save(tmp_path / "state.npz")
    other = dl.Optimizer.load(tmp_path / "state.npz", problem)
    assert (other.known, other.evaluations, other.running) == (12, 0, 1)
    for each in (one, other):
        each.tell(waiting.id, problem.evaluate(waiting.x))
        for candidate in each.ask(8):
            each.tell(candidate, problem.evaluate(candidate.x))
    assert same_front(one.result(), other.result())
    assert one.result().sources == other.result().sources
