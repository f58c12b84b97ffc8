"""Setup 2a: how often FTRL should choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Contender, Suite
from divlearn.lab.bench.statistics import over_seeds, spread_of
from divlearn.lab.paper.claims import Claim, all_of, judge, said
from divlearn.lab.paper.panels import (
    boxes,
    legend_below,
    line,
    new_panels,
    sweep,
    tidy,
)
from divlearn.lab.paper.settings import AT_WORK, EXPERTS_REMARK, numbers, scheduled
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table

SMALL, LARGE = "bitsp-20", "bitsp-100"
#: Presets and their first expert.
FIRSTS = {"UCB": ("paper-ucb", "ucb"), "TS": ("paper-ts", "thompson")}
RATES = tuple(range(0, 101, 10))
SHORT_RATES = (0, 30, 50, 100)
#: Rates that the paper calls moderate, the best of them, and the least high one.
MODERATE, PEAK, HIGH = (30, 40, 50), 30, 80
BY_INSTANCE = "Means over seeds, differences by instance."
VOLUME = "hypervolume"
REMARKS = (
    EXPERTS_REMARK,
    "A rate of r % means: FTRL chooses with probability r / 100, and the first expert "
    "and EXP3 share the rest equally.",
    "The paper has 50 runs of each rate. Here they are 10 instances with 5 seeds each. "
    "Deviation and worst case are taken over the seeds of an instance and then "
    "averaged over instances, since instances differ far more than seeds do.",
)


def label_of(first: str, rate: int) -> str:
    """What tables call a configuration."""
    return f"{first}, FTRL {rate} %"


def suites(short: bool) -> tuple[Suite, ...]:
    """All rates for both first experts, on both sizes."""
    methods = tuple(
        configuration(first, rate) for first in FIRSTS for rate in rates_of(short)
    )
    instances = numbers(short, small=2, full=10)
    return tuple(
        scheduled(problem, methods, instances, 2 if short else 5)
        for problem in (SMALL, LARGE)
    )


def rates_of(short: bool) -> tuple[int, ...]:
    """Rates in percent."""
    return SHORT_RATES if short else RATES


def configuration(first: str, rate: int) -> Contender:
    """A first expert, EXP3 and FTRL, with FTRL at some rate."""
    preset, expert = FIRSTS[first]
    rest = (100 - rate) / 200
    settings = {
        **AT_WORK,
        "experts": (expert, "exp3", "ftrl"),
        "mixture.shares": (rest, rest, rate / 100),
    }
    return Contender(preset, settings, label=label_of(first, rate))


def findings(evidence: Evidence) -> Findings:
    """Mean, spread and worst case by rate."""
    rates = rates_of(evidence.short)
    return Findings(
        tables=[table(evidence, problem, rates) for problem in (SMALL, LARGE)],
        figures=[
            Figure(
                "ftrl",
                "Hypervolume by the rate of FTRL: mean with the deviation over seeds, "
                "distribution of all runs around the mean of their instance, and worst "
                "case over seeds; 20 cities above, 100 below.",
                lambda: draw(evidence, rates),
            )
        ],
        claims=claims(evidence, rates),
        remarks=REMARKS,
    )


def statistic(evidence: Evidence, problem: str, label: str, name: str) -> Floats:
    """A statistic over seeds, shape (instances,)."""
    values = evidence.cell(problem, label, problem).values.get(VOLUME, {})
    return over_seeds(values, name)


def table(evidence: Evidence, problem: str, rates: Sequence[int]) -> Table:
    """A row per first expert and rate."""
    rows = []
    for first in FIRSTS:
        for rate in rates:
            label = label_of(first, rate)
            mean, deviation, worst = (
                float(np.mean(statistic(evidence, problem, label, name)))
                for name in ("mean", "deviation", "least")
            )
            size = spread_of(evidence.units(problem, label, "front_size", problem))
            rows.append(
                {
                    "first expert": first,
                    "FTRL %": rate,
                    "HV": mean,
                    "deviation": deviation,
                    "CV %": 100 * deviation / mean if mean else None,
                    "worst case": worst,
                    "front size": size.mean,
                }
            )
    return Table(f"rates-{problem}", f"Rates of FTRL on {problem}", rows)


def around_instances(evidence: Evidence, problem: str, label: str) -> Floats:
    """Hypervolumes of all runs, shifted so that all instances have one mean."""
    values = evidence.cell(problem, label, problem).values.get(VOLUME, {})
    means = dict(
        zip(
            sorted({instance for instance, _ in values}),
            over_seeds(values, "mean"),
            strict=True,
        )
    )
    middle = float(np.mean([*means.values()])) if means else 0.0
    return np.array([v - means[i] + middle for (i, _), v in values.items()])


def draw(evidence: Evidence, rates: Sequence[int]) -> Any:
    """Three panels for each size."""
    figure, panels = new_panels(2, 3, size=(3.6, 2.7))
    for row, problem in enumerate((SMALL, LARGE)):
        mean, box, worst = panels[3 * row : 3 * row + 3]
        for kind, first in enumerate(FIRSTS):
            labels = [label_of(first, rate) for rate in rates]
            groups = [around_instances(evidence, problem, one) for one in labels]
            sweep(mean, rates, groups, first, kind)
            least = [statistic(evidence, problem, one, "least") for one in labels]
            line(worst, rates, [one.mean() for one in least], first, kind, marked=True)
        every = [(first, rate) for rate in rates for first in FIRSTS]
        groups = [around_instances(evidence, problem, label_of(*one)) for one in every]
        names = [str(rate) if k % 2 == 0 else "" for k, (_, rate) in enumerate(every)]
        boxes(box, names, groups, [k % 2 for k in range(len(every))])
        tidy(mean, f"{problem}: mean")
        tidy(box, f"{problem}: runs around their instance")
        tidy(worst, f"{problem}: worst case")
        for axes in (mean, box, worst):
            axes.set_xlabel("FTRL, %")
            axes.set_ylabel("HV ratio")
    legend_below(figure, panels)
    return figure


def worst(evidence: Evidence, problem: str, first: str, rates: Sequence[int]) -> Floats:
    """Mean over rates of the worst case over seeds, by instance."""
    labels = [label_of(first, rate) for rate in rates]
    found = [statistic(evidence, problem, label, "least") for label in labels]
    return np.asarray(np.mean(found, axis=0))


def claims(evidence: Evidence, rates: Sequence[int]) -> list[Claim]:
    """The statements of the section, by instance."""
    same = {
        (problem, first): relative_range(evidence, problem, first, rates)
        for problem in (SMALL, LARGE)
        for first in FIRSTS
    }
    stable = same[LARGE, "TS"]
    return [
        *worst_case_claims(evidence, rates),
        Claim(
            1329,
            "With 100 cities, Thompson sampling is stable across all rates.",
            "about 0.48 HV at all rates",
            f"range {said(100 * stable, '.2f')} % of the mean",
            judge(stable, below=0.02),
            "Best minus worst rate, relative to the mean, is below 2 %.",
        ),
        Claim(
            1361,
            "Mean hypervolume is the same whatever the rate.",
            "equivalent across all configurations",
            ", ".join(
                f"{p} {f} {said(100 * v, '.2f')} %" for (p, f), v in same.items()
            ),
            all_of([judge(one, below=0.02) for one in same.values()]),
            "Best minus worst rate, relative to the mean, is below 2 % for both sizes "
            "and both first experts.",
        ),
    ]


def worst_case_claims(evidence: Evidence, rates: Sequence[int]) -> list[Claim]:
    """Which rates are robust."""
    some = [rate for rate in rates if rate in MODERATE]
    others = [rate for rate in rates if rate not in MODERATE]
    moderate = {
        first: worst(evidence, SMALL, first, some)
        - worst(evidence, SMALL, first, others)
        for first in FIRSTS
    }
    rest = [rate for rate in rates if rate != PEAK]
    peak = worst(evidence, SMALL, "TS", [PEAK]) - worst(evidence, SMALL, "TS", rest)
    high = [rate for rate in rates if rate >= HIGH]
    late = worst(evidence, LARGE, "UCB", high) - worst(evidence, LARGE, "UCB", some)
    return [
        Claim(
            1322,
            "With 20 cities, rates of 30 to 50 % have the best worst case.",
            "optimal worst case at 30 to 50 %",
            ", ".join(f"{first}: {said(one)}" for first, one in moderate.items()),
            all_of([judge(one, above=0.0) for one in moderate.values()]),
            f"Mean worst case at 30 to 50 % minus that at other rates. {BY_INSTANCE}",
        ),
        Claim(
            1329,
            "With 20 cities, Thompson sampling is most robust at 30 %.",
            "peak at 30 %",
            said(peak),
            judge(peak, above=0.0),
            f"Worst case at 30 % minus the mean of all other rates. {BY_INSTANCE}",
        ),
        Claim(
            1322,
            "With 100 cities, the worst case of UCB degrades at high rates.",
            "degrades",
            said(late),
            judge(late, below=0.0),
            f"Worst case at 80 to 100 % minus that at 30 to 50 %. {BY_INSTANCE}",
        ),
    ]


def relative_range(
    evidence: Evidence, problem: str, first: str, rates: Sequence[int]
) -> Floats:
    """Best minus worst rate over the mean of all, by instance, shape (instances,)."""
    means = np.array(
        [statistic(evidence, problem, label_of(first, r), "mean") for r in rates]
    )
    order = means.mean(axis=1)
    best, least = means[order.argmax()], means[order.argmin()]
    return np.asarray((best - least) / means.mean(axis=0))


STUDY = Study("ftrl", "Setup 2a: the rate of FTRL", 1317, findings, suites)
