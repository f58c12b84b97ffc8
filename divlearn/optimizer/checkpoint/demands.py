"""What the settings in a file ask for: memory and time, before either is taken.

Settings that a user passes are the user's own decision. Those that are only in a file
must not ask for more memory than the file itself takes, nor for endless loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from divlearn.basics.arrays import ArrayFile
from divlearn.methods.base import Method
from divlearn.methods.dl.kernels.models.pairing.model import STORED
from divlearn.methods.names import method_from, other_methods
from divlearn.methods.others.base import AskTell
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.optimizer.checkpoint.rules import MANY, Misfit, require

#: Largest number of anything that a setting may ask for.
MOST_REPEATED = 100_000
#: Settings that are only compared with counts.
_COMPARED = {
    *("initial", "iterations", "sweeps", "patience", "construct_every", "steps"),
    *("exploration", "window", "final_from", "size", "overlap"),
}
#: Settings that are lengths of arrays, and which ones.
_LENGTHS: dict[str, tuple[str, int, Callable[[float], float]]] = {
    "memory": ("ring.deltas", 0, lambda length: length),
    "gp_candidates": ("gp.points", 0, lambda points: max(1, points)),
    "pairing_samples": ("pairing.values", 1, lambda limit: STORED * limit),
}


def method_in(settings: Mapping[str, Any], file: ArrayFile | None = None) -> Method:
    """The method that a file describes, if it asks for no more than the file holds.

    Parameters
    ----------
    settings
        What ``describe`` of the method wrote.
    file
        The arrays of the search; None where a file only describes it.

    Raises
    ------
    Misfit
        If it asks for more.
    TypeError
        If it has options that are not known.
    """
    for name, value in _numbers(settings):
        if name in _LENGTHS and file is not None:
            _require_length(name, value, file)
        else:
            most = MANY if name in _COMPARED else MOST_REPEATED
            require(abs(value) <= most, f"its settings ask for {name} = {value:g}")
    _require_askable(settings)
    method = method_from(settings)
    if isinstance(method, DivideAndLearn) and file is not None:
        _require_resolved(method, file)
    return method


def _require_askable(settings: Mapping[str, Any]) -> None:
    """Refuse methods that cannot continue a search; some read files that they name."""
    name = settings.get("method")
    if isinstance(name, str) and name in other_methods():
        askable = isinstance(other_methods()[name].make(), AskTell)
        require(askable, f"its method {name} solves in one go")


def _numbers(settings: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """All numbers in a description, with their names."""
    if isinstance(settings, Mapping):
        for key, value in settings.items():
            yield from _numbers(value, str(key))
    elif isinstance(settings, list):
        for value in settings:
            yield from _numbers(value, name)
    elif isinstance(settings, (int, float)) and not isinstance(settings, bool):
        yield name, settings


def _require_length(name: str, value: float, file: ArrayFile) -> None:
    """The array that a setting asks for is there, with its length."""
    array, axis, length = _LENGTHS[name]
    shape = file.headers[array].shape if array in file.headers else ()
    found = shape[axis] if axis < len(shape) else 0
    require(found == length(value), f"its settings ask for {name} = {value:g}")


def _require_resolved(method: DivideAndLearn, file: ArrayFile) -> None:
    """Nothing is left open that a budget would decide, and weights are in the file."""
    if method.iterations is None:
        raise Misfit("its settings leave the iterations open")
    given = method.weights
    found = file.headers["weights"].shape if "weights" in file.headers else ()
    few = given is None or hasattr(given, "__len__") or (given <= max(found, default=0))
    require(few, f"its settings ask for {given} weights")
