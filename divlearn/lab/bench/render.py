"""Tables as Markdown and in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from divlearn.basics.wrapping import wrapped
from divlearn.lab.bench.captions import COMPARISON_LEGEND, headline, legend, remarks
from divlearn.lab.bench.layout import clock_grids
from divlearn.lab.bench.summary import Report
from divlearn.lab.bench.table import (
    MOST_IN_A_ROW,
    Grid,
    comparison_grid,
    cost_grids,
    quality_grids,
)

if TYPE_CHECKING:
    from rich.console import Console

# --- Markdown


def markdown(grid: Grid) -> str:
    """Write a table as Markdown, the best in bold."""
    rule = "|---" + "|---:" * (len(grid.header) - 1) + "|"
    lines = [_markdown_row(grid.header), rule]
    for row in grid.rows:
        texts = [f"**{entry.text}**" if entry.best else entry.text for entry in row]
        lines.append(_markdown_row(texts))
    return "\n".join(lines)


def _markdown_row(texts: Iterable[str]) -> str:
    """Write one line; a bar inside a text would begin a new column."""
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


def table_markdown(report: Report) -> str:
    """Write all that does not depend on the machine, where budgets are evaluations."""
    parts = [f"# {headline(report)}"]
    parts += [markdown(grid) for grid in quality_grids(report)]
    parts.append(f"{legend(report)} Best in bold.")
    comparisons = comparison_grid(report)
    if comparisons is not None:
        parts += ["## Against the best", markdown(comparisons), COMPARISON_LEGEND]
    if report.rival is not None and len(report.methods) > 2:
        comparisons = comparison_grid(report, report.rival)
        if comparisons is not None:
            parts += [f"## Against {report.rival}", markdown(comparisons)]
    if told := remarks(report):
        parts += ["## Remarks", "\n".join(told)]
    return "\n\n".join(parts) + "\n"


def times_markdown(report: Report) -> str:
    """Write what the runs cost on the machine that they ran on."""
    parts = [f"# Cost of {headline(report)}"]
    parts += [markdown(grid) for grid in cost_grids(report)]
    parts.append(
        "Means per run: processor seconds of the whole run, seconds of the search, "
        "evaluations. They depend on the machine and on what else it did."
    )
    parts += ["## In the layout of the paper", *map(markdown, clock_grids(report))]
    parts.append("Means per run; Time is that of the search by the clock on the wall.")
    return "\n\n".join(parts) + "\n"


# --- the terminal


def print_report(report: Report, console: Console) -> None:
    """Print tables and remarks, as many problems side by side as there is room for."""
    console.print(headline(report), markup=False, style="bold")
    for grid in _fitting_grids(report, console):
        print_grid(grid, console)
    marked = "in bold" if console.is_terminal else "with *"
    console.print(
        f"{legend(report)} CPU s: processor seconds per run. Best {marked}.",
        markup=False,
        style="dim",
    )
    comparisons = comparison_grid(report)
    if comparisons is not None:
        print_grid(comparisons, console)
        console.print(COMPARISON_LEGEND, markup=False, style="dim")
    for line in remarks(report):
        console.print(line, markup=False)


def _fitting_grids(report: Report, console: Console) -> list[Grid]:
    """Make the main tables, with as many problems side by side as there is room for."""
    unlimited = console.options.update(width=10_000)
    for most in range(MOST_IN_A_ROW, 0, -1):
        grids = list(quality_grids(report, ["cpu_seconds"], most))
        tables = [rich_table(grid, console.is_terminal) for grid in grids]
        widest = max(t.__rich_measure__(console, unlimited).maximum for t in tables)
        if widest <= console.width or most == 1:
            break
    return grids


def print_grid(grid: Grid, console: Console) -> None:
    """Print a table; where it is too wide, line by line, so that nothing is lost."""
    table = rich_table(grid, console.is_terminal)
    unlimited = console.options.update(width=10_000)
    if table.__rich_measure__(console, unlimited).maximum <= console.width:
        console.print(table)
        return
    for name, *entries in grid.rows:
        pairs = zip(grid.header[1:], entries, strict=True)
        cells = [f"{title} {entry.text}{'*' * entry.best}" for title, entry in pairs]
        line = f"{name.text}{'*' * name.best}: {', '.join(cells)}"
        console.print(wrapped(line, console.width), markup=False)


def rich_table(grid: Grid, bold: bool) -> Any:
    """Make a table for the terminal; the best in bold, or with a star in plain text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="")
    for index, title in enumerate(grid.header):
        table.add_column(title, justify="left" if index == 0 else "right", no_wrap=True)
    for row in grid.rows:
        table.add_row(
            *(
                Text(entry.text, style="bold" if bold else "")
                if entry.best and bold
                else Text(entry.text + "*" * entry.best)
                for entry in row
            )
        )
    return table
