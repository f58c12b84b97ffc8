"""The files of studies: one report, and tables and pictures of each study."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from divlearn.basics.errors import MissingExtra
from divlearn.basics.files import write_atomically
from divlearn.lab.bench.files import as_csv
from divlearn.lab.paper.html import report_html
from divlearn.lab.paper.study import Figure, Findings
from divlearn.lab.paper.text import (
    Found,
    all_claims,
    report_markdown,
    times_markdown,
)
from divlearn.plot.figure import DOTS_PER_INCH, require_matplotlib

#: What each file of the report is.
CONTENTS = {
    "report.html": "the report with all figures, one file",
    "report.md": "the same as Markdown",
    "claims.csv": "a row per claim",
    "times.md": "what was measured by a clock on this machine",
}


def write_reports(
    found: Found, folder: Path, short: bool
) -> tuple[dict[str, Path], list[str]]:
    """Write everything that studies found out.

    All but ``times.md`` and what it shows is the same, byte by byte, whenever and
    however often it is made.

    Returns
    -------
    The files of the report by name, and remarks on what could not be written.
    """
    pictures: dict[tuple[str, str], bytes] = {}
    said: list[str] = []
    for study, findings in found:
        own = folder / study.name
        own.mkdir(parents=True, exist_ok=True)
        _write_tables(own, findings)
        try:
            drawn = _write_figures(own, [*findings.figures, *findings.timed_figures])
        except MissingExtra as error:
            said = [f"No pictures: {error}"]
            continue
        pictures |= {(study.name, name): content for name, content in drawn.items()}
    texts = {
        "report.md": report_markdown(found, short),
        "report.html": report_html(found, pictures, short),
        "claims.csv": as_csv(all_claims(found)),
        "times.md": times_markdown(found),
    }
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())
    return {name: folder / name for name in texts}, said


def _write_tables(folder: Path, findings: Findings) -> None:
    """Write the tables of a study as comma-separated values, with every digit."""
    for table in (*findings.tables, *findings.timed_tables):
        path = folder / f"{table.name}.csv"
        write_atomically(path, as_csv(list(table.rows)).encode())


def _write_figures(folder: Path, figures: Iterable[Figure]) -> dict[str, bytes]:
    """Draw the pictures of a study; returns their bytes by name."""
    require_matplotlib()
    drawn = {}
    for one in figures:
        content = io.BytesIO()
        one.draw().savefig(content, format="png", dpi=DOTS_PER_INCH)
        drawn[one.name] = content.getvalue()
        write_atomically(folder / f"{one.name}.png", drawn[one.name])
    return drawn
