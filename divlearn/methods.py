"""All methods by name: divlearn's own, which are settings, and the baselines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from divlearn.baselines import BASELINES, Baseline, baseline, baseline_from
from divlearn.checks import require_one_of
from divlearn.settings import PRESETS, Settings, settings_for, settings_from

#: How to search: settings of divlearn's own search, or a baseline with its options.
Method = Settings | Baseline

#: Methods by name, with a line on each.
METHODS: dict[str, str] = PRESETS | {
    name: entry.about for name, entry in BASELINES.items()
}
DEFAULT_METHOD = "dl"


def method_for(method: str | Method) -> Method:
    """Return a method by its name; what is one already is returned as it is.

    Examples
    --------
    >>> method_for("random").name
    'random'
    """
    if isinstance(method, (Settings, Baseline)):
        return method
    require_one_of("method", method, METHODS)
    return settings_for(method) if method in PRESETS else baseline(method)


def method_from(description: Mapping[str, Any]) -> Method:
    """Make a method from what its ``describe`` wrote."""
    if "baseline" in description:
        return baseline_from(dict(description))
    return settings_from(description)


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
