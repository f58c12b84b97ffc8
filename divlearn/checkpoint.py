"""State files: everything a search remembers, in one NumPy archive without pickle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from divlearn.candidate import Candidate
from divlearn.engine import TICKET_SIZE
from divlearn.errors import InputError
from divlearn.files import pack_arrays, read_arrays, write_atomically
from divlearn.methods import Method, method_from
from divlearn.problems import Problem
from divlearn.version import __version__

if TYPE_CHECKING:
    from divlearn.optimizer import Optimizer

FORMAT = "divlearn search state"
FORMAT_VERSION = 1


def save(optimizer: Optimizer, path: str | Path) -> None:
    """Write the state; the file appears whole or not at all."""
    target = _as_path(path)
    if not target.name:
        raise InputError(f"path must name a file, got {str(path)!r}.")
    write_atomically(target, pack(optimizer))


def pack(optimizer: Optimizer) -> bytes:
    """The content of a state file."""
    pending = optimizer.pending
    n = optimizer.problem.space.num_positions
    arrays = optimizer._engine.saved(optimizer._state)
    arrays["pending.ids"] = np.array([c.id for c in pending], np.int64)
    arrays["pending.codes"] = _rows([c.codes for c in pending], n)
    arrays["pending.tickets"] = _rows([c.ticket for c in pending], TICKET_SIZE)
    failed = [np.frombuffer(codes, np.int64) for codes in sorted(optimizer._failed)]
    arrays["failed"] = _rows(failed, n)
    arrays["about"] = np.array(_as_text(_about(optimizer)))
    return pack_arrays(arrays)


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


def _as_text(data: dict[str, Any]) -> str:
    """Write as JSON; what JSON has no word for, such as an enum, by its repr."""
    return json.dumps(data, default=repr)


def _as_path(path: str | Path) -> Path:
    """Check that this is a path at all."""
    try:
        return Path(path)
    except TypeError:
        raise InputError(f"path must be the name of a file, got {path!r}.") from None


def load(
    kind: type[Optimizer],
    path: str | Path,
    problem: Problem,
    method: str | Method | None,
) -> Optimizer:
    """Read a state file into an optimizer."""
    if not isinstance(problem, Problem):
        raise InputError(
            "problem must be the divlearn.Problem that the state was made for, "
            f"got {problem!r}."
        )
    file = _as_path(path)
    if not file.is_file():
        raise InputError(f"path must be a state file, but there is no file {path}.")
    return unpack(kind, file.read_bytes(), path, problem, method)


def unpack(
    kind: type[Optimizer],
    content: bytes,
    path: str | Path,
    problem: Problem,
    method: str | Method | None,
) -> Optimizer:
    """Make an optimizer of what :func:`pack` made; ``path`` is for messages."""
    arrays, about = _read(content, path)
    _require_same_problem(path, about, problem)
    settings = _settings_of(path, about) if method is None else method
    optimizer = kind.__new__(kind)
    optimizer._set_up(problem, settings, about["seed"], about["budget"])
    _require_same_settings(path, about, optimizer.settings)
    _require_same_kind(path, arrays, about, optimizer)
    optimizer.method = about["method"]
    optimizer._state = optimizer._engine.restored(optimizer._state, arrays)
    optimizer._next_id = about["next_id"]
    optimizer._num_failed = about["num_failed"]
    optimizer._seconds_before = about["seconds"]
    optimizer.history = about["history"]
    optimizer._failed = {codes.tobytes() for codes in arrays["failed"]}
    parts = (arrays[f"pending.{part}"] for part in ("ids", "codes", "tickets"))
    for number, codes, ticket in zip(*parts, strict=True):
        x = problem.space.decode(codes)
        optimizer._pending[int(number)] = Candidate(int(number), x, codes, ticket)
    return optimizer


def _read(
    content: bytes, path: str | Path
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read arrays and description, or say why that is not possible."""
    try:
        arrays = read_arrays(content)
        about = json.loads(str(arrays.pop("about")))
    except Exception as error:  # damage shows itself in many ways
        raise InputError(
            f"{path} is not a state file of divlearn, or it is damaged ({error}); give "
            "a file written by Optimizer.save."
        ) from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InputError(
            f"{path} is not a state file of divlearn; give one written by "
            "Optimizer.save."
        )
    if about.get("format_version") != FORMAT_VERSION:
        raise InputError(
            f"{path} has format version {about.get('format_version')}, written by "
            f"divlearn {about.get('divlearn')}; this version {__version__} reads "
            f"version {FORMAT_VERSION}. Use that version, or start anew."
        )
    return arrays, about


def _settings_of(path: str | Path, about: dict[str, Any]) -> Method:
    """Return the settings that a file holds."""
    try:
        return method_from(about["settings"])
    except TypeError:  # a setting that there is not
        raise _other_version(path, about) from None


def _require_same_kind(
    path: str | Path,
    arrays: dict[str, NDArray[Any]],
    about: dict[str, Any],
    optimizer: Optimizer,
) -> None:
    """Refuse arrays whose records mean something else."""
    for name, array in optimizer._engine.saved(optimizer._state).items():
        if name not in arrays or arrays[name].dtype != array.dtype:
            raise _other_version(path, about)


def _other_version(path: str | Path, about: dict[str, Any]) -> InputError:
    """Say that another version of divlearn can read the file."""
    return InputError(
        f"{path} was written by divlearn {about['divlearn']}, whose states this "
        f"version {__version__} cannot continue; install that version to go on."
    )


def _require_same_problem(
    path: str | Path, about: dict[str, Any], problem: Problem
) -> None:
    """Refuse a state of another problem."""
    mine = json.loads(_as_text(problem.describe()))
    for part, theirs in about["problem"].items():
        if mine.get(part) != theirs:
            raise InputError(
                f"{path} belongs to another problem ({about['name']}): its {part} is "
                f"{theirs}, that of {problem.name} is {mine.get(part)}. Load it with "
                "the problem it was made for."
            )


def _require_same_settings(
    path: str | Path, about: dict[str, Any], settings: Method
) -> None:
    """Refuse settings other than those the search began with."""
    mine, theirs = json.loads(_as_text(settings.describe())), about["settings"]
    # What makes it another method comes first; the rest may differ because of it.
    for name in dict.fromkeys(["differences", *theirs]):
        if mine.get(name) != theirs.get(name):
            raise InputError(
                f"method must be the settings that {path} was made with: its {name} "
                f"is {theirs.get(name)}, that of method is {mine.get(name)}."
            )
