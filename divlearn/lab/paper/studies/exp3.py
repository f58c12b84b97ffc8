"""Setup 3: how EXP3 is mixed in, and bandits without decomposition."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.curves import curve
from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.claims import Claim, all_of, interval, judge, said
from divlearn.lab.paper.panels import bars, legend_below, line, new_panels, tidy
from divlearn.lab.paper.settings import AT_WORK, EXPERTS_REMARK
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table

PROBLEM = "bitsp-20"
#: What the schedule of the paper's method takes on this problem.
EVALUATIONS = 30_000
#: Iterations per weight in the short form, and what the schedule takes then.
SHORT_ITERATIONS, SHORT_EVALUATIONS = 20, 6_000
FAST, FTRL, FULL = "UCB + EXP3 + fast rate", "UCB + FTRL", "UCB full"
HALF, MOST, NEARLY = "UCB + EXP3 (50 %)", "UCB + EXP3 (80 %)", "UCB + EXP3 (99 %)"
PURE = ("pure EXP3", "pure UCB", "pure Thompson", "random")
#: The same search with random choices in place of experts, which the paper lacks.
CONTROL = "uniform choices"
OURS = (FAST, FTRL, FULL, HALF, NEARLY, MOST)
#: Mean reward, its deviation and the front size that the paper reports.
PAPER = {
    FAST: (-0.135, 0.047, 87.5),
    FTRL: (-0.140, 0.140, 86.5),
    FULL: (-0.182, 0.097, 81.0),
    HALF: (-0.231, 0.143, 77.0),
    NEARLY: (-0.460, 0.097, 50.5),
    MOST: (-0.690, 0.052, 25.5),
    "pure EXP3": (-8.566, 0.036, 10.0),
    "pure UCB": (-8.613, 0.053, 8.5),
    "pure Thompson": (-8.649, 0.045, 7.0),
    "random": (-8.711, 0.050, 7.5),
}
#: Differences below this share of the whole gain count as none.
NEAR = 0.05
REMARKS = (
    "The paper does not say how it scales rewards. Here the reward of a weight vector "
    "is minus the best weighted sum of a front, with objectives 0 at the ideal and 1 "
    "at the reference point; it is between -1 and 0. Orders and signs can be compared "
    "with the paper's, sizes cannot.",
    EXPERTS_REMARK,
    f"`{CONTROL}` is the same search in which random choices take the place of "
    "experts; the paper has no such control.",
    "Shares of experts are fixed, as the names of the configurations say. The paper "
    "gives no number of evaluations: ours end with their schedule, after about "
    f"{EVALUATIONS:,}, and the others get as many.",
)


def mixed(label: str, rate: float = 0.5, **shares: float) -> Contender:
    """Experts with fixed shares, and the learning rate of EXP3."""
    settings = {
        **AT_WORK,
        "trace": True,
        "experts": tuple(shares),
        "mixture.shares": tuple(shares.values()),
        "learning.learning_rate": rate,
    }
    return Contender("paper-ucb", settings, label=label)


def suites(short: bool) -> tuple[Suite, ...]:
    """Six configurations and four bandits, 50 instances."""
    evaluations = SHORT_EVALUATIONS if short else EVALUATIONS
    ours = [
        mixed(FAST, rate=2.0, ucb=0.5, exp3=0.5),
        mixed(FTRL, ucb=0.5, ftrl=0.5),
        mixed(FULL, ucb=0.35, exp3=0.35, ftrl=0.3),
        mixed(HALF, ucb=0.5, exp3=0.5),
        mixed(NEARLY, ucb=0.01, exp3=0.99),
        mixed(MOST, ucb=0.2, exp3=0.8),
    ]
    ours.append(Contender("uniform", {**AT_WORK, "trace": True}, CONTROL))
    if short:
        ours = [with_iterations(one, SHORT_ITERATIONS) for one in ours]
    names = ("pure-exp3", "pure-ucb", "pure-thompson", "random")
    pure = tuple(
        Contender(name, label=label, budget=evaluations)
        for name, label in zip(names, PURE, strict=True)
    )
    return (
        Suite(
            "exp3",
            "",
            (Case(PROBLEM),),
            (*ours, *pure),
            budget="schedule",
            instances=tuple(range(100, 106 if short else 150)),
            columns=("mean_reward", "hypervolume", "front_size"),
        ),
    )


def with_iterations(contender: Contender, iterations: int) -> Contender:
    """The same with another number of iterations per weight."""
    settings = {**contender.settings, "iterations": iterations}
    return dataclasses.replace(contender, settings=settings)


def findings(evidence: Evidence) -> Findings:
    """Rewards and front sizes beside the paper's."""
    return Findings(
        tables=[table(evidence)],
        figures=[
            Figure(
                "exp3",
                "Mean reward, size of the front and hypervolume: ours plain, the "
                "control dotted, bandits without decomposition hatched; bars are "
                "means, lines deviations.",
                lambda: draw(evidence),
            ),
            Figure(
                "regret",
                "Left: cumulative regret against the best reward of the weight, mean "
                "over weights and instances. Right: hypervolume over evaluations, "
                "with the bandits without decomposition.",
                lambda: draw_regret(evidence),
            ),
        ],
        claims=[*claims(evidence), claim_on_growth(evidence)],
        remarks=REMARKS,
    )


