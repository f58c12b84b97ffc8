"""State files: everything a search remembers, in one NumPy archive without pickle."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from divlearn.errors import InputError
from divlearn.files import write_atomically
from divlearn.kernels.search import TICKET_SIZE
from divlearn.kernels.state import CONTROL, saved_arrays, with_arrays
from divlearn.problems import Problem
from divlearn.settings import Settings, settings_from
from divlearn.version import __version__

if TYPE_CHECKING:
    from divlearn.optimizer import Optimizer

FORMAT = "divlearn search state"
FORMAT_VERSION = 1


def save(optimizer: Optimizer, path: str | Path) -> None:
    """Write the state; the file appears whole or not at all."""
    pending = optimizer.pending
    n = optimizer.problem.space.num_positions
    arrays = saved_arrays(optimizer._state)
    arrays["pending.ids"] = np.array([c.id for c in pending], np.int64)
    arrays["pending.codes"] = _rows([c.codes for c in pending], n)
    arrays["pending.tickets"] = _rows([c.ticket for c in pending], TICKET_SIZE)
    failed = [np.frombuffer(codes, np.int64) for codes in sorted(optimizer._failed)]
    arrays["failed"] = _rows(failed, n)
    arrays["about"] = np.array(json.dumps(_about(optimizer)))
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    write_atomically(path, content.getvalue())


def _about(optimizer: Optimizer) -> dict[str, Any]:
    """What the arrays belong to."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "divlearn": __version__,
        "problem": optimizer.problem.describe(),
        "name": optimizer.problem.name,
        "method": optimizer.method,
        "settings": optimizer.settings.describe(),
        "seed": optimizer.seed,
        "budget": optimizer.budget,
        "seconds": optimizer.seconds,
        "next_id": optimizer._next_id,
        "num_failed": optimizer._num_failed,
        "history": optimizer.history,
    }


def _rows(rows: list[NDArray[np.int64]], width: int) -> NDArray[np.int64]:
    """Stack rows, also when there are none."""
    return np.array(rows, np.int64).reshape(len(rows), width)


def load(
    kind: type[Optimizer], path: str | Path, problem: Problem, method: Settings | None
) -> Optimizer:
    """Read a state file into an optimizer."""
    arrays, about = _read(Path(path))
    _require_same_problem(path, about, problem)
    settings = settings_from(about["settings"]) if method is None else method
    optimizer = kind(problem, settings, about["seed"], budget=about["budget"])
    optimizer.settings = settings
    if arrays["control"].dtype != CONTROL:
        raise InputError(
            f"{path} was written by divlearn {about['divlearn']}, whose states this "
            f"version {__version__} cannot continue; install that version to go on."
        )
    optimizer.method = about["method"]
    optimizer._state = with_arrays(optimizer._state, arrays)
    optimizer._next_id = about["next_id"]
    optimizer._num_failed = about["num_failed"]
    optimizer._seconds_before = about["seconds"]
    optimizer.history = about["history"]
    optimizer._failed = {codes.tobytes() for codes in arrays["failed"]}
    optimizer._restore_pending(
        arrays["pending.ids"], arrays["pending.codes"], arrays["pending.tickets"]
    )
    return optimizer


def _read(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read arrays and description, or say why that is not possible."""
    if not path.is_file():
        raise InputError(f"path must be a state file, but there is no file {path}.")
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop("about")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path} is not a state file of divlearn, or it is damaged ({error})."
        ) from error
    if about.get("format") != FORMAT:
        raise InputError(f"{path} is not a state file of divlearn.")
    if about["format_version"] != FORMAT_VERSION:
        raise InputError(
            f"{path} has format version {about['format_version']}, written by divlearn "
            f"{about['divlearn']}; this version {__version__} reads version "
            f"{FORMAT_VERSION}. Use that version, or start anew."
        )
    return arrays, about


def _require_same_problem(
    path: str | Path, about: dict[str, Any], problem: Problem
) -> None:
    """Refuse a state of another problem."""
    mine = json.loads(json.dumps(problem.describe()))
    for part, theirs in about["problem"].items():
        if mine.get(part) != theirs:
            raise InputError(
                f"{path} belongs to another problem ({about['name']}): its {part} is "
                f"{theirs}, that of {problem.name} is {mine.get(part)}. Load it with "
                "the problem it was made for."
            )
