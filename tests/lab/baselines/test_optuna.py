"""Optuna's samplers on our spaces."""

import warnings

import numpy as np
import pytest

import divlearn as dl
from divlearn.lab.baselines.keys import Part, from_keys, from_numbers, parts_of, to_keys
from divlearn.lab.baselines.optuna_methods import OptunaTPE, from_optuna
from divlearn.testing import check_baseline
from tests.lab.baselines.test_baselines import SPACES, problem_over

optuna = pytest.importorskip("optuna")


@pytest.mark.parametrize("space", SPACES)
def test_optunas_nsga2_passes_the_shared_checks_on_every_space(space):
    """Permutations and limited subsets by keys, all else directly."""
    check_baseline("optuna-nsga2", problem_over(SPACES[space]), budget=20)


def test_tpe_passes_the_shared_checks_on_a_mixed_space():
    """Failures, late answers and files; TPE itself is slow."""
    check_baseline(OptunaTPE(startup=5), problem_over(SPACES["mixed"]), budget=12)


def test_tpe_learns_what_a_constraint_allows():
    """The constraint is told, so that candidates keep to it in the end."""
    problem = dl.Problem(
        dl.Integer(0, 9, n=3),
        lambda x: (float(x.sum()), float(-x[0]), 4.0 - x[1]),
        ["sum", "first"],
        constraints=["second is at least 4"],
    )
    optimizer = dl.Optimizer(problem, "optuna-tpe", seed=1)
    feasible = []
    for _ in range(40):
        (candidate,) = optimizer.ask()
        outputs = problem.evaluate(candidate.x)
        feasible.append(outputs[2] <= 0)
        optimizer.tell(candidate, outputs)
    assert np.mean(feasible[20:]) > 0.8


def test_any_sampler_runs_given_as_class_or_as_object():
    """One line: from_optuna(sampler); the seed is that of the run."""
    problem = problem_over(SPACES["mixed"])
    by_class = from_optuna(optuna.samplers.RandomSampler)
    by_object = from_optuna(optuna.samplers.RandomSampler(seed=99))
    results = [
        dl.solve(problem, 15, method=method, seed=4) for method in (by_class, by_object)
    ]
    assert (results[0].F == results[1].F).all()
    assert results[0].method == "optuna-RandomSampler"
    other = dl.solve(problem, 15, method=by_object, seed=5)
    assert not np.array_equal(other.F, results[1].F)
    check_baseline(by_object, problem, budget=12)


def test_a_sampler_with_others_inside_follows_the_seed_of_the_run():
    """All its random generators are set, also those of the sampler it begins with."""
    problem = problem_over(SPACES["binary"])
    method = from_optuna(optuna.samplers.NSGAIISampler(population_size=4))
    runs = [dl.solve(problem, 24, method=method, seed=2).F for _ in range(2)]
    assert np.array_equal(*runs)


def test_what_is_no_sampler_is_refused():
    """The message shows one."""
    with pytest.raises(dl.InputError, match=r"optuna\.samplers\.TPESampler"):
        from_optuna("tpe")
    with pytest.raises(dl.InputError, match="options go with the class"):
        from_optuna(optuna.samplers.RandomSampler(), n_startup_trials=3)


def test_optuna_neither_logs_nor_warns_nor_stays_silenced(capfd):
    """Its remarks on its own options are none of the user's business here."""
    before = optuna.logging.get_verbosity()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dl.solve(problem_over(SPACES["subset"]), 4, method=OptunaTPE(joint=True))
    assert optuna.logging.get_verbosity() == before
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("space", SPACES)
def test_numbers_that_are_a_solution_stand_for_it(space):
    """Solutions from elsewhere come back as they are told."""
    chosen = SPACES[space]
    for seed in range(20):
        codes = chosen.encode(chosen.sample(seed))
        assert (from_numbers(chosen, codes) == codes).all()
        for part in parts_of(chosen):
            if part.has_keys:
                inside = codes[part.inside]
                assert (from_keys(part, to_keys(part, inside)) == inside).all()


@pytest.mark.parametrize("space", SPACES)
def test_any_numbers_stand_for_a_member_of_the_space(space):
    """A method that knows numbers alone may propose whatever it likes."""
    chosen, rng = SPACES[space], np.random.default_rng(0)
    last = chosen.layout.places.arity - 1
    for _ in range(50):
        codes = from_numbers(chosen, rng.normal(size=len(last)) * 2 * last)
        assert chosen.contains(chosen.decode(codes))


def test_uniform_numbers_stand_for_equally_frequent_values():
    """Rounding would give the first and last value half of their share."""
    space = dl.Integer(0, 3)
    rng = np.random.default_rng(0)
    drawn = [int(from_numbers(space, [x])[0]) for x in rng.random(4_000) * 3]
    assert min(np.bincount(drawn)) > 900


def test_keys_choose_within_the_limits_of_a_subset():
    """Above one half is in; too many or too few are settled by the highest keys."""
    part = Part(kind=1, inside=slice(0, 4), least=1, most=2)
    assert from_keys(part, np.array([0.9, 0.8, 0.7, 0.1])).tolist() == [1, 1, 0, 0]
    assert from_keys(part, np.array([0.1, 0.4, 0.3, 0.2])).tolist() == [0, 1, 0, 0]
    assert from_keys(part, np.array([0.1, 0.4, 0.6, 0.2])).tolist() == [0, 0, 1, 0]


def test_the_seed_of_a_sampler_is_that_of_the_run():
    """With one of its own all seeds of a benchmark would be the same run."""
    with pytest.raises(dl.InputError, match="pass seed= to solve"):
        from_optuna(optuna.samplers.TPESampler, seed=3)
