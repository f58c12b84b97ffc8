"""What all methods take, in the tables of the paper's appendix on wall-clock times."""

from __future__ import annotations

import dataclasses

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.built_in import FEWER_WEIGHTS, PAPER_SIZES
from divlearn.lab.bench.layout import PROCESSOR, clock_grids
from divlearn.lab.bench.summary import Report
from divlearn.lab.bench.table import Grid
from divlearn.lab.paper.claims import Claim, judge, said
from divlearn.lab.paper.study import Evidence, Findings, Row, Study, Table
from divlearn.methods.names import other_methods
from divlearn.methods.paper.method import PAPER_BUDGET

#: Evaluations of each method, and of the short form.
BUDGETS = {
    "ws-lkh": (None, None),
    "ws-2opt": (3_000_000, 20_000),
    "ws-dp": (None, None),
    "ppls-dc": (3_000_000, 20_000),
    "pmoco": (None, 200),
    "pmoco-matched": (100_000, None),
    "nsga2": (100_000, 1_000),
    "qnehvi": (200, 12),
    "qparego": (200, 12),
    "bopr": (200, 12),
    "paper-ucb": (PAPER_BUDGET, 5_000),
    "paper-ts": (PAPER_BUDGET, 5_000),
    "dl": (100_000, None),
}
#: Methods that the short form leaves out, because seconds are not enough for them.
LONG = ("pmoco-matched", "dl")
BAYESIAN = ("qnehvi", "qparego", "bopr")
#: Methods that take most of the time; the full form runs them on one instance.
SLOW = ("pmoco-matched", *BAYESIAN)
OURS = "paper-ucb"
#: How much sooner the paper's method is done than Bayesian optimization, at least.
SPEEDUP = 10.0
REMARKS = (
    "The tables are in `times.md`, because they depend on the machine. The paper gives "
    "hours for GPUs and 200 instances; here a time is that of one run on one core, in "
    "processor seconds: they depend less on what else the machine does.",
    "Evaluations differ by method, as in `divlearn bench table1-all`: the paper does "
    "not state them. Bayesian optimization and PMOCO*, which is trained anew in every "
    "run, are measured on the first instance, the others on all.",
)


def suites(short: bool) -> tuple[Suite, ...]:
    """All methods that are installed on all problems, 3 instances; slow ones on 1."""
    names = [f"{f}-{n}" for f, sizes in PAPER_SIZES.items() for n in sizes]
    if short:
        names = [f"{family}-{sizes[0]}" for family, sizes in PAPER_SIZES.items()]
    known = contenders(short)
    quick = tuple(one for one in known if one.method not in SLOW)
    slow = tuple(one for one in known if one.method in SLOW)
    every = Suite(
        "times",
        "",
        tuple(map(Case, names)),
        quick,
        budget=BUDGETS[OURS][short],
        instances=(100,) if short else (100, 101, 102),
    )
    if not slow:
        return (every,)
    return every, dataclasses.replace(
        every, name="times-slow", methods=slow, instances=(100,)
    )


def together(evidence: Evidence) -> Report:
    """Make one report of what quick and slow methods did, in the order of the paper."""
    reports = list(evidence.reports.values())
    order = list(BUDGETS)
    methods = sorted(
        (one for report in reports for one in report.suite.methods),
        key=lambda one: order.index(one.method),
    )
    cells = {place: cell for report in reports for place, cell in report.cells.items()}
    suite = dataclasses.replace(reports[0].suite, methods=tuple(methods))
    return dataclasses.replace(reports[0], suite=suite, cells=cells)


def contenders(short: bool) -> tuple[Contender, ...]:
    """The methods whose packages are there, each with its own budget."""
    known = other_methods()
    found = [
        Contender(name, label=name, budget=budgets[short])
        for name, budgets in BUDGETS.items()
        if (name not in known or known[name].installed) and not (short and name in LONG)
    ]
    fewer = dataclasses.replace(FEWER_WEIGHTS, budget=BUDGETS["pmoco"][short])
    return (*found, fewer) if known["pmoco"].installed else tuple(found)


def findings(evidence: Evidence) -> Findings:
    """The paper's tables, and how much sooner one method is done than others."""
    report = together(evidence)
    tables = [
        clock_table(number, grid)
        for number, grid in enumerate(clock_grids(report, time=PROCESSOR), start=1)
    ]
    ratios = speedups(dataclasses.replace(evidence, reports={"": report}))
    return Findings(
        remarks=REMARKS,
        timed_tables=tables,
        timed_claims=[claim(ratios, evidence.short)],
    )


def clock_table(number: int, grid: Grid) -> Table:
    """Make a table of a study of a table of a benchmark."""
    rows: list[Row] = [
        {title: entry.text for title, entry in zip(grid.header, entries, strict=True)}
        for entries in grid.rows
    ]
    problems = dict.fromkeys(title.partition(" ")[0] for title in grid.header[1:])
    title = f"Hypervolume, size of the front and time: {', '.join(problems)}"
    return Table(f"times-{number}", title, rows)


def speedups(evidence: Evidence) -> Floats:
    """Seconds of each Bayesian method over those of ours, by problem and instance."""
    report = evidence.report()
    found = [
        evidence.ratios(problem, (method, OURS), PROCESSOR)
        for problem in report.problems
        for method in BAYESIAN
        if (problem, method) in report.cells
    ]
    return np.concatenate([np.empty(0), *found])


def claim(ratios: Floats, short: bool) -> Claim:
    """D&L is done 10 to 30 times as soon."""
    spread = f"; {ratios.min():.0f} to {ratios.max():.0f}" if len(ratios) else ""
    return Claim(
        556,
        "D&L is done at least 10 times as soon as Bayesian optimization.",
        "10 to 30 times",
        said(ratios, ".0f") + spread,
        judge(ratios, above=SPEEDUP),
        f"Decided by the ratio of processor seconds on the same instance: {OURS} with "
        f"{BUDGETS[OURS][short]:,} evaluations, the others with "
        f"{BUDGETS[BAYESIAN[0]][short]}.",
    )


STUDY = Study("times", "Times of all methods", 900, findings, suites)
