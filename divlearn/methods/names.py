"""All methods by name: divlearn's own, and those that other packages add.

Another package offers its methods by an entry point of the group ``divlearn.methods``
that names a dict of :class:`Entry` by name; the laboratory does so as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.plugins import METHODS, loaded
from divlearn.errors import InputError
from divlearn.methods.others.base import DIGEST, Baseline, Entry
from divlearn.methods.paper.settings import (
    PRESETS,
    Settings,
    settings_for,
    settings_from,
)

#: How to search: settings of divlearn's own search, or a baseline with its options.
Method = Settings | Baseline

DEFAULT_METHOD = "dl"
RANDOM = Entry(
    "divlearn.methods.others.random", "RandomSearch", "control: random solutions"
)


@cache
def other_methods() -> dict[str, Entry]:
    """Methods that are not divlearn's own, by name."""
    return {"random": RANDOM} | loaded(METHODS)


def all_methods() -> dict[str, str]:
    """All methods by name, with a line on each.

    Examples
    --------
    >>> list(all_methods())[:5]
    ['dl', 'paper-ucb', 'paper-ts', 'uniform', 'random']
    """
    return PRESETS | {name: entry.about for name, entry in other_methods().items()}


def method_for(method: str | Method) -> Method:
    """Return a method by its name; what is one already is returned as it is.

    Examples
    --------
    >>> method_for("random").name
    'random'
    """
    if isinstance(method, (Settings, Baseline)):
        return method
    if isinstance(method, str) and method in PRESETS:
        return settings_for(method)
    require_one_of("method", method, all_methods())
    return other_methods()[method].make()


def method_from(description: Mapping[str, Any]) -> Method:
    """Make a method from what its ``describe`` wrote."""
    if "baseline" in description:
        return _other_from(dict(description))
    return settings_from(description)


def _other_from(description: dict[str, Any]) -> Baseline:
    """Make a method from what :meth:`Baseline.describe` wrote."""
    options = dict(description)
    name, digest = options.pop("baseline"), options.pop(DIGEST, "")
    if name not in other_methods():
        raise InputError(
            f"the method {name!r} is none that is known by name; pass method= with "
            "the object."
        )
    found = other_methods()[name].make().replace(**options)
    if found.digest != digest:
        raise InputError(
            f"{', '.join(found.sources())} is not the file that {name} was described "
            "with: its content has changed. Restore it, or begin anew."
        )
    return found


def name_of(method: str | Method) -> str:
    """What a result calls its method.

    Examples
    --------
    >>> name_of("dl"), name_of(Settings()), name_of(method_for("random"))
    ('dl', 'custom', 'random')
    """
    if isinstance(method, str):
        return method
    return method.name if isinstance(method, Baseline) else "custom"
