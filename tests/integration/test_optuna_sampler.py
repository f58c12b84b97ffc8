"""Studies of Optuna that divlearn searches."""

import copy
import logging
import math
import sys

import numpy as np
import optuna
import pytest
from optuna.trial import TrialState

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.integration.optuna import (
    DivlearnSampler,
    suggest_permutation,
    suggest_subset,
)
from tests.integration.studies import BOTH, SPACE, conditional, plain, study_of

pytestmark = pytest.mark.usefixtures("quiet", "short_gp")


def test_a_study_whose_space_is_known_asks_the_questions_of_the_optimizer_itself():
    """Nothing is lost on the way: trial by trial the same designs, bit for bit."""
    study = study_of(plain, 40, BOTH, search_space=SPACE, n_trials=40)
    space = dl.Composite(
        p0=dl.Real(0.0, 1.0),
        p1=dl.Integer(0, 6),
        p2=dl.Real(1e-4, 1.0, log=True),
        p3=dl.Categorical(range(3)),
    )
    problem = dl.Problem(space, lambda x: None, ["a", "b"], noise=False)
    optimizer = dl.Optimizer(problem, seed=3, budget=40)
    for trial in study.trials:
        [candidate] = optimizer.ask()
        x = candidate.x
        params = {"x": x["p0"], "n": 2 + 3 * x["p1"], "rate": x["p2"]}
        params["kind"] = ("a", "b", None)[x["p3"]]
        assert trial.params == params
        optimizer.tell(candidate, trial.values)


def test_the_same_seed_gives_the_same_trials_and_another_one_others():
    """Whoever repeats a study finds the same."""
    first, again, other = (study_of(plain, 12, BOTH, seed=s) for s in (1, 1, 2))
    assert [t.params for t in first.trials] == [t.params for t in again.trials]
    assert [t.params for t in first.trials] != [t.params for t in other.trials]


def test_it_finds_what_decides_about_parameters_that_exist_only_sometimes():
    """And then searches a space that has these conditions."""
    study = study_of(conditional, 60)
    space = study.sampler._follower.form.space
    existing = {
        tuple(sorted(study.sampler._follower.form.params(space.sample(seed))))
        for seed in range(200)
    }
    assert existing == {
        ("depth", "kind"),
        ("kind",),
        ("kind", "layers", "units_0"),
        ("kind", "layers", "units_0", "units_1"),
        ("kind", "layers", "units_0", "units_1", "units_2"),
    }
    assert study.best_value < -0.9
    assert study.best_params["layers"] == 3


def test_parameters_that_come_and_go_for_no_visible_reason_are_searched_all_the_same():
    """The objective may toss a coin; the sampler must not stumble over that."""
    coin = np.random.default_rng(0)

    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        if coin.random() < 0.5:
            x += trial.suggest_float("y", 0.0, 1.0)
        return x

    study = study_of(objective, 40)
    assert study.best_value < 0.05
    assert study.sampler._follower.optimizer.evaluations > 5


def test_ranges_that_depend_on_others_are_kept():
    """What lies outside of the range at hand is drawn inside."""

    def objective(trial):
        x = trial.suggest_int("x", 1, 20)
        return trial.suggest_int("y", 0, x) - 0.1 * x

    study = study_of(objective, 40)
    assert all(t.params["y"] <= t.params["x"] for t in study.trials)
    assert study.best_value < -1.5


def test_a_range_that_was_moved_is_searched_where_it_is_now():
    """After some trials, those of the old range count no more."""
    study = study_of(lambda t: t.suggest_float("x", 0, 10), 15)
    study.optimize(lambda t: (t.suggest_float("x", 20, 30) - 24) ** 2, n_trials=40)
    assert study.sampler._follower.form.distributions["x"].low == 20
    assert min(t.value for t in study.trials[15:]) < 0.1


@pytest.mark.parametrize("how", ["set_constraint", "constraints_func"])
def test_constraints_are_kept_however_they_are_told(how):
    """Optuna's own way since version 5, and the one before."""

    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        y = trial.suggest_float("y", 0.0, 1.0)
        if how == "set_constraint":
            trial.set_constraint("sum", 0.8 - x - y)
        return x + 2 * y

    def bound(trial):
        return (0.8 - trial.params["x"] - trial.params["y"],)

    options = {} if how == "set_constraint" else {"constraints_func": bound}
    study = study_of(objective, 50, **options)
    assert study.sampler._follower.optimizer.problem.num_constraints == 1
    assert study.best_value == pytest.approx(0.8, abs=0.1)
    assert all(len(trial.constraints) == 1 for trial in study.trials)


def test_a_constraint_that_comes_later_is_taken_up():
    """Trials before it count as feasible, as in Optuna."""

    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        if trial.number >= 5:
            trial.set_constraint("late", math.inf if x < 0.5 else -1.0)
        return x

    study = study_of(objective, 30)
    assert study.sampler._follower.optimizer.problem.num_constraints == 1
    feasible = [t for t in study.trials[5:] if t.constraints["late"] <= 0]
    assert min(t.value for t in feasible) < 0.6


