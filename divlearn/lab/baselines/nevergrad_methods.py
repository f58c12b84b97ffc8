"""Any optimizer of Nevergrad as a method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.errors import InputError
from divlearn.lab.baselines.isolation import Isolated
from divlearn.lab.baselines.nevergrad_search import NevergradSearch, nevergrad_itself
from divlearn.methods.others.base import AskTell, Proposer
from divlearn.problems import Problem


@dataclass(frozen=True)
class FromNevergrad(AskTell):
    """An optimizer of Nevergrad; see :func:`from_nevergrad`."""

    optimizer: Any
    workers: int = 1

    @property
    def name(self) -> str:  # type: ignore[override]
        """``nevergrad-`` and the name of the optimizer."""
        return f"nevergrad-{_name_of(self.optimizer)}"

    def describe(self) -> dict[str, Any]:
        """Name and number of workers."""
        return {"method": self.name, "workers": self.workers}

    def start(self, problem: Problem, budget: int | None, seed: int) -> Proposer:
        """Begin a run."""
        optimizer = _find(self.optimizer)

        def begin() -> Proposer:
            return NevergradSearch(optimizer, problem, budget, self.workers, seed)

        return Isolated(begin, seed)


def from_nevergrad(optimizer: Any, workers: int = 1) -> FromNevergrad:
    """Let an optimizer of Nevergrad run on any problem.

    Categories and free bits are choices, ordered values are integers between bounds,
    and permutations and subsets of limited size are represented by keys, one number per
    item (:mod:`divlearn.lab.baselines.keys`). Nevergrad is told several objectives as
    such and combines them by hypervolume; it is told a constraint as a violation, and a
    failed evaluation as the worst loss seen so far.

    Nevergrad is under the MIT licence, but it installs ``directsearch``, which is under
    the GNU GPL. So it is not an extra of divlearn, and you install it yourself.

    Parameters
    ----------
    optimizer
        Name of an optimizer in Nevergrad's registry, such as ``"NGOpt"``, or a class or
        family member of ``nevergrad.optimizers``.
    workers
        Candidates that may be pending at the same time; beyond that, random solutions
        are proposed.

    Returns
    -------
    A method for ``method=``: ``dl.solve(problem, 500, method=from_nevergrad("DE"))``.
    """
    _find(optimizer)
    return FromNevergrad(optimizer, require_whole("workers", workers, 1))


def _find(optimizer: Any) -> Any:
    """Return the class of that name, or ``optimizer`` itself."""
    if isinstance(optimizer, str):
        registry = nevergrad_itself().optimizers.registry
        require_one_of("optimizer", optimizer, registry, ["NGOpt", "DE", "CMA", "..."])
        return registry[optimizer]
    nevergrad_itself()
    if not callable(optimizer):
        raise InputError(
            "optimizer must be a name such as 'NGOpt' or an optimizer class of "
            f"Nevergrad, got {optimizer!r}."
        )
    return optimizer


def _name_of(optimizer: Any) -> str:
    """The name of an optimizer."""
    if isinstance(optimizer, str):
        return optimizer
    return str(getattr(optimizer, "__name__", type(optimizer).__name__))
