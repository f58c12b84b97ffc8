"""Named problems with numbered random instances, the same for everyone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError
from divlearn.basics.plugins import PROBLEMS, is_reference, loaded
from divlearn.problems.base import Problem
from divlearn.problems.built_in import FAMILIES, load_family
from divlearn.problems.built_in.base import Single
from divlearn.problems.own import SIZE, offered, own_problem


@cache
def singles() -> dict[str, Single]:
    """Problems that other packages add: see ``basics/plugins.py``."""
    return {name: offered(name, value) for name, value in loaded(PROBLEMS).items()}


def get(name: str, /, instance: int = 0, **options: Any) -> Problem:
    """Make a numbered random instance with its reference and ideal point.

    Parameters
    ----------
    name
        Family and size, such as ``"bitsp-100"``, or a name without a size, such as
        ``"codesign-paper"``; :func:`catalogue` lists them. Or one of your own, as
        ``"package.module:name"``: a function that is called with the number of the
        instance and the options, and returns a problem; ``"package.module:name-30"``
        has the option ``size=30``.
    instance
        Number of the random instance, from 0; the same number is the same instance
        everywhere.
    options
        What the family leaves open, such as ``repair`` and ``fill`` of ``bikp-N`` (by
        default ``repair="random-drop"``) or ``k`` and ``rho`` of ``mnk-N``.

    Examples
    --------
    >>> from divlearn.problems import get
    >>> problem = get("bitsp-100", instance=3)
    >>> problem.name, problem.instance, problem.reference
    ('bitsp-100', 3, array([65., 65.]))
    """
    number = require_whole("instance", instance)
    if is_reference(name):
        problem = own_problem(name, number, options)
        problem.instance = number
        return problem
    sized = re.fullmatch(r"(.+)-([0-9]{1,9})", str(name))
    if sized and sized[1] in singles() and SIZE in singles()[sized[1]].options:
        options = {SIZE: int(sized[2]), **options}
        problem = singles()[sized[1]].build(number, name, **options)
    elif name in singles():
        single = singles()[name]
        _require_options(name, single.options, options)
        problem = single.build(number, name, **options)
    else:
        word, size, second = _read_name(name)
        family = load_family(word)
        _require_options(f"{word}-N", family.options, options)
        rng = np.random.default_rng(number)
        problem = family.build(rng, size, name, **second | options)
    problem.instance = number
    return problem


def catalogue() -> list[tuple[str, str]]:
    """List the names that :func:`get` understands, with what they are.

    Examples
    --------
    >>> from divlearn.problems import catalogue
    >>> catalogue()[0]
    ('bitsp-N', "tour of N cities with 2 lengths; the paper's N: 20, 50, 100")
    """
    return [
        *((f"{name}-N", family.description) for name, family in FAMILIES.items()),
        *(
            (f"{name}-N" if SIZE in single.options else name, single.description)
            for name, single in singles().items()
        ),
    ]


def _require_options(
    name: str, known: tuple[str, ...], options: Mapping[str, Any]
) -> None:
    """Refuse options that a problem does not have."""
    if unknown := sorted(set(options) - set(known)):
        allowed = f"has the options {', '.join(known)}" if known else "has no options"
        raise InputError(f"{name} {allowed}; got {', '.join(unknown)}.")


def _read_name(name: object) -> tuple[str, int, dict[str, int]]:
    """Take family, size and the option that a second size stands for from a name."""
    pattern = r"([a-z]+(?:-[a-z]+)*)-([0-9]{1,9})(?:x([0-9]{1,9}))?"
    match = re.fullmatch(pattern, str(name))
    if match is None or match[1] not in FAMILIES:
        raise InputError(
            f"problem must be {', '.join(singles())} or one of "
            f"{', '.join(f'{f}-N' for f in FAMILIES)} with a size for N, such as "
            f"bitsp-100; got {name!r}.{_hint(str(name).lower())}"
        )
    word, size = match[1], int(match[2])
    family = load_family(word)
    if not family.least <= size <= family.most:
        raise InputError(
            f"the size of {word}-N must be from {family.least} to {family.most}, "
            f"got {name!r}."
        )
    if match[3] is None:
        return word, size, {}
    if family.second is None:
        raise InputError(f"{word}-N has one size, got two in {name!r}.")
    return word, size, {family.second: int(match[3])}


def _hint(name: str) -> str:
    """Suggest the problem that may be meant."""
    near = get_close_matches(name, singles(), 1) or [
        f"{word}-N"
        for word in get_close_matches(re.sub(r"-*[0-9.]*$", "", name), FAMILIES, 1)
    ]
    return f" Did you mean {near[0]}?" if near else ""
