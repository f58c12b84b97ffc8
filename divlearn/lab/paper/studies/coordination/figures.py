"""Pictures of the study of coordination, in the paper's panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats
from divlearn.lab.paper.panels import (
    COLOURS,
    MARKERS,
    bars,
    legend_below,
    level,
    line,
    new_panels,
    sweep,
    tidy,
)
from divlearn.lab.paper.settings import AT_WORK
from divlearn.lab.paper.studies.coordination.runs import (
    LARGE,
    OVERLAP,
    WITH,
    WITHOUT,
    Runs,
)
from divlearn.lab.paper.traces import band

#: Number of the colour and the style of each.
KINDS = {WITHOUT: 1, WITH: 0, LARGE: 2}
#: Lines that differ without colour.
DASHES = {WITHOUT: "--", WITH: "-", LARGE: ":"}
WIDTHS = {WITHOUT: 2.8, WITH: 1.2, LARGE: 1.4}
#: Iterations from one construction to the next.
CYCLE = AT_WORK["construct_every"]
#: What the paper compares.
COMPARED = (WITHOUT, WITH)


def draw_rewards(runs: Mapping[str, Runs]) -> Any:
    """Means, single seeds, variance and prices; a row of panels per size."""
    figure, panels = new_panels(len(runs), 4, size=(3.2, 2.7))
    for row, (problem, of) in enumerate(runs.items()):
        mean, seeds, variance, prices = panels[4 * row : 4 * row + 4]
        groups = [around_instances(of, name) for name in KINDS]
        bars(mean, list(KINDS), groups, list(KINDS.values()))
        lowest = min(group.min() for group in groups)
        mean.set_ylim(1.1 * lowest, 0.0)
        draw_seeds(seeds, of)
        for name in KINDS:
            draw_band(variance, of.curves(name, "overlap_variance"), of, name)
        for name in (WITH, LARGE):
            draw_band(prices, of.curves(name, "price_mean"), of, name, filled=False)
        prices.set_yscale("log")
        titles = ("best reward", "seeds of one instance", "variance of V", "mean price")
        for axes, title in zip((mean, seeds, variance, prices), titles, strict=True):
            tidy(axes, f"{problem}: {title}")
        for axes in (variance, prices):
            axes.set_xlabel("iteration")
    legend_below(figure, panels[1:])
    return figure


def around_instances(of: Runs, prices: str) -> Floats:
    """Best rewards of all runs, shifted so that all instances have one mean."""
    values = of.best(prices, OVERLAP)
    means = of.rewards(prices, OVERLAP, "mean")
    inner = dict(zip(sorted({i for i, _ in values}), means, strict=True))
    return np.array([v - inner[i] + means.mean() for (i, _), v in values.items()])


def draw_seeds(axes: Any, of: Runs) -> None:
    """Best reward of every seed of the first instance, and their means."""
    for name, kind in KINDS.items():
        values = of.best(name, OVERLAP)
        first = min(instance for instance, _ in values)
        own = {seed: v for (instance, seed), v in values.items() if instance == first}
        style = {"color": COLOURS[kind], "ms": 7 if name == WITHOUT else 4}
        fill = "none" if name == WITHOUT else "full"
        axes.plot(own.keys(), own.values(), MARKERS[kind], fillstyle=fill, **style)
        mean = np.mean([*own.values()])
        axes.axhline(mean, color=COLOURS[kind], lw=WIDTHS[name], ls=DASHES[name])
    axes.set_xlabel("seed")
    axes.xaxis.get_major_locator().set_params(integer=True)


def draw_band(
    axes: Any,
    rows: Floats,
    of: Runs,
    name: str,
    *,
    filled: bool = True,
    every: int = 1,
) -> None:
    """A curve with the deviation over seeds, a point per so many iterations.

    What lies below another curve is wider.
    """
    kind = KINDS[name]
    mean, low, high = band(rows, of.instances(name))
    steps = every * np.arange(1, len(mean) + 1)
    line(axes, steps, mean, name, kind)
    axes.lines[-1].set(linestyle=DASHES[name], linewidth=WIDTHS[name])
    if filled:
        axes.fill_between(steps, low, high, color=COLOURS[kind], alpha=0.13, lw=0)


def draw_overlaps(runs: Mapping[str, Runs], overlaps: Sequence[int]) -> Any:
    """Rewards and gains by overlap; two panels per size."""
    figure, panels = new_panels(1, 2 * len(runs), size=(3.2, 2.9))
    for column, (problem, of) in enumerate(runs.items()):
        reward, gain = panels[2 * column : 2 * column + 2]
        for name in COMPARED:
            kind = KINDS[name]
            mean = [of.rewards(name, o, "mean").mean() for o in overlaps]
            error = [of.rewards(name, o, "deviation").mean() for o in overlaps]
            style = {"color": COLOURS[kind], "marker": MARKERS[kind], "capsize": 2.5}
            shift = 0.06 * (1 if name == WITH else -1)
            places = np.asarray(overlaps) + shift
            reward.errorbar(places, mean, error, label=name, ms=3.5, lw=1.2, **style)
        sweep(gain, overlaps, [of.gains(o) for o in overlaps], "gain of prices", 2)
        level(gain, 0.0, "no gain")
        tidy(reward, f"{problem}: best reward")
        tidy(gain, f"{problem}: with minus without")
        for axes in (reward, gain):
            axes.set_xlabel("overlap")
    legend_below(figure, panels)
    return figure


def draw_dynamics(runs: Mapping[str, Runs]) -> Any:
    """Variance, disagreement and rewards; a row of panels per size."""
    figure, panels = new_panels(len(runs), 3, size=(3.6, 2.7))
    for row, (problem, of) in enumerate(runs.items()):
        variance, disagreement, reward = panels[3 * row : 3 * row + 3]
        for name in KINDS:
            draw_band(variance, of.curves(name, "overlap_variance"), of, name)
            draw_band(disagreement, of.curves(name, "disagreement"), of, name)
            cycles = of.trajectories(name, CYCLE)
            draw_band(reward, cycles, of, name, every=CYCLE)
        tidy(variance, f"{problem}: variance of V on overlaps")
        tidy(disagreement, f"{problem}: disagreement")
        tidy(reward, f"{problem}: reward, best of {CYCLE}")
        for axes in (variance, disagreement, reward):
            axes.set_xlabel("iteration")
    legend_below(figure, panels)
    return figure
