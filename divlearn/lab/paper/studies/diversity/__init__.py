"""Coverage and diversity of fronts, with all methods and little budget."""

from __future__ import annotations

from functools import partial
from typing import Any

from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.claims import NOTHING
from divlearn.lab.paper.studies.diversity.figures import (
    draw_analysis,
    draw_fronts,
    draw_progress,
)
from divlearn.lab.paper.studies.diversity.runs import (
    BAYESIAN,
    LARGE,
    MODELS,
    NSGA2,
    OURS,
    PAPER,
    SHORT_BAYESIAN,
    suites,
)
from divlearn.lab.paper.studies.diversity.verdicts import claims, speed_claim
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table

#: Measures of the table, with their titles.
COLUMNS = {
    "hypervolume": "HV",
    "front_size": "size",
    "coverage": "coverage",
    "adjusted_diversity": "AdjDiv",
    "raw_diversity": "RawDiv",
    "knn_diversity": "KNN-Div",
    "spread": "spread",
}


def findings(evidence: Evidence) -> Findings:
    """Tables and figures of both sizes, and ratios to NSGA-II."""
    problems = list(evidence.reports)
    has_rival = NSGA2 in evidence.report(LARGE).methods
    return Findings(
        tables=[
            *(table(evidence, problem) for problem in problems),
            *([ratio_table(evidence)] if has_rival else []),
        ],
        figures=[one for problem in problems for one in figures(evidence, problem)],
        claims=claims(evidence),
        remarks=remarks(evidence.short),
        timed_tables=[time_table(evidence, problem) for problem in problems],
        timed_claims=[speed_claim(evidence)] if has_rival else [],
    )


def remarks(short: bool) -> list[str]:
    """How to read it."""
    budget = SHORT_BAYESIAN if short else BAYESIAN
    return [
        "One instance with random distance matrices, as in the paper; means and "
        "deviations are over seeds, so they say nothing about other instances.",
        f"Bayesian optimization ({', '.join(MODELS)}) has {budget} evaluations, "
        "because it takes up to seconds for each; the paper gives it as many as the "
        "others. Its numbers are therefore not those of the paper's table.",
        "Hypervolumes are ratios between the reference and the ideal point of "
        "`bitsp-N`; the paper does not state its own.",
    ]


def figures(evidence: Evidence, problem: str) -> list[Figure]:
    """The three figures of a size."""
    return [
        Figure(
            f"progress-{problem}",
            f"{problem}: hypervolume (mean and 95 % interval), size, coverage and "
            "diversity of the front over evaluations, and the final hypervolume.",
            partial(draw_progress, evidence, problem),
        ),
        Figure(
            f"analysis-{problem}",
            f"{problem}: coverage against size, distance to neighbours, hypervolume "
            "against coverage, and all measures as a share of the largest.",
            partial(draw_analysis, evidence, problem),
        ),
        Figure(
            f"fronts-{problem}",
            f"{problem}: fronts of all seeds.",
            partial(draw_fronts, evidence, problem),
        ),
    ]


def table(evidence: Evidence, problem: str) -> Table:
    """A row per method: means, deviations, and the paper's means with 50 cities."""
    rows = []
    for method in evidence.report(problem).methods:
        row: dict[str, Any] = {"method": method}
        for measure, title in COLUMNS.items():
            spread = spread_of(evidence.units(problem, method, measure, problem))
            row[title] = spread.mean
            if measure in ("hypervolume", "front_size", "coverage"):
                row[f"± {title}"] = spread.deviation
        if problem == LARGE:
            known = PAPER.get(method)
            row["the paper's HV, size, coverage, AdjDiv"] = (
                ", ".join(f"{number:g}" for number in known[:4]) if known else NOTHING
            )
        rows.append(row)
    return Table(f"table-{problem}", f"Fronts on {problem}", rows)


def ratio_table(evidence: Evidence) -> Table:
    """Ratios to NSGA-II with 50 cities."""
    paper = {
        "hypervolume": 1.0,
        "coverage": 1.27,
        "front_size": 6.0,
        "adjusted_diversity": 1.42,
    }
    rows = [
        {
            "measure": COLUMNS[measure],
            **{
                f"{one} / NSGA-II": spread_of(
                    evidence.ratios(LARGE, (one, NSGA2), measure, LARGE)
                ).mean
                for one in OURS
            },
            "the paper": number,
        }
        for measure, number in paper.items()
    ]
    return Table("ratios", "Relative to NSGA-II, 50 cities", rows)


def time_table(evidence: Evidence, problem: str) -> Table:
    """Processor seconds of a run."""
    rows = []
    for method in evidence.report(problem).methods:
        seconds = spread_of(evidence.units(problem, method, "cpu_seconds", problem))
        count = spread_of(evidence.units(problem, method, "evaluations", problem))
        row: dict[str, Any] = {"method": method, "CPU s": seconds.mean}
        row["evaluations"] = count.mean
        if problem == LARGE:
            row["the paper's s"] = PAPER[method].seconds if method in PAPER else None
        rows.append(row)
    return Table(f"times-{problem}", f"Time on {problem}", rows)


STUDY = Study("diversity", "Coverage and diversity", 1501, findings, suites)
