"""Means of the measured rows, as a Markdown table.

python benchmarks/references/table.py [FILE.json] [--instances 100-109]
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":  # started as a file: find the packages from the root
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from benchmarks.references.run import MEASURED, numbers, read_rows

HEAD = """\
| problem | reference | evaluations | instances | HV | CPU s |
|---|---|---:|---|---:|---:|"""


def table(rows: list[dict[str, Any]], instances: list[int]) -> str:
    """One line per problem, reference and budget: mean HV ± standard error."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        if row["instance"] in instances:
            key = row["problem"], row["reference"], row.get("budget", 0)
            groups.setdefault(key, []).append(row)
    lines = [_line(key, groups[key]) for key in sorted(groups, key=_order)]
    return "\n".join([HEAD, *lines])


def _order(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """By family, then by size, budget and name."""
    problem, reference, budget = key
    family, size, options = re.fullmatch(r"([a-z]+)-(\d+)(.*)", problem).groups()
    return family, int(size), options, budget, reference


def _line(key: tuple[Any, ...], rows: list[dict[str, Any]]) -> str:
    """Write one line."""
    problem, reference, budget = key
    reached = np.array([row["hv"] for row in rows])
    seconds = np.mean([row["cpu_seconds"] for row in rows])
    error = reached.std(ddof=1) / len(rows) ** 0.5 if len(rows) > 1 else np.nan
    found = sorted(row["instance"] for row in rows)
    return (
        f"| {problem} | {reference} | {f'{budget:,}' if budget else '-'} "
        f"| {found[0]}-{found[-1]} ({len(found)}) "
        f"| {reached.mean():.4f} ± {error:.4f} | {seconds:.2f} |"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, nargs="?", default=MEASURED)
    parser.add_argument("--instances", type=numbers, default=numbers("100-109"))
    options = parser.parse_args()
    print(table(read_rows(options.file), options.instances))
