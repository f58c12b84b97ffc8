"""A study's front or trials as a file that other programs read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError, MissingExtra
from divlearn.basics.files import write_atomically
from divlearn.basics.paths import file_path, require_folder_of
from divlearn.basics.text import as_json, storable
from divlearn.basics.typing import Value
from divlearn.result.table import to_csv_text, to_rows
from divlearn.study.found import by_name
from divlearn.study.reader import StudyReader
from divlearn.study.trial import Trial

FORMATS = (".csv", ".json", ".parquet")
WHAT = ("front", "trials")

_BEFORE = ("number", "state")
_AFTER = (
    *("replicates", "attempts", "seconds", "worker", "message", "asked", "ended"),
    "source",
)


def export(path: str | Path, out: str | Path, what: str = "front") -> int:
    """Write a study's front or all its trials to a file.

    Parameters
    ----------
    path
        File of a study, which may be running.
    out
        File to write; its ending says how: ``.csv``, ``.json`` or ``.parquet``.
    what
        ``"front"``, or ``"trials"`` for every candidate.

    Returns
    -------
    Number of rows written.

    Examples
    --------
    >>> import divlearn as dl, tempfile
    >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, 2 * x), ["one", "two"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, out = Path(folder, "small.db"), Path(folder, "all.csv")
    ...     with dl.Study(problem, path) as study:
    ...         _ = study.run(budget=5, workers=0)
    ...     export(path, out, "trials"), out.read_text().split(",")[:4]
    (5, ['number', 'state', 'x', 'one'])
    """
    target = file_path("out", out)
    require_folder_of("out", target)
    if target.suffix not in FORMATS:
        raise InputError(
            f"out must end in {', '.join(FORMATS)}, which says how to write it; got "
            f"{str(out)!r}."
        )
    require_one_of("what", what, WHAT)
    with StudyReader(path) as reader:
        if what == "front":
            front = reader.front()
            if target.suffix == ".json":  # everything, for divlearn.load
                front.save(target)
                return len(front.X)
            rows = front.to_records()
        else:
            names = (*reader.objectives, *reader.constraints)
            rows = trial_rows(reader.trials(), names, reader.whole_design())
    _write(target, rows)
    return len(rows)


def trial_rows(
    trials: Sequence[Trial], names: Sequence[str], whole: Value = None
) -> list[dict[str, Any]]:
    """One flat dict per trial: number, state, x, outputs, extra metrics, the rest.

    Parameters
    ----------
    trials
        The trials.
    names
        Names of objectives and constraints; those that have a spread in some trial
        have a column more.
    whole
        A design with all parts, if some exist only sometimes.
    """
    outputs = np.full((len(trials), len(names)), math.nan)
    for row, trial in zip(outputs, trials, strict=True):
        known = (trial.f or {}) | (trial.g or {})
        row[:] = [known.get(name, math.nan) for name in names]
    extras = by_name([trial.extras or {} for trial in trials])
    designs = [trial.x for trial in trials]
    rows = to_rows(designs, outputs, names, extras=extras, whole=whole)
    taken = set(rows[0]) if rows else set()
    spread = names if any(trial.spread for trial in trials) else ()
    return [
        {_free(name, taken): getattr(trial, name) for name in _BEFORE}
        | {name: None if _is_nan(value) else value for name, value in row.items()}
        | {f"spread of {name}": (trial.spread or {}).get(name) for name in spread}
        | {_free(name, taken): getattr(trial, name) for name in _AFTER}
        for row, trial in zip(rows, trials, strict=True)
    ]


def _free(name: str, taken: set[str]) -> str:
    """A column name that neither x nor an output has."""
    return f"trial {name}" if name in taken else name


def _is_nan(value: Any) -> bool:
    """Whether this is NaN."""
    return isinstance(value, float) and math.isnan(value)


def _write(target: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows in the format of the file's ending."""
    columns = list(rows[0]) if rows else []
    if target.suffix == ".csv":
        write_atomically(target, storable(to_csv_text(columns, rows)).encode())
    elif target.suffix == ".json":
        text = as_json(rows, default=str, indent=1)
        write_atomically(target, f"{text}\n".encode())
    else:
        _write_parquet(target, rows)


def _in_utf8(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose names and texts any file can hold."""
    return {
        storable(name): storable(value) if isinstance(value, str) else value
        for name, value in row.items()
    }


def _write_parquet(target: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows with pandas."""
    try:
        import pandas as pd

        content = pd.DataFrame([_in_utf8(row) for row in rows]).to_parquet()
    except ImportError as error:
        raise MissingExtra(
            'Parquet needs pandas and pyarrow: pip install "divlearn[parquet]"; .csv '
            "and .json work without them."
        ) from error
    write_atomically(target, content)
