"""The files that a run leaves behind."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from divlearn.basics.errors import InputError, MissingExtra
from divlearn.cli.signals import undisturbed

if TYPE_CHECKING:
    from divlearn.optimizer.optimizer import Optimizer
    from divlearn.result import Result

STATE = "state.npz"

#: What each file is, for the summary.
CONTENTS = {
    "front.png": "picture of the trade-offs",
    "history.png": "how the search progressed",
    "trace.png": "what happened in every iteration",
    "front.csv": "the trade-offs as a table",
    "trace.csv": "what happened in every iteration, as a table",
    "front.json": "everything, for divlearn.load()",
    STATE: "the search itself, for --resume",
}


def require_writable(folder: Path) -> None:
    """Make the directory and try it out, before hours are spent on a search."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"--out must be a directory that can be written, got {str(folder)!r}: "
            f"{error.strerror}; choose another one."
        ) from None


@undisturbed()
def write_all(
    folder: Path, result: Result, optimizer: Optimizer | None = None
) -> tuple[dict[str, Path], list[str]]:
    """Write state, front and pictures into a directory; a study has its own state.

    Returns
    -------
    The files by name, and remarks on what could not be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = ["front.json", "front.csv"]
    remarks = []
    if optimizer is not None and optimizer.can_be_asked:
        # The state first: nothing else is needed to get all the rest back.
        optimizer.save(folder / STATE)
        written = [STATE, *written]
    result.save(folder / "front.json")
    result.to_csv(folder / "front.csv")
    if result.trace is not None:
        result.trace.to_csv(folder / "trace.csv")
        written.append("trace.csv")
    try:
        written += draw_all(folder, result)
    except MissingExtra as error:
        remarks.append(f"No pictures: {error}")
    else:
        remarks += _not_drawn(result)
    return {name: folder / name for name in written}, remarks


def draw_all(folder: Path, result: Result) -> list[str]:
    """Draw what can be drawn of a result; returns the names of the pictures."""
    from divlearn import plot

    drawn = []
    if len(result.X):
        plot.front(result, folder / "front.png")
        drawn.append("front.png")
        if result.reference is not None:
            plot.history(result, folder / "history.png")
            drawn.append("history.png")
    if result.trace is not None and len(result.trace):
        plot.trace(result, folder / "trace.png")
        drawn.append("trace.png")
    return drawn


def _not_drawn(result: Result) -> list[str]:
    """Say which pictures there are not, and why."""
    if not len(result.X):
        return ["No pictures: there is no solution to draw."]
    if result.reference is None:
        return [
            "No history.png: the hypervolume that it shows needs a reference point, a "
            "value per objective that is worse than what one hopes for; give "
            "[reference] in the TOML file, --reference, or Problem(..., reference=)."
        ]
    return []


def free_folder(folder: Path) -> Path:
    """Return ``folder``, numbered where it already holds the state of a search."""
    candidate, number = folder, 1
    while (candidate / STATE).exists():
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate
