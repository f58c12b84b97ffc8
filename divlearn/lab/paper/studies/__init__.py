"""The paper's studies, a module for each; what lies here is found by itself."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from divlearn.lab.paper.study import Study


@cache
def all_studies() -> dict[str, Study]:
    """All studies by name, in the order of the paper.

    Examples
    --------
    >>> all_studies()["exp3"].line
    1366
    """
    modules = [
        import_module(f"{__name__}.{one.name}") for one in iter_modules(__path__)
    ]
    found: list[Study] = [module.STUDY for module in modules]
    return {one.name: one for one in sorted(found, key=lambda one: one.line)}
