"""Units of what has a name: objectives, constraints, metrics and parts of a space."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: An entry of a list: ``sizes[2]``, and ``sizes 2`` on a page.
_ENTRY = re.compile(r"^(.+?)(?:\[\d+\]| \d+)$")


def unit_of(units: Mapping[str, str], name: str) -> str:
    """Unit of an output or of a part; an entry of a list has that of the list.

    Parts of parts are named as spaces do, ``left.width``, or as a page does, ``left
    width``. Empty where nobody said so.

    Examples
    --------
    >>> units = {"cost": "EUR", "left.width": "mm"}
    >>> unit_of(units, "cost"), unit_of(units, "left width 3"), unit_of(units, "time")
    ('EUR', 'mm', '')
    """
    for known in (name, name.replace(" ", ".")):
        if known in units:
            return units[known]
    entry = _ENTRY.match(name)
    return "" if entry is None else unit_of(units, entry[1])


def with_unit(name: str, unit: str) -> str:
    """A name with its unit in brackets, as a table or an axis has it.

    Examples
    --------
    >>> with_unit("cost", "EUR"), with_unit("cost", "")
    ('cost [EUR]', 'cost')
    """
    return f"{name} [{unit}]" if unit else name


def measured(number: str, unit: str) -> str:
    """A number with its unit.

    Examples
    --------
    >>> measured("3.5", "mm"), measured("3.5", "")
    ('3.5 mm', '3.5')
    """
    return f"{number} {unit}" if unit else number