def table(evidence: Evidence) -> Table:
    """One row per configuration, in the paper's order."""
    rows = []
    for label in (*OURS, CONTROL, *PURE):
        paper = PAPER.get(label, (None, None, None))
        reward = spread_of(evidence.units(PROBLEM, label, "mean_reward"))
        size = spread_of(evidence.units(PROBLEM, label, "front_size"))
        volume = spread_of(evidence.units(PROBLEM, label, "hypervolume"))
        rows.append(
            {
                "configuration": label,
                "reward": reward.mean,
                "deviation": reward.deviation,
                "the paper's reward": paper[0],
                "front size": size.mean,
                "the paper's size": paper[2],
                "HV": volume.mean,
                "runs": reward.count,
            }
        )
    return Table("rewards", f"Rewards and front sizes on {PROBLEM}", rows)


def draw(evidence: Evidence) -> Any:
    """Three panels of bars."""
    figure, panels = new_panels(1, 3, size=(3.6, 3.6))
    titles = {
        "mean_reward": "mean reward",
        "front_size": "front size",
        "hypervolume": "hypervolume",
    }
    labels = (*OURS, CONTROL, *PURE)
    kinds = [*(len(OURS) * [0]), 2, *(len(PURE) * [1])]
    for axes, (measure, title) in zip(panels, titles.items(), strict=True):
        groups = [evidence.units(PROBLEM, label, measure) for label in labels]
        bars(axes, labels, groups, kinds)
        tidy(axes, title)
        if measure == "hypervolume":
            least = min(spread_of(group).least for group in groups)
            axes.set_ylim(bottom=max(0.0, least - 0.05))
    return figure


def regrets(evidence: Evidence, label: str) -> Floats:
    """Cumulative regret by iteration, mean over weights, shape (runs, iterations)."""
    rows = []
    for run in evidence.cell(PROBLEM, label).runs.values():
        trace = evidence.store.series(run.key, "trace")
        if trace is not None:
            last = int(trace["iteration"].max())
            place = trace["iteration"].astype(np.int64) - 1
            sums = np.bincount(place, trace["regret"], last)
            rows.append(np.cumsum(sums / np.bincount(place, minlength=last)))
    shortest = min(map(len, rows), default=0)
    return np.array([row[:shortest] for row in rows])


