"""Setup 1: UCB or Thompson sampling as the first expert."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.claims import HOLDS, Claim, interval, judge, said
from divlearn.lab.paper.panels import COLOURS, HATCHES, legend_below, new_panels, tidy
from divlearn.lab.paper.settings import AT_WORK, EXPERTS_REMARK, TABLE_ONE, numbers
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table

PROBLEMS = tuple(TABLE_ONE)
SHORT_PROBLEMS = ("bitsp-20", "bikp-50", "bicvrp-20")
UCB, TS = "UCB + EXP3 + FTRL", "TS + EXP3 + FTRL"
PRESET_UCB, PRESET_TS = "paper-ucb", "paper-ts"
PAIRS = {"EXP3 and FTRL fixed": (TS, UCB), "presets": (PRESET_TS, PRESET_UCB)}
REMARKS = (
    "EXP3 and FTRL are the same in both; only the first expert differs, with the "
    "mixture of Algorithm 2. The paper refers to its main table, whose D&L-TS has no "
    "FTRL; the last columns are the presets of that table.",
    EXPERTS_REMARK,
)


def suites(short: bool) -> tuple[Suite, ...]:
    """Both first experts on the twelve problems, and the presets."""
    experts = {UCB: "ucb", TS: "thompson"}
    mixed = tuple(
        Contender("paper-ucb", {**AT_WORK, "experts": (one, "exp3", "ftrl")}, label)
        for label, one in experts.items()
    )
    return (
        Suite(
            "experts",
            "",
            tuple(map(Case, SHORT_PROBLEMS if short else PROBLEMS)),
            (*mixed, Contender(PRESET_UCB), Contender(PRESET_TS)),
            budget="schedule",
            instances=numbers(short, small=5, full=50),
            columns=("hypervolume", "front_size"),
            exact=False,
        ),
    )


def findings(evidence: Evidence) -> Findings:
    """Hypervolumes and front sizes of both, problem by problem."""
    return Findings(
        tables=[table(evidence)],
        figures=[
            Figure(
                "experts",
                "Thompson sampling minus UCB as the first expert, mean and 95 % "
                "interval over instances: above zero Thompson sampling is better.",
                lambda: draw(evidence),
            )
        ],
        claims=claims(evidence),
        remarks=REMARKS,
    )


def table(evidence: Evidence) -> Table:
    """A row per problem."""
    rows = []
    for problem in evidence.report().problems:
        row: dict[str, Any] = {"problem": problem}
        for label in (UCB, TS):
            row[f"{label[:3].strip()} HV"] = _mean(
                evidence, problem, label, "hypervolume"
            )
            row[f"{label[:3].strip()} size"] = _mean(
                evidence, problem, label, "front_size"
            )
        apart = evidence.differences(problem, (TS, UCB), "hypervolume")
        row["TS - UCB"] = said(apart)
        row["the paper's D&L"], row["the paper's D&L-TS"] = TABLE_ONE[problem]
        for label in (PRESET_UCB, PRESET_TS):
            row[label] = _mean(evidence, problem, label, "hypervolume")
        rows.append(row)
    return Table("experts", "First expert: hypervolume and size of the front", rows)


def _mean(evidence: Evidence, problem: str, label: str, measure: str) -> float:
    return spread_of(evidence.units(problem, label, measure)).mean


def draw(evidence: Evidence) -> Any:
    """Differences of hypervolume and front size, a bar per problem and pair."""
    figure, panels = new_panels(2, 1, size=(8.0, 2.6))
    problems = evidence.report().problems
    titles = {"hypervolume": "HV, difference", "front_size": "front size, % more"}
    for axes, (measure, title) in zip(panels, titles.items(), strict=True):
        for kind, (label, pair) in enumerate(PAIRS.items()):
            groups = [_gain(evidence, p, pair, measure) for p in problems]
            _bars(axes, groups, kind, label)
        axes.axhline(0.0, color="0.3", lw=0.8)
        axes.set_xticks(range(len(problems)), problems, rotation=30, ha="right")
        tidy(axes, title)
    legend_below(figure, panels)
    return figure


def _gain(evidence: Evidence, problem: str, pair: tuple[str, str], measure: str) -> Any:
    """What the first of a pair gains, by instance."""
    if measure == "hypervolume":
        return evidence.differences(problem, pair, measure)
    return 100.0 * (evidence.ratios(problem, pair, measure) - 1.0)


def _bars(axes: Any, groups: Sequence[Any], kind: int, label: str) -> None:
    """Means with their intervals, beside those of the other pair."""
    means, low, high = np.array([interval(group) for group in groups]).T
    axes.bar(
        np.arange(len(groups)) + 0.4 * kind - 0.2,
        means,
        width=0.38,
        yerr=np.nan_to_num([means - low, high - means]),
        color=COLOURS[kind],
        hatch=HATCHES[kind],
        edgecolor="white",
        label=label,
        error_kw={"lw": 0.9, "capsize": 2},
    )


def claims(evidence: Evidence) -> list[Claim]:
    """Thompson sampling better than UCB, in hypervolume and in size."""
    claimed = {"hypervolume": "in 10 of 12 cells", "front_size": "consistently"}
    return [
        claim(evidence, measure, what, claimed[measure])
        for measure in claimed
        for what in PAIRS
    ]


def claim(evidence: Evidence, measure: str, what: str, paper: str) -> Claim:
    """Decide by the mean gain over problems."""
    gains = [
        100.0 * (evidence.ratios(problem, PAIRS[what], measure) - 1.0)
        for problem in evidence.report().problems
    ]
    better = sum(judge(one, above=0.0) == HOLDS for one in gains)
    worse = sum(judge(one, below=0.0) == HOLDS for one in gains)
    means = [interval(one)[0] for one in gains]
    return Claim(
        1315,
        f"Thompson sampling beats UCB in {measure.replace('_', ' ')} ({what}).",
        paper,
        f"better on {better}, worse on {worse} of {len(gains)} problems; mean gain "
        f"{said(means, '.2f')} %",
        judge(means, above=0.0),
        "Mean gain in percent, each problem one value. Better and worse count problems "
        "whose own interval over instances excludes zero.",
    )


STUDY = Study("experts", "Setup 1: UCB or Thompson sampling", 1313, findings, suites)
