"""``solve`` with several evaluations at a time."""

import os
import signal

import numpy as np
import pytest

import divlearn as dl

EVALUATED_BY = "DIVLEARN_TEST_PARENT"


def squares(x):
    """Two distances; worker processes only."""
    assert os.getpid() != int(os.environ[EVALUATED_BY])
    return float(((x - 2) ** 2).sum()), float(((x - 6) ** 2).sum())


def failing(x):
    """Fails for some designs."""
    if x[0] == 7:
        raise ValueError("no licence")
    return squares(x)


def interrupting(x):
    """Ctrl-C in the middle of a search."""
    if x.sum() > 30:
        os.kill(int(os.environ[EVALUATED_BY]), signal.SIGINT)
    return squares(x)


@pytest.fixture(autouse=True)
def parent(monkeypatch):
    """Let objectives know which process is not a worker."""
    monkeypatch.setenv(EVALUATED_BY, str(os.getpid()))


def problem_of(function):
    """Six whole numbers and two distances."""
    return dl.Problem(dl.Integer(0, 9, n=6), function, ["to two", "to six"])


def test_any_number_of_workers_finds_the_front_of_a_study(tmp_path):
    """A user who asks for more workers gets the same front sooner."""
    problem = problem_of(squares)
    fronts = [
        dl.solve(problem, 40, seed=3, method="uniform", workers=workers).F
        for workers in (1, 3)
    ]
    with dl.Study(problem, tmp_path / "a.db", seed=3, method="uniform") as study:
        kept = study.run(40, workers=2).F
    for front in fronts:
        assert np.array_equal(front, kept)


def test_a_failure_ends_the_search_with_its_message_and_what_was_found():
    """As without workers; nothing is said of a file that is gone."""
    with pytest.raises(dl.EvaluationError, match="no licence") as caught:
        dl.solve(problem_of(failing), 500, method="uniform", workers=2)
    assert caught.value.x[0] == 7
    assert caught.value.result is not None
    assert "retry" not in str(caught.value)


def test_ctrl_c_gives_what_was_found():
    """The exception carries the front, and names no file."""
    with pytest.raises(dl.SearchInterrupted) as caught:
        dl.solve(problem_of(interrupting), 10_000, method="uniform", workers=1)
    assert caught.value.result.evaluations > 0
    assert ".db" not in str(caught.value)


@pytest.mark.parametrize("name", ["callbacks", "optimizer"])
def test_what_does_not_go_together_with_workers_is_named(name):
    """The error says what to use instead."""
    problem = problem_of(squares)
    values = {"callbacks": print, "optimizer": dl.Optimizer(problem, "uniform")}
    with pytest.raises(dl.InputError, match=f"{name} cannot .*Study"):
        dl.solve(problem, 10, workers=2, **{name: values[name]})


def test_quick_evaluations_in_groups_find_the_same_front(tmp_path):
    """However many travel in a message: what counts is the lag."""
    problem = problem_of(squares)
    fronts = [
        dl.solve(
            problem, 60, seed=3, method=dl.DL(gp_candidates=0), workers=workers, lag=24
        )
        for workers in (1, 2)
    ]
    options = {"method": dl.DL(gp_candidates=0), "seed": 3, "lag": 24, "durable": False}
    with dl.Study(problem_of(here), tmp_path / "a.db", **options) as study:
        kept = study.run(60, workers=0)
    for front in fronts:
        assert np.array_equal(front.F, kept.F)
    with pytest.raises(dl.InputError, match="lag is for several workers"):
        dl.solve(problem, 10, lag=4)


def here(x):
    """The same in this process."""
    return float(((x - 2) ** 2).sum()), float(((x - 6) ** 2).sum())