def growth(regret: Floats) -> float:
    """Exponent of a cumulative regret: slope on logarithmic axes, second half."""
    half = np.arange(len(regret) // 2, len(regret))
    if len(half) < 2 or (regret[half] <= 0).any():
        return math.nan
    return float(np.polyfit(np.log(half + 1.0), np.log(regret[half]), 1)[0])


def draw_regret(evidence: Evidence) -> Any:
    """Regret of ours by iteration, and hypervolume of all by evaluation."""
    figure, (left, right) = new_panels(1, 2, size=(4.4, 3.3))
    for kind, label in enumerate((*OURS, CONTROL)):
        curves = regrets(evidence, label)
        if curves.size:
            x = np.arange(1, curves.shape[1] + 1)
            line(left, x, curves.mean(axis=0), label, kind)
    report = evidence.report()
    for kind, label in enumerate((*OURS, CONTROL, *PURE)):
        cell = report.cells[PROBLEM, label]
        found = curve(report, evidence.store, cell, "evaluations")
        if found is not None:
            line(right, found.x, found.mean, label, kind)
    left.set_xlabel("iteration of a weight")
    right.set_xlabel("evaluations")
    tidy(left, "cumulative regret")
    tidy(right, "HV ratio")
    legend_below(figure, [right])
    return figure


def claim_on_growth(evidence: Evidence) -> Claim:
    """Regret grows like the square root of time."""
    slopes = {
        label: [growth(one) for one in regrets(evidence, label)]
        for label in (*OURS, CONTROL)
    }
    return Claim(
        1493,
        "Cumulative regret grows like the square root of the iterations.",
        "O(sqrt(T log K))",
        ", ".join(f"{label}: {said(one, '.2f')}" for label, one in slopes.items()),
        all_of([judge(slopes[label], below=0.75) for label in OURS]),
        "The exponent, fitted to the second half of the iterations, is below 0.75 for "
        "every configuration; 1 is linear, 0.5 the square root. The control says how "
        "much of it is due to experts.",
    )


def claim_on_experts(evidence: Evidence) -> Claim:
    """Experts choose better than chance."""
    apart = {
        label: evidence.differences(PROBLEM, (label, CONTROL), "mean_reward")
        for label in OURS
    }
    return Claim(
        1366,
        "Whatever the configuration, experts earn more than random choices.",
        "not compared",
        ", ".join(f"{label}: {said(one)}" for label, one in apart.items()),
        all_of([judge(one, above=0.0) for one in apart.values()]),
        "Paired difference of mean rewards to the same search with uniform choices.",
    )


def claims(evidence: Evidence) -> list[Claim]:
    """The statements of the section, decided by paired differences."""
    best = max(
        PURE,
        key=lambda label: interval(evidence.units(PROBLEM, label, "mean_reward"))[0],
    )
    not_monotonic = "99 % of EXP3 is better than 80 %: the effect is not monotonic."
    faster = "A four times faster learning rate improves on 50 % EXP3."
    return [
        claim_on_experts(evidence),
        claim_on_gain(evidence, best),
        claim_on_sizes(evidence, best),
        claim_on_ftrl(evidence, best),
        claim_on_pair(evidence, 1455, "80 % of EXP3 is worse than 50 %.", (HALF, MOST)),
        claim_on_pair(evidence, 1455, not_monotonic, (NEARLY, MOST)),
        claim_on_pair(evidence, 1458, faster, (FAST, HALF)),
    ]


def apart(evidence: Evidence, first: str, second: str) -> Floats:
    """Mean reward of one method minus that of another, by instance."""
    return evidence.differences(PROBLEM, (first, second), "mean_reward")


def claim_on_pair(
    evidence: Evidence, line: int, text: str, pair: tuple[str, str]
) -> Claim:
    """The first of two configurations earns more."""
    better, worse = pair
    found = apart(evidence, better, worse)
    return Claim(
        line,
        text,
        f"{PAPER[better][0]:.3f} against {PAPER[worse][0]:.3f}",
        said(found),
        judge(found, above=0.0),
        f"The paired difference of mean rewards, {better} minus {worse}, is above 0.",
    )


def claim_on_gain(evidence: Evidence, best: str) -> Claim:
    """Decomposition beats every bandit."""
    gains = [apart(evidence, label, best) for label in OURS]
    return Claim(
        1410,
        "Every configuration with decomposition earns more than every bandit without.",
        "-0.690 against -8.566",
        f"least difference {said(min(gains, key=lambda one: interval(one)[0]))}",
        all_of([judge(one, above=0.0) for one in gains]),
        f"Paired differences of mean rewards to {best}, the best bandit, are above 0.",
    )


def claim_on_sizes(evidence: Evidence, best: str) -> Claim:
    """Fronts are several times as large."""
    ratios = [evidence.ratios(PROBLEM, (one, best), "front_size") for one in OURS]
    smallest = min(ratios, key=lambda ratio: interval(ratio)[0])
    return Claim(
        1377,
        "Fronts with decomposition are at least four times as large.",
        "4 to 10 times",
        f"least ratio {said(smallest, '.2f')}",
        judge(smallest, above=4.0),
        f"Holds if the least of the six ratios to {best} is above 4.",
    )


def claim_on_ftrl(evidence: Evidence, best: str) -> Claim:
    """FTRL does without EXP3."""
    near = NEAR * abs(interval(apart(evidence, FAST, best))[0])
    found = apart(evidence, FTRL, FAST)
    return Claim(
        1442,
        "UCB + FTRL does as well as the best configuration.",
        "-0.140 against -0.135",
        said(found),
        judge(found, above=-near, below=near),
        f"Holds if the paired difference of rewards is within {near:.4f}: {NEAR:.0%} "
        f"of what {FAST} gains over {best}.",
    )


STUDY = Study(
    "exp3", "Setup 3: EXP3 and bandits without decomposition", 1366, findings, suites
)
