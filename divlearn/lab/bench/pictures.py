"""Pictures of a benchmark: quality against cost, and fronts over one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlearn.lab.bench.cases import problem_of
from divlearn.lab.bench.curves import Curve, curve
from divlearn.lab.bench.panels import (
    COLOURS,
    MARKERS,
    finish,
    first_runs,
    new_panels,
    tidy,
)
from divlearn.lab.bench.parallel import draw_parallel
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.suite import OBSERVED
from divlearn.lab.bench.summary import PERCENT, Report
from divlearn.lab.bench.task import Case, ReferenceTask
from divlearn.plot.figure import axis_label, require_matplotlib

EXACT_COLOUR = "#444444"
#: Fewer values than this say too little about their spread to draw it.
LEAST_UNITS = 3
#: Lines whose lengths differ by more than this factor are drawn on a logarithmic axis.
WIDE = 30.0
#: Lines of the first methods, and of those that take the colours once more.
STYLES = ("-", "--", ":")
AXIS_TITLES = {"evaluations": "evaluations", "seconds": "seconds of search"}


def draw_all(report: Report, store: Store, folder: Path) -> list[str]:
    """Draw what can be drawn of a report; returns the names of the pictures.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    require_matplotlib()
    drawn = []
    for axis in AXIS_TITLES:
        name = f"hypervolume-{axis}.png"
        if draw_curves(report, store, axis, folder / name):
            drawn.append(name)
    if draw_fronts(report, store, folder / "fronts.png"):
        drawn.append("fronts.png")
    if draw_parallel(report, store, folder / "fronts-parallel.png"):
        drawn.append("fronts-parallel.png")
    return drawn


# --- quality against cost


def draw_curves(report: Report, store: Store, axis: str, path: Path) -> bool:
    """Draw mean hypervolume with 95 % bands, a panel per problem.

    Returns
    -------
    Whether there was anything to draw.
    """
    problems = [p for p in report.problems if _has_quality(report, p)]
    if not problems:
        return False
    figure, panels = new_panels([None] * len(problems))
    for problem, axes in zip(problems, panels, strict=True):
        _draw_problem(report, store, problem, axis, axes)
        axes.set_xlabel(AXIS_TITLES[axis])
        if axis == "evaluations":
            axes.xaxis.set_major_formatter(_thousands)
        tidy(axes, problem)
    title = f"mean with its 95 % interval (from {LEAST_UNITS} instances or seeds on)"
    finish(figure, panels, title, path)
    return True


def _draw_problem(
    report: Report, store: Store, problem: str, axis: str, axes: Any
) -> None:
    """Draw a line and a band per method."""
    lines = []
    for index, method in enumerate(report.methods):
        line = curve(report, store, report.cells[problem, method], axis)
        if line is None:
            continue
        lines.append(line)
        colour = COLOURS[index % len(COLOURS)]
        style = STYLES[index // len(COLOURS) % len(STYLES)]
        axes.plot(line.x, line.mean, style, color=colour, label=method, lw=1.4)
        if line.units >= LEAST_UNITS:
            band = line.x, line.low, line.high
            axes.fill_between(*band, color=colour, alpha=0.15, lw=0)
    percent = report.quality(problem) == PERCENT
    seen = "observed " if OBSERVED in report.suite.columns else ""
    axes.set_ylabel("HV, % of exact front" if percent else f"{seen}HV ratio")
    axes.set_ylim(*_limits(lines, axes.get_ylim()))
    ends = [float(line.x[-1]) for line in lines]
    if max(ends) > WIDE * min(ends) > 0.0:
        axes.set_xscale("log")


def _limits(lines: Sequence[Curve], drawn: tuple[float, float]) -> tuple[float, float]:
    """Room for the lines; wide bands are cut off rather than flatten them."""
    low = min(float(line.mean.min()) for line in lines)
    high = max(float(line.mean.max()) for line in lines)
    room = 0.3 * (high - low) or 0.05 * abs(high) or 1.0
    return max(drawn[0], low - room), min(drawn[1], high + room)


def _has_quality(report: Report, problem: str) -> bool:
    """Whether any method has a hypervolume on a problem."""
    cells = (report.cells[problem, method] for method in report.methods)
    return any(cell.summary("hypervolume") is not None for cell in cells)


def _thousands(value: float, _position: int) -> str:
    """Write a number of evaluations shortly."""
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"


# --- fronts


def draw_fronts(report: Report, store: Store, path: Path) -> bool:
    """Draw the fronts of all methods on the first instance of each problem.

    Problems with one objective are left out; for more than three see
    :mod:`divlearn.lab.bench.parallel`.

    Returns
    -------
    Whether there was anything to draw.
    """
    objectives = {
        case.label: problem_of(case, report.suite.instances_of(case)[0]).objectives
        for case in report.suite.problems
    }
    cases = [
        case
        for case in report.suite.problems
        if len(objectives[case.label]) in (2, 3) and first_runs(report, case)
    ]
    if not cases:
        return False
    kinds = ["3d" if len(objectives[case.label]) == 3 else None for case in cases]
    figure, panels = new_panels(kinds)
    for case, axes in zip(cases, panels, strict=True):
        _draw_front(report, store, case, axes)
        _name_axes(axes, objectives[case.label])
        instance = report.suite.instances_of(case)[0]
        tidy(axes, f"{case.label}, instance {instance}")
    title = f"fronts of one run each, seed {report.suite.seeds[0]}"
    finish(figure, panels, title, path)
    return True


def _draw_front(report: Report, store: Store, case: Case, axes: Any) -> None:
    """Draw the exact front as a line where it is known, and a cloud per method."""
    instance = report.suite.instances_of(case)[0]
    exact = store.exact_front(ReferenceTask(case, instance).key)
    if exact is not None:
        axes.plot(*exact.T, color=EXACT_COLOUR, lw=0.8, label="exact front", zorder=1)
    keys = first_runs(report, case)
    for index, method in enumerate(report.methods):
        if method in keys:
            axes.scatter(
                *store.front(keys[method]).T,
                s=11,
                marker=MARKERS[(index + index // len(COLOURS)) % len(MARKERS)],
                color=COLOURS[index % len(COLOURS)],
                alpha=0.7,
                linewidths=0,
                label=method,
                zorder=2,
            )


def _name_axes(axes: Any, objectives: Mapping[str, str]) -> None:
    """Label the axes; in space there is room for short names and few marks only."""
    flat = len(objectives) == 2
    for (name, sense), side in zip(objectives.items(), "xyz", strict=False):
        label = axis_label(name, sense) if flat else f"{name} ({sense})"
        if flat:
            getattr(axes, f"set_{side}label")(label)
            continue
        getattr(axes, f"set_{side}label")(label, labelpad=-6, fontsize="small")
        getattr(axes, f"{side}axis").set_major_locator(_few_marks())
        axes.tick_params(axis=side, pad=-3)
    if not flat:
        axes.set_box_aspect(None, zoom=0.92)


def _few_marks() -> Any:
    """Return a locator whose marks do not touch each other in perspective."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(3)
