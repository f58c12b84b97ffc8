"""What other packages add by entry points: methods, problems, commands and views."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from divlearn.errors import InputError

#: Groups of entry points that divlearn looks at.
METHODS, PROBLEMS, COMMANDS, VIEWS = (
    "divlearn.methods",
    "divlearn.problems",
    "divlearn.commands",
    "divlearn.views",
)


@cache
def plugins(group: str) -> dict[str, EntryPoint]:
    """Entry points of a group by name, sorted.

    Examples
    --------
    >>> list(plugins("divlearn.commands"))
    ['bench', 'train']
    """
    found = sorted(entry_points(group=group), key=lambda point: point.name)
    return {point.name: point for point in found}


def load_plugin(point: EntryPoint) -> Any:
    """Import what an entry point names, or say which package is at fault."""
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        package = point.dist.name if point.dist is not None else "an installed package"
        raise InputError(
            f"{package} offers {point.value!r} to divlearn as {point.name!r}, but it "
            f"cannot be imported ({error}); upgrade or remove that package."
        ) from error


def loaded(group: str) -> dict[str, Any]:
    """Merge the dicts that a group's entry points offer into one."""
    together: dict[str, Any] = {}
    for point in plugins(group).values():
        together |= load_plugin(point)
    return together
