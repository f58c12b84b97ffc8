"""Files of networks: NumPy archives without pickle, in training or ready for use."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from divlearn.baselines.pmoco.model import Parameters, new_parameters
from divlearn.baselines.pmoco.plan import Plan, plan_from
from divlearn.baselines.pmoco.tasks import task_of
from divlearn.baselines.pmoco.training import Trainer
from divlearn.errors import InputError
from divlearn.files import pack_arrays, read_arrays, write_atomically
from divlearn.version import __version__

FORMAT = "divlearn pmoco network"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Network:
    """A network and how it was trained.

    Attributes
    ----------
    plan
        What its training was made of.
    parameters
        Named tensors, see :mod:`divlearn.baselines.pmoco.model`.
    about
        Steps, log, versions: everything that the file says of it.
    """

    plan: Plan
    parameters: Parameters
    about: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether it was trained to the end of its plan."""
        return bool(self.about["steps"] >= self.plan.total_steps)


def save_training(trainer: Trainer, path: str | Path, command: str = "") -> None:
    """Write a network, with all that going on needs unless it is finished.

    What the file says of the training also goes into a ``.json`` file beside it.
    """
    arrays = {f"parameter.{k}": _plain(v) for k, v in trainer.parameters.items()}
    if not trainer.finished:
        for name, (mean, square) in trainer.moments.items():
            arrays[f"mean.{name}"] = _plain(mean)
            arrays[f"square.{name}"] = _plain(square)
    about = _about(trainer, command)
    arrays["about"] = np.array(json.dumps({**about, "rows": trainer.rows}))
    write_atomically(path, pack_arrays(arrays))
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
        If there is no such file, or it is damaged, or another thing.
    """
    arrays, about = _read(path)
    return _network(path, arrays, about)


def read_training(path: str | Path) -> Trainer:
    """Read a training to go on with."""
    arrays, about = _read(path)
    network = _network(path, arrays, about)
    trainer = Trainer(network.plan)
    trainer.step_count, trainer.log = about["steps"], about["log"]
    trainer.rows = [tuple(row) for row in about["rows"]]
    for name, value in network.parameters.items():
        trainer.parameters[name] = value.requires_grad_(True)
        if not trainer.finished:
            moments = (arrays[f"mean.{name}"], arrays[f"square.{name}"])
            mean, square = map(torch.from_numpy, moments)
            trainer.moments[name] = (mean, square)
    return trainer


def _read(path: str | Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read arrays and description, or say why that is not possible."""
    file = Path(path)
    if not file.is_file():
        raise InputError(
            "model, or --from in a training, must be a file written by 'divlearn "
            f"train pmoco', but there is no file {str(path)!r}."
        )
    try:
        arrays = read_arrays(file.read_bytes())
        about = json.loads(str(arrays.pop("about")))
        right = about["format"] == FORMAT
    except Exception as error:  # damage shows itself in many ways
        raise _damaged(path, str(error)) from error
    if not right:
        raise _damaged(path, f"it is a {about['format']}")
    if about.get("format_version") != FORMAT_VERSION:
        raise InputError(
            f"{path} has format version {about.get('format_version')}, written by "
            f"divlearn {about.get('divlearn')}; this version {__version__} reads "
            f"version {FORMAT_VERSION}. Use that version, or train anew."
        )
    return arrays, about


def _network(
    path: str | Path, arrays: dict[str, NDArray[Any]], about: dict[str, Any]
) -> Network:
    """Check that all parameters are there, with their shapes."""
    try:
        plan = plan_from(about["plan"])
        expected = new_parameters(task_of(plan.family), plan.shape, 0)
        parameters = {}
        for name, value in expected.items():
            array = arrays[f"parameter.{name}"].astype(np.float32)
            if array.shape != tuple(value.shape) or not np.isfinite(array).all():
                raise ValueError(f"{name} is not as it should be")
            parameters[name] = torch.from_numpy(array)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    return Network(plan, parameters, about)


def _damaged(path: str | Path, why: str) -> InputError:
    """Say that a file is of no use."""
    return InputError(
        f"{path} is not a network of divlearn, or it is damaged ({why}); give a file "
        "written by 'divlearn train pmoco'."
    )
