"""The space of a study, from a table per variable."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature

from divlearn.basics.checks import require_one_of
from divlearn.basics.errors import InputError
from divlearn.simulator.document import HELP, Table
from divlearn.spaces import Binary, Categorical, Composite, If, Space
from divlearn.spaces.described import SINGLE


def _binary(n: int | None = None) -> Space:
    """Several yes or no in a list, or, without a number of them, just one."""
    return Categorical([False, True]) if n is None else Binary(n)


#: What makes a variable of a type.
MAKERS: dict[str, Callable[..., Space]] = {**SINGLE, "binary": _binary}

#: What other programs call a real number.
OTHER_WORDS_FOR_REAL = ("float", "double", "continuous", "uniform", "loguniform")


def read_space(table: Table) -> Composite:
    """Make the space that ``[space]`` describes."""
    table.require_names()
    if not table.content:
        raise table.fail("", f"[space] must have at least one variable; {HELP}.")
    parts: dict[str, Space | If] = {}
    for name in table.content:
        variable = table.table(name)
        parts[name] = _variable(variable)
        if "when" in variable:
            with variable.at("when"):  # so that a mistake is told where it is
                Composite(**parts)
    return Composite(**parts)


def _variable(table: Table) -> Space | If:
    """Make one variable, which may exist only sometimes."""
    space = _space(table)
    if "when" not in table:
        return space
    when = table.content["when"]
    if not isinstance(when, dict) or not when or "then" in when:
        raise table.fail(
            "when",
            f"when in {table} must say which variables have which values, such as "
            f'{{kind = "cpu"}}, {{kind = ["cpu", "gpu"]}} or {{size = {{min = 2}}}}, '
            f"and none of them may be called then; got {when!r}.",
        )
    with table.at("when"):
        return If(then=space, **when)


def _space(table: Table) -> Space:
    """Make the space of one variable."""
    if "type" not in table:  # it may be there under a misspelt name
        keys = (key for make in MAKERS.values() for key in signature(make).parameters)
        table.require_keys(("type", *dict.fromkeys(keys), "when"))
    with table.at("type"):
        if table.content.get("type") in OTHER_WORDS_FOR_REAL:
            raise InputError(
                f"type in {table} must be 'real' for numbers with a decimal point, "
                f"got {table.content['type']!r}."
            )
        kind = require_one_of(f"type in {table}", table.content.get("type"), MAKERS)
    arguments = signature(MAKERS[kind]).parameters
    table.require_keys(("type", *arguments, "when"))
    for key, argument in arguments.items():
        if argument.default is Parameter.empty and key not in table:
            raise table.fail(
                "", f"{table} of type {kind!r} must have the key {key!r}; {HELP}."
            )
    _require_plain_values(table)
    with table.at():
        given = {k: v for k, v in table.content.items() if k not in ("type", "when")}
        return MAKERS[kind](**given)


def _require_plain_values(table: Table) -> None:
    """Refuse values that JSON has no word for."""
    if "values" not in table:
        return
    values = table.content["values"]
    plain = isinstance(values, list) and all(
        isinstance(v, (str, int, float, bool)) for v in values
    )
    if not plain:
        raise table.fail(
            "values",
            f"values in {table} must be a list of texts, numbers or true and false, "
            f"got {values!r}.",
        )