def test_failed_trials_are_not_tried_again_and_infinite_values_count_as_failed():
    """What fails once fails again; a new sampler knows that from the storage."""

    def objective(trial):
        n = trial.suggest_int("n", 0, 9)
        if n < 3:
            raise ValueError("no")
        return math.inf if n == 3 else n

    study = optuna.create_study(sampler=DivlearnSampler(seed=0))
    study.optimize(objective, n_trials=4, catch=ValueError)
    study.sampler = DivlearnSampler(seed=1)
    study.optimize(objective, n_trials=20, catch=ValueError)
    failed = [t.params["n"] for t in study.trials if t.state == TrialState.FAIL]
    assert sorted(set(failed)) == sorted(failed)
    assert study.best_value == 4


def test_a_space_in_which_everything_fails_does_not_end_the_study():
    """Parameters are drawn at random when nothing is left to propose."""

    def objective(trial):
        trial.suggest_categorical("c", ["a", "b", "c"])
        if trial.number:
            raise ValueError("no")
        return 1.0

    study = optuna.create_study(sampler=DivlearnSampler(seed=0))
    study.optimize(objective, n_trials=12, catch=ValueError)
    assert len(study.trials) == 12


def test_pruned_trials_teach_that_they_were_not_good():
    """Their values are of earlier steps, and would look too good here."""

    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        for step in range(4):
            trial.report(step * 0.25 * (1 + x), step)
            if x > 0.4 and step == 0 and trial.number > 4:
                raise optuna.TrialPruned
        return 1 + x

    study = study_of(objective, 40)
    pruned = [t for t in study.trials if t.state == TrialState.PRUNED]
    assert pruned
    assert pruned[0].value == 0.0
    assert study.best_value < 1.05
    optimizer = study.sampler._follower.optimizer
    assert optimizer.result().F.min() == study.best_value


