"""Sensitivity to the learning rate, the dual step and the decay of overlaps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.claims import Claim, all_of, judge, said
from divlearn.lab.paper.panels import legend_below, new_panels, sweep, tidy
from divlearn.lab.paper.settings import AT_WORK, EXPERTS_REMARK, numbers
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table


class Parameter(NamedTuple):
    """A parameter: its name, the setting behind it, what the paper tries, the line."""

    name: str
    setting: str
    values: tuple[float, ...]
    line: int


PARAMETERS = (
    Parameter("eta", "learning.learning_rate", (0.1, 0.3, 0.5, 0.7, 0.9), 1692),
    Parameter("alpha", "coordination.step", (0.25, 0.5, 1.0, 1.5, 2.0), 1694),
    Parameter("beta", "decomposition.decay", (0.05, 0.1, 0.15, 0.2), 1697),
)
PROBLEMS = ("bitsp-20", "bitsp-50", "bitsp-100")
SHORT_PROBLEMS = ("bitsp-20",)
#: Measures of the four panels; time is drawn apart, since a clock measures it.
MEASURES = {
    "hypervolume": "HV ratio",
    "evaluations": "evaluations",
    "front_size": "front size",
    "mean_objective": "mean tour length",
}
REMARKS = (
    "The paper's text speaks of 20 and 50 cities and the caption of its figure of 20 "
    "and 100; all three are here. Lines are medians over instances, bands quartiles.",
    "Runs end with their schedule. Evaluations stand for the runtime, since they are "
    "the same on every machine; seconds are in `times.md`.",
    EXPERTS_REMARK,
)


def label_of(parameter: Parameter, value: float) -> str:
    """What tables call a configuration."""
    return f"{parameter.name} = {value:g}"


def suites(short: bool) -> tuple[Suite, ...]:
    """One parameter at a time, all others at the paper's table."""
    methods = tuple(
        Contender(
            "paper-ucb",
            {**AT_WORK, parameter.setting: value},
            label_of(parameter, value),
        )
        for parameter in PARAMETERS
        for value in parameter.values
    )
    return (
        Suite(
            "sensitivity",
            "",
            tuple(map(Case, SHORT_PROBLEMS if short else PROBLEMS)),
            methods,
            budget="schedule",
            instances=numbers(short, small=5, full=10),
            columns=("hypervolume", "front_size", "mean_objective"),
            deviation="quartiles",
        ),
    )


def findings(evidence: Evidence) -> Findings:
    """Medians and quartiles by parameter and size."""
    problems = evidence.report().problems
    return Findings(
        tables=[table(evidence, parameter, MEASURES) for parameter in PARAMETERS],
        figures=[
            Figure(
                "sensitivity",
                "Median and quartiles of four measures over each parameter: eta above, "
                f"alpha in the middle, beta below; {', '.join(problems)}.",
                lambda: draw(evidence, MEASURES),
            )
        ],
        claims=claims(evidence),
        remarks=REMARKS,
        timed_tables=[
            table(evidence, parameter, {"cpu_seconds": "CPU s"}, "times-")
            for parameter in PARAMETERS
        ],
        timed_figures=[
            Figure(
                "times-sensitivity",
                "Processor seconds over each parameter, median and quartiles.",
                lambda: draw(evidence, {"cpu_seconds": "CPU s"}),
            )
        ],
    )


def table(
    evidence: Evidence, parameter: Parameter, measures: dict[str, str], prefix: str = ""
) -> Table:
    """A row per problem and value: medians and interquartile ranges."""
    rows = []
    for problem in evidence.report().problems:
        for value in parameter.values:
            row: dict[str, Any] = {"problem": problem, parameter.name: value}
            for measure, title in measures.items():
                label = label_of(parameter, value)
                spread = spread_of(evidence.units(problem, label, measure))
                row[title] = spread.median
                row[f"IQR of {title}"] = spread.interquartile_range
            rows.append(row)
    name = f"{prefix}{parameter.name}"
    return Table(name, f"Sensitivity to {parameter.name} ({parameter.setting})", rows)


