"""Setup 2c: regret, convergence and stability over 300 iterations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.bench import Case, Contender, Suite
from divlearn.lab.bench.cases import problem_of
from divlearn.lab.bench.statistics import over_seeds
from divlearn.lab.paper.claims import Claim, all_of, judge, said
from divlearn.lab.paper.panels import (
    COLOURS,
    bars,
    boxes,
    legend_below,
    line,
    new_panels,
    tidy,
)
from divlearn.lab.paper.settings import AT_WORK, EXPERTS_REMARK, numbers, scheduled
from divlearn.lab.paper.studies.stress import CONFIGURATIONS
from divlearn.lab.paper.study import Evidence, Figure, Findings, Study, Table
from divlearn.lab.paper.traces import (
    Place,
    band,
    fixed_rewards,
    growth_exponent,
    traces,
)

SMALL, LARGE = "bitsp-20", "bitsp-100"
VOLUME = "hypervolume"
ITERATIONS, SHORT_ITERATIONS = 300, 60
WEIGHTS = ((0.0, 1.0), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (1.0, 0.0))
BEST = "UCB + FTRL"
#: The same, but constructed once and only refined from there: not in the paper.
ONCE = "UCB + FTRL, once"
SHOWN = (*CONFIGURATIONS, ONCE)
#: sqrt(T log T) has about this slope between 10 and 300 iterations.
ROOT_SLOPE = 0.65
REMARKS = (
    EXPERTS_REMARK,
    "Each run has 300 iterations for each of five weight vectors; the paper does not "
    "say how many it has. Curves are means over the weights.",
    "The reward of an iteration is that of the solution at its end, scaled so that the "
    "ideal point earns 1 and the reference point -1, for all runs alike. Regret is "
    "counted from the best reward that the same run observed, as in the paper. A run "
    "that finds less then regrets less, so the table also counts it from the best "
    "reward of all runs on the same instance and weight.",
    f"In `{ONCE}`, the experts construct one solution per weight, which is then only "
    "refined. Its regret levels off, for what it does has nothing to do with what "
    "experts learn; that of all others grows by the same amount with every new start.",
    "6 instances with 5 seeds each. Deviation, quartiles and stability (mean over "
    "deviation of the hypervolume) are taken over the seeds of an instance.",
)
#: A statistic of :class:`~divlearn.lab.bench.statistics.Spread`.
RANGE = "interquartile_range"
#: Rewards of runs, shape (weights, iterations) each, by configuration and place.
Rewards = Mapping[str, Mapping[Place, Floats]]


def suites(short: bool) -> tuple[Suite, ...]:
    """Four configurations on both sizes, with traces."""
    methods = tuple(contender(name, short) for name in SHOWN)
    instances = numbers(short, small=2, full=6)
    return tuple(
        scheduled(problem, methods, instances, 2 if short else 5)
        for problem in (SMALL, LARGE)
    )


def contender(configuration: str, short: bool) -> Contender:
    """A configuration that records its iterations."""
    named = BEST if configuration == ONCE else configuration
    preset, experts, shares = CONFIGURATIONS[named]
    iterations = SHORT_ITERATIONS if short else ITERATIONS
    anew = {"patience": iterations} if configuration == ONCE else AT_WORK
    settings: dict[str, Any] = {
        **anew,
        "experts": experts,
        "mixture.shares": shares,
        "weights": WEIGHTS,
        "iterations": iterations,
        "trace": True,
    }
    return Contender(preset, settings, label=configuration)


def findings(evidence: Evidence) -> Findings:
    """Regret, convergence, distributions and stability."""
    found = {problem: rewards_of(evidence, problem) for problem in (SMALL, LARGE)}
    return Findings(
        tables=[table(evidence, problem, found[problem]) for problem in found],
        figures=[
            Figure(
                "regret",
                "Cumulative regret, best reward so far with the deviation over seeds, "
                "hypervolumes of all runs around the mean of their instance, and "
                "stability; 20 cities above, 100 below.",
                lambda: draw(evidence, found),
            )
        ],
        claims=claims(evidence, found),
        remarks=REMARKS,
    )


# --- numbers


def rewards_of(evidence: Evidence, problem: str) -> Rewards:
    """Rewards of every iteration of every run on a problem."""
    return {
        name: {
            place: fixed_rewards(trace, WEIGHTS, *points_of(problem, place[0]))
            for place, trace in traces(evidence, problem, name, problem).items()
        }
        for name in SHOWN
    }


def points_of(problem: str, instance: int) -> tuple[Floats, Floats]:
    """Ideal and reference point of an instance."""
    made = problem_of(Case(problem), instance)
    assert made.ideal is not None
    assert made.reference is not None
    return made.ideal, made.reference


def regret_of(rewards: Floats, best: Floats) -> Floats:
    """Cumulative regret, the mean over weights, shape (iterations,).

    Parameters
    ----------
    rewards
        Shape (weights, iterations).
    best
        What each weight could have earned, shape (weights,).

    Examples
    --------
    >>> regret_of(np.array([[0.0, 1.0, 0.5]]), np.array([1.0])).tolist()
    [1.0, 1.0, 1.5]
    """
    return np.asarray(np.cumsum((best[:, None] - rewards).mean(axis=0)))


def own_regrets(runs: Mapping[Place, Floats]) -> dict[Place, Floats]:
    """Regret of each run, counted from its own best rewards."""
    return {place: regret_of(run, run.max(axis=1)) for place, run in runs.items()}


def common_regrets(rewards: Rewards, name: str) -> dict[Place, Floats]:
    """Regret of each run, counted from the best rewards on its instance."""
    best: dict[int, Floats] = {}
    for runs in rewards.values():
        for (instance, _), run in runs.items():
            highest = run.max(axis=1)
            best[instance] = np.maximum(best.get(instance, highest), highest)
    return {place: regret_of(r, best[place[0]]) for place, r in rewards[name].items()}


def means(values: Mapping[Place, float]) -> Floats:
    """Mean over the seeds of each instance, shape (instances,)."""
    return over_seeds(values, "mean")


def finals(regrets: Mapping[Place, Floats]) -> Floats:
    """Regret at the end, by instance."""
    return means({place: float(curve[-1]) for place, curve in regrets.items()})


def exponents(regrets: Mapping[Place, Floats]) -> Floats:
    """How fast regret grows, by instance."""
    return means({place: growth_exponent(curve) for place, curve in regrets.items()})


def volumes(evidence: Evidence, problem: str, name: str, statistic: str) -> Floats:
    """A statistic of the hypervolume over seeds, by instance."""
    values = evidence.cell(problem, name, problem).values.get(VOLUME, {})
    return over_seeds(values, statistic)


# --- what the report shows


def table(evidence: Evidence, problem: str, rewards: Rewards) -> Table:
    """A row per configuration."""
    rows = []
    for name in SHOWN:
        own, common = own_regrets(rewards[name]), common_regrets(rewards, name)
        last = {
            place: float(run.max(axis=1).mean()) for place, run in rewards[name].items()
        }
        rows.append(
            {
                "configuration": name,
                "regret": float(finals(own).mean()),
                "exponent": float(exponents(own).mean()),
                "regret, common best": float(finals(common).mean()),
                "exponent, common best": float(exponents(common).mean()),
                "best reward": float(means(last).mean()),
                "HV": float(volumes(evidence, problem, name, "mean").mean()),
                "IQR of HV": float(volumes(evidence, problem, name, RANGE).mean()),
                "stability": float(
                    np.nanmean(volumes(evidence, problem, name, "stability"))
                ),
            }
        )
    return Table(f"regret-{problem}", f"Regret after all iterations, {problem}", rows)


def draw(evidence: Evidence, found: Mapping[str, Rewards]) -> Any:
    """Four panels for each size."""
    figure, panels = new_panels(2, 4, size=(3.3, 2.8))
    for row, (problem, rewards) in enumerate(found.items()):
        regret, best, volume, stable = panels[4 * row : 4 * row + 4]
        for kind, name in enumerate(SHOWN):
            draw_curves(regret, best, rewards[name], name, kind)
        kinds = list(range(len(SHOWN)))
        spread = [around_instances(evidence, problem, name) for name in SHOWN]
        boxes(volume, list(SHOWN), spread, kinds)
        scores = [volumes(evidence, problem, n, "stability") for n in SHOWN]
        bars(stable, list(SHOWN), scores, kinds)
        titles = ("cumulative regret", "best reward so far", "HV ratio", "stability")
        for axes, title in zip((regret, best, volume, stable), titles, strict=True):
            tidy(axes, f"{problem}: {title}")
        for axes in (regret, best):
            axes.set_xlabel("iteration")
    legend_below(figure, panels[:2])
    return figure


def draw_curves(
    regret: Any, best: Any, runs: Mapping[Place, Floats], name: str, kind: int
) -> None:
    """Regret and convergence of one configuration."""
    if not runs:
        return
    rows = np.array(list(own_regrets(runs).values()))
    steps = np.arange(1, rows.shape[1] + 1)
    line(regret, steps, rows.mean(axis=0), name, kind)
    risen = [np.maximum.accumulate(run, axis=1).mean(axis=0) for run in runs.values()]
    mean, low, high = band(np.array(risen), [instance for instance, _ in runs])
    line(best, steps, mean, name, kind)
    best.fill_between(steps, low, high, color=COLOURS[kind], alpha=0.13, lw=0)


def around_instances(evidence: Evidence, problem: str, name: str) -> Floats:
    """Hypervolumes of all runs, shifted so that all instances have one mean."""
    values = evidence.cell(problem, name, problem).values.get(VOLUME, {})
    inner = dict(zip(sorted({i for i, _ in values}), means(values), strict=True))
    middle = float(np.mean([*inner.values()])) if inner else 0.0
    return np.array([v - inner[i] + middle for (i, _), v in values.items()])


# --- claims


def claims(evidence: Evidence, found: Mapping[str, Rewards]) -> list[Claim]:
    """The statements of the section, by instance."""
    return [
        least_regret_claim(found, SMALL, "about 55 against 65 to 95"),
        least_regret_claim(found, LARGE, "lowest at both scales"),
        stability_claim(evidence),
        growth_claim(found),
        thompson_claim(evidence),
        tight_claim(evidence),
    ]


def least_regret_claim(found: Mapping[str, Rewards], problem: str, paper: str) -> Claim:
    """UCB with FTRL regrets least, by 30 % and more."""
    own = {name: finals(own_regrets(found[problem][name])) for name in CONFIGURATIONS}
    ratios = {name: own[BEST] / own[name] for name in own if name != BEST}
    return Claim(
        1356,
        f"On {problem}, UCB with FTRL has by far the least cumulative regret.",
        paper,
        ", ".join(f"of {name}: {said(v, '.2f')}" for name, v in ratios.items()),
        all_of([judge(ratio, below=0.85) for ratio in ratios.values()]),
        "Its regret over that of each other configuration, by instance, is below 0.85 "
        "(the paper's 55 / 65).",
    )


def stability_claim(evidence: Evidence) -> Claim:
    """UCB with FTRL is the most stable."""
    verdicts, words = [], []
    for problem in (SMALL, LARGE):
        scores = {n: volumes(evidence, problem, n, "stability") for n in CONFIGURATIONS}
        others = [scores[name] for name in CONFIGURATIONS if name != BEST]
        verdicts += [judge(scores[BEST] - other, above=0.0) for other in others]
        mean = ", ".join(f"{n} {np.nanmean(v):.0f}" for n, v in scores.items())
        words.append(f"{problem}: {mean}")
    return Claim(
        1356,
        "UCB with FTRL has the highest stability, mean over deviation, at both sizes.",
        "about 9.8",
        "; ".join(words),
        all_of(verdicts),
        "Its stability minus that of each other one, by instance, is above 0.",
    )


def growth_claim(found: Mapping[str, Rewards]) -> Claim:
    """Regret grows like the root of the iterations."""
    slopes = {
        (problem, name): exponents(own_regrets(rewards[name]))
        for problem, rewards in found.items()
        for name in CONFIGURATIONS
    }
    steepest = max(slopes, key=lambda place: float(np.mean(slopes[place])))
    return Claim(
        1440,
        "Regret grows like the square root of the iterations, up to a logarithm.",
        "O(sqrt(T log T))",
        f"largest exponent {said(slopes[steepest], '.2f')} ({', '.join(steepest)})",
        all_of([judge(slope, below=ROOT_SLOPE) for slope in slopes.values()]),
        "Slope of cumulative regret on log-log axes from iteration 10 on, by instance, "
        f"is below {ROOT_SLOPE}, that of sqrt(T log T) there, for all configurations.",
    )


def thompson_claim(evidence: Evidence) -> Claim:
    """Thompson sampling has the higher hypervolume at 100 cities."""
    ours, best = (volumes(evidence, LARGE, n, "mean") for n in ("TS", BEST))
    gain = ours - best
    return Claim(
        1358,
        "With 100 cities, Thompson sampling has a higher hypervolume than UCB + FTRL.",
        "higher",
        said(gain),
        judge(gain, above=0.0),
        "Difference of mean hypervolumes, by instance, is above 0.",
    )


def tight_claim(evidence: Evidence) -> Claim:
    """UCB with FTRL has the tighter distribution at 100 cities."""
    ranges = {n: volumes(evidence, LARGE, n, RANGE) for n in (BEST, "TS")}
    apart = ranges[BEST] - ranges["TS"]
    return Claim(
        1358,
        "With 100 cities, UCB with FTRL has a tighter distribution than TS.",
        "tighter, fewer outliers",
        said(apart, ".5f"),
        judge(apart, below=0.0),
        "Difference of interquartile ranges over seeds, by instance, is below 0.",
    )


STUDY = Study("regret", "Setup 2c: regret dynamics", 1360, findings, suites)
