"""Files of networks: NumPy archives without pickle, in training or ready for use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from divlearn.basics.arrays import ArrayFile, pack_described, read_described
from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.version import __version__
from divlearn.lab.baselines.pmoco.model import Parameters, new_parameters
from divlearn.lab.baselines.pmoco.plan import Plan, plan_from
from divlearn.lab.baselines.pmoco.tasks import task_of
from divlearn.lab.baselines.pmoco.training import Trainer

FORMAT = "divlearn pmoco network"
FORMAT_VERSION = 1
#: Numbers recorded for each step of training.
ROW_LENGTH = 4


#: Exceptions that an altered file may cause.
_DAMAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class OtherVersion(InputError):
    """A file was written by another version."""


def _is_count(value: object) -> bool:
    """Whether this is a number of something."""
    return type(value) is int and 0 <= value < 2**63


def _is_number(value: object) -> bool:
    """Whether this is a finite number."""
    return type(value) in (int, float) and -1e300 < value < 1e300  # type: ignore[operator]


def _is_log(value: object) -> bool:
    """Whether this is a list of rows with numbers by name."""
    return isinstance(value, list) and all(
        isinstance(row, dict) and all(map(_is_number, row.values())) for row in value
    )


def _are_rows(value: object) -> bool:
    """Whether this is a list of the rows of an epoch."""
    return isinstance(value, list) and all(
        isinstance(row, list) and len(row) == ROW_LENGTH and all(map(_is_number, row))
        for row in value
    )


#: What a file says about a network, and the checks of it.
_KINDS: dict[str, Callable[[object], bool]] = {
    "plan": lambda value: isinstance(value, dict),
    "steps": _is_count,
    "instances": _is_count,
    "log": _is_log,
    "rows": _are_rows,
}


@dataclass(frozen=True)
class Network:
    """A network and how it was trained.

    Attributes
    ----------
    plan
        The plan of its training.
    parameters
        Named tensors, see :mod:`divlearn.lab.baselines.pmoco.model`.
    about
        Steps, log, versions: everything that the file says about it.
    """

    plan: Plan
    parameters: Parameters
    about: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether it was trained to the end of its plan."""
        return bool(self.about["steps"] >= self.plan.total_steps)


def save_training(trainer: Trainer, path: str | Path, command: str = "") -> None:
    """Write a network and, if unfinished, all that its training needs to continue.

    The description of the training also goes into a ``.json`` file next to it.
    """
    arrays = {f"parameter.{k}": _plain(v) for k, v in trainer.parameters.items()}
    if not trainer.finished:
        for name, (mean, square) in trainer.moments.items():
            arrays[f"mean.{name}"] = _plain(mean)
            arrays[f"square.{name}"] = _plain(square)
    about = _about(trainer, command)
    described = json.dumps({**about, "rows": trainer.rows})
    write_atomically(path, pack_described(arrays, described))
    text = json.dumps(about, indent=1) + "\n"
    write_atomically(Path(path).with_suffix(".json"), text.encode())


def _plain(value: torch.Tensor) -> NDArray[Any]:
    """Return the numbers of a tensor."""
    numbers: NDArray[Any] = value.detach().numpy()
    return numbers


def _about(trainer: Trainer, command: str) -> dict[str, Any]:
    """What the arrays belong to."""
    plan, log = trainer.plan, trainer.log
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "divlearn": __version__,
        "torch": str(torch.__version__),
        "command": command,
        "plan": plan.describe(),
        "steps": trainer.step_count,
        "instances": trainer.step_count * plan.preferences * plan.instances,
        "seconds": round(sum(row["seconds"] for row in log), 1),
        "cpu_seconds": round(sum(row["cpu_seconds"] for row in log), 1),
        "log": log,
    }


def read_network(path: str | Path) -> Network:
    """Read a network.

    Raises
    ------
    InputError
        If there is no such file, or it is damaged or something else.
    """
    with _opened(path) as (file, about):
        return _network(file, about)


def read_training(path: str | Path) -> Trainer:
    """Read a training to continue."""
    with _opened(path) as (file, about):
        network = _network(file, about)
        trainer = Trainer(network.plan)
        trainer.step_count, trainer.log = about["steps"], about["log"]
        trainer.rows = [tuple(row) for row in about["rows"]]
        for name, value in network.parameters.items():
            trainer.parameters[name] = value.requires_grad_(True)
            if not trainer.finished:
                mean, square = (
                    _tensor(file, f"{part}.{name}", tuple(value.shape))
                    for part in ("mean", "square")
                )
                trainer.moments[name] = (mean, square)
    return trainer


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[ArrayFile, dict[str, Any]]]:
    """Open a file and read its description; any damage is an InputError."""
    if not Path(path).is_file():
        raise InputError(
            "model, or --from in a training, must be a file written by 'divlearn "
            f"train pmoco', but there is no file {str(path)!r}."
        )
    try:
        with Path(path).open("rb") as stream:
            file = ArrayFile(stream)
            yield file, _read(file, path)
    except OtherVersion:
        raise
    except _DAMAGE as error:
        raise _damaged(path, str(error)[:300]) from error


def _read(file: ArrayFile, path: str | Path) -> dict[str, Any]:
    """Read what a file says about its network."""
    about = read_described(file)
    if about.get("format") != FORMAT:
        raise ValueError("it is a file of another kind")
    if about.get("format_version") != FORMAT_VERSION:
        raise OtherVersion(
            f"{path} has format version {str(about.get('format_version'))[:50]}, "
            f"written by divlearn {str(about.get('divlearn'))[:50]}; this version "
            f"{__version__} reads version {FORMAT_VERSION}. Use that version, or train "
            "anew."
        )
    for name, fits in _KINDS.items():
        if not fits(about.get(name)):
            raise ValueError(f"its {name} is not what it should be")
    return about


def _network(file: ArrayFile, about: dict[str, Any]) -> Network:
    """Check that all parameters are there, with their shapes."""
    plan = plan_from(about["plan"])
    _require_size(file, plan)
    expected = new_parameters(task_of(plan.family), plan.shape, 0)
    parameters = {
        name: _tensor(file, f"parameter.{name}", tuple(value.shape))
        for name, value in expected.items()
    }
    return Network(plan, parameters, about)


def _require_size(file: ArrayFile, plan: Plan) -> None:
    """Check that a network is no larger than its file, before making room for it."""
    width, inner, codes = plan.shape.width, plan.shape.inner, plan.shape.codes
    needed = {
        f"layer{plan.shape.layers - 1}.attention": (width, 3 * width),
        "layer0.rise": (width, inner),
        "hyper.2": (inner, inner),
        "decoder.key.basis": (codes, width, width),
    }
    listed = sum(name.endswith(".attention") for name in file.headers)
    for name, shape in needed.items():
        header = file.headers.get(f"parameter.{name}")
        if header is None or header.shape != shape or listed < plan.shape.layers:
            raise ValueError(f"{name} is not as it should be")


def _tensor(file: ArrayFile, name: str, shape: tuple[int, ...]) -> torch.Tensor:
    """Read an array of a given shape."""
    header = file.headers.get(name)
    if header is None or header.shape != shape or header.dtype != np.float32:
        raise ValueError(f"{name} is not as it should be")
    array = file.read(name).astype(np.float32)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has values that are not numbers")
    return torch.from_numpy(array)


def _damaged(path: str | Path, why: str) -> InputError:
    """Make the error for an unusable file."""
    return InputError(
        f"{path} is not a network of divlearn, or it is damaged ({why}); give a file "
        "written by 'divlearn train pmoco'."
    )
