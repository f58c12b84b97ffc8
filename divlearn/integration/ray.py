"""``DivlearnSearch``: the search of divlearn as a searcher of Ray Tune."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.integration.choices import numbered
from divlearn.integration.elsewhere import evaluated_elsewhere
from divlearn.methods.base import Method
from divlearn.methods.names import DEFAULT_METHOD
from divlearn.optimizer import Optimizer
from divlearn.problems import Problem
from divlearn.spaces import Composite, Integer, Ordinal, Real, Space

need("ray.tune", "tune")

from ray.tune.search import Searcher, sample  # noqa: E402 - it needs Ray


class DivlearnSearch(Searcher):
    """Search the hyperparameters of Ray Tune by learning from differences.

    Parameters
    ----------
    metric, mode
        What to optimize, and ``"min"`` or ``"max"``, or lists; None as the tuner says.
    seed
        The same seed gives the same suggestions, if answers come in the same order.
    budget
        Number of trials planned, if known; it is not a limit.
    method
        Any method of divlearn that can be asked.
    """

    def __init__(
        self,
        metric: str | Sequence[str] | None = None,
        mode: str | Sequence[str] | None = None,
        *,
        seed: int = 0,
        budget: int | None = None,
        method: str | Method = DEFAULT_METHOD,
    ) -> None:
        super().__init__(metric=metric, mode=mode)
        self._settings: Any = {"method": method, "seed": seed, "budget": budget}
        self._knobs: dict[str, tuple[tuple[str, ...], Any]] = {}
        self._asked: dict[str, int] = {}
        self.optimizer: Optimizer | None = None

    def set_search_properties(
        self, metric: Any, mode: Any, config: dict[str, Any], **spec: Any
    ) -> bool:
        """Begin a search of what the tuner was given."""
        if self.optimizer is not None:
            return False
        self._metric: Any = metric or self._metric
        self._mode: Any = mode or self._mode
        metrics = [self._metric] if isinstance(self._metric, str) else self._metric
        modes = [self._mode] if isinstance(self._mode, str) else self._mode
        if not metrics or not modes or len(metrics) != len(modes):
            raise InputError(
                "metric and mode must be given, both as texts or as lists of equal "
                f"length, got {self._metric!r} and {self._mode!r}."
            )
        self._knobs = {f"p{i}": each for i, each in enumerate(_domains(config))}
        space = Composite(**{name: _space(*each) for name, each in self._knobs.items()})
        objectives = dict(zip(metrics, modes, strict=True))
        problem = Problem(space, evaluated_elsewhere, objectives)
        self.optimizer = Optimizer(problem, **self._settings)
        return True

    def suggest(self, trial_id: str) -> dict[str, Any] | None:
        """Hyperparameters of a new trial."""
        if self.optimizer is None:
            raise InputError("a searcher begins with a tuner that has a param_space.")
        [candidate] = self.optimizer.ask()
        self._asked[trial_id] = candidate.id
        config: dict[str, Any] = {}
        for name, value in candidate.x.items():
            (*above, last), domain = self._knobs[name]
            inside = config
            for key in above:
                inside = inside.setdefault(key, {})
            choice = isinstance(domain, sample.Categorical)
            inside[last] = domain.categories[value] if choice else value
        return config

    def on_trial_complete(
        self, trial_id: str, result: Any = None, error: bool = False
    ) -> None:
        """Learn from a trial; one with an error or without its metrics has failed."""
        number = self._asked.pop(trial_id, None)
        if number is None or self.optimizer is None:
            return
        names = self.optimizer.problem.objectives
        values = [float((result or {}).get(name, math.nan)) for name in names]
        failed = error or not all(map(math.isfinite, values))
        self.optimizer.learn(number, None if failed else values)

    def save(self, checkpoint_path: str) -> None:
        """Write all of it to a file."""
        Path(checkpoint_path).write_bytes(pickle.dumps(vars(self)))

    def restore(self, checkpoint_path: str) -> None:
        """Continue from a file that :meth:`save` wrote; it must be your own."""
        self.__dict__.update(pickle.loads(Path(checkpoint_path).read_bytes()))


def _domains(config: Any, *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What varies in a configuration, and where it stands."""
    if isinstance(config, sample.Domain):
        yield above, config
    elif isinstance(config, Mapping):
        if "grid_search" in config:
            raise InputError(
                f"{'/'.join(above)} is a grid_search, which no searcher takes; use "
                f"tune.choice({config['grid_search']!r})."
            )
        for key, value in config.items():
            yield from _domains(value, *above, key)


def _space(path: tuple[str, ...], domain: Any) -> Space:
    """The space of one hyperparameter."""
    if isinstance(domain, sample.Categorical):
        return numbered(domain.categories)
    sampler, q = domain.get_sampler(), None
    if isinstance(sampler, sample.Quantized):
        sampler, q = sampler.sampler, sampler.q
    log = isinstance(sampler, sample.LogUniform)
    if not log and not isinstance(sampler, sample.Uniform):
        raise InputError(
            f"{'/'.join(path)} must be uniform, loguniform, randint or choice, or one "
            f"of these in steps, got {domain.domain_str}; give limits instead."
        )
    low, high = domain.lower, domain.upper
    if q is not None:
        low, high = math.ceil(low / q) * q, math.floor(high / q) * q
    if isinstance(domain, sample.Float):
        return Real(low, high, log=log, step=q)
    if q is not None and q != 1:
        return Ordinal(range(int(low), int(high) + 1, int(q)))
    return Integer(int(low), int(high) - (q is None), log=log)
