"""Experts by name: the built-in ones, those of packages, and one's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.plugins import EXPERTS as GROUP
from divlearn.basics.plugins import is_reference, loaded, made_by, referenced
from divlearn.methods.paper.experts.acquisition import EI, KG, PI
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.experts.exp3 import EXP3
from divlearn.methods.paper.experts.ftrl import FTRL, EntropicFTRL
from divlearn.methods.paper.experts.thompson import Thompson
from divlearn.methods.paper.experts.ucb import UCB
from divlearn.methods.paper.experts.uniform import Uniform

EXPERTS: dict[str, type[Expert]] = {
    kind.name: kind
    for kind in (UCB, Thompson, EI, PI, KG, EXP3, FTRL, EntropicFTRL, Uniform)
}


@cache
def offered_experts() -> dict[str, Any]:
    """Experts that installed packages offer, by name."""
    return loaded(GROUP)


def expert_from(given: Any) -> Expert:
    """Return an expert of a name or a description; an expert is returned as it is.

    Examples
    --------
    >>> expert_from("ucb"), expert_from({"expert": "ucb", "coefficient": 2})
    (UCB(coefficient=3.0), UCB(coefficient=2))
    """
    if isinstance(given, Expert):
        return given
    if is_reference(given):
        return _made(given, referenced("expert", given))
    if isinstance(given, str):
        known = EXPERTS if given in EXPERTS else EXPERTS | offered_experts()
        name = require_one_of("experts", given, known)
        return _made(name, known[name])
    if isinstance(given, Mapping) and isinstance(given.get("expert"), str):
        return _described(dict(given))
    raise InputError(
        "experts must be experts such as divlearn.methods.paper.experts.UCB(), their "
        'names, or tables such as {expert = "ucb", coefficient = 2}, got '
        f"{given!r}."
    )


def _made(name: str, found: Any, /, **options: Any) -> Expert:
    """An expert that somebody else has written."""
    expert: Expert = made_by("expert", name, Expert, found, **options)
    return expert


def _described(options: dict[str, Any]) -> Expert:
    """Make an expert from its name and options."""
    name = options.pop("expert")
    if is_reference(name) or (name not in EXPERTS and name in offered_experts()):
        kind = referenced("expert", name) if is_reference(name) else None
        kind = offered_experts()[name] if kind is None else kind
        return _made(name, kind, **options)
    custom = options.get("class", None if name in EXPERTS else name)
    if custom is not None:
        raise InputError(
            f"the expert {custom!r} is not one of the built-in ones "
            f"({', '.join(EXPERTS)}); pass method= with the DivideAndLearn that "
            "holds it."
        )
    for option in options:
        known = vars(EXPERTS[name]()).keys()
        require_one_of(f"option of the expert {name}", option, known)
    return EXPERTS[name](**options)
