"""All kinds of pictures by name, and which of them a result can have."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.plot.arms import arms
from divlearn.plot.design import design
from divlearn.plot.designs import designs
from divlearn.plot.encodings import encodings
from divlearn.plot.front import front
from divlearn.plot.history import history
from divlearn.plot.importance import importance
from divlearn.plot.learned import learned
from divlearn.plot.parallel import parallel
from divlearn.plot.trace import trace

if TYPE_CHECKING:
    from divlearn.result import Result


class Kind(NamedTuple):
    """A kind of picture.

    Attributes
    ----------
    draw
        ``draw(result, path, ax, **options)`` makes it.
    shows
        What it shows, in a few words.
    fits
        Whether a result has what it needs.
    """

    draw: Callable[..., Any]
    shows: str
    fits: Callable[[Result], bool]


def _has_front(result: Result) -> bool:
    return len(result.F) > 0 and len(result.objectives) > 1


def _has_volumes(result: Result) -> bool:
    volumes = np.array(result.history["hypervolume"], np.float64)
    return not np.isnan(volumes).all()


def _differ(result: Result) -> bool:
    return len(result.F) > 1


def _can_measure(result: Result) -> bool:
    if result.sample is not None or result.learned.get("what_matters"):
        return True
    known = result.insights.get("importance") or {}
    return any(one.get("shares") for one in known.values() if isinstance(one, dict))


def _has(name: str) -> Callable[[Result], bool]:
    return lambda result: bool(result.learned.get(name))


#: All kinds of pictures by name.
KINDS: dict[str, Kind] = {
    "front": Kind(front, "the trade-offs", _has_front),
    "parallel": Kind(parallel, "the trade-offs on parallel axes", _has_front),
    "history": Kind(history, "how the hypervolume grew", _has_volumes),
    "designs": Kind(designs, "how designs change along the front", _differ),
    "design": Kind(
        design,
        "one solution, drawn",
        lambda result: result.drawing is not None and len(result.F) > 0,
    ),
    "importance": Kind(importance, "which variables matter", _can_measure),
    "learned": Kind(learned, "what was learned, and how surely", _has("tables")),
    "encodings": Kind(encodings, "error of the encodings over time", _has("course")),
    "arms": Kind(arms, "use and success of arms over time", _has("course")),
    "trace": Kind(
        trace,
        "what happened in every iteration",
        lambda result: result.trace is not None and len(result.trace) > 0,
    ),
}

#: Kinds that show plain data of ``learned``, which in a file may be anything.
READS_LEARNED = ("learned", "encodings", "arms")


def possible(result: Result) -> list[str]:
    """Kinds of pictures that a result has everything for.

    Examples
    --------
    >>> from divlearn import Result
    >>> from divlearn.plot import possible
    >>> possible(Result(["a", "b"], [[1, 5], [3, 2]], objectives=["cost", "time"]))
    ['front', 'parallel', 'designs']
    """
    return [name for name, kind in KINDS.items() if kind.fits(result)]


def draw(
    result: Result,
    kind: str = "front",
    path: str | Path | None = None,
    ax: Any = None,
    **options: Any,
) -> Any:
    """Draw a picture of a result by the name of its kind.

    Parameters
    ----------
    result
        What to draw.
    kind
        One of :data:`KINDS`.
    path
        Picture file to write (png, svg, pdf); None for none.
    ax
        Matplotlib axes to draw into, where a picture has only one panel.
    options
        What the function of the same name takes in addition.

    Returns
    -------
    The matplotlib figure.

    Raises
    ------
    InputError
        If the result has no such picture; the message lists those that it has.
    """
    require_one_of("kind", kind, list(KINDS))
    _require_options(kind, options)
    fits = KINDS[kind].fits(result)
    try:
        return KINDS[kind].draw(result, path, ax, **options)
    except InputError as error:
        if fits:
            raise
        found = ", ".join(possible(result)) or "none"
        raise InputError(f"{error} Pictures that this result has: {found}.") from None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        if kind not in READS_LEARNED:
            raise
        raise InputError(
            f"what the result says about {kind!r} cannot be read ({error!r}); it comes "
            "from a file that was changed."
        ) from error


def _require_options(kind: str, options: dict[str, Any]) -> None:
    """Refuse options that a kind of picture does not have."""
    every = list(inspect.signature(KINDS[kind].draw).parameters)[3:]
    for name in options:
        if name not in every:
            known = f"takes {', '.join(every)}" if every else "takes no options"
            raise InputError(f"{kind!r} {known}, got {name!r}.")
