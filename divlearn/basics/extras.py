"""Packages that some baselines need in addition to the core."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from divlearn.basics.errors import MissingExtra


def need(package: str, extra: str | None = "bench", terms: str = "") -> Any:
    """Import a package without its warnings, or say how to install it.

    Parameters
    ----------
    package
        Name of the package.
    extra
        Extra of divlearn that installs it; None if none does.
    terms
        What to know before installing it, such as its licence.

    Raises
    ------
    MissingExtra
        If it is not installed.

    Examples
    --------
    >>> need("json").__name__
    'json'
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(package)
    except ImportError as error:
        source = package if extra is None else f'"divlearn[{extra}]"'
        message = f"this method needs {package}: pip install {source}. {terms}"
        raise MissingExtra(message.strip()) from error
