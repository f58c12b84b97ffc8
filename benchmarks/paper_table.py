"""The paper's main table with every method, beside the paper's own numbers.

    divlearn bench table1-all
    python benchmarks/paper_table.py runs/bench-table1-all/bench.db [--instances 5]

prints a Markdown table per problem from the runs in the store: hypervolume with its
standard error, the paired difference to ``dl`` with Wilcoxon's test, non-dominated
solutions, operations, processor seconds and evaluations. The paper's numbers come from
``benchmarks/data/paper_table1.csv``.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from divlearn.lab.bench import Store, built_in, changed, summarize_suite
from divlearn.lab.bench.summary import PERCENT, Cell, Report
from divlearn.lab.bench.words import (
    DECIMALS,
    difference_text,
    measure_text,
    p_text,
    score_text,
    short_count,
)

PAPER = Path(__file__).parent / "data" / "paper_table1.csv"
#: Methods that the paper's column of weighted sums may stand for.
WEIGHTED_SUMS = ("ws-lkh", "ws-2opt", "ws-dp")
HEAD = ["HV", "paper", "minus `dl`", "p", "W-T-L", "NDS", "paper", "ops", "paper"]

PaperRow = dict[str, str]


def read_paper() -> dict[tuple[str, str], PaperRow]:
    """Rows of the paper's table by problem and method."""
    with PAPER.open(newline="") as file:
        return {(row["problem"], row["method"]): row for row in csv.DictReader(file)}


def paper_row(
    paper: dict[tuple[str, str], PaperRow], problem: str, label: str
) -> PaperRow | None:
    """Find what the paper says of a method; a label may end in a budget."""
    method = label.partition("@")[0]
    return paper.get((problem, "ws" if method in WEIGHTED_SUMS else method))


def table(report: Report, problem: str, paper: dict[tuple[str, str], PaperRow]) -> str:
    """Write the table of one problem, the best method first."""
    percent = report.quality(problem) == PERCENT
    head = [problem, *HEAD, "CPU s", "evaluations"]
    if percent:
        head.insert(2, "of exact")
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    lines += [
        _cells(report, problem, m, paper, percent) for m in ranked(report, problem)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def ranked(report: Report, problem: str) -> list[str]:
    """Methods that have runs on a problem, the highest hypervolume first."""
    reached = {
        method: summary.mean
        for method in report.methods
        if (summary := report.cells[problem, method].summary("hypervolume"))
    }
    return sorted(reached, key=lambda method: -reached[method])


def _cells(
    report: Report,
    problem: str,
    method: str,
    paper: dict[tuple[str, str], PaperRow],
    percent: bool,
) -> list[str]:
    """Texts of one line."""
    cell = report.cells[problem, method]
    measure = report.quality(problem)
    against = report.against(report.rival, problem, method)
    theirs = paper_row(paper, problem, method)
    texts = [
        f"`{method}`",
        _hypervolume_text(cell),
        f"{float(theirs['hypervolume']):.3f}" if theirs else "",
        difference_text(against, DECIMALS[measure]) if against else "",
        p_text(against.p_value) if against else "",
        score_text(against) if against else "",
        measure_text("front_size", cell.summary("front_size"), None),
        theirs["front_size"] if theirs else "",
        measure_text("operations", cell.summary("operations"), None),
        short_count(float(theirs["tera_operations"]) * 1e12) if theirs else "",
        measure_text("cpu_seconds", cell.summary("cpu_seconds"), None),
        measure_text("evaluations", cell.summary("evaluations"), None),
    ]
    if percent:
        texts.insert(2, f"{measure_text(PERCENT, cell.summary(PERCENT), None)} %")
    return texts


def _hypervolume_text(cell: Cell) -> str:
    """Mean and standard error, and how many runs there are if some are missing."""
    reached = cell.summary("hypervolume")
    text = measure_text("hypervolume", reached, reached and reached.standard_error)
    made, missing = len(cell.runs), cell.missing + cell.failed
    return f"{text} ({made} of {made + missing} runs)" if missing else text


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("store", type=Path, help="bench.db of the runs")
    parser.add_argument("--instances", type=int, help="number of instances")
    given = parser.parse_args()
    suite = changed(built_in("table1-all"), instances=given.instances)
    paper = read_paper()
    with Store(given.store, read_only=True) as store:
        report = summarize_suite(suite, store)
    for problem in report.problems:
        print(table(report, problem, paper), end="\n\n")


if __name__ == "__main__":
    main()
