"""All methods by name: divlearn's own, and those that other packages add.

Another package offers its methods by an entry point of the group ``divlearn.methods``
that names a method, or a dict of methods or of :class:`Entry` by name; the laboratory
does so as well. A method of one's own is named as ``package.module:Name``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.basics.plugins import (
    METHODS,
    first_line,
    is_reference,
    loaded,
    made_by,
    referenced,
)
from divlearn.methods.base import Method
from divlearn.methods.dl.method import DL, dl_from
from divlearn.methods.dl.method import NAME as NAME_OF_DL
from divlearn.methods.others.base import DIGEST, Entry, OtherMethod
from divlearn.methods.paper.experts.mixture import HYBRID_RATIO, THIRD_SHARE
from divlearn.methods.paper.method import NAME as NAME_OF_PAPER
from divlearn.methods.paper.method import PRESETS, divide_and_learn_from

DEFAULT_METHOD = "dl"
#: Divlearn's own methods by name, with a line on each.
OWN_METHODS = {
    "dl": "learning from differences: tables of what a change is worth, search in them",
    "paper-ucb": "Divide and Learn with better moves: UCB, EXP3 and FTRL experts",
    "paper-ts": "Divide and Learn with better moves: Thompson sampling, EXP3",
    "paper-literal": "Divide and Learn by the letter of its text: unit moves",
    "uniform": "control: the same search with experts that choose at random",
}
RANDOM = Entry(
    "divlearn.methods.others.random", "RandomSearch", "control: random solutions"
)


@cache
def other_methods() -> dict[str, Entry]:
    """Methods that are not divlearn's own, by name."""
    offered = {name: _entry(value) for name, value in loaded(METHODS).items()}
    return {"random": RANDOM} | offered


def _entry(offered: Any) -> Entry:
    """What a package offers, as an entry of the list."""
    if isinstance(offered, Entry):
        return offered
    return Entry(offered.__module__, offered.__qualname__, first_line(offered))


def all_methods() -> dict[str, str]:
    """All methods by name, with a line on each.

    Examples
    --------
    >>> list(all_methods())[:5]
    ['dl', 'paper-ucb', 'paper-ts', 'paper-literal', 'uniform']
    """
    return OWN_METHODS | {name: entry.about for name, entry in other_methods().items()}


def method_for(method: str | Method) -> Method:
    """Return a method by its name; a method is returned as it is.

    Examples
    --------
    >>> method_for("random").name
    'random'
    """
    if isinstance(method, Method):
        return method
    if method == "dl":
        return DL()
    if isinstance(method, str) and method in PRESETS:
        return PRESETS[method]()
    if is_reference(method):
        return own_method(method)
    require_one_of("method", method, all_methods())
    return other_methods()[method].make()


def own_method(name: str) -> Method:
    """A method that its user names as ``package.module:Name``."""
    found: Method = made_by("method", name, Method, referenced("method", name))
    if isinstance(found, OtherMethod) and not dataclasses.is_dataclass(found):
        raise InputError(
            f"method {name!r} must be a frozen dataclass, whose fields are options: "
            "write @dataclass(frozen=True) above the class."
        )
    if not isinstance(getattr(found, "name", None), str):
        raise InputError(
            f"method {name!r} must have a name for results and tables, such as "
            f"name = {type(found).__name__.lower()!r} in its class."
        )
    return found


def method_from(description: Mapping[str, Any]) -> Method:
    """Make a method from what its ``describe`` wrote, also in divlearn 0.1.0."""
    description = up_to_date(description)
    name = description["method"]
    if name == NAME_OF_DL:
        return dl_from(description)
    if name == NAME_OF_PAPER:
        _refuse_references(description)
        return divide_and_learn_from(description)
    return _other_from(dict(description))


def _refuse_references(description: Mapping[str, Any]) -> None:
    """Import nothing because a file says so: it may come from anyone."""
    mixture = description.get("mixture")
    experts = mixture.get("experts") if isinstance(mixture, Mapping) else None
    for given in experts if isinstance(experts, (list, tuple)) else (experts,):
        name = given.get("expert") if isinstance(given, Mapping) else given
        if is_reference(name):
            raise InputError(
                f"the expert {name!r} is named by a file and not imported; pass "
                "method= with the DivideAndLearn that holds it."
            )


#: Options of ``dl`` that had another name in divlearn 0.1.0.
_RENAMED = {
    "own_encodings": "custom_encodings",
    "ring": "memory",
    "kernel_points": "gp_candidates",
}


def up_to_date(description: Mapping[str, Any]) -> dict[str, Any]:
    """A description as it is written today, made of one that 0.1.0 may have written.

    There one class had the options of all methods, and ``differences`` those of dl.

    Examples
    --------
    >>> up_to_date({"baseline": "random"})
    {'method': 'random'}
    """
    options = dict(description)
    if "method" in options:
        return options
    if "baseline" in options:
        return {"method": options.pop("baseline"), **options}
    differences = options.pop("differences", None)
    if differences is None:
        return {"method": NAME_OF_PAPER, **_paper_options(options)}
    shared = {"initial": options["initial"], "moves": options["refinement"]["moves"]}
    named = {_RENAMED.get(name, name): value for name, value in differences.items()}
    return {"method": NAME_OF_DL, **shared, **named}


def _mixture_up_to_date(mixture: Mapping[str, Any]) -> dict[str, Any]:
    """A mixture as it is described today; what 0.1.0 did not use is left out.

    There ``hybrid_ratio`` was the share of the first expert.
    """
    count = len(mixture["experts"])
    found: dict[str, Any] = {"experts": mixture["experts"]}
    if count > 1 and mixture["hybrid_ratio"] != HYBRID_RATIO:
        found["hybrid_ratio"] = 1.0 - mixture["hybrid_ratio"]
    if count > 1 and not mixture["adaptive"]:
        found["adaptive"] = False
    if count > 2 and mixture["third_share"] != THIRD_SHARE:
        found["third_share"] = mixture["third_share"]
    return found


def _paper_options(before: dict[str, Any]) -> dict[str, Any]:
    """Options of the paper's method that say what divlearn 0.1.0 did."""
    options = dict(before)
    if "mixture" in options:
        options["mixture"] = _mixture_up_to_date(options["mixture"])
    if options.get("coordination") is not None:
        coordination = dict(options["coordination"])
        accelerated = coordination.pop("accelerated", True)
        coordination["acceleration"] = "averaged" if accelerated else "none"
        options["coordination"] = coordination
    division = options.get("decomposition") or {}
    options["decomposition"] = {**division, "count_neighbourhoods": False}
    return options


def _other_from(options: dict[str, Any]) -> OtherMethod:
    """Make a method from what :meth:`OtherMethod.describe` wrote."""
    name, digest = options.pop("method"), options.pop(DIGEST, "")
    if name not in other_methods():
        raise InputError(
            f"the method {name!r} is none that is known by name, and a file's word is "
            "not enough to load it; pass it again, as method= in Python or as --method "
            "package.module:Name."
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
    >>> name_of("dl"), name_of(DL(geometry=False)), name_of(method_for("random"))
    ('dl', 'custom', 'random')
    """
    return method if isinstance(method, str) else method_for(method).name
