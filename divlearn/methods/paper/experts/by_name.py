"""The built-in experts by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from divlearn.errors import InputError
from divlearn.methods.paper.experts.base import Expert
from divlearn.methods.paper.experts.exp3 import EXP3
from divlearn.methods.paper.experts.ftrl import FTRL
from divlearn.methods.paper.experts.thompson import Thompson
from divlearn.methods.paper.experts.ucb import UCB
from divlearn.methods.paper.experts.uniform import Uniform

EXPERTS: dict[str, type[Expert]] = {
    kind.name: kind for kind in (UCB, Thompson, EXP3, FTRL, Uniform)
}


def expert_from(description: Mapping[str, Any]) -> Expert:
    """Make a built-in expert from its description."""
    data = dict(description)
    name = data.pop("expert")
    custom = data.get("class", None if name in EXPERTS else name)
    if custom is not None:
        raise InputError(
            f"the expert {custom!r} is not one of the built-in ones; pass method= with "
            "the DivideAndLearn that holds it."
        )
    return EXPERTS[name](**data)
