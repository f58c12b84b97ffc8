"""Tables for a paper: LaTeX with booktabs, or Markdown.

A row per method, the problems side by side, means with standard errors, the best in
bold, and marks on those that are worse than the best by more than chance.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from divlearn.lab.bench.captions import headline
from divlearn.lab.bench.layout import group_of
from divlearn.lab.bench.summary import Report
from divlearn.lab.bench.table import column_title, families, quality_entry

#: Marks of p-values below these levels, the lowest first.
MARKS = ((0.001, 3), (0.01, 2), (0.05, 1))
#: What LaTeX reads as something else.
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    **{sign: f"${sign}$" for sign in "<>|"},
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
LEGEND = (
    "Means over {units}, with standard errors. Best in bold. Stars: worse than the "
    "best by a Wilcoxon signed-rank test on pairs, two-sided, with Holm's correction "
    "for the methods of a problem: * p < 0.05, ** p < 0.01, *** p < 0.001."
)


@dataclass(frozen=True)
class Item:
    """What stands in a cell.

    Attributes
    ----------
    number, error
        A mean and its standard error.
    stars
        How surely it is worse than the best.
    best
        Whether it is the best.
    remark
        How many runs were made, if not all.
    """

    number: str
    error: str = ""
    stars: int = 0
    best: bool = False
    remark: str = ""


@dataclass(frozen=True)
class Sheet:
    """One table: problems, what each of their columns holds, and rows by group."""

    problems: Sequence[str]
    titles: Sequence[Sequence[str]]
    groups: Sequence[Sequence[tuple[str, Sequence[Item]]]]


def published(report: Report, form: str) -> str:
    """Write a report as ``"latex"`` or ``"markdown"``."""
    suite = dataclasses.replace(report.suite, deviation="error")
    report = dataclasses.replace(report, suite=suite)
    write = _latex if form == "latex" else _markdown
    legend = LEGEND.format(units=_units(report))
    parts = [write(sheet, report, legend) for sheet in _sheets(report)]
    return "\n\n".join(parts)


def _units(report: Report) -> str:
    """What means are taken over."""
    counts = {len(c.units(report.quality(c.problem))) for c in report.cells.values()}
    most = max(counts, default=0)
    by_instance = any(cell.by_instance for cell in report.cells.values())
    return f"{most} {'instances' if by_instance else 'seeds'}"


def _sheets(report: Report) -> Iterator[Sheet]:
    """Yield a table per family of problems."""
    columns = report.suite.columns
    for problems in families(report, most=3):
        stars = {problem: stars_of(report, problem) for problem in problems}
        groups: dict[str, list[tuple[str, list[Item]]]] = {}
        for contender in report.suite.methods:
            label = contender.label
            items = [
                _item(report, p, label, c, stars[p]) for p in problems for c in columns
            ]
            groups.setdefault(group_of(contender.method), []).append((label, items))
        titles = [[column_title(report, p, c) for c in columns] for p in problems]
        yield Sheet(problems, titles, list(groups.values()))


def _item(
    report: Report, problem: str, method: str, measure: str, stars: Mapping[str, int]
) -> Item:
    """One cell; marks stand where methods are ranked."""
    entry = quality_entry(report, problem, method, measure)
    value, bracket, remark = entry.text.partition(" (")
    number, _, error = value.partition(" ± ")
    marks = stars.get(method, 0) if measure == "hypervolume" else 0
    return Item(number, error, marks, entry.best, (bracket + remark).strip())


def stars_of(report: Report, problem: str) -> dict[str, int]:
    """How many stars each method has: how surely it is worse than the best."""
    found = {m: report.against_best(problem, m) for m in report.methods}
    p_values = {
        method: comparison.p_value
        for method, comparison in found.items()
        if comparison is not None and comparison.mean_difference != 0.0
    }
    return {
        method: next((stars for level, stars in MARKS if p < level), 0)
        for method, p in holm(p_values).items()
    }


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Correct p-values for their number, by Holm's step-down method.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'c': 0.06, 'b': 0.06}
    """
    corrected: dict[str, float] = {}
    highest = 0.0
    ranked = sorted(p_values, key=lambda name: p_values[name])
    for rank, name in enumerate(ranked):
        highest = max(highest, min(1.0, (len(ranked) - rank) * p_values[name]))
        corrected[name] = highest
    return corrected


# --- LaTeX


def _latex(sheet: Sheet, report: Report, legend: str) -> str:
    """A table with booktabs."""
    width = len(sheet.titles[0])
    problems = " & ".join(
        rf"\multicolumn{{{width}}}{{c}}{{{escaped(problem)}}}"
        for problem in sheet.problems
    )
    rules = " ".join(
        rf"\cmidrule(lr){{{2 + k * width}-{1 + (k + 1) * width}}}"
        for k in range(len(sheet.problems))
    )
    titles = " & ".join(escaped(title) for group in sheet.titles for title in group)
    body = "\n\\midrule\n".join(
        "\n".join(_latex_row(label, items) for label, items in group)
        for group in sheet.groups
    )
    label = re.sub(r"[^a-z0-9]+", "-", report.suite.name.lower()).strip("-")
    return rf"""% Needs \usepackage{{booktabs}}
\begin{{table}}
\centering
\caption{{{escaped(headline(report))}. {escaped(legend)}}}
\label{{tab:{label}-{re.sub("[^a-z0-9]+", "-", sheet.problems[0].lower())}}}
\begin{{tabular}}{{l{"r" * width * len(sheet.problems)}}}
\toprule
 & {problems} \\
{rules}
Method & {titles} \\
\midrule
{body}
\bottomrule
\end{{tabular}}
\end{{table}}"""


def _latex_row(label: str, items: Sequence[Item]) -> str:
    """One line of the table."""
    return f"{escaped(label)} & {' & '.join(map(_latex_item, items))} \\\\"


def _latex_item(item: Item) -> str:
    """A number with what belongs to it."""
    number = escaped(item.number)
    text = rf"\textbf{{{number}}}" if item.best else number
    if item.error:
        text += rf" {{\scriptsize $\pm$ {item.error}}}"
    text += rf"$^{{{'*' * item.stars}}}$" if item.stars else ""
    return f"{text} {escaped(item.remark)}".strip()


def escaped(text: str) -> str:
    r"""Write a text so that LaTeX shows it.

    Examples
    --------
    >>> print(escaped("50% of a_b"))
    50\% of a\_b
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


# --- Markdown


def _markdown(sheet: Sheet, report: Report, legend: str) -> str:
    """A table of Markdown."""
    pairs = zip(sheet.problems, sheet.titles, strict=True)
    titles = [f"{problem} {title}" for problem, group in pairs for title in group]
    rows = [["Method", *titles], ["---", *("---:" for _ in titles)]]
    for group in sheet.groups:
        rows += [[label, *map(_markdown_item, items)] for label, items in group]
    lines = ["| " + " | ".join(_safe(text) for text in row) + " |" for row in rows]
    safe = legend.replace("*", r"\*")
    return "\n".join([f"{headline(report)}.", "", *lines, "", safe])


def _markdown_item(item: Item) -> str:
    """A number with what belongs to it."""
    text = f"**{item.number}**" if item.best else item.number
    text += f" ± {item.error}" if item.error else ""
    stars = r"\*" * item.stars
    return f"{text}{stars} {item.remark}".strip()


def _safe(text: str) -> str:
    """A text that begins no new column."""
    return text.replace("|", "/")
