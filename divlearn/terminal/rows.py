"""The solutions of a front as numbered rows, with their designs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.text import one_line
from divlearn.result.table import with_sources

if TYPE_CHECKING:
    from divlearn.result import Result

#: Solutions of a front that fit on a screen.
MOST_SHOWN = 12
#: Knobs with a column of their own; designs of more stand in one.
MOST_KNOBS = 10
#: Characters of a text, and of a design in one column.
TEXT, DESIGN = 16, 32
#: Characters before what belongs to the line above.
INDENT = "      "


def front_rows(result: Result, width: int | None = None) -> list[str]:
    r"""List the front: number, values, and design of every solution.

    Where a row is too wide for the terminal, every number stands with its name and the
    design on a line of its own. Of a long front the middle is left out.

    Parameters
    ----------
    result
        The front.
    width
        Columns of the terminal; None for no limit.

    Examples
    --------
    >>> from divlearn import Result
    >>> designs = [{"blades": 3, "metal": "tin"}, {"blades": 5, "metal": "zinc"}]
    >>> result = Result(designs, [[1, 9.5], [2, 3]], objectives=["cost", "time"])
    >>> print("\n".join(front_rows(result)))
      #  cost  time  blades  metal
      0     1   9.5       3    tin
      1     2     3       5   zinc
    >>> print("\n".join(front_rows(result, width=24)))
      #0: cost 1, time 9.5
          blades 3, metal tin
      #1: cost 2, time 3
          blades 5, metal zinc
    """
    kept = list(range(len(result.F)))
    if len(kept) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        kept = [*kept[:half], *kept[-half:]]
    designs = _designs(result, kept)
    rows = [_values(result, i) for i in kept]
    lines = _table(rows, designs, kept, width) or _listed(rows, designs, kept)
    left = len(result.F) - len(kept)
    if left:
        per_row = (len(lines) - len(lines) % len(kept)) // len(kept)
        head = len(lines) - per_row * len(kept)
        lines.insert(head + per_row * (MOST_SHOWN // 2), f"  ... {left:,} more ...")
    return lines


def _values(result: Result, i: int) -> dict[str, str]:
    """Numbers of a solution by name: trial, objectives, constraints, extra metrics."""
    row = {} if result.trials is None else {"trial": str(result.trials[i])}
    numbers = (*result.F[i], *result.G[i])
    names = (*result.objectives, *result.constraints)
    row |= {result.label(n): f"{v:.6g}" for n, v in zip(names, numbers, strict=True)}
    more = with_sources(result.extras, result.sources)
    return row | {result.label(name): _cell(v[i]) for name, v in more.items()}


def _designs(result: Result, kept: list[int]) -> list[dict[str, str]]:
    """Knobs of solutions by name; a design of many positions as one text."""
    every = result.designs()
    knobs = list(every[0]) if every else []
    if len(knobs) <= MOST_KNOBS:
        titles = {name: result.label(name) for name in knobs}
        return [{titles[n]: _cell(v) for n, v in every[i].items()} for i in kept]
    return [{"design": _brief(result.X[i])} for i in kept]


def _table(
    rows: list[dict[str, str]],
    designs: list[dict[str, str]],
    kept: list[int],
    width: int | None,
) -> list[str]:
    """Rows below a header; nothing if that is too wide."""
    names = ["#", *(rows[0] if rows else ()), *(designs[0] if designs else ())]
    cells = [
        [str(i), *row.values(), *design.values()]
        for i, row, design in zip(kept, rows, designs, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    if width is not None and sum(widths) + 2 * len(widths) > width:
        return []
    if names[-1] == "design":  # a text, which begins where all others do
        names[-1] = names[-1].ljust(widths[-1])
        cells = [[*line[:-1], line[-1].ljust(widths[-1])] for line in cells]
    pairs = (zip(line, widths, strict=True) for line in (names, *cells))
    lines = ("  " + "  ".join(cell.rjust(w) for cell, w in pair) for pair in pairs)
    return [line.rstrip() for line in lines]


def _listed(
    rows: list[dict[str, str]], designs: list[dict[str, str]], kept: list[int]
) -> list[str]:
    """Two lines for each solution, every number with its name."""
    lines = []
    for i, row, design in zip(kept, rows, designs, strict=True):
        trial = f" (trial {row['trial']})" if "trial" in row else ""
        numbers = ", ".join(f"{n} {v}" for n, v in row.items() if n != "trial" and v)
        knobs = ", ".join(f"{name} {text}" for name, text in design.items() if text)
        lines += [f"  #{i}{trial}: {numbers}", f"{INDENT}{knobs}"]
    return lines


def _cell(value: Any) -> str:
    """A value of a knob or an extra metric; empty if there is none."""
    if value is None:
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, (int, float)) else one_line(value, TEXT)


def _brief(x: Any) -> str:
    """A design in a few characters."""
    if isinstance(x, dict):
        return one_line(", ".join(f"{n} {_brief(v)}" for n, v in x.items()), DESIGN)
    if isinstance(x, np.ndarray) and x.dtype == bool:
        return one_line("".join("1" if flag else "0" for flag in x), DESIGN)
    if isinstance(x, (np.ndarray, list, tuple)):
        return one_line(" ".join(_cell(_plain(v)) for v in x), DESIGN)
    return one_line(str(x), DESIGN)


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value