def test_brackets_of_hyperband_may_share_a_sampler():
    """Optuna shows a sampler the trials of one bracket at a time."""

    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        for step in range(9):
            trial.report(x + 1 / (step + 1), step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return x

    pruner = optuna.pruners.HyperbandPruner()
    study = optuna.create_study(sampler=DivlearnSampler(seed=0), pruner=pruner)
    study.optimize(objective, n_trials=30)
    assert study.best_value < 0.1


@pytest.mark.parametrize(
    "sampler",
    [
        DivlearnSampler(seed=0),
        optuna.samplers.TPESampler(seed=0, n_startup_trials=3),
        optuna.samplers.RandomSampler(seed=0),
        optuna.samplers.NSGAIISampler(seed=0, population_size=4),
    ],
    ids=lambda sampler: type(sampler).__name__,
)
def test_permutations_and_subsets_are_what_they_say_under_any_sampler(sampler):
    """And the trial shows them as a list."""

    def objective(trial):
        order = suggest_permutation(trial, "order", 5)
        free = suggest_subset(trial, "free", 4)
        some = suggest_subset(trial, "some", 6, min=2, max=3)
        two = suggest_subset(trial, "two", 5, k=2)
        assert sorted(order) == [0, 1, 2, 3, 4]
        assert free == sorted(set(free) & set(range(4)))
        assert some == sorted(set(some) & set(range(6)))
        assert 2 <= len(some) <= 3
        assert len(set(two)) == 2
        assert trial.user_attrs["order (permutation of 5)"] == order
        return order[0] + len(free) - some[0] - two[0]

    study = optuna.create_study(sampler=copy.deepcopy(sampler))
    study.optimize(objective, n_trials=12)
    assert len(study.trials) == 12


def test_permutations_are_searched_as_permutations():
    """Not as floats: the space that is searched has an order in it."""
    target = np.random.default_rng(0).permutation(8)

    def objective(trial):
        order = suggest_permutation(trial, "order", 8)
        chosen = suggest_subset(trial, "items", 6, 3)
        return float(np.abs(np.argsort(order) - np.argsort(target)).sum()), sum(chosen)

    study = study_of(objective, 30, BOTH)
    parts = study.sampler._follower.form.space.parts
    assert list(parts.values()) == [dl.Permutation(8), dl.Subset(6, 3)]
    # What the optimizer asked is what the trials had: nothing came from elsewhere.
    assert study.sampler._follower.optimizer.under_way.num_known == 1


def test_promised_permutations_and_subsets_are_searched_from_the_first_trial_on():
    """``search_space`` names them by their spaces."""
    given = {"order": dl.Permutation(4), "items": dl.Subset(5, min=1)}

    def objective(trial):
        order = suggest_permutation(trial, "order", 4)
        return order[0] + sum(suggest_subset(trial, "items", 5, min=1))

    study = study_of(objective, 10, search_space=given)
    assert study.sampler._follower.optimizer.under_way.num_known == 0
    assert study.sampler._follower.optimizer.evaluations == 9


def test_labels_that_users_write_themselves_do_no_harm():
    """An attribute that looks like ours needs parameters to mean anything."""

    def objective(trial):
        trial.set_user_attr("x (permutation of 3)", 1)
        trial.set_user_attr("y (subset of 2, size 7 to 3)", 1)
        return trial.suggest_float("x", 0.0, 1.0)

    study = study_of(objective, 5)
    assert list(study.sampler._follower.form.distributions) == ["x"]


def test_ascending_numbers_to_choose_from_are_ordered_and_others_are_not():
    """Batch sizes are written as categories, and are none."""

    def objective(trial):
        size = trial.suggest_categorical("size", [16, 32, 64])
        mode = trial.suggest_categorical("mode", [3, 1, 2])
        flag = trial.suggest_categorical("flag", [False, True])
        return size + mode + flag

    parts = study_of(objective, 3).sampler._follower.form.space.parts
    kinds = [type(part) for part in parts.values()]
    assert kinds == [dl.Ordinal, dl.Categorical, dl.Categorical]


def test_numbers_finer_or_wider_than_a_space_are_left_to_chance():
    """Such a study goes on all the same."""

    def objective(trial):
        tiny = trial.suggest_float("tiny", 1.0, math.nextafter(1.0, 2.0))
        wide = trial.suggest_int("wide", -(2**40), 2**40)
        return trial.suggest_float("x", 0.0, 1.0) + 0 * (tiny + wide)

    study = study_of(objective, 10)
    assert list(study.sampler._follower.form.distributions) == ["x"]


def test_what_has_to_be_compiled_is_said_before(monkeypatch, caplog):
    """The first trial of all may take a minute, and the user should know why."""
    from divlearn.methods.base import Compilation

    work = Compilation("a search", {"kernels": 42.0})
    monkeypatch.setattr(dl.Optimizer, "missing_kernels", lambda *_, **__: work)
    optuna.logging.set_verbosity(optuna.logging.INFO)
    optuna.logging.enable_propagation()
    try:
        with caplog.at_level(logging.INFO):
            study_of(plain, 2, BOTH)
    finally:
        optuna.logging.disable_propagation()
    assert "divlearn compiles a search" in caplog.text
    assert "42 s" in caplog.text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seed": -1}, "seed must be"),
        ({"n_trials": 0}, "n_trials must be"),
        ({"search_space": [1]}, "search_space must give a distribution"),
        ({"search_space": {"x": 3}}, "got 3 for 'x'"),
        ({"search_space": {"o": dl.Permutation(3, before=[(0, 1)])}}, "demands"),
        ({"constraints_func": 3}, "constraints_func must be a function"),
        ({"noise": "no"}, "noise must be"),
        ({"method": "nonsense"}, "nonsense"),
    ],
)
def test_wrong_options_are_refused_in_words(options, words):
    """Before the first trial."""
    with pytest.raises(InputError, match=words):
        DivlearnSampler(**options)


@pytest.mark.parametrize(
    ("suggest", "words"),
    [
        (lambda t: suggest_permutation(t, "o", 1), "n must be"),
        (lambda t: suggest_permutation(t, "", 3), "name must be"),
        (lambda t: suggest_subset(t, "s", 3, k=4), "k = 4"),
        (lambda t: suggest_subset(t, "s", 3, 1, min=1), "either k or min and max"),
    ],
)
def test_wrong_suggestions_are_refused_in_words(suggest, words):
    """And not by a failure inside Optuna."""
    with pytest.raises(InputError, match=words):
        suggest(optuna.create_study().ask())


def test_a_reference_point_that_does_not_fit_the_study_is_refused_in_words():
    """Only the study knows how many objectives there are."""
    with pytest.raises(InputError, match="reference needs one finite number per"):
        study_of(plain, 3, BOTH, reference=(1.0,))
    study = study_of(plain, 3, BOTH, reference=(20.0, 3.0))
    assert study.sampler._follower.optimizer.problem.reference.tolist() == [20.0, 3.0]


@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
def test_other_samplers_may_wrap_it_and_fix_parameters():
    """What they take out of the search space stays in ours."""
    study = study_of(plain, 3, BOTH)
    ours = study.sampler
    study.sampler = optuna.samplers.PartialFixedSampler({"n": 5}, ours)
    study.optimize(plain, n_trials=4)
    assert [trial.params["n"] for trial in study.trials[3:]] == [5] * 4
    assert set(ours._follower.form.distributions) == {"x", "n", "rate", "kind"}


def test_without_optuna_the_error_says_what_to_install(monkeypatch):
    """A newcomer reads it and has it."""
    for name in [n for n in sys.modules if n.startswith("divlearn.integration.optuna")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(dl.MissingExtra, match=r'pip install "divlearn\[optuna\]"'):
        __import__("divlearn.integration.optuna")
