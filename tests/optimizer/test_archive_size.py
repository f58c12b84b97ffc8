"""A limit on the number of members of the front that a search keeps."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.metrics.dominance import non_dominated

BUDGET, MOST = 240, 8


def tours():
    """A compiled problem with a front of dozens, in three objectives."""
    return dl.problems.get("tritsp-20", instance=0)


def asked_and_told(optimizer, count):
    """Make evaluations one by one."""
    for _ in range(count):
        (candidate,) = optimizer.ask()
        optimizer.tell(candidate, optimizer.problem.evaluate(candidate.x))


def front_of(result):
    """A front whose order does not matter."""
    return sorted(map(tuple, result.F.tolist()))


@pytest.mark.parametrize("method", ["dl", "paper-ucb", "uniform"])
def test_compiled_loop_and_ask_and_tell_let_the_same_members_go(method):
    """And so does a search that was saved, loaded and continued."""
    problem = tours()
    how = {"method": method, "seed": 3, "budget": BUDGET, "archive_size": MOST}
    compiled, told = (dl.Optimizer(problem, **how) for _ in range(2))
    compiled.run(BUDGET)
    asked_and_told(told, BUDGET)
    assert compiled.front_size == MOST
    assert np.array_equal(compiled.front_objectives, told.front_objectives)
    free = dl.Optimizer(problem, **{**how, "archive_size": None})
    free.run(BUDGET)
    assert free.front_size > MOST


@pytest.mark.parametrize("method", ["dl", "uniform"])
def test_a_limit_is_saved_and_loaded(tmp_path, method):
    """What was stopped goes on as if it never had."""
    problem = tours()
    how = {"method": method, "seed": 1, "budget": BUDGET, "archive_size": MOST}
    whole, half = (dl.Optimizer(problem, **how) for _ in range(2))
    asked_and_told(whole, BUDGET)
    asked_and_told(half, BUDGET // 2)
    half.save(tmp_path / "half.npz")
    loaded = dl.Optimizer.load(tmp_path / "half.npz", problem)
    assert loaded.archive_size == MOST
    asked_and_told(loaded, BUDGET // 2)
    assert np.array_equal(loaded.front_objectives, whole.front_objectives)


def test_a_study_with_a_limit_keeps_every_trial(tmp_path):
    """Nothing found is lost: the file has what the search let go."""
    problem, path = tours(), tmp_path / "a.db"
    how = {"method": "uniform", "archive_size": MOST}
    with dl.Study(problem, path, **how) as study:
        result = study.run(BUDGET, workers=0)
    with dl.Study(problem, path) as study:
        assert front_of(study.result()) == front_of(result)
        assert len(result.F) == MOST
        found = np.array([list(trial.f.values()) for trial in study.trials()])
        assert len(found) == BUDGET
        assert non_dominated(found).sum() > MOST
        assert study.verify()
    solved = dl.solve(problem, BUDGET, **how, workers=1, progress=False)
    assert front_of(solved) == front_of(result)
    with pytest.raises(InputError, match="archive_size: 8 -> 9"):
        dl.Study(problem, path, archive_size=9)


def test_a_fork_keeps_the_limit_unless_told_otherwise(tmp_path):
    """As it keeps seed and lag."""
    problem = tours()
    with dl.Study(problem, tmp_path / "a.db", archive_size=MOST) as study:
        with study.fork(tmp_path / "b.db") as same:
            assert same._opened.declaration.archive_size == MOST
        with study.fork(tmp_path / "c.db", archive_size=12) as other:
            assert other._opened.declaration.archive_size == 12


@pytest.mark.parametrize("most", [5, 0, 2.5, "many", True])
def test_a_limit_that_makes_no_sense_is_refused(most):
    """The best in each objective, and others, must find room."""
    with pytest.raises(InputError, match="archive_size must be"):
        dl.Optimizer(tours(), archive_size=most)


def test_an_optimizer_keeps_its_own_limit():
    """Another one would be forgotten in silence."""
    problem = tours()
    optimizer = dl.Optimizer(problem, "uniform", archive_size=MOST)
    with pytest.raises(InputError, match="archive_size must be that of the optimizer"):
        dl.solve(problem, 20, optimizer=optimizer, archive_size=9)
    result = dl.solve(problem, 200, optimizer=optimizer)
    assert len(result.F) <= MOST


def test_a_saved_state_with_more_members_than_its_limit_is_refused(tmp_path):
    """A file may come from anyone."""
    problem = tours()
    optimizer = dl.Optimizer(problem, "paper-ucb", budget=BUDGET)
    optimizer.run(BUDGET)
    optimizer.archive_size = MOST
    optimizer.save(tmp_path / "wrong.npz")
    with pytest.raises(InputError, match="more than 8 members"):
        dl.Optimizer.load(tmp_path / "wrong.npz", problem)
