"""Figures of the study of the theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats, Integers
from divlearn.lab.paper.panels import (
    COLOURS,
    MARKERS,
    STYLES,
    legend_below,
    new_panels,
    sweep,
    tidy,
)
from divlearn.lab.paper.studies.theory.measured import Measured, curve
from divlearn.lab.paper.studies.theory.tables import constants_of
from divlearn.lab.paper.study import Figure
from divlearn.lab.theory.bounds import bound_terms
from divlearn.lab.theory.instances import CHOICES, ORDERS
from divlearn.lab.theory.regrets import EXPERTS, METHODS, MOVES

#: Instances whose unit moves are shown.
MOVED = (CHOICES, "bikp-50", "bitsp-20")
BINS = 30


def all_figures(measured: Measured) -> list[Figure]:
    """All figures in the order of the report."""
    return [
        Figure(
            "regret",
            "Exact cumulative regret R_avg of whole methods, mean of the runs. Dotted: "
            "slopes 1 and 1/2. Dashed: the bound with factors 1, and the worst case.",
            lambda: draw_regret(measured),
        ),
        Figure(
            "experts",
            "Exact cumulative regret of single experts that build every solution, and "
            "of local search alone. Dotted: slopes 1 and 1/2.",
            lambda: draw_experts(measured),
        ),
        Figure(
            "moves",
            "Changes of the objectives by unit moves, as shares of their range. "
            "Dashed: L, the largest found. Dash-dotted: the plane L + C |S & O|.",
            lambda: draw_moves(measured),
        ),
        Figure(
            "coordination",
            "Coordination over time: sums of violations, highest price, disagreement "
            "of two independent subproblems and variance of values.",
            lambda: draw_coordination(measured),
        ),
        Figure(
            "sweeps",
            "Mean regret over the learning rate of EXP3 and the number of windows; "
            "bands are deviations, dashed lines what theory recommends.",
            lambda: draw_sweeps(measured),
        ),
    ]


def drawn(axes: Any, rounds: Integers, values: Floats, label: str, kind: int) -> None:
    """Draw a curve that differs from others without colour too."""
    axes.plot(
        rounds,
        np.where(values > 0.0, values, np.nan),
        STYLES[kind % len(STYLES)],
        color=COLOURS[kind % len(COLOURS)],
        marker=MARKERS[kind % len(MARKERS)],
        markevery=(4 * kind % 12, 12),
        ms=3.5,
        lw=1.3,
        label=label,
    )


def slopes(axes: Any, rounds: Integers, top: float) -> None:
    """Draw straight lines of slopes 1 and 1/2 that meet at the last round."""
    for power, text in ((1.0, "slope 1"), (0.5, "slope 1/2")):
        axes.plot(
            rounds,
            top * (rounds / rounds[-1]) ** power,
            ls=":",
            lw=1.0,
            color="0.45" if power == 1.0 else "0.7",
            label=text,
        )


def logarithmic(axes: Any, title: str, x: str = "iterations T", y: str = "") -> None:
    """Label axes that are both logarithmic."""
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    tidy(axes, title)


def draw_curves(
    axes: Any,
    curves: Mapping[str, Any],
    labels: Iterable[str],
    *,
    share: float = 1.0,
    first: int = 0,
    named: str = "{}",
) -> None:
    """Draw the mean of each method's runs, and the slopes through the highest.

    Parameters
    ----------
    axes
        Where to draw.
    curves, labels
        Runs of each method, and the methods in order.
    share
        Factor of all values.
    first, named
        Number of the first colour, and how the legend writes a label.
    """
    top, rounds = 0.0, np.ones(1, np.int64)
    for kind, label in enumerate(labels, first):
        rounds, sums = curve(curves[label])
        mean = sums.mean(axis=0) * share
        drawn(axes, rounds, mean, named.format(label), kind)
        top = max(top, float(mean[-1]))
    slopes(axes, rounds, top)


def draw_regret(measured: Measured) -> Any:
    """A panel per instance."""
    figure, panels = new_panels(2, 2, size=(3.7, 3.0))
    for axes, (name, part) in zip(panels, measured.methods.items(), strict=True):
        draw_curves(axes, part["curves"], METHODS, share=1.0 / part["K"])
        rounds = np.arange(2, measured.sizes.iterations + 1, dtype=np.int64)
        bound = bound_terms(constants_of(measured, name), rounds)["sum"]
        axes.plot(rounds, bound, "--", color="black", lw=1.2, label="bound")
        worst = rounds / part["K"]
        axes.plot(rounds, worst, "--", color="0.6", lw=1.2, label="worst case T / K")
        least = min(
            float(curve(runs)[1][:, 0].mean()) for runs in part["curves"].values()
        )
        axes.set_ylim(bottom=max(1e-3, 0.5 * least / part["K"]))
        logarithmic(axes, name, y="cumulative regret / K")
    legend_below(figure, panels)
    return figure


def draw_experts(measured: Measured) -> Any:
    """Two panels of experts, two of local search."""
    figure, panels = new_panels(2, 2, size=(3.7, 3.0))
    for axes, name in zip(panels, (CHOICES, ORDERS), strict=False):
        draw_curves(axes, measured.experts[name], EXPERTS)
        logarithmic(axes, f"{name}: one expert", y="cumulative regret")
    for axes, (name, part) in zip(panels[2:], measured.local.items(), strict=True):
        draw_curves(axes, part, MOVES, first=len(EXPERTS), named="local, {}")
        logarithmic(axes, f"{name}: local search", y="cumulative regret")
    legend_below(figure, panels)
    return figure


def draw_moves(measured: Measured) -> Any:
    """A histogram per instance."""
    figure, panels = new_panels(1, 3, size=(3.3, 2.8))
    for axes, name in zip(panels, MOVED, strict=True):
        row = measured.constants(name)
        axes.hist(row["unit changes"], bins=BINS, color=COLOURS[0], edgecolor="white")
        plane = (
            row["L of the plane"]
            + row["C of the plane"] * row["shared of unit changes"]
        )
        for place, style, text in ((row["L"], "--", "L"), (plane, "-.", "plane")):
            axes.axvline(place, color="0.2", ls=style, lw=1.2, label=text)
        axes.set(xlabel="change by a unit move", ylabel="moves")
        tidy(axes, name)
    legend_below(figure, panels)
    return figure


def mean_of(part: Mapping[str, Any], column: str) -> Floats:
    """Mean of a column of values over the runs."""
    return np.asarray(np.mean(part["values"][column], axis=0))


def draw_coordination(measured: Measured) -> Any:
    """Sums of violations, prices, disagreement, variance."""
    figure, panels = new_panels(2, 2, size=(3.7, 3.0))
    top, rounds = 0.0, np.ones(1, np.int64)
    for kind, (name, part) in enumerate(measured.coordination.items()):
        rounds, sums = curve(part, "violation")
        drawn(panels[0], rounds, sums.mean(axis=0), name, kind)
        top = max(top, float(sums[:, -1].mean()))
        drawn(panels[1], rounds, mean_of(part, "price_max"), name, kind)
        drawn(panels[2], rounds, mean_of(part, "disagreement"), name, kind)
        drawn(panels[3], rounds, mean_of(part, "overlap_variance"), name, kind)
    slopes(panels[0], rounds, top)
    logarithmic(panels[0], "sum of violations")
    titles = ("highest price", "disagreement", "variance of values")
    for axes, title in zip(panels[1:], titles, strict=True):
        axes.set(xscale="log", xlabel="iterations T")
        tidy(axes, title)
    panels[1].set_yscale("log")
    legend_below(figure, panels)
    return figure


def draw_sweeps(measured: Measured) -> Any:
    """The rate, then the number of windows per instance."""
    figure, panels = new_panels(1, 1 + len(measured.counts), size=(3.0, 2.8))
    rates = measured.rates
    sweep(
        panels[0],
        rates["rates"],
        rates["regret"],
        "mean regret",
        0,
    )
    marked(panels[0], rates["theory"], "theory")
    panels[0].set(xscale="log", xlabel="eta of EXP3", ylabel="mean regret")
    tidy(panels[0], CHOICES)
    for axes, (name, part) in zip(panels[1:], measured.counts.items(), strict=True):
        sweep(axes, part["counts"], part["regret"], "mean regret", 0)
        marked(axes, part["K*"], "theory")
        axes.set(xlabel="windows K")
        tidy(axes, name)
    legend_below(figure, panels)
    return figure


def marked(axes: Any, place: float, label: str) -> None:
    """Draw a dashed line at a value of an option."""
    axes.axvline(place, color="0.25", lw=1.1, ls=(0, (5, 3)), label=label)
