"""What was chosen: items by weight and value, and how full everything is."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.plot.figure import (
    FRONT_COLOUR,
    KNEE_COLOUR,
    new_figure,
    percents,
    plain_numbers,
    shown,
    tidy,
)

#: Largest number of chosen items whose labels are drawn.
MOST_LABELS = 25


def draw_choice(sketch: dict[str, Any]) -> Any:
    """Draw a panel per value, with items by weight, and a bar per limit."""
    names = sketch["values"]
    limits = sketch["limits"]
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure = new_figure((4.3 * columns, 3.6 * rows + 0.5 * len(limits) + 1.0))
    upper, lower = figure.subfigures(
        2, 1, height_ratios=[3.6 * rows, 0.5 * len(limits) + 0.6]
    )
    panels = upper.subplots(rows, columns, sharex=True, squeeze=False)
    for k, axes in enumerate(panels.flat):
        if k < len(names):
            _items(axes, sketch, k)
        else:
            axes.set_visible(False)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    place = {"loc": "outside upper center", "ncols": 2}
    upper.legend(handles, labels, frameon=False, **place)
    _limits(lower.subplots(), limits)
    return figure


def _items(axes: Any, sketch: dict[str, Any], k: int) -> None:
    """Draw every item by its first weight and one of its values."""
    chosen = np.array([item["chosen"] for item in sketch["items"]], bool)
    weights = np.array([item["weights"][0] for item in sketch["items"]])
    values = np.array([item["values"][k] for item in sketch["items"]])
    left_out = {"s": 22, "marker": "x", "color": "0.55", "linewidths": 1.0}
    taken = {"s": 30, "color": FRONT_COLOUR, "linewidths": 0, "alpha": 0.85}
    for inside, style, word in ((chosen, taken, ""), (~chosen, left_out, "not ")):
        label = f"{int(inside.sum()):,} {word}chosen"
        axes.scatter(weights[inside], values[inside], label=label, **style)
    for i in np.flatnonzero(chosen) if chosen.sum() <= MOST_LABELS else ():
        axes.annotate(
            shown(sketch["items"][i]["label"], 10, 1),
            (weights[i], values[i]),
            xytext=(3, 3),
            textcoords="offset points",
            fontsize=6.5,
        )
    axes.set_xlabel(f"what an item adds to {shown(sketch['limits'][0]['name'], 30)}")
    axes.set_ylabel(f"what it adds to {shown(sketch['values'][k], 30)}")
    plain_numbers(axes.xaxis, 5)
    plain_numbers(axes.yaxis, 5)
    tidy(axes)


def _limits(axes: Any, limits: list[dict[str, Any]]) -> None:
    """Draw how much of each capacity is used."""
    shares = [limit["used"] / limit["capacity"] for limit in limits]
    colours = [FRONT_COLOUR if share <= 1.0 else KNEE_COLOUR for share in shares]
    hatches = ["" if share <= 1.0 else "///" for share in shares]
    drawn = axes.barh(range(len(limits)), shares, color=colours, height=0.6)
    for bar, hatch in zip(drawn, hatches, strict=True):
        bar.set_hatch(hatch)
    texts = [f"{limit['used']:.4g} of {limit['capacity']:.4g}" for limit in limits]
    for row, (share, text) in enumerate(zip(shares, texts, strict=True)):
        place = max(1.0, share) + 0.015
        axes.text(place, row, text, va="center", fontsize="small")
    axes.axvline(1.0, color="black", linewidth=1.5)
    axes.set_yticks(range(len(limits)), [shown(limit["name"], 20) for limit in limits])
    axes.set_ylim(len(limits) - 0.4, -0.6)
    axes.set_xlim(0, 1.35 * max(1.0, *shares) if len(shares) else 1.0)
    axes.set_xlabel("used share of the capacity")
    percents(axes.xaxis)
    tidy(axes, "x")
