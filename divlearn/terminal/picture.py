"""The front as a small picture with labelled axes."""

from __future__ import annotations

from collections.abc import Mapping

from divlearn.basics.text import printable
from divlearn.basics.typing import Floats
from divlearn.terminal.braille import scatter

_LABEL_WIDTH = 9


def front_picture(
    front: Floats, objectives: Mapping[str, str], width: int, height: int
) -> list[str]:
    r"""Draw the first two objectives of a front.

    Parameters
    ----------
    front
        Objective values, shape (k, m).
    objectives
        Names with their senses, in the order of the columns.
    width, height
        Size of the plot in characters, without its labels.

    Returns
    -------
    Lines of text; none where there is nothing to draw or only one objective.

    Examples
    --------
    >>> import numpy as np
    >>> front = np.array([[1.0, 4.0], [2.0, 3.0]])
    >>> names = {"cost": "min", "speed": "max"}
    >>> print("\n".join(front_picture(front, names, width=4, height=2)))
            4 ┤⠁⠀⠀⠀
            3 ┤⠀⠀⠀⢀
               1  2
               speed (up, max) over cost (right, min)
    """
    if len(front) == 0 or front.shape[1] < 2:
        return []
    lines = scatter(front[:, :2], width, height)
    low, high = front[:, :2].min(axis=0), front[:, :2].max(axis=0)
    labels = [""] * height
    labels[-1], labels[0] = short(low[1]), short(high[1])
    rows = [
        f"{label:>{_LABEL_WIDTH}} ┤{line}"
        for label, line in zip(labels, lines, strict=True)
    ]
    left, right = short(low[0]), short(high[0])
    indent = " " * (_LABEL_WIDTH + 2)
    rows.append(f"{indent}{left}{right:>{max(1, width - len(left))}}")
    rows.append(indent + printable(_caption(objectives)))
    return rows


def short(number: float) -> str:
    """Write a number with four digits that matter.

    Examples
    --------
    >>> short(12.34567), short(1234567.0)
    ('12.35', '1.235e+06')
    """
    return f"{number:.4g}"


def _caption(objectives: Mapping[str, str]) -> str:
    """Name the axes, and say what a picture of more objectives leaves out."""
    (x, x_sense), (y, y_sense), *others = objectives.items()
    if others:
        return f"first 2 of {len(objectives)} objectives: {y} (up) over {x} (right)"
    return f"{y} (up, {y_sense}) over {x} (right, {x_sense})"
