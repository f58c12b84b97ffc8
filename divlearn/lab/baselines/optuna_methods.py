"""Samplers of Optuna as methods: TPE, NSGA-II and GP by name, and any other."""

from __future__ import annotations

import copy
import inspect
import warnings
from dataclasses import dataclass, field
from typing import Any, ClassVar

from divlearn.basics.checks import require_flag, require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.extras import need
from divlearn.lab.baselines.isolation import Isolated
from divlearn.lab.baselines.naming import plain
from divlearn.lab.baselines.optuna_search import OptunaSearch
from divlearn.methods.others.base import AskTell, Proposer
from divlearn.problems import Problem


@dataclass(frozen=True)
class FromOptuna(AskTell):
    """A sampler of Optuna; see :func:`from_optuna`."""

    sampler: Any
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:  # type: ignore[override]
        """``optuna-`` and the name of the sampler's class."""
        kind = self.sampler if inspect.isclass(self.sampler) else type(self.sampler)
        return f"optuna-{kind.__name__}"

    def describe(self) -> dict[str, Any]:
        """Sampler and options, as far as they are plain data."""
        own = {} if inspect.isclass(self.sampler) else vars(self.sampler)
        return {"method": self.name, "options": plain({**own, **self.options})}

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a study in memory."""

        def begin() -> Proposer:
            return OptunaSearch(_made(self.sampler, self.options, seed), problem)

        return Isolated(begin, seed)


def from_optuna(sampler: Any, **options: Any) -> FromOptuna:
    """Let a sampler of Optuna run on any problem.

    Every position of the space is a parameter: categories and free bits are
    categorical, ordered values are integers, reals are floats, and permutations and
    subsets of limited size are represented by keys, one float per item
    (:mod:`divlearn.lab.baselines.keys`). What exists only under a condition is asked
    for once it holds (define-by-run). Constraints become Optuna's constraints, and
    failed evaluations its failed trials. Repaired solutions count for the parameters
    that were proposed.

    Parameters
    ----------
    sampler
        Class of a sampler, or a sampler, which is copied; both get the seed of the run.
    options
        Arguments of the class.

    Returns
    -------
    A method for ``method=``.

    Examples
    --------
    >>> import optuna
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bitsp-20")
    >>> method = from_optuna(optuna.samplers.RandomSampler)
    >>> dl.solve(problem, budget=20, method=method).evaluations
    20
    """
    need("optuna")
    from optuna.samplers import BaseSampler

    is_class = inspect.isclass(sampler) and issubclass(sampler, BaseSampler)
    if not is_class and not isinstance(sampler, BaseSampler):
        raise InputError(
            "sampler must be a sampler of Optuna or its class, such as "
            f"optuna.samplers.TPESampler, got {sampler!r}."
        )
    if options and not is_class:
        raise InputError(
            f"options go with the class of a sampler, got {sampler!r} and "
            f"{', '.join(options)}; give them to the sampler itself."
        )
    if "seed" in options:
        raise InputError(
            f"seed is that of the run, got seed={options['seed']!r}; leave it out, and "
            "pass seed= to solve."
        )
    return FromOptuna(sampler, options)


@dataclass(frozen=True)
class OptunaTPE(AskTell):
    """Optuna's tree-structured Parzen estimator.

    Parameters
    ----------
    joint
        Whether positions are sampled together (Optuna's ``multivariate``); if None,
        Optuna's default, which is together only for one objective.
    startup
        Random solutions at the beginning.
    candidates
        Draws for each solution, of which the most promising is taken.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("mixed-20")
    >>> dl.solve(problem, budget=15, method="optuna-tpe").evaluations
    15
    """

    name: ClassVar[str] = "optuna-tpe"
    joint: bool | None = None
    startup: int = 10
    candidates: int = 24

    def __post_init__(self) -> None:
        if self.joint is not None:
            require_flag("joint", self.joint)
        require_whole("startup", self.startup, 1)
        require_whole("candidates", self.candidates, 1)

    def require(self, problem: Problem) -> None:
        """Need Optuna; every problem can be treated."""
        need("optuna")

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a study in memory."""
        options = {
            "multivariate": self.joint,
            "n_startup_trials": self.startup,
            "n_ei_candidates": self.candidates,
        }
        sampler = need("optuna").samplers.TPESampler
        return OptunaSearch(_made(sampler, options, seed), problem)


@dataclass(frozen=True)
class OptunaNSGA2(AskTell):
    """Optuna's NSGA-II: uniform crossover of parameters.

    Parameters
    ----------
    population
        Number of solutions kept.

    Examples
    --------
    >>> import divlearn as dl
    >>> problem = dl.problems.get("bikp-50")
    >>> dl.solve(problem, budget=20, method="optuna-nsga2").evaluations
    20
    """

    name: ClassVar[str] = "optuna-nsga2"
    population: int = 50

    def __post_init__(self) -> None:
        require_whole("population", self.population, 2)

    def require(self, problem: Problem) -> None:
        """Need Optuna; every problem can be treated."""
        need("optuna")

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a study in memory."""
        sampler = need("optuna").samplers.NSGAIISampler
        options = {"population_size": self.population}
        return OptunaSearch(_made(sampler, options, seed), problem)


@dataclass(frozen=True)
class OptunaGP(AskTell):
    """Optuna's Gaussian processes with expected hypervolume improvement.

    Parameters
    ----------
    startup
        Random solutions at the beginning.
    deterministic
        Whether the models take evaluations to be free of noise.
    flat
        Whether knobs that exist only under a condition are always modelled, and ignored
        where they do not exist. Otherwise Optuna draws them at random.

    Examples
    --------
    >>> import divlearn as dl
    >>> dl.lab.baselines.OptunaGP(startup=5).describe()["startup"]
    5
    """

    name: ClassVar[str] = "optuna-gp"
    startup: int = 10
    deterministic: bool = False
    flat: bool = False

    def __post_init__(self) -> None:
        require_whole("startup", self.startup, 1)
        require_flag("deterministic", self.deterministic)
        require_flag("flat", self.flat)

    def require(self, problem: Problem) -> None:
        """Need Optuna and torch; every problem can be treated."""
        need("optuna")
        need("scipy")
        need("torch", "bo")

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a study in memory."""
        options = {
            "n_startup_trials": self.startup,
            "deterministic_objective": self.deterministic,
        }
        sampler = _made(need("optuna").samplers.GPSampler, options, seed)
        return OptunaSearch(sampler, problem, self.flat)


def _made(sampler: Any, options: dict[str, Any], seed: int) -> Any:
    """Make a sampler with the seed of the run."""
    seed %= 2**32
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some options are experimental in Optuna
        if not inspect.isclass(sampler):
            copied = copy.deepcopy(sampler)
        elif "seed" in inspect.signature(sampler).parameters:
            return sampler(**{"seed": seed, **options})
        else:
            copied = sampler(**options)
    _reseed(copied, seed, set())
    return copied


def _reseed(sampler: Any, seed: int, done: set[int]) -> None:
    """Give the seed to all random generators of a sampler and of those inside it."""
    from optuna.samplers import BaseSampler
    from optuna.samplers._lazy_random_state import LazyRandomState

    done.add(id(sampler))
    for value in vars(sampler).values():
        if isinstance(value, LazyRandomState):
            value.rng.seed(seed)
        elif isinstance(value, BaseSampler) and id(value) not in done:
            _reseed(value, seed, done)
