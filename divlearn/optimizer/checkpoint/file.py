"""Writing and reading of state files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from divlearn.basics.arrays import ArrayFile, pack_described
from divlearn.basics.errors import InputError
from divlearn.basics.files import write_atomically
from divlearn.basics.text import printable
from divlearn.basics.version import __version__
from divlearn.methods.base import Method
from divlearn.methods.budget import planned
from divlearn.optimizer.checkpoint.demands import method_in
from divlearn.optimizer.checkpoint.description import (
    Description,
    read_description,
    require_history,
    require_same_problem,
    require_same_settings,
    shown,
    text_of,
)
from divlearn.optimizer.checkpoint.families import (
    UnknownState,
    family_of,
    read_state,
    require_shapes,
)
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.optimizer.checkpoint.rules import require
from divlearn.optimizer.checkpoint.underway import (
    pack_failed,
    pack_pending,
    read_failed,
    read_pending,
)
from divlearn.optimizer.course import Course
from divlearn.optimizer.told import Remarks
from divlearn.problems import Problem
from divlearn.result.sample import Keeper, Pace

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer

#: Largest budget in a file that a user's own settings are filled in for.
MOST_BUDGET = 10**10


def save(optimizer: Optimizer, path: str | Path) -> None:
    """Write the state; the file appears whole or not at all."""
    target = _as_path(path)
    if not target.name:
        raise InputError(f"path must name a file, got {str(path)!r}.")
    write_atomically(target, pack(optimizer))


def pack(optimizer: Optimizer) -> bytes:
    """The content of a state file."""
    arrays = optimizer.search.saved()
    arrays |= pack_pending(optimizer.pending, optimizer.problem)
    arrays["failed"] = pack_failed(optimizer.under_way.failed, optimizer.problem)
    return pack_described(arrays, text_of(optimizer))


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
    try:
        stream = file.open("rb")
    except OSError as error:
        raise InputError(
            f"path {str(path)!r} cannot be read ({error.strerror})."
        ) from error
    with stream:
        return _read(kind, stream, path, problem, method)


def unpack(
    kind: type[Optimizer],
    content: bytes,
    path: str | Path,
    problem: Problem,
    method: str | Method | None,
) -> Optimizer:
    """Make an optimizer of what :func:`pack` made; ``path`` is for messages."""
    return _read(kind, io.BytesIO(content), path, problem, method)


def _read(
    kind: type[Optimizer],
    stream: BinaryIO,
    path: str | Path,
    problem: Problem,
    method: str | Method | None,
) -> Optimizer:
    """Make an optimizer of a state file, or say why that is not possible."""
    try:
        file = ArrayFile(stream)
        description = read_description(file, path)
        require_same_problem(path, description, problem)
        optimizer = _begun(kind, file, description, path, problem, method)
        _take_over(optimizer, file, description)
    except InputError:
        raise
    except UnknownState:
        raise _other_version(path, description) from None
    except Exception as error:  # damage shows itself in many ways
        reason = printable(str(error)[:300]) or type(error).__name__
        raise _damaged(path, reason) from error
    return optimizer


def _begun(
    kind: type[Optimizer],
    file: ArrayFile,
    description: Description,
    path: str | Path,
    problem: Problem,
    method: str | Method | None,
) -> Optimizer:
    """An optimizer at the beginning of the search that a file describes."""
    if method is None:
        try:
            method = method_in(description.settings, file)
        except TypeError:  # a setting that there is not
            raise UnknownState from None
    else:
        most = (planned(description.budget) or 0) <= MOST_BUDGET
        require(most, "its budget is too large")
    optimizer = kind(
        problem,
        method,
        description.seed,
        budget=description.budget,
        archive_size=description.archive_size,
        restart=False,
    )
    require_same_settings(path, description, optimizer)
    require_history(description, list(optimizer.history))
    return optimizer


def _take_over(optimizer: Optimizer, file: ArrayFile, description: Description) -> None:
    """Bring an optimizer to where the file's was; nothing runs unchecked."""
    search, problem = optimizer.search, optimizer.problem
    family, fresh = family_of(search), _plain(search.saved())
    under_way = optimizer.under_way
    require_shapes(file, fresh, family)
    arrays = read_state(file, fresh, family, problem.space.layout)
    search.restore(arrays)
    family.check_state(search.state)
    most = optimizer.archive_size
    fits = most is None or search.front_size <= most
    require(fits, f"its archive has more than {most} members")
    pending = read_pending(file, problem, description.next_id)
    family.check_tickets(search.state, file.read("pending.tickets"))
    under_way.failed = read_failed(file, problem)
    under_way.num_failed = description.num_failed
    under_way.num_known = description.num_known
    seen = search.observed >= description.num_known
    require(seen, "more designs are known than answers were taken in")
    under_way.pending = {candidate.id: candidate for candidate in pending}
    under_way.next_id = description.next_id
    optimizer.steps.name = description.method
    optimizer.clock.set(description.seconds)
    optimizer.history = description.history
    optimizer.course = Course(description.course)
    optimizer.remarks = Remarks.restored(description.remarks)
    pace = optimizer.steps.keeper.pace
    optimizer.steps.keeper = _read_sample(description, problem, pace)


def _read_sample(description: Description, problem: Problem, pace: Pace) -> Keeper:
    """What was kept of all evaluations."""
    space, num_outputs = problem.space, len(problem.outputs)
    saved = description.remarks.get("sample")
    keeper = Keeper.restored(saved, space, num_outputs, pace)
    kept = keeper.sample(space, num_outputs)
    require_members("its sample", kept.codes, space.layout)
    return keeper


def _plain(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Records as plain arrays, whose fields are faster to reach."""
    return {name: array.view(np.ndarray) for name, array in arrays.items()}


def _damaged(path: str | Path, reason: str) -> InputError:
    """Say that a file is damaged."""
    return InputError(
        f"{path} is not a state file of divlearn, or it is damaged ({reason}); give a "
        "file written by Optimizer.save."
    )


def _other_version(path: str | Path, description: Description) -> InputError:
    """Say that another version of divlearn can read the file."""
    if description.divlearn == __version__:
        return _damaged(path, "it has other arrays or settings than this version")
    return InputError(
        f"{path} was written by divlearn {shown(description.divlearn)}, whose states "
        f"this version {__version__} cannot continue; install that version to go on."
    )
