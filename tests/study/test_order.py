"""The front does not depend on how many workers there are, nor on interruptions."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.study.search import RepeatableSearch
from divlearn.study.trial import Trial
from tests.study.conftest import SPACES, FakePool, same_front, tiny

BUDGET = 30


def run(study_at, use_pool, problem, name, size, **more):
    """Run a study on a pool of this size that answers in a random order."""
    pool = use_pool(FakePool(problem, size, seed=size))
    with study_at(problem, name, seed=4, **more) as study:
        result = study.run(budget=BUDGET)
        assert size != 4 or study.verify()
    assert pool.most == size
    return result


@pytest.mark.parametrize("method", ["dl", "paper-ts"])
@pytest.mark.parametrize("space", SPACES)
def test_the_front_is_the_same_for_any_number_of_workers(
    space, method, study_at, use_pool
):
    """In ordered mode, whatever the order of answers: for every space and family."""
    results = [
        run(study_at, use_pool, tiny(space), f"{size}.db", size, method=method)
        for size in (1, 2, 4, 8)
    ]
    assert results[0].evaluations == BUDGET
    assert all(same_front(results[0], other) for other in results[1:])


def test_failures_do_not_change_that(study_at, use_pool):
    """A design that fails does so for any number of workers, and is learned in turn."""
    problem = tiny()

    def behave(task):
        return "failed" if task.x[0] % 3 == 0 else None

    results = []
    for size in (1, 3, 8):
        use_pool(FakePool(problem, size, size, behave))
        with study_at(problem, f"{size}.db") as study:
            results.append(study.run(budget=BUDGET))
            assert study.failures()
            assert study.verify()
    assert all(same_front(results[0], other) for other in results[1:])


def test_a_lag_of_one_is_the_same_as_solve(study_at):
    """Then every candidate knows all before it, as in a search without a study."""
    problem = tiny()
    with study_at(problem, lag=1, seed=2) as study:
        result = study.run(budget=BUDGET, workers=0)
    alone = dl.solve(problem, BUDGET, seed=2)
    assert same_front(result, alone)
    assert result.history["evaluations"] == alone.history["evaluations"]
    assert result.history["front_size"] == alone.history["front_size"]


def test_a_candidate_is_chosen_from_exactly_those_lag_before_it(study_at, use_pool):
    """The file says how many outcomes each one was chosen from."""
    problem = tiny()
    use_pool(FakePool(problem, 4))
    with study_at(problem, lag=5) as study:
        study.run(budget=20)
        known = [trial.told for trial in study.trials()]
    assert known == [0] * 5 + list(range(1, 16))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("checkpoint", [True, False])
def test_a_study_in_pieces_is_the_same_as_in_one(
    ordered, checkpoint, study_at, monkeypatch
):
    """Opened again after 3, 11 and 24 outcomes, from a saved state or by replay."""
    monkeypatch.setattr("divlearn.study.coordinator.REPEATED", 0.0)
    problem = tiny("composite")
    for budget in (3, 11, 24, BUDGET):
        with study_at(problem, ordered=ordered, checkpoint=checkpoint, seed=1) as study:
            # What the search is planned for is what the first run said.
            study._opened.declaration = study._opened.declaration.begin(
                study._opened.store, BUDGET
            )
            result = study.run(budget=budget, workers=0)
            assert (study._opened.store.checkpoint(_stamp()) is not None) == checkpoint
            assert study.verify()
    with study_at(problem, "whole.db", ordered=ordered, seed=1) as study:
        assert same_front(result, study.run(budget=BUDGET, workers=0))


def _stamp():
    from divlearn.study.replay import stamp

    return stamp()


def test_looking_at_the_result_changes_nothing(study_at, use_pool):
    """Outcomes that wait for their turn are in the result, but not learned early."""
    problem = tiny()
    use_pool(FakePool(problem, 4))
    with study_at(problem, "looked.db") as study:
        seen = []
        looked = study.run(
            budget=BUDGET, callbacks=lambda s, trial: seen.append(s.result())
        )
    with study_at(problem, "not.db") as study:
        assert same_front(looked, study.run(budget=BUDGET))
    assert [result.evaluations for result in seen][-1] == BUDGET


def test_without_order_every_outcome_is_learned_as_it_comes(study_at, use_pool):
    """Each candidate knows all outcomes that were there, and the replay agrees."""
    problem = tiny()
    use_pool(FakePool(problem, 3, seed=5))
    with study_at(problem, ordered=False) as study:
        study.run(budget=BUDGET)
        known = [trial.told for trial in study.trials()]
        came = [o.number for o in study._opened.store.outcomes(ordered=False)]
        assert study.verify()
    assert came != sorted(came)
    assert known == sorted(known)
    assert BUDGET - known[-1] <= 3


def test_a_larger_budget_goes_on_with_the_same_search(study_at):
    """The first run's budget plans the search; a later one only adds to it."""
    problem = tiny()
    with study_at(problem) as study:
        study.run(budget=20, workers=0)
        more = study.run(budget=BUDGET, workers=0)
        assert study._opened.search.optimizer.budget == 20
    with study_at(problem) as study:
        again = study.run(budget=BUDGET, workers=0)
        assert study._opened.search.optimizer.budget == 20
    assert same_front(more, again)


def test_outcomes_wait_for_their_turn():
    """The optimizer hears of number 1 only when number 0 is there too."""

    def outcome(number):
        return Trial(number, state="ok", f={"cost": 1.0, "gain": 2.0}, g={})

    search = RepeatableSearch(dl.Optimizer(tiny(), "dl", budget=20), 2, ordered=True)
    for _ in range(2):
        assert search.prepare()
        search.ask()
    search.take(outcome(1))
    assert not search.prepare()
    search.take(outcome(0))
    assert search.prepare()
    assert search.told == 1
    assert search.result(0.0, "").evaluations == 2
    assert search.told == 1
    assert np.array_equal(search.result(0.0, "").F, [[1.0, 2.0]])
