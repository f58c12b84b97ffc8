"""How the front grew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from divlearn.basics.text import printable
from divlearn.errors import InputError
from divlearn.visualize.figure import (
    FRONT_COLOUR,
    finish,
    new_axes,
    require_matplotlib,
)

if TYPE_CHECKING:
    from divlearn.result import Result


def history(result: Result, path: str | Path | None = None, ax: Any = None) -> Any:
    """Draw the hypervolume over the evaluations.

    Parameters
    ----------
    result
        What to draw; its problem needs a reference point.
    path
        Picture file to write (png, svg, pdf); None for none.
    ax
        Matplotlib axes to draw into; a new figure if None.

    Returns
    -------
    The matplotlib figure.

    Examples
    --------
    >>> from divlearn import Result
    >>> from divlearn.visualize import history
    >>> result = Result(
    ...     ["a"],
    ...     [[1]],
    ...     objectives=["cost"],
    ...     history={
    ...         "evaluations": [10, 20],
    ...         "seconds": [0.1, 0.2],
    ...         "front_size": [1, 1],
    ...         "hypervolume": [0.2, 0.5],
    ...     },
    ... )
    >>> history(result).axes[0].get_xlabel()
    'evaluations'
    """
    require_matplotlib()
    volumes = np.array(result.history["hypervolume"], np.float64)
    if np.isnan(volumes).all():
        raise InputError(
            "the history holds no hypervolume; give the problem a reference point, "
            "Problem(..., reference=...), and search again."
        )
    axes = new_axes(ax, (6.4, 4.0))
    axes.plot(
        result.history["evaluations"],
        volumes,
        color=FRONT_COLOUR,
        marker="." if len(volumes) < 50 else None,
    )
    axes.set_xlabel("evaluations")
    ratio = " (ratio)" if result.ideal is not None else ""
    axes.set_ylabel(f"hypervolume{ratio}")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(printable(result.problem), fontsize="medium")
    return finish(axes, path)
