"""Schedules and groups: bars in rows."""

from __future__ import annotations

from typing import Any

from divlearn.plot.figure import STYLES, new_figure, plain_numbers, shown, tidy

#: What tells bars apart where colours repeat, and in grey.
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx")
#: More jobs than that have no labels in their bars.
MOST_LABELS = 60
#: Width of a character, as a share of the width of the picture.
CHARACTER = 0.011


def draw_schedule(sketch: dict[str, Any]) -> Any:
    """Draw a Gantt chart, with jobs that are late marked at their end."""
    figure, axes = _rows(sketch)
    _draw_bars(axes, sketch)
    last = len(sketch["rows"]) - 1
    late = [job for job in sketch["due"] if job["end"] > job["time"]]
    for job in late:
        y = last + 0.44
        axes.plot(job["end"], y, marker="^", color="black", ms=5, clip_on=False)
    if late:
        axes.plot([], [], "^", color="black", ms=5, label="finished after its due date")
        _legend(axes)
    return figure


def draw_groups(sketch: dict[str, Any]) -> Any:
    """Draw the things of each group one after the other, and its limit."""
    figure, axes = _rows(sketch)
    _draw_bars(axes, sketch)
    for row, limit in enumerate(sketch["limits"] or ()):
        axes.plot([limit, limit], [row - 0.45, row + 0.45], color="black", linewidth=2)
    if sketch["limits"]:
        axes.plot([], [], color="black", linewidth=2, label="limit")
        _legend(axes)
    return figure


def _legend(axes: Any) -> None:
    """Say what a sign means, above the picture."""
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0)}
    axes.legend(frameon=False, fontsize="small", **place)


def _rows(sketch: dict[str, Any]) -> tuple[Any, Any]:
    """A figure with a row for each machine or group, the first on top."""
    rows = sketch["rows"]
    figure = new_figure((8.4, max(2.2, 0.42 * len(rows) + 1.3)))
    axes = figure.subplots()
    axes.set_yticks(range(len(rows)), [shown(row, 24) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(shown(sketch["axis"], 60))
    plain_numbers(axes.xaxis, 8)
    tidy(axes, "x")
    return figure, axes


def _draw_bars(axes: Any, sketch: dict[str, Any]) -> None:
    """Draw all bars, those that look alike at once, and their labels."""
    bars = sketch["bars"]
    limits = sketch.get("limits") or ()
    end = max([*(bar["end"] for bar in bars), *limits], default=1.0)
    axes.set_xlim(0, end * 1.01 if end > 0 else 1.0)
    looks: dict[int, list[dict[str, Any]]] = {}
    for bar in bars:
        look = bar["item"] % (len(STYLES) * len(HATCHES))
        looks.setdefault(look, []).append(bar)
    for look, alike in looks.items():
        axes.barh(
            [bar["row"] for bar in alike],
            [bar["end"] - bar["start"] for bar in alike],
            left=[bar["start"] for bar in alike],
            height=0.8,
            facecolor=_light(STYLES[look % len(STYLES)][0]),
            edgecolor="0.25",
            hatch=HATCHES[look // len(STYLES)],
            linewidth=0.6,
        )
    if len({bar["item"] for bar in bars}) <= MOST_LABELS:
        _label_bars(axes, bars, end)


def _label_bars(axes: Any, bars: list[dict[str, Any]], end: float) -> None:
    """Write labels into bars that are long enough."""
    for bar in bars:
        length, label = bar["end"] - bar["start"], shown(bar["label"], 14, 1)
        if length > CHARACTER * end * (len(label) + 0.8):
            x = bar["start"] + length / 2
            axes.text(x, bar["row"], label, **_centred())


def _centred() -> dict[str, Any]:
    """How a label stands in its bar."""
    box = {"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.6}
    return {
        "ha": "center",
        "va": "center_baseline",
        "fontsize": 7,
        "bbox": box,
        "clip_on": True,
    }


def _light(colour: str) -> tuple[float, float, float]:
    """A colour, lighter, so that black letters can be read on it."""
    from matplotlib.colors import to_rgb

    red, green, blue = (0.45 + 0.55 * part for part in to_rgb(colour))
    return red, green, blue
