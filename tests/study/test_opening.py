"""A study that is opened again goes through its past, compiled or one by one."""

import pytest

from divlearn.optimizer.optimizer import Optimizer
from tests.optimizer.test_replay import require_same
from tests.study.conftest import FakePool, same_front, tiny


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("method", ["dl", "paper-ts"])
def test_a_study_opens_the_same_way_compiled_or_not(
    method, ordered, study_at, use_pool, monkeypatch
):
    """Its own file, with failures, replicates and candidates that were abandoned."""
    problem = tiny("composite")

    def behave(task):
        if task.number in (9, 14):
            raise KeyboardInterrupt  # the run is cut off with these under way
        return "failed" if task.number % 7 == 3 else None

    use_pool(FakePool(problem, 3, behave=behave))
    with study_at(problem, method=method, ordered=ordered) as study:
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                study.run(budget=40, running="abandon")
        use_pool(FakePool(problem, 3))
        study.run(budget=40, running="abandon", replicates=2)
        assert any(trial.state == "abandoned" for trial in study.trials())
    found = []
    for many in (1, 1_000_000):
        monkeypatch.setattr("divlearn.study.replay.MANY", many)
        with study_at(problem, checkpoint=False) as study:
            assert study.verify()
            found.append((study.result(), study._opened.rebuilt()))
    (result, search), (other, reference) = found
    assert same_front(result, other)
    assert result.history == other.history
    require_same(search.optimizer, reference.optimizer)
    assert (search.asked, search.taken, search.told) == (
        reference.asked,
        reference.taken,
        reference.told,
    )


def test_a_long_past_is_cut_into_stretches(study_at, monkeypatch):
    """So that memory does not grow with the file."""
    lengths, usual = [], Optimizer.replay

    def counted(self, events, *, compiled):
        lengths.append(len(events))
        usual(self, events, compiled=compiled)

    with study_at(tiny()) as study:
        front = study.run(budget=30, workers=0)
    monkeypatch.setattr("divlearn.study.search.LONGEST", 7)
    monkeypatch.setattr("divlearn.study.replay.MANY", 1)
    monkeypatch.setattr(Optimizer, "replay", counted)
    with study_at(tiny(), checkpoint=False) as study:
        assert same_front(study.result(), front)
    assert max(lengths) == 7
    assert sum(lengths) >= 30
