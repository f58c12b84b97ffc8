"""Studies that are shared, continued and copied: the trials are the only truth."""

import copy
import pickle
import subprocess
import sys

import optuna
import pytest
from optuna.distributions import IntDistribution
from optuna.trial import TrialState, create_trial

from divlearn.integration.optuna import DivlearnSampler
from tests.integration.studies import BOTH, SPACE, conditional, plain, study_of

pytestmark = pytest.mark.usefixtures("quiet", "short_gp")


def test_a_study_is_continued_by_a_new_sampler_from_its_storage(tmp_path):
    """The trials are all it needs, also those of another sampler."""
    storage = f"sqlite:///{tmp_path}/study.db"
    random = optuna.samplers.RandomSampler(seed=0)
    study = optuna.create_study(storage=storage, sampler=random, study_name="s")
    study.optimize(conditional, n_trials=20)
    study = optuna.load_study(
        storage=storage, study_name="s", sampler=DivlearnSampler(seed=1)
    )
    study.optimize(conditional, n_trials=3)
    optimizer = study.sampler._follower.optimizer
    assert optimizer.under_way.num_known >= 20
    assert len(study.trials) == 23


def test_nothing_is_rebuilt_while_nothing_surprising_comes():
    """Learning again what was learned would cost more with every trial."""
    study = study_of(plain, 5, BOTH)
    follower = study.sampler._follower
    study.optimize(plain, n_trials=10)
    assert study.sampler._follower is follower
    study.enqueue_trial({"x": 0.5, "n": 5, "rate": 0.1, "kind": "b"})
    study.add_trial(
        create_trial(
            params={"x": 0.1, "n": 2, "rate": 0.01, "kind": "a"},
            distributions=SPACE,
            values=[1.0, 2.0],
        )
    )
    study.optimize(plain, n_trials=3)
    assert study.sampler._follower is follower
    assert follower.optimizer.under_way.num_known == 3  # the first, and these two


def test_one_sampler_may_serve_one_study_after_the_other():
    """What it learned of one is not mixed up with the other."""
    sampler = DivlearnSampler(seed=0)
    for objective in (conditional, lambda t: t.suggest_float("other", 0, 1)):
        study = optuna.create_study(sampler=sampler)
        study.optimize(objective, n_trials=8)
    assert list(sampler._follower.form.distributions) == ["other"]


def test_threads_share_a_sampler():
    """As with ``n_jobs``; every trial gets an answer to its own question."""
    sampler = DivlearnSampler(seed=0)
    study = optuna.create_study(directions=BOTH, sampler=sampler)
    study.optimize(plain, n_trials=24, n_jobs=4)
    assert len(study.trials) == 24
    assert all(t.state == TrialState.COMPLETE for t in study.trials)
    assert len({tuple(t.params.values()) for t in study.trials}) > 20


def test_trials_that_run_elsewhere_are_not_begun_here_as_well():
    """Two processes with the same seed and the same trials search differently."""
    space = {"n": IntDistribution(0, 5)}
    storage = optuna.storages.InMemoryStorage()
    study = optuna.create_study(storage=storage, study_name="s")
    begun = []
    for _ in range(5):
        sampler = DivlearnSampler(seed=0, search_space=space)
        here = optuna.load_study(storage=storage, study_name="s", sampler=sampler)
        begun.append(here.ask(space).params["n"])
    assert len(set(begun)) == len(begun)
    assert len(study.trials) == 5


WORKER = """
import sys, optuna
from divlearn.integration.optuna import DivlearnSampler
optuna.logging.set_verbosity(optuna.logging.ERROR)
storage = optuna.storages.JournalStorage(
    optuna.storages.journal.JournalFileBackend(sys.argv[1])
)
study = optuna.load_study(
    study_name="s", storage=storage, sampler=DivlearnSampler(seed=0)
)
study.optimize(
    lambda t: (t.suggest_float("x", 0, 1) - 0.3) ** 2 + t.suggest_int("n", 0, 9), 8
)
"""


def test_processes_share_a_study_through_its_storage(tmp_path):
    """With the same seed, too: no two trials are alike."""
    path = str(tmp_path / "journal.log")
    backend = optuna.storages.journal.JournalFileBackend(path)
    storage = optuna.storages.JournalStorage(backend)
    study = optuna.create_study(storage=storage, study_name="s")
    command = [sys.executable, "-W", "ignore", "-c", WORKER, path]
    workers = [subprocess.Popen(command) for _ in range(2)]
    assert [worker.wait() for worker in workers] == [0, 0]
    trials = study.trials
    assert len(trials) == 16
    assert len({tuple(t.params.values()) for t in trials}) >= 14


def test_a_sampler_can_be_copied_and_pickled_in_the_middle_of_a_study():
    """Optuna's users save samplers beside their storages."""
    study = study_of(plain, 6, BOTH)
    for sampler in (
        copy.deepcopy(study.sampler),
        pickle.loads(pickle.dumps(study.sampler)),
    ):
        study.sampler = sampler
        study.optimize(plain, n_trials=2)
    assert len(study.trials) == 10
