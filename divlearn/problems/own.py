"""Problems of one's own by name, and those that other packages offer."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from divlearn.basics.errors import InputError
from divlearn.basics.plugins import first_line, made_by, referenced, split_reference
from divlearn.problems.base import Problem
from divlearn.problems.built_in.base import Single

#: Option that a number behind the name stands for.
SIZE = "size"


def own_problem(name: str, instance: int, options: Mapping[str, Any]) -> Problem:
    """A problem that its user names as ``package.module:name``.

    Parameters
    ----------
    name
        Of a function ``build(instance, **options)``, or of a problem. A number behind
        it, as in ``mine:bridges-30``, is the option ``size``.
    instance
        Number of the random instance.
    options
        What else the function is called with.
    """
    home, path, size = split_reference(name)
    found = referenced("problem", f"{home}:{path}")
    given = dict(options) if size is None else {SIZE: size, **options}
    if isinstance(found, Problem):
        if instance or given:
            raise InputError(
                f"problem {name!r} is one problem, without instances and options; got "
                f"instance {instance} and {given}. Name a function build(instance, "
                "**options) instead."
            )
        return found
    _require_options(name, found, given)
    problem: Problem = made_by("problem", name, Problem, found, instance, **given)
    return problem


def _require_options(name: str, build: Any, given: Mapping[str, Any]) -> None:
    """Refuse options that a function does not take."""
    known = options_of(build)
    if known is None or not (unknown := sorted(set(given) - set(known))):
        return
    has = f"has the options {', '.join(known)}" if known else "has no options"
    raise InputError(f"problem {name!r} {has}; got {', '.join(unknown)}.")


def options_of(build: Any) -> tuple[str, ...] | None:
    """Names of what a function takes beside an instance; None if it takes anything."""
    try:
        parameters = list(inspect.signature(build).parameters.values())[1:]
    except (TypeError, ValueError):  # no function, or one without a signature
        return None
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return None
    return tuple(one.name for one in parameters if one.kind is not one.VAR_POSITIONAL)


def offered(name: str, value: Any) -> Single:
    """What a package offers under a name: a function as above, or a ``Single``."""
    if isinstance(value, Single):
        return value

    def build(instance: int, label: str, **options: Any) -> Problem:
        made: Problem = made_by("problem", label, Problem, value, instance, **options)
        return made

    return Single(first_line(value), build, options_of(value) or ())