def draw(evidence: Evidence, measures: dict[str, str]) -> Any:
    """A row of panels per parameter, a panel per measure, a line per problem."""
    size = (3.1, 2.3)
    figure, panels = new_panels(len(PARAMETERS), len(measures), size=size)
    problems = evidence.report().problems
    places = [(p, m) for p in PARAMETERS for m in measures]
    for axes, (parameter, measure) in zip(panels, places, strict=True):
        for kind, problem in enumerate(problems):
            labels = [label_of(parameter, value) for value in parameter.values]
            groups = [evidence.units(problem, label, measure) for label in labels]
            sweep(axes, parameter.values, groups, problem, kind, middle="median")
        axes.set_xlabel(parameter.name)
        tidy(axes, measures[measure])
        if measure in ("evaluations", "cpu_seconds"):
            axes.set_yscale("log")
    legend_below(figure, panels)
    return figure


def relative_range(
    evidence: Evidence, problem: str, parameter: Parameter, measure: str
) -> Floats:
    """Best minus worst value of a parameter over the mean, by instance."""
    labels = [label_of(parameter, value) for value in parameter.values]
    rows = evidence.rows(problem, labels, measure)
    if not rows.size:
        return np.empty(0)
    order = rows.mean(axis=1)
    best, least = rows[order.argmax()], rows[order.argmin()]
    return np.asarray((best - least) / rows.mean(axis=0))


def trend(evidence: Evidence, problem: str, parameter: Parameter) -> Floats:
    """Slope of the front size over a parameter by instance, per unit of it."""
    labels = [label_of(parameter, value) for value in parameter.values]
    rows = evidence.rows(problem, labels, "front_size")
    if not rows.size:
        return np.empty(0)
    # Sums of differences, so that equal sizes have a slope of exactly 0.
    apart = np.array(parameter.values) - np.mean(parameter.values)
    return np.asarray(apart @ (rows - rows[0]) / (apart @ apart))


def claims(evidence: Evidence) -> list[Claim]:
    """The statements of the section."""
    made = [claim_on_quality(evidence, parameter) for parameter in PARAMETERS]
    small = evidence.report().problems[0]
    eta, alpha, beta = PARAMETERS
    for parameter in (eta, alpha):
        made.append(claim_on_cost(evidence, parameter))
    for parameter, words in ((eta, "learning rates"), (beta, "decay rates")):
        slopes = trend(evidence, small, parameter)
        made.append(
            Claim(
                parameter.line,
                f"With 20 cities, higher {words} find slightly more solutions.",
                "mild upward trend",
                f"{said(slopes, '.2f')} solutions per unit of {parameter.name}",
                judge(slopes, above=0.0),
                "Slope of the front size over the parameter, by instance, is above 0.",
            )
        )
    return [*made, claim_on_sizes(evidence)]


def claim_on_quality(evidence: Evidence, parameter: Parameter) -> Claim:
    """Hypervolume varies by less than 2 %."""
    ranges = {
        problem: relative_range(evidence, problem, parameter, "hypervolume")
        for problem in evidence.report().problems
    }
    return Claim(
        1703,
        f"Hypervolume varies by less than 2 % over {parameter.name}.",
        "less than 2 %",
        ", ".join(f"{p} {said(100 * v, '.2f')} %" for p, v in ranges.items()),
        all_of([judge(one, below=0.02) for one in ranges.values()]),
        "Best minus worst value, chosen by their means over instances, relative to the "
        "mean of all values, by instance; on every size.",
    )


def claim_on_cost(evidence: Evidence, parameter: Parameter) -> Claim:
    """The runtime stays the same."""
    ranges = {
        problem: relative_range(evidence, problem, parameter, "evaluations")
        for problem in evidence.report().problems
    }
    return Claim(
        parameter.line,
        f"The runtime does not depend on {parameter.name}.",
        "unaffected",
        ", ".join(f"{p} {said(100 * v, '.2f')} %" for p, v in ranges.items()),
        all_of([judge(one, below=0.02) for one in ranges.values()]),
        "The same range of the number of evaluations is below 2 %.",
    )


def claim_on_sizes(evidence: Evidence) -> Claim:
    """Front sizes vary more than hypervolumes."""
    more = [
        relative_range(evidence, problem, parameter, "front_size")
        - relative_range(evidence, problem, parameter, "hypervolume")
        for problem in evidence.report().problems
        for parameter in PARAMETERS
    ]
    return Claim(
        1703,
        "The number of solutions varies more than anything else.",
        "highest variability",
        "range of the size minus that of HV "
        f"{said(100 * np.array(more).ravel(), '.1f')} % points",
        all_of([judge(one, above=0.0) for one in more if one.any()]),
        "For every parameter and size, the relative range of the front size is above "
        "that of the hypervolume; what changes neither is left out.",
    )


STUDY = Study("sensitivity", "Sensitivity to hyperparameters", 1662, findings, suites)
