"""Packages that some baselines need beside the core."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from divlearn.errors import MissingExtra


def need(package: str, extra: str = "bench") -> Any:
    """Import a package, or say how to install it.

    Raises
    ------
    MissingExtra
        If it is not there.

    Examples
    --------
    >>> need("json").__name__
    'json'
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtra(
            f'this method needs {package}: pip install "divlearn[{extra}]".'
        ) from error
