"""Rows of tables, studies, results and lists of pairs, all in one form."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from divlearn.basics.errors import InputError, MissingExtra
from divlearn.basics.typing import Value
from divlearn.result import Result, load
from divlearn.result.file import FORMAT
from divlearn.result.tally import OK
from divlearn.study.cells import is_empty
from divlearn.study.reader import StudyReader

#: How every file of SQLite begins.
SQLITE = b"SQLite format 3\0"


class Row(NamedTuple):
    """A row of whatever is read.

    Attributes
    ----------
    label
        Which one, for messages: "line 7".
    cells
        What it says by column.
    x, values
        The design and its values, where they are given as such.
    wrong
        What is wrong with it already; empty for nothing.
    is_head
        Whether it only names the columns of a table, which may have no other rows.
    """

    label: str
    cells: Mapping[str, Any]
    x: Value = None
    values: Any = None
    wrong: str = ""
    is_head: bool = False

    @property
    def is_of_table(self) -> bool:
        """Whether columns say what the design is."""
        return self.x is None and bool(self.cells)


def rows_of(source: Any) -> tuple[str, list[Row]]:
    """A name for a source, and its rows."""
    if isinstance(source, (str, Path)):
        path = Path(source)
        return path.name, list(_rows_in(path))
    if isinstance(source, Result):
        return source.problem or "a result", list(_rows_of_result(source))
    if hasattr(source, "to_dict") and hasattr(source, "columns"):
        return "a table", list(_rows_of_frame(source))
    return "a list", list(_rows_of_pairs(source))


def _rows_in(path: Path) -> Iterator[Row]:
    """Rows of a file, whose content says what it is."""
    try:
        with path.open("rb") as stream:
            head = stream.read(len(SQLITE))
    except OSError as error:
        raise InputError(
            f"the file {str(path)!r} cannot be read ({error.strerror}); give a table, "
            "a study or a result."
        ) from error
    if head == SQLITE:
        return _rows_of_study(path)
    if path.suffix.lower() == ".parquet":
        return _rows_of_frame(_read_parquet(path))
    if path.suffix.lower() == ".json":
        return _rows_of_json(path)
    return _rows_of_csv(path)


def _rows_of_study(path: Path) -> Iterator[Row]:
    """Trials of a study."""
    with StudyReader(path) as reader:
        for trial in reader.trials():
            values = None
            if trial.f is not None:
                values = {**trial.f, **(trial.g or {}), **(trial.extras or {})}
            cells = {"state": trial.state if values else "failed"}
            yield Row(f"trial {trial.number}", cells, trial.x, values)


def _rows_of_result(result: Result) -> Iterator[Row]:
    """Solutions of a front."""
    names = (*result.objectives, *result.constraints)
    for i, x in enumerate(result.X):
        outputs = [*result.F[i].tolist(), *result.G[i].tolist()]
        extras = {name: column[i] for name, column in result.extras.items()}
        values = dict(zip(names, outputs, strict=True)) | extras
        yield Row(f"solution {i}", {"state": OK}, x, values)


def _rows_of_frame(frame: Any) -> Iterator[Row]:
    """Rows of a DataFrame."""
    titles = [str(title) for title in frame.columns]
    yield Row("columns", dict.fromkeys(titles), is_head=True)
    records = frame.itertuples(index=True, name=None)
    for label, *cells in records:
        yield Row(f"row {label}", dict(zip(titles, cells, strict=True)))


def _rows_of_pairs(pairs: Any) -> Iterator[Row]:
    """Pairs of a design and its values."""
    wrong = isinstance(pairs, (Mapping, bytes)) or not isinstance(pairs, Iterable)
    for number, pair in enumerate([] if wrong else pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            wrong = True
            break
        yield Row(f"entry {number}", {}, *pair)
    if wrong:
        raise InputError(
            "known designs must be a list of pairs (x, values), a DataFrame, a Result, "
            "or a file: a table (.csv, .json, .parquet), a study or a saved result; "
            f"got {_told(pairs)}."
        )


def _told(given: Any) -> str:
    """What kind of thing was given, with the first entry of a list that is no pair."""
    kind = type(given).__name__
    if not isinstance(given, (list, tuple)):
        return kind
    for number, entry in enumerate(given):
        if not isinstance(entry, (tuple, list)) or len(entry) != 2:
            return f"a {kind} whose entry {number} is {entry!r:.60}"
    return kind


def _rows_of_json(path: Path) -> Iterator[Row]:
    """A saved result, or a list of objects by column."""
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise InputError(f"{str(path)!r} is no JSON ({error}).") from None
    if isinstance(content, dict) and content.get("format") == FORMAT:
        yield from _rows_of_result(load(path))
        return
    if not isinstance(content, list) or not all(isinstance(r, dict) for r in content):
        raise InputError(
            f"{str(path)!r} must be a saved result, or a list of objects, one per row."
        )
    titles = list(dict.fromkeys(title for record in content for title in record))
    for number, record in enumerate(content):
        yield Row(f"entry {number}", {title: record.get(title) for title in titles})


def _rows_of_csv(path: Path) -> Iterator[Row]:
    """Rows of comma-separated values; semicolons and tabs separate as well."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            first = stream.readline()
            stream.seek(0)
            separator = max(",;\t", key=first.count)
            reader = csv.reader(stream, delimiter=separator, strict=True)
            titles = [title.strip() for title in next(reader, [])]
            _require_titles(path, titles)
            yield Row("line 1", dict.fromkeys(titles), is_head=True)
            for cells in reader:
                if not all(map(is_empty, cells)):
                    yield _csv_row(reader.line_num, titles, cells)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{str(path)!r} is no table of comma-separated values in UTF-8 ({error})."
        ) from None


def _require_titles(path: Path, titles: Sequence[str]) -> None:
    """Refuse columns that have no name, or the same one."""
    twice = [title for title in titles if titles.count(title) > 1]
    if not titles or twice:
        got = f"{twice[0]!r} twice" if twice else "an empty file"
        raise InputError(
            f"the first line of {str(path)!r} must name each column once, got {got}."
        )


def _csv_row(line: int, titles: Sequence[str], cells: Sequence[str]) -> Row:
    """A row of a table, whose last cells may be missing."""
    wrong = ""
    if len(cells) > len(titles):
        wrong = f"there are {len(cells)} cells for {len(titles)} columns"
    padded = [*cells, *[""] * (len(titles) - len(cells))]
    named = dict(zip(titles, padded, strict=False))
    return Row(f"line {line}", named, wrong=wrong)


def _read_parquet(path: Path) -> Any:
    """A table in a Parquet file."""
    try:
        import pandas as pd

        return pd.read_parquet(path)
    except ImportError as error:
        raise MissingExtra(
            'Parquet needs pandas and pyarrow: pip install "divlearn[parquet]"; .csv '
            "and .json work without them."
        ) from error
