"""The front as SVG, for who has no JavaScript and for paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from divlearn.basics.units import with_unit
from divlearn.result.choice import knee_index
from divlearn.web.points import rough, thinned

#: Size of a picture, its margins, and points that it shows at most.
WIDTH, HEIGHT, LEFT, BOTTOM, EDGE = 760, 430, 70, 46, 26
MOST_POINTS = 2_000


def front_picture(
    values: Any, sign: Any, objectives: Sequence[dict[str, str]], axes: tuple[int, int]
) -> str:
    """Draw two objectives of a front, the knee marked.

    Parameters
    ----------
    values, sign
        Objective values, shape (k, m), and 1 or -1 per objective.
    objectives
        Names and units.
    axes
        Which objective goes across, and which one up.
    """
    across, up = (_Axis(values[:, j]) for j in axes)
    kept = thinned(values, MOST_POINTS)
    points = rough(values[kept][:, list(axes)])
    knee = values[knee_index(values, sign)]
    names = [_title(objectives[j]) for j in axes]
    label = escape(f"{names[1]} against {names[0]}: {len(values):,} solutions")
    body = [
        *_frame(across, up, names),
        *(
            f'<circle class="dot" cx="{_x(across, a):.1f}" cy="{_y(up, b):.1f}" r="3"/>'
            for a, b in points.tolist()
        ),
        _diamond(_x(across, knee[axes[0]]), _y(up, knee[axes[1]])),
    ]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(body)}</svg>"
    )


class _Axis:
    """A range of values with some air around, and ticks."""

    def __init__(self, values: Any) -> None:
        low, high = float(values.min()), float(values.max())
        room = (high - low) * 0.05 or abs(high) * 0.1 or 1.0
        self.low, self.high = low - room, high + room

    def share(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> Iterator[float]:
        """Round numbers within the range."""
        rough_step = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough_step))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough_step * 0.999)
        for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            yield k * step


def _x(axis: _Axis, value: float) -> float:
    return LEFT + axis.share(value) * (WIDTH - LEFT - EDGE)


def _y(axis: _Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - BOTTOM - EDGE)


def _frame(across: _Axis, up: _Axis, names: Sequence[str]) -> Iterator[str]:
    """Yield grid lines with numbers, and the names of the axes."""
    floor = HEIGHT - BOTTOM
    for tick in across.ticks(7):
        x = _x(across, tick)
        yield f'<path class="grid-line" d="M{x:.1f} {EDGE}V{floor}"/>'
        yield f'<text x="{x:.1f}" y="{floor + 16}" text-anchor="middle">'
        yield f"{tick:.6g}</text>"
    for tick in up.ticks(6):
        y = _y(up, tick)
        yield f'<path class="grid-line" d="M{LEFT} {y:.1f}H{WIDTH - EDGE}"/>'
        yield f'<text x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">'
        yield f"{tick:.6g}</text>"
    yield (
        f'<text class="name" x="{WIDTH - EDGE}" y="{HEIGHT - 8}" text-anchor="end">'
        f"{escape(names[0])}</text>"
    )
    yield f'<text class="name" x="4" y="14">{escape(names[1])}</text>'


def _diamond(x: float, y: float) -> str:
    """The mark of the knee."""
    path = f"M{x:.1f} {y - 9:.1f}l9 9l-9 9l-9 -9z"
    return f'<path class="knee-mark" d="{path}"><title>knee</title></path>'


def _title(objective: dict[str, str]) -> str:
    """Name and unit of an objective, cut where it is endless."""
    return with_unit(objective["name"][:80], objective["unit"][:40])
