"""Tables of sizes and overlaps."""

from __future__ import annotations

from typing import Any

from divlearn.lab.bench.statistics import spread_of
from divlearn.lab.paper.claims import said
from divlearn.lab.paper.studies.decomposition.sweeps import (
    SOLVER,
    Swept,
    efficiency,
    gain,
)
from divlearn.lab.paper.study import Table


def table(swept: Swept) -> Table:
    """A row per size and overlap."""
    rows: list[dict[str, Any]] = []
    for size in swept.sizes:
        costs = swept.means(size, "evaluations")
        gains = [None, *map(float, 1e3 * efficiency(swept, size))]
        for place, overlap in enumerate(swept.overlaps):
            volume = spread_of(swept.units(size, overlap, "hypervolume"))
            rows.append(
                {
                    "d": size,
                    "overlap %": overlap,
                    "HV": volume.mean,
                    "deviation": volume.deviation,
                    "evaluations": float(costs[place]),
                    "mean tour length": float(
                        swept.means(size, "mean_objective")[place]
                    ),
                    "R": float(swept.means(size, "redundancy")[place]),
                    "HV per 1000 evaluations": gains[place],
                }
            )
    solver = said(swept.solver("hypervolume"))
    return Table(
        f"overlap-{swept.sweep.problem}",
        f"Size and overlap on {swept.sweep.problem} with {swept.sweep.method}",
        rows,
        f"The {SOLVER} reaches HV {solver}.",
    )


def control_table(swept: Swept, control: Swept) -> Table:
    """What an overlap of 50 % is worth, with more evaluations and with as many."""
    rows = []
    for size in swept.sizes:
        rows.append(
            {
                "d": size,
                "gain at 50 %, schedule": said(gain(swept, size)),
                "gain at 50 %, equal evaluations": said(gain(control, size)),
            }
        )
    title = f"Hypervolume at 50 % minus that without overlap, {swept.sweep.problem}"
    return Table("control", title, rows)


def time_table(swept: Swept) -> Table:
    """Processor seconds by size and overlap."""
    rows = [
        {"d": size, "overlap %": overlap, "CPU s": float(seconds)}
        for size in swept.sizes
        for overlap, seconds in zip(
            swept.overlaps, swept.means(size, "cpu_seconds"), strict=True
        )
    ]
    return Table(f"times-{swept.sweep.problem}", f"Time on {swept.sweep.problem}", rows)
