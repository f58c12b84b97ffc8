"""``DivlearnSampler``: the search of divlearn, asked by studies of Optuna."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from divlearn.basics.checks import require_flag, require_optional_whole, require_whole
from divlearn.basics.errors import InputError
from divlearn.integration.optuna.follower import TELLING, Follower, Settings
from divlearn.integration.optuna.form import Surprise
from divlearn.methods.base import Method
from divlearn.methods.names import DEFAULT_METHOD, method_for
from divlearn.optimizer.elsewhere import require_learning
from divlearn.spaces import Permutation, Subset


class DivlearnSampler(BaseSampler):
    """Sample parameters by a search that learns from differences.

    It takes any study: one or several objectives, integers, floats and categories,
    permutations and subsets (:func:`suggest_permutation`, :func:`suggest_subset`),
    parameters that exist only sometimes, constraints, parallel and distributed trials,
    any storage. The trials in the storage are all that it remembers: a study can be
    continued by a new sampler, in another process, or after other samplers.

    The first trial is random, since nobody knows yet which parameters there are. When
    a trial has parameters that no one before had, the sampler finds out what decides
    about them, and goes on with what all trials have told.

    Parameters
    ----------
    seed
        The same seed gives the same trials, if they come one after the other; None for
        another search each time.
    n_trials
        Number of trials planned, if known; it is not a limit.
    search_space
        Distributions by name, if they are known before; ``divlearn.Permutation(n)``
        and ``divlearn.Subset(n, ...)`` stand for suggestions of these. The first trial
        need not be random then.
    constraints_func
        ``constraints_func(trial)`` returns numbers that must not be above 0, as in
        Optuna before version 5; since then ``trial.set_constraint`` says it.
    reference
        A point that is worse than anything you hope for, one number per objective, if
        you know one: trials beyond it count for nothing, so none are spent there.
    noise
        Whether the same parameters may give different values.
    method
        Any method of divlearn that can be told what it did not ask for.

    Examples
    --------
    >>> import optuna
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(sampler=DivlearnSampler(seed=1))
    >>> study.optimize(lambda trial: trial.suggest_int("x", 0, 50) ** 2, n_trials=20)
    >>> study.best_value < 100
    True
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        n_trials: int | None = None,
        search_space: Mapping[str, Any] | None = None,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
        reference: Sequence[float] | None = None,
        noise: bool = False,
        method: str | Method = DEFAULT_METHOD,
    ) -> None:
        if seed is None:
            seed = secrets.randbits(32)
        require_whole("seed", seed, 0, 2**63 - 1)
        require_optional_whole("n_trials", n_trials, 1)
        require_flag("noise", noise)
        require_learning(method_for(method))
        if constraints_func is not None and not callable(constraints_func):
            raise InputError(
                "constraints_func must be a function of a trial that returns a list of "
                f"numbers, got {constraints_func!r}."
            )
        given = _read_space(search_space)
        self._settings = Settings(method, seed, n_trials, reference, noise, given)
        self._constraints_func = constraints_func
        self._independent = RandomSampler(seed=seed % 2**32)
        self._follower: Follower | None = None
        self._looked: tuple[int, list[FrozenTrial]] | None = None
        self._lock = threading.RLock()

    # --- what Optuna asks

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """List the parameters that :meth:`sample_relative` knows of."""
        with self._lock:
            self._looked = trial.number, self._follow(study, trial)
            assert self._follower is not None
            return dict(self._follower.form.distributions)

    def sample_relative(
        self,
        study: Study,
        trial: FrozenTrial,
        search_space: dict[str, BaseDistribution],
    ) -> dict[str, Any]:
        """Choose the values of all parameters that the trial will have."""
        fixed = trial.system_attrs.get("fixed_params", {})
        if search_space and search_space.keys() <= fixed.keys():
            return {}  # the user has chosen all of it
        with self._lock:
            if self._looked is None or self._looked[0] != trial.number:
                self._looked = trial.number, self._follow(study, trial)
            trials, self._looked = self._looked[1], None
            assert self._follower is not None
            others = [each for each in trials if each.number != trial.number]
            params = self._follower.propose(trial.number, others)
        return {name: value for name, value in params.items() if name in search_space}

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """Draw a parameter at random that no trial before had, or not in this range."""
        with self._lock:
            return self._independent.sample_independent(
                study, trial, param_name, param_distribution
            )

    def after_trial(
        self,
        study: Study,
        trial: FrozenTrial,
        state: TrialState,
        values: Sequence[float] | None,
    ) -> None:
        """Keep the constraints of a trial, where a function computes them."""
        if self._constraints_func is None or state not in TELLING:
            return
        limits = tuple(map(float, self._constraints_func(trial)))
        if any(limit != limit for limit in limits):
            raise InputError(
                f"constraints_func must return numbers, got {limits!r} for trial "
                f"{trial.number}."
            )
        study._storage.set_trial_system_attr(trial._trial_id, "constraints", limits)

    def reseed_rng(self) -> None:
        """Draw other parameters at random from here on."""
        self._independent.reseed_rng()

    # --- the search behind it

    def _follow(self, study: Study, trial: FrozenTrial) -> list[FrozenTrial]:
        """Learn what has happened; begin anew if it is not as expected."""
        trials = study.get_trials(deepcopy=False)
        if self._follower is not None and self._follower.belongs_to(study):
            try:
                self._follower.update(trials)
                return trials
            except Surprise:
                pass
        self._follower = Follower(self._settings, study, trials, trial.number)
        return trials

    def __getstate__(self) -> dict[str, Any]:
        """All but the search, which the trials bring back, and the lock."""
        return {**vars(self), "_follower": None, "_looked": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a sampler that was pickled or copied."""
        self.__dict__.update(state)
        self._lock = threading.RLock()


def _read_space(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Check what the user knows of the search space."""
    if given is None:
        return {}
    form = (
        "search_space must give a distribution of Optuna, divlearn.Permutation or "
        "divlearn.Subset for each name"
    )
    if not isinstance(given, Mapping):
        raise InputError(f"{form}, got {given!r}.")
    for name, each in given.items():
        plain = type(each) in (Permutation, Subset) and len(each.describe()) in (2, 4)
        if not isinstance(each, BaseDistribution) and not plain:
            raise InputError(f"{form}, without demands, got {each!r} for {name!r}.")
    return dict(given)
